--- Which device the prompt's statements would take, found in a child process: a driver that crashes or hangs when it is
-- loaded must not end or block the prompt, and this process loads no driver before the first OpenCL call.
local child = require "clue.shared.child"
local clue_options = require "clue.options"

local device = {}

-- Loading drivers takes some tenths of a second; with a broken one, the prompt does not wait longer than this.
local PATIENCE = 5

-- The first line of a message, without "; there is:" before a list in the next lines.
local function first_line(text)
  return (text:match "^[^\n]*":gsub("; [^;]*:$", ""))
end

--- Runs in the child: sends the device, or why there is none.
function device.send()
  local devices, send = require "clue.device", require("clue.shared.parent").send
  local done, found = pcall(devices.pick)
  send(done and {text = tostring(devices.get(found))} or {problem = first_line(tostring(found))})
end

--- One line for the start of the prompt.
-- @treturn ?string nil if Ctrl-C ended the search
function device.line()
  local answer = {}
  local done, seen = pcall(function()
    return child.call("clue.repl.device", "send", {}, {device = clue_options.device, seconds = PATIENCE,
      results = function(value) answer = value end}):follow()
  end)
  if answer.text then return answer.text .. "; clue --device takes another" end
  if not done then return nil end
  local slow = seen.state == "timeout" and ("the drivers do not answer within %d s"):format(PATIENCE)
  local problem = answer.problem or slow or "the drivers do not start: " .. select(2, seen:reason())
  return problem .. "; `clue doctor` says what to do"
end

return device
