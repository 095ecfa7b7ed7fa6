--- A function whose calls are measured one sample at a time, for cl.time and cl.compare.
--
-- If the function returns an event, the time of the event's command counts. Otherwise the time of the call counts, by
-- one of the host's clocks; a short function is called so often that the clock's resolution does not matter.
-- @module clue.timing.series
local argument = require "clue.argument"
local binding = require "clue.binding"
local guard = require "clue.timing.guard"
local object = require "clue.object"
local shown = require "clue.shown"

local Series = {}
Series.__index = Series

--- Whether a function is called once, and each sample is that call's: set where times mean nothing and calls are dear,
-- as on a simulator.
Series.once = false

local BATCH = 1e-3      -- seconds that a sample by a host's clock takes at least
local LONG_BATCH = 0.05 -- seconds of the monotonic clock after which a batch is long enough, whatever CPU time it took

-- The binding's functions are looked up at each call: specs replace them.
local clocks = {
  host = function() return binding.now() end,
  cpu = function() return binding.cpu_time() end,
}

local function is_event(value)
  return object.kind(value) == "event"
end

-- Calls the function some times: the seconds of all calls by a clock of the host. What it enqueues last has ended too,
-- if it returns its event.
local function seconds_of(self, calls)
  local read, call = clocks[self.clock], self.call
  local start = read()
  for _ = 1, calls do
    local result = call()
    if result ~= nil and is_event(result) then result:wait() end
  end
  return read() - start
end

local function seconds_on_device(self)
  local event = self.call()
  if not is_event(event) then
    argument.fail("the function returned an event before, but now %s: return the event of each call, or of none",
      shown.of(event))
  end
  local seconds, clock = event:time()
  if clock == "host" then self.clock = "host" end
  return seconds
end

-- Finds how many calls make a sample.
local function find_calls(self)
  self.calls = 1
  local passed = guard.clock()
  local before = passed()
  while guard.undisturbed(seconds_of, self, self.calls) < BATCH and passed() - before < LONG_BATCH do
    self.calls, before = self.calls * 2, passed()
  end
end

--- Takes a function, and calls it to warm up.
-- @tparam function call
-- @tparam ?string clock "host" or "cpu"; nil: the device's if the function returns an event, else the host's
-- @tparam number warm_up how many calls at least
-- @treturn table the series; clock: "device" too, "host" for an event whose device has no trustworthy timer;
--   calls: how many make a sample
function Series.new(call, clock, warm_up)
  local self = setmetatable({call = call, clock = clock or "host", calls = 1}, Series)
  local result
  for _ = 1, Series.once and 1 or math.max(warm_up, 1) do
    result = call()
    if is_event(result) then result:wait() end
  end
  self.of_event = not clock and is_event(result)
  if self.of_event then self.clock = "device" end
  if Series.once then
    self.only = self.of_event and result:time() or BATCH
  elseif not self.of_event then
    find_calls(self)
  end
  return self
end

--- Measures once; again if the process was suspended meanwhile.
-- @treturn number seconds for each call, above 0 unless they are CPU time
function Series:take()
  if self.only then return self.only end
  local seconds = guard.undisturbed(self.of_event and seconds_on_device or seconds_of, self, self.calls)
  if self.clock ~= "cpu" then guard.positive(seconds, "a sample") end
  return self.of_event and seconds or seconds / self.calls
end

return Series
