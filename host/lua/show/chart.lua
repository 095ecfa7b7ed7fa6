--- What plots and maps are made with wherever they are drawn: scales, round numbers, and what is shown if there is not
-- room for all. See @{clue.show.page.plot}.
-- Parameters with one meaning everywhere: least, of an axis; logarithmic, whether it is so.
local chart = {}

local logarithmic_from = 20 -- times the least value

-- ---- scales ----

--- Where values stand between two ends.
-- @tparam number most
-- @treturn function takes a value, returns its place, 0 to 1; always 0 if the ends are equal
-- @treturn function takes a place, returns its value
function chart.scale(least, most, logarithmic)
  if most <= least then return function() return 0 end, function() return least end end
  if logarithmic then
    local factor = most / least
    return function(value) return math.log(value / least) / math.log(factor) end,
      function(place) return place == 1 and most or least * factor ^ place end
  end
  return function(value) return (value - least) / (most - least) end,
    function(place) return least + place * (most - least) end
end

--- The least and the largest value of some series.
-- @tparam {table,...} list of series
-- @param ... names of the points' fields: x; y, least, most
-- @treturn number
-- @treturn number
function chart.extent(list, ...)
  local least, most = math.huge, -math.huge
  for _, one in ipairs(list) do
    for _, point in ipairs(one.points) do
      for i = 1, select("#", ...) do
        local value = point[select(i, ...)]
        if value then least, most = math.min(least, value), math.max(most, value) end
      end
    end
  end
  return least, most
end

--- Whether the axis of the values is logarithmic.
-- @tparam table it a plot
function chart.is_logarithmic(it)
  local least, most = chart.extent(it.series, "y", "least", "most")
  return it.y.logarithmic or least > 0 and most / least > (it.y.logarithmic_from or logarithmic_from)
end

-- ---- round numbers ----

--- A short text for a number at an axis.
-- @tparam number value
function chart.tick_label(value)
  if value == 0 then return "0" end
  local size = math.abs(value)
  if size >= 1e6 or size < 1e-3 then return (("%.0e"):format(value):gsub("e([+-])0*(%d)", "e%1%2"):gsub("e%+", "e")) end
  return ("%.6g"):format(value)
end

local function add_decades(ticks, least, most, factors)
  for exponent = math.floor(math.log(least) / math.log(10)) - 1, math.ceil(math.log(most) / math.log(10)) + 1 do
    for _, factor in ipairs(factors) do
      local value = tonumber(("%.0fe%d"):format(factor, exponent))
      if value >= least * 0.999999 and value <= most * 1.000001 then ticks[#ticks + 1] = value end
    end
  end
end

local function logarithmic_ticks(least, most)
  local ticks, decades = {}, math.log(most / least) / math.log(10)
  add_decades(ticks, least, most, decades > 2.5 and {1} or {1, 2, 5})
  while #ticks > 8 do
    local fewer = {}
    for i = 1, #ticks, 2 do fewer[#fewer + 1] = ticks[i] end
    ticks = fewer
  end
  return ticks
end

--- The marks of an axis: round numbers.
-- @tparam number most
-- @treturn {number,...}
function chart.ticks(least, most, logarithmic)
  if logarithmic then return logarithmic_ticks(least, most) end
  if most <= least then return {least} end
  local ticks, rough = {}, (most - least) / 5
  local power = 10 ^ math.floor(math.log(rough) / math.log(10))
  local step = rough / power <= 1 and 1 or rough / power <= 2 and 2 or rough / power <= 5 and 5 or 10
  step = step * power
  for i = math.ceil(least / step - 1e-9), math.floor(most / step + 1e-9) do ticks[#ticks + 1] = i * step end
  return ticks
end

-- ---- what is left out ----

--- The best of some things, in their order.
-- @tparam int count of all
-- @tparam function fraction fraction(place): how near it is to the best; nil if it has no figure
-- @tparam int most how many
-- @treturn {int,...} their places
function chart.best(count, fraction, most)
  local places, of = {}, {}
  for i = 1, count do places[i], of[i] = i, fraction(i) or -1 end
  if count <= most then return places end
  table.sort(places, function(a, b) return of[a] > of[b] or of[a] == of[b] and a < b end)
  for i = count, most + 1, -1 do places[i] = nil end
  table.sort(places)
  return places
end

local function best_of(count, cell)
  local best
  for i = 1, count do
    local fraction = (cell(i) or {}).fraction
    if fraction and fraction > (best or -1) then best = fraction end
  end
  return best
end

--- The columns and the rows that a map shows: those with the best cells.
-- @tparam table it a map
-- @tparam int columns how many there may be
-- @tparam int rows how many there may be
-- @treturn {int,...} the columns' places
-- @treturn {int,...} the rows' places
function chart.best_of_map(it, columns, rows)
  local across, down = #it.x.marks, #it.y.marks
  return chart.best(across, function(column)
    return best_of(down, function(row) return it.cell(column, row) end)
  end, columns), chart.best(down, function(row)
    return best_of(across, function(column) return it.cell(column, row) end)
  end, rows)
end

return chart
