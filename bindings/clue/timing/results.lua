--- What cl.time and cl.compare return: summaries of samples, which tostring describes.
-- @module clue.timing.results
local argument = require "clue.argument"
local statistics = require "clue.timing.statistics"
local text = require "clue.text"

local results = {}

local WIDE = 0.1 -- a spread above this is said

local clock_names = {device = "device clock", host = "host clock", cpu = "CPU time"}

-- The fields that both kinds have, apart from the median.
local function summary(ordered)
  local low, high = statistics.interval(ordered)
  local median = statistics.quantile(ordered, 0.5)
  local from, to = statistics.quantile(ordered, 0.1), statistics.quantile(ordered, 0.9)
  return {low = from, high = to, interval = low and {low, high}, spread = median > 0 and (to - from) / median or 0},
    median
end

local function wide(self)
  return self.spread > WIDE and ("; spread %.0f %%"):format(self.spread * 100) or ""
end

local function suspended(self)
  return self.suspended and ("; disturbed: the process was suspended, and %s taken again"):format(self.suspended == 1
    and "a sample was" or self.suspended .. " samples were") or ""
end

-- ---- one function ----

local Time = {}

function Time:__tostring()
  local duration = text.duration
  local interval = self.interval and (" (95 %%: %s to %s)"):format(duration(self.interval[1]),
    duration(self.interval[2])) or ""
  local calls = self.calls > 1 and (" of %d calls"):format(self.calls) or ""
  return ("median %s%s, 10 to 90 %%: %s to %s, min %s, %s%s, %s%s%s"):format(duration(self.median), interval,
    duration(self.low), duration(self.high), duration(self.min), text.count(self.rounds, "round"), calls,
    clock_names[self.clock], wide(self), suspended(self))
end

--- The result of cl.time.
-- @tparam table series clock and calls
-- @tparam {number,...} samples seconds
-- @tparam[opt] number times how many samples were taken again because the process was suspended
-- @treturn table see @{clue.timing.time}
function results.time(series, samples, times)
  local ordered = statistics.sorted(samples)
  local self, median = summary(ordered)
  self.median, self.min, self.samples, self.rounds = median, ordered[1], samples, #samples
  self.calls, self.clock, self.suspended = series.calls, series.clock, times
  return setmetatable(self, Time)
end

-- ---- two functions ----

local Comparison = {}

function Comparison:__tostring()
  local pairs_text = text.count(self.pairs, "pair")
  local sure = self.interval and ("%.3g to %.3g, %s"):format(self.interval[1], self.interval[2], pairs_text)
    or pairs_text .. ": too few to be sure"
  local f, g = self.names[1], self.names[2]
  return ("%s%s takes %.3g times as long as %s (%s, %s)%s%s"):format(self.differs == false and "no difference found: "
    or "", g, self.ratio, f, sure, clock_names[self.clock], wide(self), suspended(self))
end

local function ratios_of(f, g)
  local ratios = {}
  for i, seconds in ipairs(f.samples) do
    if not (seconds > 0 and g.samples[i] > 0) then
      argument.fail("a call of %s took no time by the %s", seconds > 0 and "g" or "f", clock_names[f.clock])
    end
    ratios[i] = g.samples[i] / seconds
  end
  return ratios
end

--- The result of cl.compare.
-- @tparam table f a result of @{time}
-- @tparam table g another, with as many samples
-- @tparam[opt] number times as for @{time}
-- @tparam[opt={"f","g"}] {string,string} names of the two
-- @treturn table see @{clue.timing.compare}
function results.compare(f, g, times, names)
  local ratios = ratios_of(f, g)
  local self, median = summary(statistics.sorted(ratios))
  self.ratio, self.ratios, self.pairs, self.f, self.g, self.clock = median, ratios, #ratios, f, g, f.clock
  self.suspended, self.names = times, names or {"f", "g"}
  if self.interval then self.differs = self.interval[1] > 1 or self.interval[2] < 1 end
  return setmetatable(self, Comparison)
end

return results
