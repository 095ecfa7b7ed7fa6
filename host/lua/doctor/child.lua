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

-- How a process ended that did not end well.
local function failure_of(seen, seconds)
  local failure
  if seen.state == "timeout" then
    failure = {ended = "hung", verb = "does not answer", detail = ("stopped after %g s"):format(seconds)}
  elseif seen.state == "signalled" then
    failure = {ended = "crashed", verb = "crashes", detail = children.signal_name(seen.value)}
  else
    failure = {ended = "badly", verb = "ends the process", detail = ("exit status %d"):format(seen.value)}
  end
  local said = last_line(seen)
  failure.detail = said and failure.detail .. ": " .. said or failure.detail
  return failure
end

--- Asks one question.
-- @tparam string name of a function of clue.doctor.questions
-- @tparam {string,...} words its arguments
-- @tparam table how seconds: the limit; environment: {"NAME=VALUE", ...} or nil; device: a choice or nil
-- @treturn ?table the function's result; nil if it did not return
-- @treturn ?table how its process failed: ended ("badly", "crashed" or "hung"), verb (after "it": "crashes"), detail
--   ("SIGABRT: the last line of its errors"); nil if it ended well
function child.ask(name, words, how)
  local answer
  local seen = children.call("clue.doctor.questions", "answer", {name, unpack(words)}, {
    device = how.device, environment = how.environment, seconds = how.seconds,
    results = function(value) answer = value end,
  }):follow()
  return answer, not seen:is_well() and failure_of(seen, how.seconds) or nil
end

--- clue's version text.
-- @treturn string "clue 0.1.0 (LuaJIT 2.1.0-beta3)"
function child.version()
  return children.output_of({options.program, "--version"}, 10):match "[^\n]+" or "?"
end

return child
