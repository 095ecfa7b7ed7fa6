--- Runs the steps of a walkthrough, each in a child process: a step that crashes or never ends costs its own row only.
--
-- This process makes no OpenCL context and loads no driver.
-- @module clue.walk.runner
local binding = require "clue.binding"
local json = require "dkjson"
local signals = require "clue.signals"

local runner = {}

-- Bytes of its errors that are kept of a child: one that never stops talking must not fill this process.
local most_errors = 65536

local function complete_lines(text)
  local lines, rest = {}, text
  for line, after in text:gmatch("([^\n]*)\n()") do
    lines[#lines + 1] = line
    rest = text:sub(after)
  end
  return lines, rest
end

-- The end of what a failed step said, without the line that names the device: the table's head does.
local function last_lines(text, most)
  local lines = {}
  for line in text:gmatch("[^\r\n]+") do
    if not line:find("^clue: device %d+ %(") then lines[#lines + 1] = line end
  end
  local from = math.max(1, #lines - most + 1)
  local last = {}
  for i = from, #lines do last[#last + 1] = lines[i] end
  return last
end

local function failure(state, value, config, errors)
  local failed = {lines = last_lines(errors, 12)}
  if state == "timeout" then
    failed.word, failed.text = "time limit", ("stopped after %g s (--time-limit)"):format(config.seconds)
  elseif state == "memory" then
    failed.word, failed.text = "memory", ("stopped: more than %.0f MiB of memory"):format(config.memory / 2 ^ 20)
  elseif state == "signalled" then
    failed.word, failed.text = "crashed", ("crashed: killed by %s"):format(signals[value] or "signal " .. value)
  elseif value == 0 then
    failed.word, failed.text = "no result", "ended without a result"
  else
    failed.word, failed.text = "failed", ("failed with exit status %d"):format(value)
  end
  return failed
end

local function started(options)
  return binding.child_start(options) or error(binding.error().text, 0)
end

-- Follows one child to its end; progress(text) is called as it goes.
local function follow(child, progress)
  local row, pending, errors, state = nil, "", "", "running"
  while state == "running" do
    state = binding.child_wait(child, 0.2) or error(binding.error().text, 0)
    errors = (errors .. binding.child_take(child, "err")):sub(-most_errors)
    binding.child_take(child, "out") -- a step under the runner has nothing to say there
    local lines
    lines, pending = complete_lines(pending .. binding.child_take(child, "result"))
    for _, line in ipairs(lines) do
      local value = json.decode(line)
      if value and value.progress then
        progress(value.progress)
      elseif value then
        row = value
      end
    end
    if state == "running" then progress() end
  end
  return row, state, errors
end

local function arguments_of(step, config)
  local arguments = {config.program}
  if config.device then
    arguments[#arguments + 1] = "--device"
    arguments[#arguments + 1] = config.device
  end
  arguments[#arguments + 1] = step.path
  for _, argument in ipairs(config.arguments) do arguments[#arguments + 1] = argument end
  return arguments
end

--- Whether the steps will find their device; asked in a child too, so that no driver is loaded here.
-- @tparam table config as for @{run_step}
-- @treturn ?string what is wrong: no device at all, or none that the choice means
function runner.device_problem(config)
  local arguments = {config.program, "devices", "--json"}
  if config.device then
    arguments[4], arguments[5] = "--device", config.device
  end
  local child = started {arguments = arguments, seconds = config.seconds}
  local _, state, errors = follow(child, function() end)
  local value = binding.child_value(child)
  local found = state == "exited" and value == 0
  binding.child_close(child)
  if found then return nil end
  local said = errors:gsub("^clue devices: ", ""):gsub("%s+$", "")
  return said ~= "" and said or "listing the devices: " .. failure(state, value, config, "").text
end

--- Runs one step to its end.
-- @tparam table step path, number, name
-- @tparam table config program: path of clue; device: a choice or nil; arguments: for the script; seconds, memory:
--   limits
-- @tparam function progress called with a text, or nil for "still running"
-- @treturn table row, with failed = {word, text, lines} where it did not end as it should
function runner.run_step(step, config, progress)
  local child = started {
    arguments = arguments_of(step, config), environment = {"CLUE_RESULT_FD=3"}, seconds = config.seconds,
    memory = config.memory, result_descriptor = 3,
  }
  local ended, row, state, errors = pcall(follow, child, progress)
  local value = binding.child_value(child)
  binding.child_close(child)
  if not ended then error(row, 0) end
  if not row or state ~= "exited" or value ~= 0 then
    row = row or {}
    row.failed = failure(state, value, config, errors)
  end
  row.number, row.name = row.number or step.number, row.name or step.name
  return row
end

return runner
