--- The charts of a sweep in a report, for gnuplot: speed against size, speed against a parameter, a heat map of two.
-- @module clue.show.sweep.charts
local analysis = require "clue.show.tune.analysis"
local figures = require "clue.shared.figures"
local maps = require "clue.show.tune.plots"
local point = require "clue.result.point"
local ranking = require "clue.show.sweep.ranking"
local results = require "clue.show.sweep.results"
local series = require "clue.show.report.series"

local unpack = unpack or table.unpack -- luacheck: ignore

local charts = {}

local logarithmic_from = 4 -- times the least place of an axis

-- The axis below a chart, with a mark for each text that has room.
local function axis_below(places, texts, is_logarithmic, size)
  local least, most, marks, longest = math.huge, -math.huge, {}, 1
  for i, place in ipairs(places) do
    least, most, longest = math.min(least, place), math.max(most, place), math.max(longest, #texts[i])
  end
  local every = math.max(1, math.ceil(#places * (longest + 2) * size.font * 0.62 / (size.width - 90)))
  for i = 1, #places, every do marks[#marks + 1] = ("'%s' %.9g"):format(series.harmless(texts[i]), places[i]) end
  local room = is_logarithmic and (most / least) ^ 0.04 or math.max(most - least, 1) * 0.04
  return ("%s logscale x\nset xrange [%.9g:%.9g]\nset xtics norotate (%s)\n"):format(
    is_logarithmic and "set" or "unset", is_logarithmic and least / room or least - room,
    is_logarithmic and most * room or most + room, table.concat(marks, ", "))
end

local function points_of(line, count)
  local list = {}
  for i = 1, count do list[#list + 1] = line.points[i] end
  return list
end

local function described(list)
  local sentences = {}
  for i, one in ipairs(list) do
    local least, most = series.extent {one}
    sentences[i] = ("%s: %s to %s."):format(one.name, figures.number(least), figures.number(most))
  end
  return table.concat(sentences, " ")
end

-- The curves of a chart over the size.
local function curves(chart)
  local list, steps, others = {}, 0, 0
  for _, line in ipairs(chart.lines) do
    local is_step = line.kind == "step"
    if is_step then steps = steps + 1 else others = others + 1 end
    series.add(list, {kind = is_step and "device" or "author", index = is_step and steps or others, name = line.name,
                      points = points_of(line, #chart.sizes), ranges = is_step, dashed = not is_step})
  end
  local axis, logarithmic = series.axis(list)
  local spread = math.max(unpack(chart.places)) / math.min(unpack(chart.places))
  return {kind = "curves", of = chart, series = list, logarithmic = logarithmic,
    title = ("%s against size, %s axis"):format(chart.unit, logarithmic and "logarithmic" or "linear"),
    description = described(list) .. " The values are in the table.",
    script = function(size)
      return axis .. axis_below(chart.places, chart.sizes, chart.numeric and spread > logarithmic_from, size)
        .. series.labels("size", chart.unit) .. series.plot(list, size)
    end}
end

-- The speed or time of a step at each value of its only parameter.
local function values(group)
  local axis, places, texts, found = group.axes[1], {}, {}, {}
  local unit = select(2, ranking.fastest(group)).unit
  for i, value in ipairs(axis.values) do places[i], texts[i] = i, point.shown(value) end
  for _, each in ipairs(group) do
    for i, value in ipairs(axis.values) do
      local figure = axis.get(each.point) == value and ranking.figure(each.row)
      if figure and figure.unit == unit then
        found[i] = {x = i, y = figure.median, least = figure.least, most = figure.most}
      end
    end
  end
  local list = {}
  series.add(list, {kind = "device", index = 1, name = ("step %s"):format(tostring(group.number)), ranges = true,
                    points = points_of({points = found}, #axis.values)})
  local upright, logarithmic = series.axis(list)
  return {kind = "values", of = group, series = list, logarithmic = logarithmic,
    title = ("%s of step %s against %s"):format(unit, tostring(group.number), axis.name),
    description = described(list) .. " The values are in the table.",
    script = function(size)
      return upright .. axis_below(places, texts, false, size) .. series.labels(axis.name, unit)
        .. series.plot(list, size)
    end}
end

local function map(group)
  local run = results.as_tuned(group)
  local pair = analysis.pair(analysis.effects(run))
  if not pair then return nil end
  local it = maps.map(run, analysis.grid(run, pair))
  it.kind, it.of = "map", group
  return it
end

--- The charts of a sweep, to be drawn.
-- @tparam table entry of a document's walkthroughs
-- @treturn {table,...} each for @{clue.show.report.chart.draw}, with kind: "curves", "values" or "map"; of: what it
--   shows, from @{clue.show.sweep.results}; address of the device
function charts.of(entry)
  local all = {}
  local function add(address, it)
    if not it then return end
    it.address = address
    all[#all + 1] = it
  end
  for _, address in ipairs(entry.sweep.options and {} or results.devices(entry)) do
    local list = results.of(entry, address)
    for _, chart in ipairs(entry.sweep.sizes and results.curves(entry, list) or {}) do add(address, curves(chart)) end
    for _, group in ipairs(entry.sweep.parameters and results.by_step(entry, list) or {}) do
      if ranking.fastest(group) then
        add(address, #group.axes > 1 and map(group) or #group.axes == 1 and values(group) or nil)
      end
    end
  end
  return all
end

return charts
