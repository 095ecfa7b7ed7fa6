--- Asks about a run's steps before it shows their numbers, in the terminal: `clue walk --quiz`, `clue show --quiz`.
local output = require "clue.output"
local terminal = require "clue.show.text"
local view = require "clue.show.walk.quiz"

local quiz = {}

local WIDTH = {most = 100}

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

-- Asks them all, until the input ends: how many answers were right, and how many questions were answered or had their
-- answer shown.
local function ask_all(questions)
  local right = 0
  for i, question in ipairs(questions) do
    terminal.print(view.asked(question, questions[i - 1]), WIDTH)
    local given = answer(#question.choices)
    if given == nil then return right, i - 1 end
    if given == question.right then right = right + 1 end
    terminal.print(view.answered(question, given or nil), WIDTH)
  end
  return right, #questions
end

--- Asks all questions about some rows, and prints the score.
-- @tparam {table,...} rows of one device
-- @tparam ?table on the device: kind and name
-- @treturn ?string why there is nothing to ask
function quiz.ask(rows, on)
  local questions = view.questions(rows, {kind = (on or {}).kind, name = (on or {}).name or "this device"})
  if not questions[1] then return "there is nothing to ask: no step has counts, or a gain over another one" end
  local right, answered = ask_all(questions)
  terminal.print(view.score(right, answered, #questions), WIDTH)
end

return quiz
