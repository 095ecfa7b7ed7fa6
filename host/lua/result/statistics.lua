--- Summaries of measured times, how certain a difference between two series of them is, and when there are enough.
--
-- What is not about gains is in @{clue.timing.statistics}. As there, nothing assumes a distribution. The verdict on a
-- gain is @{clue.result.gain}'s.
local common = require "clue.timing.statistics"
local lists = require "clue.shared.list"

local statistics = {}

--- See @{clue.timing.statistics.median}.
statistics.median = common.median

--- The least, the median, the largest and the spread of some times.
-- @tparam {number,...} values in any unit; no values give nil
-- @treturn table min, median and max in that unit, spread = (largest - least) / median as a fraction, count
function statistics.of(values)
  if not values or #values == 0 then return nil end
  local ordered = common.sorted(values)
  local median = common.quantile(ordered, 0.5)
  local least, largest = ordered[1], ordered[#ordered]
  return {min = least, median = median, max = largest, spread = median > 0 and (largest - least) / median or 0,
          count = #values}
end

--- The geometric mean of ratios.
-- @tparam {number,...} ratios above 0
-- @treturn ?number nil: there are none
function statistics.geometric_mean(ratios)
  return ratios[1] and math.exp(lists.sum(ratios, math.log) / #ratios)
end

-- ---- enough times ----

--- For `--until-stable`, a step runs for at most so many seconds, and so do two in turn: on a machine that never rests,
-- the table says that a row is disturbed.
statistics.most_seconds = 20

local most_values, width = 500, 0.05 -- how far the ends of an interval may be from its middle

--- Whether values are stable: their median is certain to 5 %, or they took too long. On a machine with other work, the
-- usual number of runs may all fall into one disturbance.
-- @tparam {number,...} values
-- @tparam number seconds that they took together
-- @treturn boolean
function statistics.are_stable(values, seconds)
  if #values >= most_values or #values > 0 and seconds >= statistics.most_seconds then return true end
  local ordered = common.sorted(values)
  local low, high = common.interval(ordered)
  local median = low and common.quantile(ordered, 0.5)
  return low ~= nil and median - low <= width * median and high - median <= width * median
end

-- ---- gains ----

--- The quotients of two series.
-- @tparam {number,...} before
-- @tparam {number,...} now as many
-- @treturn {number,...}
function statistics.quotients(before, now)
  return lists.map(before, function(seconds, i) return seconds / now[i] end)
end

--- How many times as fast something became, from alternating runs: each before with its now.
-- @tparam {number,...} before seconds
-- @tparam {number,...} now seconds, as many
-- @treturn table ratio: median of the pairs' ratios; low, high: the interval of the median (nil for fewer than six
--   pairs, for which nothing is certain); count: pairs
function statistics.paired_gain(before, now)
  local ordered = common.sorted(statistics.quotients(before, now))
  local low, high = common.interval(ordered)
  return {ratio = common.quantile(ordered, 0.5), low = low, high = high, count = #ordered}
end

-- For every u, the fraction of all ways to mix n and m values in which the rank sum statistic is u: their number by u
-- from 0 on, divided by that of all ways.
local function mann_whitney(n, m)
  local ways = {[0] = 1} -- of u, with as many values of the first kind as were added
  local function at(u) return ways[u] or 0 end
  -- The generating function of the Gaussian binomial: times (1 - q^(m + i)) / (1 - q^i) for each i.
  for i = 1, n do
    for u = n * m, m + i, -1 do ways[u] = at(u) - at(u - m - i) end
    for u = i, n * m do ways[u] = at(u) + at(u - i) end
  end
  local all = 0
  for u = 0, n * m do all = all + at(u) end
  for u = 0, n * m do ways[u] = at(u) / all end
  return ways
end

-- If large samples make the numbers of ways too large for doubles, the normal distribution is used.
local function rank_limit(n, m)
  if n * m > 900 then
    local limit = math.floor(n * m / 2 - 1.959964 * math.sqrt(n * m * (n + m + 1) / 12))
    return limit >= 0 and limit or nil
  end
  local ways, outside, limit = mann_whitney(n, m), 0, nil
  for u = 0, n * m do
    outside = outside + 2 * ways[u]
    if outside > 1 - common.confidence then break end
    limit = u
  end
  return limit
end

--- How many times as fast something became, from runs that did not alternate: the quotient of the medians, which a
-- reader can check, with the interval of the Mann-Whitney-Wilcoxon test over all pairs of a before and a now. It
-- accounts only for what varied within the two series, not for what changed between them.
-- @tparam {number,...} before seconds
-- @tparam {number,...} now seconds, of any number
-- @treturn table ratio; low, high: nil if there are too few values (fewer than four and four); middle: the median over
--   all pairs (the Hodges-Lehmann estimate), which varies less from run to run; count: the smaller number
function statistics.gain(before, now)
  local ratios = {}
  for _, earlier in ipairs(before) do
    for _, later in ipairs(now) do ratios[#ratios + 1] = earlier / later end
  end
  table.sort(ratios)
  local limit, ratio = rank_limit(#before, #now), common.median(before) / common.median(now)
  -- In series of two clusters, the quotient may lie beside the interval, which then reaches to it.
  return {ratio = ratio, low = limit and math.min(ratio, ratios[1 + limit]),
          high = limit and math.max(ratio, ratios[#ratios - limit]), middle = common.quantile(ratios, 0.5),
          count = math.min(#before, #now)}
end

return statistics
