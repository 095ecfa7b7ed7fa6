--- Runs the steps of a walkthrough, each in a child process: a step that crashes or never ends costs its own row only.
--
-- A step that was measured stays, so that its runs can take turns with those of the next one. This process makes no
-- OpenCL context and loads no driver.
-- @module clue.walk.runner
local binding = require "clue.binding"
local json = require "dkjson"
local signals = require "clue.shared.signals"
local text = require "clue.text"

local runner = {}

-- Bytes of its errors that are kept of a child: one that never stops talking must not fill this process.
local most_errors = 65536

local open_sessions = {}

-- ---- what came of a child ----

-- The end of what a failed step said, without the line that names the device: the table's head does.
local function last_lines(said, most)
  local lines = {}
  for line in said:gmatch("[^\r\n]+") do
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

-- ---- sessions ----

local Session = {}
Session.__index = Session

local function start(options)
  local child = binding.child_start(options) or error(binding.error().text, 0)
  local self = setmetatable({child = child, state = "running", pending = "", errors = "", output = ""}, Session)
  open_sessions[self] = true
  return self
end

--- Takes what came.
-- @tparam function on gets every result's table, says whether it is what was waited for
-- @treturn boolean whether that came
function Session:take(on)
  self.state = binding.child_wait(self.child, 0.2) or error(binding.error().text, 0)
  self.errors = (self.errors .. binding.child_take(self.child, "err")):sub(-most_errors)
  self.output = (self.output .. binding.child_take(self.child, "out")):sub(-most_errors)
  local found = false
  self.pending = text.take_lines(self.pending .. binding.child_take(self.child, "result"), function(line)
    local value = json.decode(line)
    if type(value) == "table" and on(value) then found = true end
  end)
  return found
end

--- Ends it now.
function Session:close()
  if open_sessions[self] then binding.child_close(self.child) end
  open_sessions[self] = nil
end

--- A step that told no row has one too.
function Session:name_row()
  self.row.number, self.row.name = self.row.number or self.step.number, self.row.name or self.step.name
end

--- What is to be said of a step's end, once that is known.
function Session:judge()
  local value = binding.child_value(self.child)
  if not self.row or self.state ~= "exited" or value ~= 0 then
    self.row = self.row or {}
    self.row.failed = failure(self.state, value, self.config, self.errors)
  end
  self:name_row()
end

--- Follows the step until it was measured, or has ended.
-- @tparam function progress called with a text, or nil for "still running"
-- @treturn table row, with failed = {word, text, lines} where it did not end as it should
function Session:measure(progress)
  local ready = false
  while self.state == "running" and not ready do
    ready = self:take(function(value)
      if value.progress then progress(value.progress) end
      if value.row then self.row = value.row end
      return value.ready
    end)
    if not ready then progress() end
  end
  self.ready = ready
  if ready then
    self:name_row()
    binding.child_limit(self.child, 0) -- waiting is no fault of its own
  else
    self:judge()
    self:close()
  end
  return self.row
end

--- Has a step that was measured run once more.
-- @treturn ?table seconds: upload, kernel, read, total; nil where it cannot
function Session:once_more()
  if not self.ready then return nil end
  local once
  binding.child_limit(self.child, self.config.seconds)
  if binding.child_send(self.child, "run\n") ~= 4 then return nil end
  while self.state == "running" and not once do
    self:take(function(value)
      once = once or value.run
      return value.run
    end)
  end
  binding.child_limit(self.child, 0)
  if not once then
    self.ready = false
    self:judge()
    self:close()
  end
  return once
end

--- Lets a step that was measured end. Its row has failed where it does not do so well.
function Session:finish()
  if not self.ready then return end
  self.ready = false
  binding.child_limit(self.child, self.config.seconds)
  binding.child_send(self.child, nil)
  while self.state == "running" do
    self:take(function() end)
  end
  self:judge()
  self:close()
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

--- Starts a step.
-- @tparam table step path, number, name
-- @tparam table config program: path of clue; device: a choice or nil; arguments: for the script; seconds, memory:
--   limits
-- @treturn Session
function runner.start(step, config)
  local self = start {
    arguments = arguments_of(step, config), environment = {"CLUE_RESULT_FD=3"}, seconds = config.seconds,
    memory = config.memory, result_descriptor = 3, input = true,
  }
  self.step, self.config = step, config
  return self
end

--- Ends all steps that are still there, without waiting for them.
function runner.close_all()
  for session in pairs(open_sessions) do session:close() end
end

-- ---- other children ----

--- Runs clue itself, for what this process must not do.
-- @tparam table config program, seconds
-- @tparam {string,...} words its arguments
-- @treturn ?string what it wrote; nil where it failed
-- @treturn ?string what was wrong
function runner.ask(config, words)
  local session = start {arguments = {config.program, (rawget(table, "unpack") or rawget(_G, "unpack"))(words)},
                         seconds = config.seconds}
  local output = {}
  while session.state == "running" do
    session:take(function() end)
    output[#output + 1], session.output = session.output, ""
  end
  local value, state = binding.child_value(session.child), session.state
  session:close()
  if state == "exited" and value == 0 then return table.concat(output) end
  local said = text.trim_end(session.errors):gsub("^clue %w+: ", "")
  return nil, said ~= "" and said or failure(state, value, config, "").text
end

return runner
