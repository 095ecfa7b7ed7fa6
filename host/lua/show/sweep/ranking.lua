--- What is shown of a sweep's results, and which is the best.
--
-- Speeds are by the kernel's time where a step has one, since reading back hides how fast a kernel is; those of host
-- loops and libraries by the time of their computation. A step that counts neither operations nor bytes has no speed:
-- its time is shown, and the least is the best.
--
-- Parameters with one meaning everywhere: list, results of a sweep.
local lists = require "clue.shared.list"
local row_of = require "clue.result.row"

local ranking = {}

-- ---- one result ----

-- The unit of the time of rows that have no speed.
local MILLISECONDS = "ms"

--- What is shown of a row: its speed, or its time if it has none.
-- @tparam table row
-- @treturn ?table median, least, most; unit: that of its rate, or "ms"; rank: the larger, the better; nil if it does
--   not count
function ranking.figure(row)
  local part = row_of.judged(row)
  local speed = row_of.speeds(row, part)
  if speed then
    speed.unit, speed.rank = row_of.rate(row), speed.median
    return speed
  end
  local time = row_of.counts(row) and row_of.time(row, part)
  if not (time and time.median > 0) then return nil end
  return {median = time.median * 1000, least = time.min * 1000, most = time.max * 1000, unit = MILLISECONDS,
          rank = 1 / time.median}
end

--- Whether figures of a unit are times, of which the least is the best.
-- @tparam string unit
function ranking.is_time(unit)
  return unit == MILLISECONDS
end

--- How near a figure is to the best.
-- @tparam ?table figure of @{figure}
-- @tparam table best
-- @treturn ?number 1: the best; nil if they cannot be compared
function ranking.fraction(figure, best)
  return figure and figure.unit == best.unit and figure.rank / best.rank or nil
end

--- How the figures are to be read.
-- @treturn string
function ranking.legend(list)
  for _, each in ipairs(list) do
    local figure = ranking.figure(each.row)
    if figure and ranking.is_time(figure.unit) then
      return "times and speeds are the kernel's, those of host loops and libraries of their computation; ms: the step "
        .. "counts neither operations nor bytes, so the least is the best"
    end
  end
  return "speeds are by the kernel's time, those of host loops and libraries by the time of their computation"
end

-- ---- several results ----

--- The fastest of some results, by the unit of the first one that counts.
-- @treturn ?table
-- @treturn ?table its figure
function ranking.fastest(list)
  local best, most
  for _, each in ipairs(list) do
    local figure = ranking.figure(each.row)
    if figure and (not most or (ranking.fraction(figure, most) or 0) > 1) then best, most = each, figure end
  end
  return best, most
end

--- How near the results of a step are to the best of them. Times of different sizes are not compared.
-- @tparam {table,...} group of @{clue.show.sweep.results.by_step}
-- @treturn function takes a result, returns a fraction: 1 is the best; nil: it does not count
function ranking.shares(group)
  local of, shares = function(each)
    local figure = ranking.figure(each.row)
    return figure and (ranking.is_time(figure.unit) and each.point.size or "") or "none"
  end, {}
  for _, rivals in ipairs(lists.grouped(group, of)) do
    local _, best = ranking.fastest(rivals)
    for _, each in ipairs(best and rivals or {}) do
      shares[each] = ranking.fraction(ranking.figure(each.row), best)
    end
  end
  return function(each) return shares[each] end
end

--- The results whose figures can be compared: of times, those at the last size that counts.
-- @treturn {table,...}
-- @treturn ?string that size; nil: they are speeds, or the size is always the same
function ranking.rivals(list)
  local _, first = ranking.fastest(list)
  if not (first and ranking.is_time(first.unit)) then return list end
  local sizes = lists.grouped(list, function(each) return ranking.figure(each.row) and each.point.size or "" end)
  local last = sizes[#sizes].key
  for _, same in ipairs(sizes) do last = same.key ~= "" and same.key or last end
  local rivals = lists.filter(list, function(each) return (each.point.size or "") == last end)
  return rivals, #sizes > 1 and last or nil
end

return ranking
