--- Asks questions in a child process: a driver may crash or hang when it is loaded, and the doctor must not.
--
-- The questions are the functions of clue.doctor.inside.
-- @module clue.doctor.child
local binding = require "clue.binding"
local json = require "dkjson"
local options = require "clue.options"
local signals = require "clue.shared.signals"

local child = {}

local unpack = unpack or table.unpack -- luacheck: ignore

-- Bytes of its errors that are kept of a child: one that never stops talking must not fill this process.
local most_errors = 65536

local function quoted(words)
  local parts = {}
  for i, word in ipairs(words) do parts[i] = ("%q"):format(word):gsub("\\\n", "\\n") end
  return table.concat(parts, ", ")
end

local function last_line(text)
  local last
  for line in text:gmatch("[^\r\n]+") do
    if line:find("%S") then last = line end
  end
  return last
end

-- Follows a child to its end.
local function follow(number)
  local result, errors, state = "", "", "running"
  while state == "running" do
    state = binding.child_wait(number, 0.5) or error(binding.error().text, 0)
    errors = (errors .. binding.child_take(number, "err")):sub(-most_errors)
    binding.child_take(number, "out") -- drivers talk there
    result = result .. binding.child_take(number, "result")
  end
  return state, result, errors
end

-- How it ended: words that stand behind "it", and the particulars.
local function ending(state, value, seconds)
  if state == "timeout" then return "does not answer", ("stopped after %g s"):format(seconds) end
  if state == "signalled" then return "crashes", signals[value] or "signal " .. value end
  return "ends the process", ("exit status %d"):format(value)
end

--- Asks one question.
-- @tparam string name of a function of clue.doctor.inside
-- @tparam {string,...} words its arguments
-- @tparam table how seconds: the limit; environment: {"NAME=VALUE", ...} or nil; device: a choice or nil
-- @treturn table answer (what the function returned; nil where it did not come to that), ended: "well", "badly",
-- "crashed" or "hung"; where not well, verb: "crashes", and detail: "SIGABRT: the last line of its errors"
function child.ask(name, words, how)
  local arguments = {options.program, "--quiet"}
  if how.device then
    arguments[#arguments + 1] = "--device"
    arguments[#arguments + 1] = how.device
  end
  arguments[#arguments + 1] = "-e"
  arguments[#arguments + 1] = ("require('clue.doctor.inside').answer(%s)"):format(quoted {name, unpack(words)})
  local number = binding.child_start {
    arguments = arguments, environment = how.environment, seconds = how.seconds, result_descriptor = 3,
  } or error(binding.error().text, 0)
  local followed, state, result, errors = pcall(follow, number)
  local value = binding.child_value(number)
  binding.child_close(number)
  if not followed then error(state, 0) end
  local well = state == "exited" and value == 0
  local ended = well and "well" or state == "timeout" and "hung" or state == "signalled" and "crashed" or "badly"
  local asked = {answer = json.decode(result), ended = ended}
  if well then return asked end
  asked.verb, asked.detail = ending(state, value, how.seconds)
  local said = last_line(errors)
  if said then asked.detail = asked.detail .. ": " .. said end
  return asked
end

--- What clue says of its version.
-- @treturn string "clue 0.1.0 (LuaJIT 2.1.0-beta3)"
function child.version()
  local number = binding.child_start {arguments = {options.program, "--version"}, seconds = 10}
    or error(binding.error().text, 0)
  while binding.child_wait(number, 0.5) == "running" do end -- luacheck: ignore 542
  local text = binding.child_take(number, "out")
  binding.child_close(number)
  return text:match("[^\n]+") or "?"
end

return child
