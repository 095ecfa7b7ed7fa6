--- Draws plots and maps with characters: see @{clue.show.page.plot}. A series is a letter for each point, with dots
-- between; a dot for each point; or a line of steps.
-- Parameters with one meaning everywhere: it, a plot or a map; to, with width, and add(line) as for the other blocks.
local chart = require "clue.show.chart"
local figures = require "clue.shared.figures"
local tables = require "clue.table"
local words = require "clue.text"

local plot = {}

local height, widest = 16, 100

-- ---- the axes ----

local function vertical_axis(it, rows)
  local logarithmic = chart.is_logarithmic(it)
  local least, most = chart.extent(it.series, "y")
  if not (logarithmic or it.y.close) then least = 0 end
  local place, value = chart.scale(least, most, logarithmic)
  return {logarithmic = logarithmic, is_flat = most <= least,
    row = function(y) return rows - math.floor(place(y) * (rows - 1) + 0.5) end,
    value = function(row) return value((rows - row) / (rows - 1)) end}
end

-- The ticks, and the function that takes a place and returns its column.
local function horizontal_axis(it, width)
  local least, most = chart.extent(it.series, "x")
  for _, mark in ipairs(it.x.marks or {}) do least, most = math.min(least, mark[1]), math.max(most, mark[1]) end
  local place = chart.scale(least, most, it.x.logarithmic)
  local marks = {}
  for i, mark in ipairs(it.x.marks or {}) do marks[i] = mark end
  for i, value in ipairs(it.x.marks and {} or chart.ticks(least, most, it.x.logarithmic)) do
    marks[i] = {value, chart.tick_label(value)}
  end
  table.sort(marks, function(a, b) return a[1] < b[1] end)
  return function(x) return 1 + math.floor(place(x) * (width - 1) + 0.5) end, marks
end

