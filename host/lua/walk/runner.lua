--- Runs the steps of a walkthrough, each in a child process: a step that crashes or never ends costs its own row only.
--
-- A step that was measured stays, so that its runs can take turns with those of the next one. This process makes no
-- OpenCL context and loads no driver.
-- @module clue.walk.runner
local child = require "clue.shared.child"

local runner = {}

local Session = {}
Session.__index = Session

-- The line that names the device is no part of what a failed step said: the table's head does.
local device_line = "^clue: device %d+ %("

--- A step that told no row has one too.
function Session:name_row()
  self.row.number, self.row.name = self.row.number or self.step.number, self.row.name or self.step.name
end

--- What is to be said of a step's end, once that is known.
function Session:judge()
  if not self.row or not self.process:is_well() then
    local word, text = self.process:reason()
    self.row = self.row or {}
    self.row.failed = {word = word, text = text, lines = self.process:last_errors(12, device_line)}
  end
  self:name_row()
end

--- Follows the step until it says something that is waited for, or ends.
-- @tparam function is_it gets each of its results, says whether it was waited for
-- @tparam[opt] function still called as long as nothing came
-- @treturn boolean whether it came
function Session:wait_for(is_it, still)
  local found = false
  self.take = function(value) found = is_it(value) or found end
  local runs = self.process.state == "running"
  while runs and not found do
    runs = self.process:step()
    if still and not found then still() end
  end
  return found
end

--- Follows the step until it was measured, or has ended.
-- @tparam function progress called with a text, or nil for "still running"
-- @treturn table row, with failed = {word, text, lines} where it did not end as it should
function Session:measure(progress)
  self.ready = self:wait_for(function(value)
    if value.progress then progress(value.progress) end
    if value.row then self.row = value.row end
    return value.ready
  end, progress)
  if self.ready then
    self:name_row()
    self.process:limit(0) -- waiting is no fault of its own
  else
    self:judge()
  end
  return self.row
end

--- Has a step that was measured run once more.
-- @treturn ?table seconds: upload, kernel, read, total; nil where it cannot
function Session:once_more()
  if not self.ready then return nil end
  local once
  self.process:limit(self.config.seconds)
  if not self.process:send "run\n" then return nil end
  self:wait_for(function(value)
    once = once or value.run
    return value.run
  end)
  self.process:limit(0)
  if not once then
    self.ready = false
    self:judge()
  end
  return once
end

--- Lets a step that was measured end. Its row has failed where it does not do so well.
function Session:finish()
  if not self.ready then return end
  self.ready = false
  self.process:limit(self.config.seconds)
  self.process:send(nil)
  self:wait_for(function() return false end)
  self:judge()
end

--- Starts a step.
-- @tparam table step path, number, name
-- @tparam table config device: a choice or nil; arguments: for the script; seconds, memory: limits
-- @treturn Session
function runner.start(step, config)
  local self = setmetatable({step = step, config = config}, Session)
  self.process = child.start {
    arguments = child.clue(config, {step.path}, config.arguments), environment = {"CLUE_RESULT_FD=3"},
    seconds = config.seconds, memory = config.memory, input = true,
    results = function(value) self.take(value) end,
  }
  return self
end

return runner
