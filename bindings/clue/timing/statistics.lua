--- Medians, quantiles and intervals of measured values.
--
-- Times on a shared machine have long tails, so nothing here assumes a distribution: everything comes from the order of
-- the values.
-- @module clue.timing.statistics
local statistics = {}

--- The confidence of intervals where no other is given.
statistics.confidence = 0.95

--- A sorted copy.
-- @tparam {number,...} values
-- @treturn {number,...}
function statistics.sorted(values)
  local copy = {}
  for i, value in ipairs(values) do copy[i] = value end
  table.sort(copy)
  return copy
end

--- The value below which a part of the others lies. Between two values, it is interpolated.
-- @tparam {number,...} ordered values in rising order, at least one
-- @tparam number part 0 to 1; 0.5 is the median
-- @treturn number
function statistics.quantile(ordered, part)
  local place = part * (#ordered - 1) + 1
  local below = math.floor(place)
  if below == place then return ordered[below] end
  return ordered[below] + (ordered[below + 1] - ordered[below]) * (place - below)
end

--- The middle of some values; for an even number of values, the mean of the two in the middle.
-- @tparam {number,...} values in any order, at least one
-- @treturn number
function statistics.median(values)
  return statistics.quantile(statistics.sorted(values), 0.5)
end

-- How many values may be left out at each end of n ordered ones so that the median lies between the others with the
-- wanted confidence: like the number of heads in n throws of a coin. nil if there are too few values.
local function left_out(n, confidence)
  local outside, weight, count = 0, 0.5 ^ n, nil
  for i = 0, math.floor((n - 1) / 2) do
    outside = outside + 2 * weight
    if outside > 1 - confidence then break end
    count, weight = i, weight * (n - i) / (i + 1)
  end
  return count
end

--- The interval in which the median of what was sampled lies, whatever the distribution. Each of its ends alone has
-- half the doubt: the low end for 0.9 is a lower bound of confidence 0.95.
-- @tparam {number,...} ordered values in rising order
-- @tparam[opt=0.95] number confidence
-- @treturn ?number low, one of the values; nil if there are too few, fewer than six for 0.95
-- @treturn ?number high
function statistics.interval(ordered, confidence)
  local out = left_out(#ordered, confidence or statistics.confidence)
  if not out then return nil end
  return ordered[1 + out], ordered[#ordered - out]
end

return statistics
