--- The plots of a sweep: speed against size, and against a parameter.
local block = require "clue.show.block"
local point = require "clue.result.point"
local ranking = require "clue.show.sweep.ranking"

local unpack = unpack or table.unpack -- luacheck: ignore

local plots = {}

local logarithmic_from = 10 -- if the largest value is so many times the least
local logarithmic_sizes_from = 4

-- What a plot shows, in words.
local function words_of(unit)
  return ranking.is_time(unit) and "time in " .. unit or unit
end

-- ---- against size ----

local function letter(index)
  local place = (index - 1) % 52 + 1
  return ("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"):sub(place, place)
end

local function in_order(points, count)
  local list = {}
  for i = 1, count do list[#list + 1] = points[i] end
  return list
end

-- A host loop far slower than all steps would leave them no room: it is only in the table.
local function is_far_slower(line, least, most, is_time)
  if line.kind ~= "host" then return false end
  for _, at in pairs(line.points) do
    if is_time and at.y > most * logarithmic_from then return true end
    if not is_time and at.y < least / logarithmic_from then return true end
  end
  return false
end

local function extent_of_steps(chart)
  local least, most = math.huge, 0
  for _, line in ipairs(chart.lines) do
    for _, at in pairs(line.kind ~= "host" and line.points or {}) do
      least, most = math.min(least, at.y), math.max(most, at.y)
    end
  end
  return least, most
end

local function series_of(chart)
  local list, counts = {}, {device = 0, author = 0}
  local least, most = extent_of_steps(chart)
  for i, line in ipairs(chart.lines) do
    local is_step = line.kind == "step"
    local kind = is_step and "device" or "author"
    counts[kind], line.letter = counts[kind] + 1, letter(i)
    if not is_far_slower(line, least, most, ranking.is_time(chart.unit)) then
      list[#list + 1] = {kind = kind, index = counts[kind], name = line.name, letter = line.letter, ranges = is_step,
                         dashed = not is_step, points = in_order(line.points, #chart.sizes)}
    end
  end
  return list
end

--- The curves over the size.
-- @tparam table chart of @{clue.show.sweep.results.curves}; its lines get a letter
-- @treturn table block
function plots.curves(chart)
  local list, marks = series_of(chart), {}
  for i, size in ipairs(chart.sizes) do marks[i] = {chart.places[i], size} end
  local spread = chart.numeric and math.max(unpack(chart.places)) / math.min(unpack(chart.places)) or 1
  return block.plot {title = ("%s against size%s"):format(words_of(chart.unit), #list < #chart.lines
      and ", without slow host loops" or ""), legend = true, series = list,
    caption = "Dashed: libraries and host loops. Bars: from the slowest to the fastest run.",
    x = {title = "size", marks = marks, logarithmic = spread > logarithmic_sizes_from},
    y = {title = chart.unit, logarithmic_from = logarithmic_from}}
end

-- ---- against a parameter ----

--- The speed or time of a step at each value of its only parameter; only on a page, since a terminal's table has bars.
-- @tparam table group of @{clue.show.sweep.results.by_step}
-- @treturn table block
function plots.values(group)
  local axis, marks, found = group.axes[1], {}, {}
  local unit = select(2, ranking.fastest(group)).unit
  for i, value in ipairs(axis.values) do marks[i] = {i, point.shown(value)} end
  for _, each in ipairs(group) do
    for i, value in ipairs(axis.values) do
      local figure = axis.get(each.point) == value and ranking.figure(each.row)
      if figure and figure.unit == unit then
        found[i] = {x = i, y = figure.median, least = figure.least, most = figure.most}
      end
    end
  end
  local number = tostring(group.number)
  return block.plot {only = "page", title = ("%s of step %s against %s"):format(words_of(unit), number, axis.name),
    caption = "Bars: from the slowest to the fastest run.", x = {title = axis.name, marks = marks},
    y = {title = unit, logarithmic_from = logarithmic_from}, series = {{kind = "device", index = 1, ranges = true,
      name = ("step %s"):format(number), points = in_order(found, #axis.values)}}}
end

return plots
