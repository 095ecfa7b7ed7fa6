--- Compiles configurations in several processes at once, so that the driver's cache has them when they are measured.
--
-- A driver for a CPU compiles a kernel for the size of its work-groups when it is launched, so the pool launches it
-- once there, and nothing is measured at that time.
-- @module clue.tune.pool
local worker = require "clue.tune.worker"

local Pool = {}
Pool.__index = Pool

local pool = {}

--- Makes a pool.
-- @tparam table options for @{clue.tune.worker.new}
-- @tparam int count of processes
-- @tparam boolean launches whether to launch each kernel once
-- @treturn Pool with results: by index, what came of the jobs that have ended
function pool.new(options, count, launches)
  local self = setmetatable({workers = {}, results = {}, waiting = {}, known = {}, launches = launches}, Pool)
  for i = 1, count do self.workers[i] = worker.new(options) end
  return self
end

--- Adds a configuration unless it is known.
-- @tparam int index
-- @tparam table p configuration
-- @tparam boolean first whether it is needed before all others
function Pool:add(index, p, first)
  if self.known[index] then return end
  self.known[index] = true
  table.insert(self.waiting, first and 1 or #self.waiting + 1, {index = index, p = p})
end

local function give_next(self, each)
  local next_one = table.remove(self.waiting, 1)
  if not next_one then return end
  each.index = next_one.index
  each:give {what = "prepare", p = next_one.p, launch = self.launches}
end

--- Goes on: takes what is done, and gives idle processes their next jobs.
-- @tparam number seconds to wait for each process at most
-- @treturn boolean whether any process is at work
function Pool:step(seconds)
  local active = false
  for _, each in ipairs(self.workers) do
    local result = each:poll(seconds)
    if result then self.results[each.index] = result end
    if not each.busy then give_next(self, each) end
    active = active or each.busy
  end
  return active
end

--- Ends the processes.
function Pool:stop()
  for _, each in ipairs(self.workers) do each:stop() end
end

return pool
