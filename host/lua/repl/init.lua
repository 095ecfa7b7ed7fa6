--- The prompt in a terminal: host/main/repl.c calls this around every statement. It reads lines with history and
-- completion, shows results, and shows how long the last kernel took.
--
-- Standard input that is not a terminal is read without this module, so programs get a plain interpreter, to which only
-- the names of @{clue.repl.help.give_names} are added.
local child = require "clue.shared.child"
local clue_options = require "clue.options"
local completion = require "clue.repl.completion"
local output = require "clue.output"
local duration = require("clue.text").duration
local pretty = require "clue.repl.pretty"

local repl = {}

local KERNEL_PATIENCE = 0.5 -- seconds to wait for a kernel before the prompt returns
-- Loading drivers takes some tenths of a second; with a broken one, the prompt does not wait longer than this.
local DRIVER_PATIENCE = 5

local binding, executions, running
local editor, history -- nil where lines are read without editing
local local_told = false
local asks_for_end = false -- the statement is only "exit" or "quit"

local function width()
  local columns = binding and binding.terminal_width(1) or 0
  return columns > 0 and columns or 80
end

local function say(text)
  local quiet = output.out:colour()
  output.out:write_painted(text, function(shown) return (quiet and "\27[2m" .. shown .. "\27[0m" or shown) .. "\n" end)
end

-- ---- the last kernel ----

-- OpenCL's status once the kernel has ended or the patience is over; nil if it failed. Does not sleep at first, since
-- the host's clock may have to time the kernel.
local function status_of(kernel)
  local begun = binding.now()
  while true do
    local status = binding.kernel_status(kernel)
    local passed = binding.now() - begun
    if not status or status <= 0 or passed > KERNEL_PATIENCE then return status end
    if passed > 0.002 then binding.sleep(0.001) end
  end
end

local function tell_kernel(kernel, name, count)
  local status = status_of(kernel)
  local words = count > 1 and ("%.0f kernels, the last"):format(count) or "kernel"
  local head = ("%s '%s'"):format(words, name)
  running = status and status > 0 and kernel or nil
  if not status then return say(("%s failed: %s"):format(head, binding.error().text)) end
  if running then return say(head .. " is still running") end
  local seconds, clock = binding.kernel_time(kernel)
  local whose = clock == "host" and " (host clock)" or ""
  if seconds then say(("%s: %s%s"):format(head, duration(seconds), whose)) end
end

local function tell_execution()
  local now, kernel, name = binding.kernel_newest()
  local count = now - executions
  executions = now
  if name and (count > 0 or running == kernel and binding.kernel_status(kernel) == 0) then
    tell_kernel(kernel, name, math.max(count, 1))
  end
end

-- ---- the device ----

-- The first line of a message, without "; there is:" before a list in the next lines.
local function first_line(text)
  return (text:match "^[^\n]*":gsub("; [^;]*:$", ""))
end

--- Runs in a child process, since a driver that crashes or hangs when it is loaded must not end or block the prompt,
-- which loads no driver before the first OpenCL call. Sends the device that statements would take, or why there is
-- none.
function repl.send_device()
  local devices, send = require "clue.device", require("clue.shared.parent").send
  local done, found = pcall(devices.pick)
  send(done and {text = tostring(devices.get(found))} or {problem = first_line(tostring(found))})
end

-- One line on the device for the start of the prompt; nil if Ctrl-C ended the search.
local function device_line()
  local answer = {}
  local done, seen = pcall(function()
    return child.call("clue.repl", "send_device", {}, {device = clue_options.device, seconds = DRIVER_PATIENCE,
      results = function(value) answer = value end}):follow()
  end)
  if answer.text then return answer.text .. "; clue --device takes another" end
  if not done then return nil end
  local slow = seen.state == "timeout" and ("the drivers do not answer within %d s"):format(DRIVER_PATIENCE)
  local problem = answer.problem or slow or "the drivers do not start: " .. select(2, seen:reason())
  return problem .. "; `clue doctor` says what to do"
end

-- ---- what repl.c calls ----

-- Starts to edit lines, with the history of earlier sessions.
local function edit()
  editor, history = require "clue.editor", require "clue.repl.history"
  if editor.start() then return history.load() end
  editor, history = nil, nil
  output.err:write(("clue: libedit does not work in this terminal (TERM=%s): lines are read without editing\n")
    :format(os.getenv "TERM" or ""))
end

--- Starts the prompt.
-- @tparam bool can_edit whether the machine has libedit
-- @treturn bool false if lines are read without editing, which was reported; all else is the same
function repl.open(can_edit)
  local problem = can_edit and edit()
  binding = package.loaded["clue.binding"] -- nil if clue did not load, which was reported
  if binding then executions = binding.kernel_newest() end
  if problem then output.err:write("clue: the history of this prompt is not kept: ", problem, "\n") end
  output.print(('cl is require "clue"; %shelp(x) describes x, Ctrl-C drops the line, Ctrl-D ends'):format(
    editor and "Tab completes, " or ""))
  local found = not clue_options.quiet and device_line()
  if found then output.print(found) end
  return editor ~= nil
end

--- Reads a line.
-- @tparam string prompt
-- @treturn ?string the line, nil if there is none
-- @treturn ?string why not: "interrupted" or "end"
function repl.read(prompt)
  return editor.read(prompt, function(before) return completion.complete(before, width()) end)
end

--- Keeps a statement that is about to run.
-- @tparam string statement
function repl.begin(statement)
  if history then history.add(statement) end
  local word = statement:match "^%s*(%a+)%s*$"
  asks_for_end = (word == "exit" or word == "quit") and rawget(_G, word) == nil
  if asks_for_end then say "Ctrl-D or os.exit() ends the prompt" end
  if not local_told and statement:find "^%s*local%s" and not statement:find "[\n;]" then
    local_told = true
    say "here a local ends with its line; without 'local' the name stays"
  end
end

--- Shows the results of a statement.
-- @param ... its results
function repl.show(...)
  if asks_for_end then return end -- the answer is told; the value is nil
  local texts = {}
  for i = 1, select("#", ...) do texts[i] = pretty.text((select(i, ...)), width()) end
  output.print(table.concat(texts, "\n"))
end

--- Reports after a statement, whether it failed or not: the last kernel's time and repeated warnings.
function repl.finish()
  local warn = package.loaded["clue.mql5.warn"]
  if warn then warn.summary() end -- every statement is line 1, so its warnings must not count as repeats
  if binding then tell_execution() end
end

return repl
