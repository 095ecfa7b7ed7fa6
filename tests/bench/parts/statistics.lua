-- Statistics of the benches' samples, in any order. The build's Lua folder must be on package.path.
local common = require "clue.timing.statistics"

local statistics = {}

--- The value below which a part of the others lies.
-- @tparam table values in any order
-- @tparam number part 0 to 1
-- @treturn number
function statistics.quantile(values, part)
  return common.quantile(common.sorted(values), part)
end

statistics.median = common.median

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

--- The lower end of the median's one-sided 95 % confidence interval.
-- @tparam table values at least 5
-- @treturn number
function statistics.median_lower_bound(values)
  return (common.interval(common.sorted(values), 0.9))
end

return statistics
