--- A child process that does jobs for `clue tune`, seen from the parent; or several. A configuration that crashes,
-- hangs or makes the driver end the process fails by itself; the next job starts a new process.
local children = require "clue.shared.child"
local json = require "clue.shared.json"

local Worker = {}
Worker.__index = Worker

local worker = {}

--- Makes a worker; its process starts with the first job.
-- @tparam table options script: for @{clue.tune.measure.measure_in_child.run}; device: a choice or nil; seconds: the
--   limit of a job
-- @treturn Worker with device: facts, once a process has reported them
function worker.new(options)
  return setmetatable({options = options}, Worker)
end

local function take(self, value, how)
  if value.device then
    self.device, self.started = value.device, true
    how.idle = children.idle_on(value.device.kind, value.device.version)
  end
  if not value.result then return end
  self.process:limit(0)
  self.busy = false
  self.finished = value.result
end

local function start(self)
  local options = self.options
  self.started, self.jobs = false, 0
  local how = {seconds = options.seconds, input = true, device = options.device}
  how.results = function(value) take(self, value, how) end
  self.process = children.call("clue.tune.measure.measure_in_child", "run", {json.line(options.script)}, how)
end

-- How the process of a job ended, as a failure of its configuration.
local function loss(self)
  local seen = self.process
  if seen.state == "timeout" then
    return {failed = "timeout", text = ("no answer within %g s"):format(self.options.seconds), ran = true}
  end
  local words, last = select(2, seen:reason()), seen:last_errors(1, "^clue: SIG")[1]
  return {failed = "runtime", text = words .. (last and ": " .. last or ""), ran = seen:has_crashed()}
end

--- Gives the worker a job. It must not be busy.
-- @tparam table job for @{clue.tune.measure.measure_in_child}
-- @tparam[opt] number more seconds that it may take, besides those of any job
function Worker:give(job, more)
  if not self.process then start(self) end
  self.job, self.more = job, more
  self.process:limit(self.options.seconds + (more or 0))
  self.process:send(json.line(job) .. "\n")
  self.busy, self.finished = true, nil
end

-- A kernel that writes where it should not may pass, and make the process crash at a later job. So a crash counts only
-- in a process that has done nothing else.
local function try_again(self)
  self.process = nil
  self:give(self.job, self.more)
end

-- Forgets a process that has ended. One that ends before it reports its device ends because of the script or the
-- device, not of a configuration: raises that.
local function bury(self)
  local seen = self.process
  self.process, self.busy = nil, false
  if self.started then return end
  local lines = seen:last_errors(12)
  error(lines[1] and table.concat(lines, "\n") or "the process " .. select(2, seen:reason()), 0)
end

--- Waits until the job is done, at most so long.
-- @tparam number seconds
-- @treturn ?table the result: build, verify, samples, ... of the job; or failed (a word) and text; nil: not yet.
--   Raises a fault of the script
function Worker:poll(seconds)
  if not self.busy then return nil end
  if self.process:step(seconds) or self.finished then
    local result = self.finished
    self.finished = nil
    if self.process.state ~= "running" then self.process = nil end -- it ended, or its time was up, as it answered
    if result and result.fatal then error(result.fatal, 0) end
    if result and self.job.p then self.jobs = self.jobs + 1 end
    if result and result.ran then self:stop() end -- a kernel that fails may have written where it should not
    return result
  end
  if self.started and self.jobs > 0 and self.process.state == "signalled" then return try_again(self) end
  local failure = loss(self)
  bury(self)
  return failure
end

--- Ends the process.
function Worker:stop()
  if self.process then self.process:close() end
  self.process, self.busy = nil, false
end

-- ---- several ----

local Pool = {}
Pool.__index = Pool

--- Makes a pool of workers that compile configurations at once, so that the driver's cache has them when they are
-- measured. Its processes start with @{Pool:start}, or when there is work for them, one after the other: a driver
-- opens a device for one process at a time.
-- @tparam table options for @{new}
-- @tparam int count of processes
-- @tparam boolean launches whether to launch each kernel once: a driver for a CPU compiles a kernel for the size of its
--   work-groups then. Nothing is measured at that time
-- @treturn Pool with results: by index, what came of the jobs that have ended
function worker.pool(options, count, launches)
  local self = setmetatable({workers = {}, results = {}, doing = {}, waiting = {}, launches = launches}, Pool)
  for i = 1, count do self.workers[i] = worker.new(options) end
  return self
end

--- Replaces the list of what to do next.
-- @tparam {table,...} list index and p of configurations; those that are done or in work are left out
function Pool:plan(list)
  self.waiting = {}
  for _, each in ipairs(list) do
    if not self.results[each.index] and not self.doing[each.index] then
      self.waiting[#self.waiting + 1] = each
    end
  end
end

--- Whether a configuration is in work.
-- @tparam int index
function Pool:is_doing(index)
  return self.doing[index] ~= nil
end

local function give_next(self, each)
  local next_one = table.remove(self.waiting, 1)
  if not next_one then return end
  self.doing[next_one.index], each.index = each, next_one.index
  each:give {what = "prepare", p = next_one.p, launch = self.launches}
end

local function keep(self, each, result)
  local index = each.index
  if not index then return end -- it has only started
  self.results[index], self.doing[index], each.index = result, nil, nil
end

--- Starts the next process, unless one is starting.
function Pool:start()
  for _, each in ipairs(self.workers) do
    if not each.process then
      each:give {what = "facts"}
      return
    elseif each.busy and not each:poll(0) then
      return
    end
  end
end

--- Goes on: takes what is done, and gives idle processes their next jobs.
-- @tparam number seconds to wait for each process at most
-- @treturn boolean whether any process is at work
function Pool:step(seconds)
  local active, starting = false, false
  for _, each in ipairs(self.workers) do
    local result = each:poll(seconds)
    if result then keep(self, each, result) end
    if not each.busy and (each.process or not starting) then give_next(self, each) end
    active = active or each.busy
    starting = starting or each.busy and not each.started
  end
  return active
end

--- Ends the processes.
function Pool:stop()
  for _, each in ipairs(self.workers) do each:stop() end
end

return worker
