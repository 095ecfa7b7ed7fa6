--- The time to start a kernel, and to learn of its end. The kernel has one work-item that counts, so no run can be
-- lost.
--
-- Calls the library's plain functions, not the objects: this measures the driver's time and a microsecond of clue's.
local binding = require "clue.binding"
local check = require("clue.error").check
local cl = require "clue"
local guard = require "clue.timing.guard"

local latency = {}

local source = "kernel void count(global int *n) { n[0] += 1; } kernel void nothing(void) { }"

-- Kernels that are enqueued in a row before the queue is waited for.
local in_a_row = 32

local one = {1}

local Counter = {}
Counter.__index = Counter

local function new_counter(stand)
  local self = setmetatable({stand = stand, runs = 0, number = cl.array.int(1)}, Counter)
  local program = stand.context:program(source)
  self.kernel, self.nothing = program:kernel "count", program:kernel "nothing"
  self.buffer = stand.context:buffer(4)
  stand.queue:write_buffer(self.buffer, self.number)
  self.kernel:set_args(self.buffer)
  self:wait()
  return self
end

--- Enqueues one more count.
function Counter:enqueue()
  self.runs = self.runs + 1
  check(binding.kernel_execute(self.kernel.handle, 1, nil, one, one))
end

--- Enqueues one more count, and waits for it.
function Counter:wait()
  self:enqueue()
  check(binding.kernel_wait(self.kernel.handle))
end

--- Checks that the kernels ran, each of them once.
-- @treturn ?string what is wrong
function Counter:check()
  self.stand.context:finish()
  self.stand.queue:read_buffer(self.buffer, self.number)
  if self.number[0] == self.runs then return nil end
  return ("%d kernels were enqueued, but %d ran"):format(self.runs, self.number[0])
end

-- A list of seconds: one_time() returns each. Fewer if they are long. nil if the device's timer gives one that is not
-- above 0.
local function several(most, clock, one_time)
  local times, started = {}, binding.now()
  one_time()
  repeat
    local seconds = guard.undisturbed(one_time) or 0
    if clock == "device" and seconds <= 0 then return nil end
    times[#times + 1] = guard.positive(seconds, "a run")
  until #times >= most or #times >= 5 and binding.now() - started > 1
  return times
end

local function since(started)
  return binding.now() - started
end

local ways = {
  {name = "enqueue", clock = "host", most = 30, one = function(counter)
    local started = binding.now()
    for _ = 1, in_a_row do counter:enqueue() end
    local seconds = since(started) / in_a_row
    counter:wait()
    return seconds
  end},
  {name = "enqueue to start", clock = "device", most = 100, one = function(counter)
    local event = counter.kernel(counter.stand.queue, 1, 1)
    counter.runs = counter.runs + 1
    event:wait()
    local queued, started = event.queued, event.started
    event:close()
    return queued and started and started - queued
  end},
  {name = "empty kernel", clock = "device", most = 100, one = function(counter)
    local seconds, clock = counter.stand:run(counter.nothing, 1, 1)
    return clock == "device" and seconds or nil
  end},
  {name = "enqueue and wait", clock = "host", most = 100, one = function(counter)
    local started = binding.now()
    counter:wait()
    return since(started)
  end},
  {name = "read 4 bytes", clock = "host", most = 100, one = function(counter)
    local started = binding.now()
    check(binding.buffer_read(counter.buffer.handle, 0, counter.number, 0, 1))
    return since(started)
  end},
}

--- Measures all latencies.
-- @tparam table stand of clue.peak.stand
-- @tparam function each_limit see @{clue.peak.compute.run}
function latency.run(stand, each_limit)
  local counter
  for _, way in ipairs(ways) do
    each_limit({name = way.name}, function()
      counter = counter or new_counter(stand)
      local times = several(way.most, way.clock, function() return way.one(counter) end)
      if not times then return {skipped = "the device's timer cannot be trusted"} end
      return {times = times, clock = way.clock, unit = "us", wrong = counter:check()}
    end)
  end
end

return latency
