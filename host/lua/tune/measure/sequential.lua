--- Measures a configuration no longer than it takes to see that it loses against the best so far.
local now = require("clue.binding").now
local statistics = require "clue.timing.statistics"

local sequential = {}

local least, most = 7, 40 -- samples of a configuration that does not lose
local seconds = 0.3       -- after which a configuration has enough samples
local narrow = 0.02       -- so does one whose median's interval is so narrow, as a fraction of the median
local hopeless = 3        -- times the best's 90 % quantile: a single sample decides
local few = 3             -- samples that decide if all of them are behind that quantile
local row = 7             -- samples that decide if none of them is better than the best's median

-- Whether the samples show that the configuration is worse than the best. Where it is not, fewer than one in a
-- thousand would be above the best's 90 % quantile three times, and one in 128 above its median seven times.
local function is_lost(samples, best, cost)
  local least_cost = math.huge
  for _, sample in ipairs(samples) do least_cost = math.min(least_cost, cost(sample)) end
  return least_cost > hopeless * best.high or #samples >= few and least_cost > best.high
    or #samples >= row and least_cost > best.median
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
-- @tparam[opt] table best median and high, the 90 % quantile, of the costs of the best so far; nil: there is none
-- @tparam function cost cost(seconds) of the configuration, which is what the search makes small
-- @treturn {number,...} samples
-- @treturn boolean whether it lost
function sequential.measure(take, best, cost)
  local samples, started = {}, now()
  repeat
    samples[#samples + 1] = take()
    if best and is_lost(samples, best, cost) then return samples, true end
  until #samples >= most or is_sure(samples) or #samples >= least and now() - started >= seconds
  return samples, false
end

--- What the next configurations are compared with.
-- @tparam {number,...} costs of the best, one for each sample
-- @treturn table for @{measure}
function sequential.bar(costs)
  local ordered = statistics.sorted(costs)
  return {median = statistics.quantile(ordered, 0.5), high = statistics.quantile(ordered, 0.9)}
end

return sequential
