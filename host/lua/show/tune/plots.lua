--- The charts of a tuning run's page, for gnuplot: the best over time, the effect of each parameter, a heat map of two.
-- @module clue.show.tune.plots
local chart = require "clue.show.report.chart"
local counted = require("clue.text").count
local series = require "clue.show.report.series"
local values = require "clue.show.tune.values"

local plots = {}

local logarithmic_from = 4 -- times the least value
local most_marks = 1000

-- ---- the best over time ----

-- Every result's mark; of very many, an even choice.
local function marks_of(points, place, factor)
  local marks, every = {}, math.ceil(#points / most_marks)
  for i = 1, #points, every do
    local point = points[i]
    if point.value then marks[#marks + 1] = {x = point[place], y = point.value * factor} end
  end
  return marks, every
end

-- The corners of the line of the best.
local function best_of(points, place, factor)
  local corners, last = {}, nil
  for i, point in ipairs(points) do
    if point.best and (point.best ~= last or i == #points) then
      corners[#corners + 1] = {x = point[place], y = point.best * factor}
      last = point.best
    end
  end
  return corners
end

local names = {count = "evaluations", at = "seconds"}

--- The value of each configuration and of the best so far.
-- @tparam table run of @{clue.result.tuning}, with a best result
-- @tparam {table,...} points of @{clue.show.tune.analysis.progress}
-- @tparam string place "count" or "at": over evaluations or over seconds
-- @treturn table for @{clue.show.report.chart.draw}, with every: one in how many results has a mark; logarithmic
function plots.progress(run, points, place)
  local factor, unit = values.unit(run)
  local marks, every = marks_of(points, place, factor)
  local best = best_of(points, place, factor)
  local axis, logarithmic = series.axis({{points = marks}, {points = best}}, logarithmic_from)
  local last = points[#points][place]
  return {every = every, logarithmic = logarithmic, title = ("The best %s over %s"):format(run.objective, names[place]),
    description = ("After %s, the best is %s."):format(counted(#points, "evaluation"),
      values.text(run, run.best.value)),
    script = function(size)
      return axis .. chart.axis("x", 0, last * 1.02, false) .. series.labels(names[place], unit)
        .. series.block("all", marks) .. series.block("best", best)
        .. ("plot $all using 1:2 with points linecolor rgb '%s' pointtype 7 pointsize %s, $best using 1:2 with steps "
          .. "linecolor rgb '%s' linewidth %s\n"):format(chart.colour "ink", size.name == "narrow" and "0.25" or "0.35",
          chart.colour "device1", size.name == "narrow" and "1.5" or "2")
    end}
end

-- ---- the effect of each parameter ----

local gap = 1 -- between two parameters, in places

-- The place of each value, and of each parameter's middle.
local function places_of(effects)
  local places, at = {}, 0
  for i, effect in ipairs(effects) do
    places[i] = {first = at + 1, middle = at + (#effect.values + 1) / 2}
    at = at + #effect.values + gap
  end
  return places, at - gap
end

-- A value at an axis.
local function label(value)
  return series.harmless(values.shown(value)):sub(1, 12)
end

-- A name cut in its middle, since the ends of names differ: "bloc.._x".
local function cut(name, most)
  if #name <= most then return name end
  return most < 6 and name:sub(1, most) or name:sub(1, most - 4) .. ".." .. name:sub(-2)
end

-- The names of the parameters above the chart, and lines between them.
local function separators(effects, places, place_width, size)
  local lines = {}
  for i, effect in ipairs(effects) do
    local room = math.floor((#effect.values + gap) * place_width / (size.font * 0.62)) -- characters
    lines[#lines + 1] = ("set label '%s' at %.9g, graph 1.04 center textcolor rgb '%s'\n"):format(
      cut(series.harmless(effect.name), room), places[i].middle, chart.colour "text")
    local left = places[i].first - 1
    lines[#lines + 1] = i > 1 and ("set arrow from %d, graph 0 to %d, graph 1 nohead linecolor rgb '%s'\n"):format(left,
      left, chart.colour "grid") or nil
  end
  return table.concat(lines)
end

local function effect_axis(effects, places, last, size)
  local marks, place_width = {}, (size.width - 80) / (last + 1)
  local every = math.ceil(size.font * 1.3 / place_width) -- if their labels do not fit beside each other
  for i, effect in ipairs(effects) do
    for v = 1, #effect.values, every do
      marks[#marks + 1] = ("'%s' %d"):format(label(effect.values[v].value), places[i].first + v - 1)
    end
  end
  return ("set xrange [0:%d]\nset xtics rotate by 90 right (%s)\nset tmargin 2.5\nunset grid\n"):format(last + 1,
    table.concat(marks, ", ")) .. ("set grid ytics linetype 1 linecolor rgb '%s'\n"):format(chart.colour "grid")
    .. separators(effects, places, place_width, size)
end

--- The best and the median of each value of each parameter.
-- @tparam table run of @{clue.result.tuning}, with a best result
-- @tparam {table,...} effects of @{clue.show.tune.analysis.effects}
-- @treturn table for @{clue.show.report.chart.draw}, with logarithmic
function plots.effects(run, effects)
  local factor, unit = values.unit(run)
  local places, last = places_of(effects)
  local best, median = {}, {}
  for i, effect in ipairs(effects) do
    for v, each in ipairs(effect.values) do
      if each.best then
        best[#best + 1] = {x = places[i].first + v - 1, y = each.best * factor}
        median[#median + 1] = {x = places[i].first + v - 1, y = each.median * factor}
      end
    end
  end
  local list = {{points = best, role = "device1", mark = 7, line = false},
                {points = median, role = "author1", mark = 6, line = false}}
  local axis, logarithmic = series.axis(list, logarithmic_from)
  return {logarithmic = logarithmic, title = "The effect of each parameter",
    description = "The best and the median of each value. The numbers are in the table below.",
    script = function(size)
      return axis .. series.labels("", unit) .. effect_axis(effects, places, last, size)
        .. series.plot(list, size)
    end}
end

-- ---- the heat map ----

local levels = 8
local limits = {0.15, 0.3, 0.45, 0.6, 0.75, 0.85, 0.95} -- from each on, the next level

local function level_of(fraction)
  for level = 1, levels - 1 do
    if fraction < limits[level] then return level end
  end
  return levels
end

local function cell(run, group, column, row, factor, size)
  if not group then return "" end
  local level = group.best and level_of(values.fraction(run, group.best))
  local box = level and ("set object rectangle from %g,%g to %g,%g fillcolor rgb '%s' fillstyle solid noborder\n")
    :format(column - 0.49, row - 0.48, column + 0.49, row + 0.48, chart.colour("heat" .. level)) or ""
  return box .. ("set label '%s' at %d,%d center font ',%d' textcolor rgb '%s'\n"):format(
    group.best and values.number(group.best * factor) or "failed", column, row, size.name == "narrow" and 9 or 12,
    chart.colour(level == levels and "paper" or level and "strong" or "text"))
end

local function ticks(effect, places)
  local marks = {}
  for i, place in ipairs(places) do
    marks[i] = ("'%s' %d"):format(label(effect.values[place].value), i)
  end
  return table.concat(marks, ", ")
end

local most_cells = {wide = {12, 16}, narrow = {5, 16}} -- columns and rows

--- The best of each pair of values of two parameters.
-- @tparam table run of @{clue.result.tuning}, with a best result
-- @tparam table grid of @{clue.show.tune.analysis.grid}
-- @treturn table for @{clue.show.report.chart.draw}, with is_cut: whether a size leaves out values
function plots.map(run, grid)
  local factor, unit = values.unit(run)
  return {title = ("The best %s by %s and %s"):format(unit, grid.rows.name, grid.columns.name),
    is_cut = #grid.columns.values > most_cells.narrow[1] or #grid.rows.values > most_cells.narrow[2],
    description = "The best of each pair of values, over all values of the other parameters.",
    script = function(size)
      local most = most_cells[size.name]
      local across = values.chosen(run, grid.columns.values, most[1])
      local down = values.chosen(run, grid.rows.values, most[2])
      local parts = {"unset logscale\nunset grid\nset border 0\nset tics scale 0\n",
        ("set xrange [0.5:%d.5]\nset yrange [%d.5:0.5]\n"):format(#across, #down),
        ("set xtics norotate (%s)\nset ytics (%s)\n"):format(ticks(grid.columns, across), ticks(grid.rows, down)),
        series.labels(grid.columns.name, grid.rows.name)}
      for r, row in ipairs(down) do
        for c, column in ipairs(across) do
          parts[#parts + 1] = cell(run, grid.at(row, column), c, r, factor, size)
        end
      end
      return table.concat(parts) .. "plot NaN\n"
    end}
end

return plots
