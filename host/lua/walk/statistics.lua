--- What is said of repeated times: the least, the median and the spread.
-- @module clue.walk.statistics
local statistics = {}

--- The middle value, or the mean of the two in the middle.
-- @tparam {number,...} values at least one
-- @treturn number
function statistics.median(values)
  local sorted = {}
  for i, value in ipairs(values) do sorted[i] = value end
  table.sort(sorted)
  local middle = math.floor((#sorted + 1) / 2)
  if #sorted % 2 == 1 then return sorted[middle] end
  return (sorted[middle] + sorted[middle + 1]) / 2
end

--- Least, median and spread of some times.
-- @tparam {number,...} values any unit; none gives nil
-- @treturn table min and median in that unit, spread = (largest - least) / median as a fraction, count
function statistics.of(values)
  if not values or #values == 0 then return nil end
  local least, largest = math.huge, -math.huge
  for _, value in ipairs(values) do
    least, largest = math.min(least, value), math.max(largest, value)
  end
  local median = statistics.median(values)
  return {min = least, median = median, spread = median > 0 and (largest - least) / median or 0, count = #values}
end

return statistics