-- The labels of rows, and the characters of the widest.
local function row_labels(axis, rows)
  local labels, width = {}, 0
  for _, row in ipairs(axis.is_flat and {rows} or {1, math.floor(rows / 3 + 0.5), math.floor(rows * 2 / 3 + 0.5),
                                                   rows}) do
    labels[row] = figures.number(axis.value(row))
    width = math.max(width, #labels[row])
  end
  return labels, width
end

-- ---- series ----

local function connect(rows, from, to)
  for column = from.column + 1, to.column - 1 do
    local part = (column - from.column) / (to.column - from.column)
    local row = math.floor(from.row + part * (to.row - from.row) + 0.5)
    if rows[row][column] == " " then rows[row][column] = "·" end
  end
end

local function draw_points(one, places, rows)
  for i, at in ipairs(places) do
    if i > 1 and one.line ~= false and not (one.dots or one.points[i].apart) then connect(rows, places[i - 1], at) end
  end
  for _, at in ipairs(places) do rows[at.row][at.column] = one.dots and "·" or one.letter or "•" end
end

local function draw_steps(places, rows)
  local last, before = {}, nil
  for _, at in ipairs(places) do last[at.column] = at.row end
  for c = places[1].column, places[#places].column do
    local row = last[c] or before
    if row ~= before and before then
      rows[before][c] = row > before and "┓" or "┛"
      for r = math.min(row, before) + 1, math.max(row, before) - 1 do rows[r][c] = "┃" end
      rows[row][c] = row > before and "┗" or "┏"
    else
      rows[row][c] = "━"
    end
    before = row
  end
end

-- The first series are on top of the others, and steps on top of all.
local function draw_series(list, rows, axis, column_of)
  local places = {}
  for i, one in ipairs(list) do
    places[i] = {}
    for p, point in ipairs(one.points) do places[i][p] = {row = axis.row(point.y), column = column_of(point.x)} end
  end
  for i = #list, 1, -1 do
    if list[i].line ~= "steps" then draw_points(list[i], places[i], rows) end
  end
  for i, one in ipairs(list) do
    if one.line == "steps" then draw_steps(places[i], rows) end
  end
end

-- ---- below the axis ----

-- The texts below their columns, as far as there is room.
local function lines_below(marks, column_of, indent, room)
  local lines, at = {}, -2
  local function middle(text, column)
    local width = tables.width {text}
    return math.max(0, math.min(room - width, column - math.ceil(width / 2))), width
  end
  for _, mark in ipairs(marks) do
    local texts, column, least, most = words.lines(mark[2]), column_of(mark[1]), math.huge, 0
    for _, text in ipairs(texts) do
      local from, width = middle(text, column)
      least, most = math.min(least, from), math.max(most, from + width)
    end
    for l, text in ipairs(least >= at + 2 and texts or {}) do
      local line = lines[l] or (" "):rep(indent)
      lines[l], at = line .. (" "):rep(indent + middle(text, column) - tables.width {line}) .. text, most
    end
  end
  return lines
end

-- ---- the plot ----

--- Draws a plot.
function plot.draw(it, to)
  local count = it.height or height
  local axis, rows = vertical_axis(it, count), {}
  local labels, indent = row_labels(axis, count)
  local room = math.max(20, math.min(to.width, widest) - indent - 3 - #it.x.title)
  for r = 1, count do
    rows[r] = {}
    for c = 1, room do rows[r][c] = " " end
  end
  local column_of, marks = horizontal_axis(it, room)
  draw_series(it.series, rows, axis, column_of)
  to.add(it.title .. (axis.logarithmic and ", logarithmic" or ""))
  for r, row in ipairs(rows) do
    local label = labels[r] or ""
    to.add(words.trim_end((" "):rep(indent - #label) .. label .. (labels[r] and " ┤" or " │") .. table.concat(row)))
  end
  for l, line in ipairs(lines_below(marks, column_of, indent + 2, room)) do
    to.add(line .. (l == 1 and " " .. it.x.title or ""))
  end
end

-- ---- maps ----

local most_rows = 20
local shades = {{0.95, "█"}, {0.8, "▓"}, {0.5, "▒"}, {0.25, "░"}}

local function shade(fraction)
  for _, each in ipairs(shades) do
    if fraction >= each[1] then return each[2] end
  end
  return " "
end

-- Writes cells so that their shades are in line: all with the same number of characters.
local function cell_writer(it)
  local most = 0
  for row = 1, #it.y.marks do
    for column = 1, #it.x.marks do
      local cell = it.cell(column, row)
      if cell and cell.fraction then most = math.max(most, #cell.text) end
    end
  end
  return function(cell)
    if not (cell and cell.fraction) then return cell and cell.text end
    return ("%s %" .. most .. "s"):format(shade(cell.fraction), cell.text)
  end
end

-- The map with so many columns.
local function map_lines(it, write, most)
  local heads, rows = {{title = it.y.title, right = true}}, {}
  local across, down = chart.best_of_map(it, most, most_rows)
  for c, column in ipairs(across) do heads[c + 1] = {title = it.x.marks[column], right = true} end
  for r, row in ipairs(down) do
    rows[r] = {it.y.marks[row]}
    for c, column in ipairs(across) do rows[r][c + 1] = write(it.cell(column, row)) end
  end
  return tables.lines(heads, rows)
end

local function left_out(it, most)
  local parts = {}
  for _, each in ipairs {{it.x, most}, {it.y, most_rows}} do
    local more = #each[1].marks - each[2]
    if more > 0 then parts[#parts + 1] = ("the worst %s of %s"):format(words.count(more, "value"), each[1].title) end
  end
  return parts[1] and "; not shown: " .. table.concat(parts, " and ") or ""
end

--- Draws a map.
function plot.draw_map(it, to)
  local width, write, most = math.min(to.width, widest), cell_writer(it), #it.x.marks
  local map = map_lines(it, write, most)
  while tables.width(map) > width and most > 1 do
    most = most - 1
    map = map_lines(it, write, most)
  end
  for _, line in ipairs(tables.wrap(it.title .. left_out(it, most), width, "  ")) do to.add(line) end
  for _, line in ipairs(map) do to.add(line) end
  to.add "of the best: █ 95 % or more, ▓ 80 %, ▒ 50 %, ░ 25 %"
end

return plot
