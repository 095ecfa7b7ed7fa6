--- Asks questions in a child process: a driver may crash or hang when it is loaded, but the doctor must not.
--
-- The questions are the functions of clue.doctor.questions.
local children = require "clue.shared.child"
local options = require "clue.options"

local child = {}

local unpack = unpack or table.unpack -- luacheck: ignore

-- The last line of its errors, nil if there is none.
local function last_line(seen)
  local lines = seen:last_errors(12)
  for i = #lines, 1, -1 do
    if lines[i]:find "%S" then return lines[i] end
  end
end

-- How it ended: the words after "it", and the details.
local function ending(seen, seconds)
  if seen.state == "timeout" then return "does not answer", ("stopped after %g s"):format(seconds) end
  if seen.state == "signalled" then return "crashes", children.signal_name(seen.value) end
  return "ends the process", ("exit status %d"):format(seen.value)
end

--- Asks one question.
-- @tparam string name of a function of clue.doctor.questions
-- @tparam {string,...} words its arguments
-- @tparam table how seconds: the limit; environment: {"NAME=VALUE", ...} or nil; device: a choice or nil
-- @treturn table answer (the function's result; nil if it did not return), ended: "well", "badly", "crashed" or
-- "hung"; unless "well", also verb: "crashes", and detail: "SIGABRT: the last line of its errors"
function child.ask(name, words, how)
  local answer
  local seen = children.call("clue.doctor.questions", "answer", {name, unpack(words)}, {
    device = how.device, environment = how.environment, seconds = how.seconds,
    results = function(value) answer = value end,
  }):follow()
  if seen:is_well() then return {answer = answer, ended = "well"} end
  local ended = seen.state == "timeout" and "hung" or seen.state == "signalled" and "crashed" or "badly"
  local verb, detail = ending(seen, how.seconds)
  local said = last_line(seen)
  return {answer = answer, ended = ended, verb = verb, detail = said and detail .. ": " .. said or detail}
end

--- clue's version text.
-- @treturn string "clue 0.1.0 (LuaJIT 2.1.0-beta3)"
function child.version()
  return children.output_of({options.program, "--version"}, 10):match "[^\n]+" or "?"
end

return child
