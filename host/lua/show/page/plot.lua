--- What gnuplot is to draw for a plot or a map of blocks.
--
-- A plot has title, x and y: axes, series, and optionally: caption, which follows its title on a page; description, for
-- readers who cannot see it (what its series go from and to); legend: true to name its series; names: {text, ...}, a
-- list of what the numbers below it are; labels: texts in it, {{x, y, text}, ...}; height: lines in a terminal (16).
--
-- An axis has title. x may have marks: {{at, text}, ...}, the only places that have a tick, with texts of one or more
-- lines (nil: round numbers); least and most (nil: those of the points and the marks); logarithmic; and groups: {{name,
-- first, count}, ...}, names above the marks that stand side by side from one place on. y begins at 0, unless it is
-- close: true; it is logarithmic if the largest value is more than y.logarithmic_from (20) times the least, or if
-- y.logarithmic is true, and may have least and most, too.
--
-- A series has name; kind ("device", "author", "limit": a line without marks) and index, by which it has its colour and
-- mark; points: {x, y, least, most, apart: true if no line leads to it from the one before}; ranges: true to draw least
-- to most as bars; line: nil, "steps" (without marks) or false (none); dashed; dots: true for small dots instead of
-- marks and line. In a terminal, a series has its letter, dots or steps.
--
-- Labels and marks that lie on each other share a label. One with limit: true is at the right end, above its y.
--
-- A map has title, caption, description; x and y: title and marks: {text, ...}; cell(column, row): {text, fraction: how
-- near it is to the best (nil: no figure)}, nil if there is nothing. The columns and rows with the worst cells are left
-- out if there is not room for all.
local chart = require "clue.show.chart"
local figures = require "clue.shared.figures"
local gnuplot = require "clue.show.page.gnuplot"
local labels = require "clue.show.page.labels"
local lists = require "clue.shared.list"
local map = require("clue.shared.list").map

local plot = {}

local colour = gnuplot.colour

-- A text without characters that could do harm in gnuplot's script, in quotation marks. A results file may hold any
-- text, and a quotation mark in it would end gnuplot's, so that the rest became commands, of which gnuplot has
-- system().
local function quoted(text)
  return '"' .. tostring(text):gsub("[^%w%._+/,' \n-]", ""):gsub("\n", "\\n") .. '"'
end

-- ---- series ----

-- Filled marks for devices, open ones for others and on dashed lines. Marks in a chart never differ by colour alone.
local marks = {device = {7, 5, 9, 11, 13, 15}, author = {6, 4, 8, 10, 12, 14}}

local function colour_of(one)
  return colour(one.dots and "ink" or one.kind == "limit" and "roof" or one.kind .. (one.index - 1) % 8 + 1)
end

