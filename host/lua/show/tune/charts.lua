--- The charts of a run of `clue tune`: the best over time, the effect of each parameter, a map of two.
local analysis = require "clue.show.tune.analysis"
local block = require "clue.show.block"
local chart = require "clue.show.chart"
local counted = require("clue.text").count
local duration = require("clue.text").duration
local map = require("clue.shared.list").map
local shown = require("clue.result.point").shown

local charts = {}

local logarithmic_from = 4 -- times the least value

-- ---- the best over time ----

local most_marks = 1000

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

-- Some evaluations with their times, if those are known.
local function evaluations(points)
  local marks, seen = {}, {}
  for _, part in ipairs {0, 0.25, 0.5, 0.75, 1} do
    local point = points[math.floor(1 + part * (#points - 1) + 0.5)]
    local at = points[#points].at and points[1].at and point.at
    if not seen[point.count] then
      marks[#marks + 1] = {point.count, ("%d%s"):format(point.count, at and "\n" .. (at > 0 and duration(at) or "0 s")
        or "")}
    end
    seen[point.count] = true
  end
  return marks
end

local axes = {
  count = function(points) return {title = "evaluations", marks = evaluations(points)} end,
  at = function() return {title = "seconds", least = 0} end,
}

-- The value of each configuration and of the best so far, over "count" (evaluations) or "at" (seconds).
local function progress_plot(run, points, place)
  local factor, unit = analysis.unit(run)
  local marks, every = marks_of(points, place, factor)
  return block.plot {height = 10, title = ("%s of each configuration (·) and of the best so far (━)"):format(unit),
    caption = every > 1 and ("One in %d configurations has a mark."):format(every) or nil, x = axes[place](points),
    y = {title = unit, close = true, logarithmic_from = logarithmic_from},
    description = ("After %s, the best is %s."):format(counted(#points, "evaluation"),
      analysis.text(run, run.best.value)),
    series = {{dots = true, points = marks},
              {kind = "device", index = 1, line = "steps", points = best_of(points, place, factor)}}}
end

-- ---- the effect of each parameter ----

-- The best and the median of each value; only on a page, since a terminal's table has bars.
local function effects_plot(run, effects)
  local factor, unit = analysis.unit(run)
  local groups, marks, best, median, at = {}, {}, {}, {}, 0
  for i, effect in ipairs(effects) do
    groups[i] = {name = effect.name, first = at + 1, count = #effect.values}
    for v, each in ipairs(effect.values) do
      marks[#marks + 1] = {at + v, shown(each.value)}
      best[#best + 1] = each.best and {x = at + v, y = each.best * factor} or nil
      median[#median + 1] = each.best and {x = at + v, y = each.median * factor} or nil
    end
    at = at + #effect.values + 1
  end
  return block.plot {only = "page", legend = true, title = ("the %s with each value of each parameter"):format(unit),
    caption = "The parameter that explains most is on the left.",
    description = "The best and the median of each value. The numbers are in the table below.",
    x = {title = "", marks = marks, groups = groups, least = 0, most = at},
    y = {title = unit, logarithmic_from = logarithmic_from}, series = {
      {kind = "device", index = 1, name = "the best with this value", points = best, line = false},
      {kind = "author", index = 1, name = "the median", points = median, line = false}}}
end

-- ---- the map ----

local function texts_of(effect)
  return map(effect.values, function(each) return shown(each.value) end)
end

--- The best of each pair of values of two parameters.
-- @tparam table run of @{clue.result.tuning}, with a best result
-- @tparam {table,table} pair of @{clue.show.tune.analysis.pair}
-- @treturn table block
function charts.map(run, pair)
  local grid, factor, unit = analysis.grid(run, pair), analysis.unit(run)
  return block.map {title = ("the best %s by %s (down) and %s (across)"):format(unit, grid.rows.name,
      grid.columns.name), caption = "The darker, the nearer to the best. Over all values of the other parameters. An "
      .. "empty place was not tried.", x = {title = grid.columns.name, marks = texts_of(grid.columns)},
    y = {title = grid.rows.name, marks = texts_of(grid.rows)},
    cell = function(column, row)
      local group = grid.at(row, column)
      if not group then return nil end
      if not group.best then return {text = "failed"} end
      return {text = analysis.number(group.best * factor), fraction = analysis.fraction(run, group.best)}
    end}
end

-- ---- the parts ----

local function time_part(run)
  local points = analysis.progress(run)
  local by_time = points[#points].at and points[1].at and progress_plot(run, points, "at")
  if by_time then
    by_time.only = "page"
    by_time.caption = "The seconds since the run began, compiling and verifying included."
  end
  return block.section {id = "time", title = "The best over time", blocks = {progress_plot(run, points, "count"),
    by_time}}
end

-- The best values of an effect, in their order.
local function best_values(run, effect, most)
  return chart.best(#effect.values, function(place)
    local best = effect.values[place].best
    return best and analysis.fraction(run, best)
  end, most)
end

-- Rows of effect, in the first row of one only; group: the results with a value, or more: what stands for other values.
local function effect_rows(run, effects, most)
  local rows = {}
  for _, effect in ipairs(effects) do
    for i, place in ipairs(best_values(run, effect, most)) do
      rows[#rows + 1] = {effect = i == 1 and effect, group = effect.values[place]}
    end
    if #effect.values > most then rows[#rows + 1] = {more = ("%d more"):format(#effect.values - most)} end
  end
  return rows
end

local function effect_columns(run)
  local function of_group(get) return function(row) return row.group and get(row.group) end end
  return {
    {title = "parameter", head = true, get = function(row) return row.effect and row.effect.name end},
    {title = "share", right = true, get = function(row) return row.effect and analysis.percent(row.effect.share) end},
    {title = "value", right = true, get = function(row) return row.more or shown(row.group.value) end},
    {title = "tried", right = true, get = of_group(function(group) return group.count end)},
    {title = "failed", right = true, optional = true, get = of_group(function(group)
      return group.failed > 0 and group.failed
    end)},
    {title = "best", right = true, get = of_group(function(group) return analysis.text(run, group.best) end)},
    {title = "median", right = true, get = of_group(function(group) return analysis.text(run, group.median) end)},
    {title = "of the best", bar = 12, get = of_group(function(group)
      return group.best and {bar = analysis.fraction(run, group.best)}
    end)},
  }
end

local least_share, most_values = 0.01, 10 -- of what gets a line for each value in a terminal

-- The effects to show in a terminal, those of the map among them; and the names of the others.
local function large_and_small(effects, pair)
  local large, small = {}, {}
  for _, effect in ipairs(effects) do
    if pair and effect ~= pair[1] and effect ~= pair[2] and (effect.share or 0) < least_share then
      small[#small + 1] = effect.name
    else
      large[#large + 1] = effect
    end
  end
  return large, small
end

local function effects_part(run, effects, pair)
  if not effects[1] then return false end
  local large, small = large_and_small(effects, pair)
  local function of(shown_ones, only, most)
    return block.table {name = "the effect of each parameter", only = only, columns = effect_columns(run),
                        rows = effect_rows(run, shown_ones, most), close = only == "text" and small[1] ~= nil}
  end
  return block.section {id = "effects", title = "The effect of each parameter", blocks = {
    effects_plot(run, effects),
    block.paragraph(("the effect of each parameter: its share of the variation of the %s"):format(run.objective),
      {only = "text", close = true}), of(large, "text", most_values),
    small[1] and block.paragraph("less than 1 %: " .. table.concat(small, ", "), {only = "text", indent = "  "}),
    of(effects, "page", math.huge),
    block.paragraph(("The share is how much of the variation of the %s's logarithm a parameter explains alone. The "
      .. "search tries good values more often, so the shares describe what it tried, not the whole space; parameters "
      .. "that only act together have small shares."):format(run.objective), {class = "note", only = "page"}),
  }}
end

--- The charts: the best over time, the effect of each parameter, a map of two.
-- @tparam table run of @{clue.result.tuning}
-- @tparam[opt] {string,string} named the parameters of the map
-- @treturn table blocks; empty if no configuration works, or if there is only one
function charts.blocks(run, named)
  if not run.best or #run.results < 2 then return {} end
  local effects = analysis.effects(run)
  local pair = analysis.pair(effects, named)
  return {time_part(run), effects_part(run, effects, pair), pair and block.section {id = "map",
    title = "Two parameters together", blocks = {charts.map(run, pair)}}}
end

return charts
