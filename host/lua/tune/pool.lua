--- Compiles configurations in several processes at once, so that the driver's cache has them when they are measured.
--
-- A driver for a CPU compiles a kernel for the size of its work-groups when it is launched, so the pool launches it
-- once there, and nothing is measured at that time.
local worker = require "clue.tune.worker"

local Pool = {}
Pool.__index = Pool

local pool = {}

--- Makes a pool. Its processes start with @{Pool:start}, or when there is work for them, one after the other: a driver
-- opens a device for one process at a time.
-- @tparam table options for @{clue.tune.worker.new}
-- @tparam int count of processes
-- @tparam boolean launches whether to launch each kernel once
-- @treturn Pool with results: by index, what came of the jobs that have ended
function pool.new(options, count, launches)
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

local function take(self, each, result)
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
    if result then take(self, each, result) end
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

return pool
