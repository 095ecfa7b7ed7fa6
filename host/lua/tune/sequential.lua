--- Measures a configuration no longer than it takes to see that it loses against the best so far.
-- @module clue.tune.sequential
local now = require("clue.binding").now
local statistics = require "clue.timing.statistics"

local sequential = {}

local least, most = 7, 40 -- samples of a configuration that does not lose
local seconds = 0.3       -- after which a configuration has enough samples
local narrow = 0.02       -- so does one whose median's interval is so narrow, as a fraction of the median
local few = 3             -- samples that decide if all of them are far behind
local row = 7             -- samples that decide if none of them is better than the best's median

-- Whether the samples show that the configuration is slower than the best. Where it is not, fewer than one in a
-- thousand would be above the best's 90 % quantile three times, and one in 128 above its median seven times.
local function is_lost(samples, best)
  local quickest = math.huge
  for _, sample in ipairs(samples) do quickest = math.min(quickest, sample) end
  return #samples >= few and quickest > best.high or #samples >= row and quickest > best.median
end

-- Whether the median is known well enough.
local function is_sure(samples)
  if #samples < least then return false end
  local ordered = statistics.sorted(samples)
  local low, high = statistics.interval(ordered)
  return high - low <= narrow * statistics.quantile(ordered, 0.5)
end

--- Takes samples until there are enough, or until the configuration has lost.
-- @tparam function take returns the seconds of one run
-- @tparam[opt] table best median and high, the 90 % quantile, of the best so far; nil: there is none
-- @treturn {number,...} samples
-- @treturn boolean whether it lost
function sequential.measure(take, best)
  local samples, started = {}, now()
  repeat
    samples[#samples + 1] = take()
    if best and is_lost(samples, best) then return samples, true end
  until #samples >= most or is_sure(samples) or #samples >= least and now() - started >= seconds
  return samples, false
end

--- What the next configurations are compared with.
-- @tparam {number,...} samples of the best
-- @treturn table for @{measure}
function sequential.bar(samples)
  local ordered = statistics.sorted(samples)
  return {median = statistics.quantile(ordered, 0.5), high = statistics.quantile(ordered, 0.9)}
end

return sequential
