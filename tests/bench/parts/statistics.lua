-- Statistics of the benches' samples.
local statistics = {}

--- A sorted copy.
-- @tparam table values
-- @treturn table
function statistics.sorted(values)
  local copy = {}
  for i, value in ipairs(values) do copy[i] = value end
  table.sort(copy)
  return copy
end

--- A quantile: the nearest sample.
-- @tparam table values in any order
-- @tparam number part 0 to 1
-- @treturn number
function statistics.quantile(values, part)
  local sorted = statistics.sorted(values)
  return sorted[math.floor(part * (#sorted - 1) + 0.5) + 1]
end

--- @tparam table values in any order
-- @treturn number
function statistics.median(values)
  return statistics.quantile(values, 0.5)
end

--- The least value of each block: noise only adds time.
-- @tparam table values
-- @tparam number size of a block; values that do not fill a block are left out
-- @treturn table
function statistics.minima(values, size)
  local minima = {}
  for first = 1, #values - size + 1, size do
    local least = math.huge
    for i = first, first + size - 1 do least = math.min(least, values[i]) end
    minima[#minima + 1] = least
  end
  return minima
end

--- Combines two lists, element by element.
-- @tparam table left
-- @tparam table right
-- @tparam function combine
-- @treturn table
function statistics.paired(left, right, combine)
  local list = {}
  for i = 1, math.min(#left, #right) do list[i] = combine(left[i], right[i]) end
  return list
end

--- The lower end of the median's one-sided 95 % confidence interval, by order statistics: whatever the
-- distribution, the true median lies below it in at most 5 of 100 experiments.
-- @tparam table values at least 5
-- @treturn number
function statistics.median_lower_bound(values)
  local count, term, below, rank = #values, 0.5 ^ #values, 0, 0
  for k = 0, count - 1 do -- the chance that at most k samples lie below the median
    below = below + term
    if below > 0.05 then break end
    rank = k + 1
    term = term * (count - k) / (k + 1)
  end
  return statistics.sorted(values)[math.max(rank, 1)]
end

return statistics
