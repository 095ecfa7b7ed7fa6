--- Asks about a run's steps before it shows their numbers, in the terminal: `clue walk --quiz`, `clue show --quiz`.
-- @module clue.show.quiz
local ask = require "clue.shared.ask"
local terminal = require "clue.show.text"
local view = require "clue.show.walk.quiz"

local quiz = {}

local WIDTH = {most = 100}

--- Asks all questions about some rows, and prints the score.
-- @tparam {table,...} rows of one device
-- @tparam ?table on the device: kind and name
-- @treturn ?string why there is nothing to ask
function quiz.ask(rows, on)
  local questions = view.questions(rows, {kind = (on or {}).kind, name = (on or {}).name or "this device"})
  if not questions[1] then return "there is nothing to ask: no step has counts, or a gain over another one" end
  local right, answered = ask.all(questions, function(question, before)
    terminal.print(view.asked(question, before), WIDTH)
  end, function(question, given)
    terminal.print(view.answered(question, given), WIDTH)
  end)
  terminal.print(view.score(right, answered, #questions), WIDTH)
end

return quiz