-- A block of gnuplot's data.
local function data(name, points)
  local lines = {"$" .. name .. " << EOD"}
  for i, point in ipairs(points) do
    if i > 1 and point.apart then lines[#lines + 1] = "" end
    lines[#lines + 1] = ("%.9g %.9g %.9g %.9g"):format(point.x, point.y, point.least or point.y, point.most or point.y)
  end
  lines[#lines + 1] = "EOD"
  return table.concat(lines, "\n") .. "\n"
end

local function line_width(one, is_narrow)
  if one.line == "steps" then return is_narrow and 1.5 or 2 end
  return one.kind == "limit" and 1.75 or is_narrow and 1 or 1.25
end

-- The line through the points, a bar for the range of the runs, and the mark of the median on top.
local function drawing(name, one, is_narrow)
  local parts = {}
  local function add(using, with, how, ...)
    parts[#parts + 1] = ("$%s using %s with %s linecolor rgb '%s' "):format(name, using, with, colour_of(one))
      .. how:format(...)
  end
  if one.dots then
    add("1:2", "points", "pointtype 7 pointsize %g", is_narrow and 0.25 or 0.35)
    return parts[1]
  end
  if one.line ~= false then
    add("1:2", one.line or "lines", "linewidth %g dashtype %s", line_width(one, is_narrow), one.dashed and "(4,4)"
      or "1")
  end
  if one.ranges then add("1:2:3:4", "yerrorbars", "linewidth 1.5 pointtype 0 pointsize 0") end
  if marks[one.kind] and one.line ~= "steps" then
    local of = marks[one.dashed and "author" or one.kind]
    add("1:2", "points", "linewidth 1.5 pointtype %d pointsize %g", of[(one.index - 1) % 6 + 1],
      is_narrow and 0.6 or 0.8)
  end
  return table.concat(parts, ", ")
end

local function drawings(list, is_narrow)
  local blocks = lists.map(list, function(one, i) return data("s" .. i, one.points) end)
  local parts = lists.map(list, function(one, i) return drawing("s" .. i, one, is_narrow) end)
  return table.concat(blocks) .. "plot " .. table.concat(parts, ", ") .. "\n"
end

-- ---- the ends of the axes ----

local function x_ends(it)
  local x = it.x
  local least, most = chart.extent(it.series, "x")
  for _, mark in ipairs(x.marks or {}) do least, most = math.min(least, mark[1]), math.max(most, mark[1]) end
  if x.logarithmic then
    local room = (most / least) ^ 0.04
    least, most = least / room, most * room
  else
    local room = math.max(most - least, 1) * 0.04
    least, most = least - room, most + room
  end
  return {least = x.least or least, most = x.most or most, logarithmic = x.logarithmic}
end

local function y_ends(it)
  local y, logarithmic = it.y, chart.is_logarithmic(it)
  local least, most = chart.extent(it.series, "y", "least", "most")
  if logarithmic then
    least, most = least / 1.3, most * 1.3
  else
    local room = y.close and math.max(most - least, most * 0.01) * 0.08 or most * 0.08
    least, most = y.close and least - room or 0, most + room
  end
  return {least = y.least or least, most = y.most or most, logarithmic = logarithmic}
end

local function ends_text(name, ends)
  return ("%s logscale %s\nset %srange [%.9g:%.9g]\n"):format(ends.logarithmic and "set" or "unset", name, name,
    ends.least, ends.most)
end

-- ---- marks below the axis ----

local function round_numbers(ends)
  return map(chart.ticks(ends.least, ends.most, ends.logarithmic), function(value)
    return {value, chart.tick_label(value)}
  end)
end

local function ticks(name, list, how)
  local parts = map(list, function(mark) return ("%s %.9g"):format(quoted(mark[2]), mark[1]) end)
  return ("set %stics %s (%s)\n"):format(name, how or "", table.concat(parts, ", "))
end

local function longest_line(text)
  local longest = 0
  for line in tostring(text):gmatch "[^\n]+" do longest = math.max(longest, #line) end
  return longest
end

-- Every how many of the marks there is room for one; room_of(text): the pixels that it needs.
local function every_of(list, place, room_of)
  for every = 1, #list do
    local fits = true
    for i = 1 + every, #list, every do
      local before, now = list[i - every], list[i]
      fits = fits and place(now[1]) - place(before[1]) >= (room_of(before[2]) + room_of(now[2])) / 2
    end
    if fits then return every end
  end
end

-- One of so many marks, from the first of each group on.
local function every_nth(list, every, groups)
  local shown, is_first, since = {}, {}, 0
  for _, group in ipairs(groups or {}) do is_first[group.first] = true end
  for _, mark in ipairs(list) do
    since = is_first[mark[1]] and 0 or since
    shown[#shown + 1] = since % every == 0 and mark or nil
    since = since + 1
  end
  return shown
end

-- Marks are written as far as there is room: below groups upright, else slanted if that helps.
local function marks_below(it, ends, size)
  local letter, room, list, longest = size.font * 0.62, size.width - 90, {}, 0
  local scale = chart.scale(ends.least, ends.most, ends.logarithmic)
  local function place(at) return scale(at) * room end
  for i, mark in ipairs(it.x.marks) do list[i], longest = mark, math.max(longest, longest_line(mark[2])) end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  local how, every = "norotate", every_of(list, place, function(text) return (longest_line(text) + 1) * letter end)
  if it.x.groups then
    how, every = "rotate by 90 right", every_of(list, place, function() return size.font * 1.3 end)
  elseif every > 1 and longest > 3 then
    how, every = "rotate by 40 right", every_of(list, place, function() return 2.2 * letter end)
  end
  return ticks("x", every_nth(list, every, it.x.groups), how)
end

-- ---- groups ----

-- A name cut in its middle, since the ends of names differ: "bloc.._x".
local function cut(name, most)
  if #name <= most then return name end
  return most < 6 and name:sub(1, most) or name:sub(1, most - 4) .. ".." .. name:sub(-2)
end

-- The names of the groups above the chart, and lines between them.
local function groups_text(groups, ends, size)
  local place_width, parts = (size.width - 80) / (ends.most - ends.least), {"set tmargin 2.5\nunset grid\n",
    ("set grid ytics linetype 1 linecolor rgb '%s'\n"):format(colour "grid")}
  for i, group in ipairs(groups) do
    local room = math.floor((group.count + 1) * place_width / (size.font * 0.62)) -- characters
    parts[#parts + 1] = ("set label %s at %.9g, graph 1.04 center textcolor rgb '%s'\n"):format(
      quoted(cut(group.name, room)), group.first + (group.count - 1) / 2, colour "text")
    local before = groups[i - 1]
    local left = before and (before.first + before.count - 1 + group.first) / 2
    parts[#parts + 1] = left and ("set arrow from %g, graph 0 to %g, graph 1 nohead linecolor rgb '%s'\n"):format(left,
      left, colour "grid") or nil
  end
  return table.concat(parts)
end

local function titles(x, y)
  return ("set xlabel %s textcolor rgb '%s'\nset ylabel %s textcolor rgb '%s'\n"):format(quoted(x), colour "text",
    quoted(y), colour "text")
end

-- gnuplot leaves room for one line of a mark.
local function room_for_lines(list)
  for _, mark in ipairs(list or {}) do
    if mark[2]:find "\n" then return "set bmargin 5\nset xlabel offset 0,-1\n" end
  end
  return ""
end

-- ---- a plot ----

local function script_of_plot(it)
  local x, y = x_ends(it), y_ends(it)
  return function(size)
    return table.concat {ends_text("x", x), ends_text("y", y), ticks("y", round_numbers(y)),
      it.x.marks and marks_below(it, x, size) or ticks("x", round_numbers(x)), titles(it.x.title, it.y.title),
      room_for_lines(it.x.marks), it.x.groups and groups_text(it.x.groups, x, size) or "",
      it.labels and labels.text(it.labels, {x = x, y = y, size = size, quoted = quoted}) or "",
      drawings(it.series, size.name == "narrow")}
  end
end

local function described(list)
  return table.concat(lists.map(list, function(one)
    local least, most = chart.extent({one}, "y", "least", "most")
    return one.name and ("%s: %s to %s."):format(one.name, figures.number(least), figures.number(most))
  end), " ")
end

-- ---- a map ----

local levels = 8
local limits = {0.15, 0.3, 0.45, 0.6, 0.75, 0.85, 0.95} -- from each on, the next level

local function level_of(fraction)
  for level = 1, levels - 1 do
    if fraction < limits[level] then return level end
  end
  return levels
end

local function cell_text(cell, column, row, size)
  local level = cell.fraction and level_of(cell.fraction)
  local box = level and ("set object rectangle from %g,%g to %g,%g fillcolor rgb '%s' fillstyle solid noborder\n")
    :format(column - 0.49, row - 0.48, column + 0.49, row + 0.48, colour("heat" .. level)) or ""
  return box .. ("set label %s at %d,%d center font ',%d' textcolor rgb '%s'\n"):format(quoted(cell.text), column, row,
    size.name == "narrow" and 9 or 12, colour(level == levels and "paper" or level and "strong" or "text"))
end

local function marks_at(axis, places)
  return map(places, function(place, i) return {i, axis.marks[place]} end)
end

local most_cells = {wide = {12, 16}, narrow = {5, 16}} -- columns and rows

local function script_of_map(it)
  return function(size)
    local most = most_cells[size.name]
    local across, down = chart.best_of_map(it, most[1], most[2])
    local parts = {"unset logscale\nunset grid\nset border 0\nset tics scale 0\n",
      ("set xrange [0.5:%d.5]\nset yrange [%d.5:0.5]\n"):format(#across, #down),
      ticks("x", marks_at(it.x, across), "norotate"), ticks("y", marks_at(it.y, down)),
      titles(it.x.title, it.y.title)}
    for r, row in ipairs(down) do
      for c, column in ipairs(across) do
        local cell = it.cell(column, row)
        parts[#parts + 1] = cell and cell_text(cell, c, r, size) or nil
      end
    end
    return table.concat(parts) .. "plot NaN\n"
  end
end

-- ---- both ----

-- The title as a sentence begins, with what is to be known of the axis.
local function title_of(it)
  local logarithmic = it.kind == "plot" and not it.y.logarithmic and chart.is_logarithmic(it)
  return it.title:gsub("^%l", string.upper) .. (logarithmic and ", logarithmic axis" or "")
end

--- What gnuplot is to draw.
-- @tparam table it a plot or a map
-- @treturn table for @{clue.show.page.gnuplot.draw}
function plot.of(it)
  return {title = title_of(it), description = it.description or it.series and described(it.series) or it.title,
          script = it.kind == "map" and script_of_map(it) or script_of_plot(it)}
end

--- What stands below it: its title and its caption.
-- @tparam table it a plot or a map
function plot.caption(it)
  local is_cut = it.kind == "map"
    and (#it.x.marks > most_cells.narrow[1] or #it.y.marks > most_cells.narrow[2])
  return ("%s.%s%s"):format(title_of(it), it.caption and " " .. it.caption or "",
    is_cut and " The values with the worst results are left out if there is no room." or "")
end

return plot
