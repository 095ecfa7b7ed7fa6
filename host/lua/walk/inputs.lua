--- What the steps of all walkthroughs do alike with their inputs.
-- @module clue.walk.inputs
local output = require "clue.output"

local inputs = {}

--- Declares --repeat.
-- @tparam table input the script's `input`
function inputs.repeats(input)
  input.int("_repeat", 0, "measured runs; 0: until 7 or 3 seconds, whichever comes first", 0)
end

--- How often a step is to run, as @{clue.walk.run} takes it.
-- @tparam ?int given --repeat
-- @treturn ?int
function inputs.runs(given)
  return given and given > 0 and given or nil
end

--- Ends the script, since an input is wrong.
-- @tparam string why
function inputs.refuse(why)
  output.err:write("clue: ", why, "\n")
  os.exit(2, true)
end

--- Passes on what was read of an input; ends the script where nothing was.
-- @param first what a function of @{clue.walk.size} gave, nil where it could read nothing
-- @param ... what else it gave, or why
-- @return all of it
function inputs.passed(first, ...)
  if not first then inputs.refuse((...)) end
  return first, ...
end

return inputs
