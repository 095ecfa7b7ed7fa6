--- Asks questions of choices, one after the other, in a terminal or of a pipe.
-- @module clue.shared.ask
local output = require "clue.output"

local ask = {}

-- The next answer: a choice, false for an empty line, nil at the end of the input. What is neither is asked for again.
local function answer(most)
  while true do
    output.out:write(("Your answer, 1 to %d (Enter alone shows it): "):format(most))
    output.out:flush()
    local line = io.read()
    if not output.out:width() then output.out:write(line or "", "\n") end -- a terminal shows what is typed
    if not line then return nil end
    local number = tonumber(line)
    if not line:find "%S" then return false end
    if number and number % 1 == 0 and number >= 1 and number <= most then return number end
  end
end

--- Asks them all, until the input ends.
-- @tparam {table,...} questions each with choices and right
-- @tparam function asked asked(question, before) shows one; before is the one before it
-- @tparam function answered answered(question, given) shows its answer; given is nil if none was given
-- @treturn int how many answers were right
-- @treturn int how many questions were answered, or shown their answer
function ask.all(questions, asked, answered)
  local right = 0
  for i, question in ipairs(questions) do
    asked(question, questions[i - 1])
    local given = answer(#question.choices)
    if given == nil then return right, i - 1 end
    if given == question.right then right = right + 1 end
    answered(question, given or nil)
  end
  return right, #questions
end

return ask
