--- What some measured times tell, and how sure one may be of a difference between two series of them.
--
-- Times on a shared machine have long tails, so nothing here assumes a distribution: medians, and intervals from the
-- order of the values alone.
-- @module clue.walk.statistics
local statistics = {}

--- The confidence that the intervals of gains have at least.
statistics.confidence = 0.95

--- A gain below this is none, however surely it was measured.
statistics.least_gain = 0.01

local function sorted(values)
  local copy = {}
  for i, value in ipairs(values) do copy[i] = value end
  table.sort(copy)
  return copy
end

--- The middle of some values; of an even number the mean of the two in the middle.
-- @tparam {number,...} values
-- @treturn number
function statistics.median(values)
  local ordered = sorted(values)
  local middle = math.floor((#ordered + 1) / 2)
  if #ordered % 2 == 1 then return ordered[middle] end
  return (ordered[middle] + ordered[middle + 1]) / 2
end

--- Least, median, largest and spread of some times.
-- @tparam {number,...} values any unit; none gives nil
-- @treturn table min, median and max in that unit, spread = (largest - least) / median as a fraction, count
function statistics.of(values)
  if not values or #values == 0 then return nil end
  local ordered, median = sorted(values), statistics.median(values)
  local least, largest = ordered[1], ordered[#ordered]
  return {min = least, median = median, max = largest, spread = median > 0 and (largest - least) / median or 0,
          count = #values}
end

-- ---- gains ----

-- How many values may be left out at each end of n ordered ones so that the median lies between the others with the
-- confidence asked for: each end's values are as likely as so many heads in n throws of a coin. nil: too few values.
local function left_out(n)
  local outside, weight, count = 0, 0.5 ^ n, nil
  for i = 0, math.floor((n - 1) / 2) do
    outside = outside + 2 * weight
    if outside > 1 - statistics.confidence then break end
    count, weight = i, weight * (n - i) / (i + 1)
  end
  return count
end

--- How many times as fast something became, from runs that took turns: each before with its now.
-- @tparam {number,...} before seconds
-- @tparam {number,...} now seconds, as many
-- @treturn table ratio: median of the pairs' ratios; low, high: the interval in which the median lies (nil: fewer than
--   six pairs, of which nothing is sure); count: pairs
function statistics.paired_gain(before, now)
  local ratios = {}
  for i, seconds in ipairs(before) do ratios[i] = seconds / now[i] end
  local ordered, out = sorted(ratios), left_out(#ratios)
  return {ratio = statistics.median(ratios), low = out and ordered[1 + out], high = out and ordered[#ordered - out],
          count = #ratios}
end

-- In how many of all ways to mix n and m values the sum of ranks says u, for every u: their number by u from 0 on,
-- divided by that of all ways.
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

-- Where large samples would make the numbers of ways too large for doubles, the normal distribution serves.
local function rank_limit(n, m)
  if n * m > 900 then
    local limit = math.floor(n * m / 2 - 1.959964 * math.sqrt(n * m * (n + m + 1) / 12))
    return limit >= 0 and limit or nil
  end
  local ways, outside, limit = mann_whitney(n, m), 0, nil
  for u = 0, n * m do
    outside = outside + 2 * ways[u]
    if outside > 1 - statistics.confidence then break end
    limit = u
  end
  return limit
end

--- How many times as fast something became, from runs that did not take turns: the median over all pairs of a before
-- and a now (the estimate of Hodges and Lehmann), with the interval that the test of Mann, Whitney and Wilcoxon gives.
-- It knows of what varied within the two series only, not of what changed from one to the other.
-- @tparam {number,...} before seconds
-- @tparam {number,...} now seconds, of any number
-- @treturn table ratio; low, high: nil where there are too few of them (fewer than four and four); count: the smaller
--   number
function statistics.gain(before, now)
  local ratios = {}
  for _, earlier in ipairs(before) do
    for _, later in ipairs(now) do ratios[#ratios + 1] = earlier / later end
  end
  table.sort(ratios)
  local limit = rank_limit(#before, #now)
  return {ratio = statistics.median(ratios), low = limit and ratios[1 + limit],
          high = limit and ratios[#ratios - limit], count = math.min(#before, #now)}
end

--- Whether a gain is one, or a loss: not where 1 lies within its interval, and not where it is too small to matter.
-- @tparam table gain
-- @treturn boolean true also where too few runs leave it open
function statistics.differs(gain)
  if math.abs(gain.ratio - 1) < statistics.least_gain then return false end
  return not (gain.low and gain.low <= 1 and gain.high >= 1)
end

local function times_as_fast(value)
  return (value >= 100 and "%.0f" or value >= 10 and "%.1f" or value >= 0.1 and "%.2f" or "%.1g"):format(value)
end

--- A gain in words.
-- @tparam table gain
-- @treturn string "2.05 (1.98-2.11)", "2.05" where too few runs give no interval, "no difference"
function statistics.tell(gain)
  if not statistics.differs(gain) then return "no difference" end
  if not gain.low then return times_as_fast(gain.ratio) end
  return ("%s (%s-%s)"):format(times_as_fast(gain.ratio), times_as_fast(gain.low), times_as_fast(gain.high))
end

return statistics
