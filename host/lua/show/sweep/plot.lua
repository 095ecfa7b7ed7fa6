--- Curves in a terminal, drawn with characters: a letter for each point, dots between those of one curve.
-- @module clue.show.sweep.plot
local figures = require "clue.shared.figures"
local ranking = require "clue.show.sweep.ranking"
local trim_end = require("clue.text").trim_end

local unpack = unpack or table.unpack -- luacheck: ignore

local plot = {}

local height = 16
local logarithmic_from = 10 -- if the largest value is so many times the least

--- The letter of a curve.
-- @tparam int index
-- @treturn string
function plot.letter(index)
  return ("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"):sub((index - 1) % 52 + 1, (index - 1) % 52 + 1)
end

-- ---- the axes ----

-- Where a value stands between the least and the largest, 0 to 1.
local function scale(least, most, logarithmic)
  if most <= least then return function() return 0 end end
  if not logarithmic then return function(value) return (value - least) / (most - least) end end
  return function(value) return math.log(value / least) / math.log(most / least) end
end

local function extent(chart, with_hosts)
  local least, most = math.huge, 0
  for _, line in ipairs(chart.lines) do
    for _, at in pairs((line.kind ~= "host" or with_hosts) and line.points or {}) do
      least, most = math.min(least, at.y), math.max(most, at.y)
    end
  end
  return least, most
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

-- The chart without them.
local function drawn(chart)
  local least, most = extent(chart)
  local lines, is_time = {}, ranking.is_time(chart.unit)
  for i, line in ipairs(chart.lines) do
    if not is_far_slower(line, least, most, is_time) then
      lines[#lines + 1] = setmetatable({letter = plot.letter(i)}, {__index = line})
    end
  end
  return setmetatable({lines = lines, is_cut = #lines < #chart.lines}, {__index = chart})
end

local function vertical_axis(chart)
  local least, most = extent(chart, true)
  local logarithmic = most / least > logarithmic_from
  if not logarithmic then least = 0 end
  local place = scale(least, most, logarithmic)
  return {logarithmic = logarithmic,
    row = function(value) return height - math.floor(place(value) * (height - 1) + 0.5) end,
    value = function(row)
      local part = (height - row) / (height - 1)
      return logarithmic and least * (most / least) ^ part or least + part * (most - least)
    end}
end

local function horizontal_axis(chart, width)
  local places = chart.places
  local logarithmic = chart.numeric and places[1] > 0 and math.max(unpack(places)) / math.min(unpack(places)) > 4
  local place = scale(math.min(unpack(places)), math.max(unpack(places)), logarithmic)
  return function(x) return 1 + math.floor(place(x) * (width - 1) + 0.5) end
end

-- ---- drawing ----

local function points_in_order(line, sizes)
  local list = {}
  for i in ipairs(sizes) do list[#list + 1] = line.points[i] end
  return list
end

local function connect(rows, from, to)
  for column = from.column + 1, to.column - 1 do
    local part = (column - from.column) / (to.column - from.column)
    local row = math.floor(from.row + part * (to.row - from.row) + 0.5)
    if rows[row][column] == " " then rows[row][column] = "·" end
  end
end

local function draw(chart, rows, vertical, column_of)
  local all = {}
  for _, line in ipairs(chart.lines) do
    local before
    for _, at in ipairs(points_in_order(line, chart.sizes)) do
      local here = {row = vertical.row(at.y), column = column_of(at.x), letter = line.letter}
      if before then connect(rows, before, here) end
      before = here
      all[#all + 1] = here
    end
  end
  for i = #all, 1, -1 do rows[all[i].row][all[i].column] = all[i].letter end -- the first lines on top
end

-- The sizes below their columns, as far as there is room.
local function sizes_line(chart, column_of, indent)
  local marks = {}
  for i, size in ipairs(chart.sizes) do marks[i] = {column = column_of(chart.places[i]), text = size} end
  table.sort(marks, function(a, b) return a.column < b.column end)
  local line, at = (" "):rep(indent), 0
  for _, mark in ipairs(marks) do
    local from = math.max(0, mark.column - math.ceil(#mark.text / 2))
    if at == 0 or from > at then
      line = line .. (" "):rep(from - at) .. mark.text
      at = from + #mark.text
    end
  end
  return line
end

--- The chart as lines.
-- @tparam table chart of @{clue.show.sweep.results.curves}
-- @tparam int width characters of a line
-- @treturn {string,...}
function plot.lines(chart, width)
  chart = drawn(chart)
  local vertical, labels, indent, rows = vertical_axis(chart), {}, 0, {}
  for _, row in ipairs {1, math.floor(height / 3 + 0.5), math.floor(height * 2 / 3 + 0.5), height} do
    labels[row] = figures.number(vertical.value(row))
    indent = math.max(indent, #labels[row])
  end
  local room = math.max(20, width - indent - 6)
  for r = 1, height do
    rows[r] = {}
    for c = 1, room do rows[r][c] = " " end
  end
  local column_of = horizontal_axis(chart, room)
  draw(chart, rows, vertical, column_of)
  local lines = {("%s against size%s%s"):format(chart.unit, vertical.logarithmic and ", logarithmic" or "",
    chart.is_cut and ", without slow host loops" or "")}
  for r, row in ipairs(rows) do
    local label = labels[r] or ""
    lines[#lines + 1] = trim_end((" "):rep(indent - #label) .. label .. (labels[r] and " ┤" or " │")
      .. table.concat(row))
  end
  lines[#lines + 1] = sizes_line(chart, column_of, indent + 2)
  return lines
end

return plot
