--- What the steps of all walkthroughs share for their inputs.
-- @module clue.walk.inputs
local output = require "clue.output"

local inputs = {}

--- Declares --repeat.
-- @tparam table input the script's `input`
function inputs.repeats(input)
  input.int("_repeat", 0, "measured runs; 0: until 7 runs or 3 seconds, whichever comes first", 0)
end

--- How many times a step is to run, for @{clue.walk.run}.
-- @tparam ?int given --repeat
-- @treturn ?int
function inputs.runs(given)
  return given and given > 0 and given or nil
end

--- Ends the script because an input is wrong.
-- @tparam string why
function inputs.refuse(why)
  output.err:write("clue: ", why, "\n")
  os.exit(2, true)
end

--- Passes on an input that was read. Ends the script if it could not be read.
-- @param first the first result of a function of @{clue.walk.size}, nil if it could not read the input
-- @param ... its other results, or why not
-- @return all of them
function inputs.passed(first, ...)
  if not first then inputs.refuse((...)) end
  return first, ...
end

return inputs
