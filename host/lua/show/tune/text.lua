--- The charts of `clue tune` in a terminal: the best over time, the effect of each parameter, a heat map of two.
-- @module clue.show.tune.text
local analysis = require "clue.show.tune.analysis"
local bar = require("clue.show.chart").bar
local counted = require("clue.text").count
local plot = require "clue.show.tune.plot"
local tables = require "clue.table"
local values = require "clue.show.tune.values"

local text = {}

local function append(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

-- ---- the effect of each parameter ----

local least_share = 0.01 -- of what gets a line for each value
local most_values, bar_width = 10, 12

local function percent(share)
  return share and ("%.0f %%"):format(share * 100) or "?"
end

-- Those in the heat map always have lines.
local function is_small(effect, pair)
  return pair and effect ~= pair[1] and effect ~= pair[2] and (effect.share or 0) < least_share
end

local columns = {
  {title = "parameter", get = function(row) return row.first and row.effect.name end},
  {title = "share", right = true, get = function(row) return row.first and percent(row.effect.share) end},
  {title = "value", right = true, get = function(row) return row.more or values.shown(row.group.value) end},
  {title = "tried", right = true, get = function(row) return row.group and row.group.count end},
  {title = "failed", right = true, optional = true, get = function(row)
    return row.group and row.group.failed > 0 and row.group.failed
  end},
  {title = "best", right = true, get = function(row) return row.group and row.best end},
  {title = "median", right = true, get = function(row) return row.group and row.median end},
  {title = "of the best", get = function(row) return row.bar end},
}

local function add_rows(rows, run, effect)
  local places = values.chosen(run, effect.values, most_values)
  for i, place in ipairs(places) do
    local group = effect.values[place]
    rows[#rows + 1] = {effect = effect, first = i == 1, group = group, best = values.text(run, group.best),
      median = values.text(run, group.median),
      bar = group.best and bar(values.fraction(run, group.best), 1, bar_width)}
  end
  local more = #effect.values - #places
  if more > 0 then rows[#rows + 1] = {more = ("%d more"):format(more)} end
end

local function add_effects(lines, run, effects, pair, width)
  local rows, small = {}, {}
  for _, effect in ipairs(effects) do
    if is_small(effect, pair) then
      small[#small + 1] = effect.name
    else
      add_rows(rows, run, effect)
    end
  end
  lines[#lines + 1] = ("the effect of each parameter: its share of the variation of the %s"):format(run.objective)
  append(lines, tables.of(columns, rows))
  if #small > 0 then append(lines, tables.wrap("less than 1 %: " .. table.concat(small, ", "), width, "  ")) end
end

-- ---- the heat map ----

local shades = {{0.95, "█"}, {0.8, "▓"}, {0.5, "▒"}, {0.25, "░"}}
local most_rows = 20

local function shade(fraction)
  for _, each in ipairs(shades) do
    if fraction >= each[1] then return each[2] end
  end
  return " "
end

-- Writes each cell with the same number of characters, so that the shades are in line.
local function cell_writer(run, grid, factor)
  local widest = 0
  for row = 1, #grid.rows.values do
    for column = 1, #grid.columns.values do
      local group = grid.at(row, column)
      if group and group.best then widest = math.max(widest, #values.number(group.best * factor)) end
    end
  end
  return function(group)
    if not group then return "" end
    if not group.best then return "failed" end
    return ("%s %" .. widest .. "s"):format(shade(values.fraction(run, group.best)),
      values.number(group.best * factor))
  end
end

-- The map with so many columns.
local function map_lines(run, grid, write, most)
  local heads, rows = {{title = grid.rows.name, right = true}}, {}
  local across = values.chosen(run, grid.columns.values, most)
  for i, column in ipairs(across) do
    heads[i + 1] = {title = values.shown(grid.columns.values[column].value), right = true}
  end
  for i, row in ipairs(values.chosen(run, grid.rows.values, most_rows)) do
    rows[i] = {values.shown(grid.rows.values[row].value)}
    for c, column in ipairs(across) do rows[i][c + 1] = write(grid.at(row, column)) end
  end
  return tables.lines(heads, rows)
end

local function left_out(effect, most)
  local more = #effect.values - most
  return more > 0 and ("; not shown: the worst %s of %s"):format(counted(more, "value"), effect.name) or ""
end

local function add_map(lines, run, pair, width)
  local grid = analysis.grid(run, pair)
  local factor, unit = values.unit(run)
  local most, write = #grid.columns.values, cell_writer(run, grid, factor)
  local map = map_lines(run, grid, write, most)
  while tables.width(map) > width and most > 1 do
    most = most - 1
    map = map_lines(run, grid, write, most)
  end
  append(lines, tables.wrap(("the best %s by %s (down) and %s (across)%s%s"):format(unit, grid.rows.name,
    grid.columns.name, left_out(grid.columns, most), left_out(grid.rows, most_rows)), width, "  "))
  append(lines, map)
  lines[#lines + 1] = "of the best: █ 95 % or more, ▓ 80 %, ▒ 50 %, ░ 25 %"
end

--- The heat map alone.
-- @tparam table run of @{clue.result.tuning}
-- @tparam int width as for @{lines}
-- @treturn {string,...} empty if fewer than two parameters have several values, or nothing has a value
function text.map(run, width)
  local lines, pair = {}, run.best and analysis.pair(analysis.effects(run))
  if pair then add_map(lines, run, pair, width) end
  return lines
end

-- ---- all ----

--- The charts as lines.
-- @tparam table run of @{clue.result.tuning}
-- @tparam int width characters of a line; names and values may need more
-- @tparam ?{string,string} named the parameters of the heat map
-- @treturn {string,...} empty if no configuration works, or if there is only one
function text.lines(run, width, named)
  local lines = {}
  if not run.best or #run.results < 2 then return lines end
  plot.add(lines, run, analysis.progress(run), width)
  local effects = analysis.effects(run)
  local pair = analysis.pair(effects, named)
  if #effects > 0 then
    lines[#lines + 1] = ""
    add_effects(lines, run, effects, pair, width)
  end
  if pair then
    lines[#lines + 1] = ""
    add_map(lines, run, pair, width)
  end
  return lines
end

return text
