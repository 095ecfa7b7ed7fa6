--- The results of a search in the order of its evaluations, drawn with characters: a dot for each configuration, and a
-- line for the best so far.
-- @module clue.show.tune.plot
local duration = require("clue.text").duration
local trim_end = require("clue.text").trim_end
local values = require "clue.show.tune.values"

local plot = {}

local height = 10
local logarithmic_from = 4 -- if the worst value is so many times the best

-- ---- the axes ----

-- The row of a value, from 1 (the top); and the value of a row.
local function vertical_axis(points)
  local least, most = math.huge, 0
  for _, point in ipairs(points) do
    if point.value then least, most = math.min(least, point.value), math.max(most, point.value) end
  end
  local logarithmic = most / least > logarithmic_from
  local function there(value) return logarithmic and math.log(value) or value end
  local function back(place) return logarithmic and math.exp(place) or place end
  local low, high = there(least), there(most)
  local step = (high - low) / (height - 1)
  return {logarithmic = logarithmic, flat = step <= 0,
    row = function(value) return step <= 0 and height or math.floor((high - there(value)) / step + 1.5) end,
    value = function(row) return back(high - (row - 1) * step) end}
end

-- The column of an evaluation.
local function column_of(count, all, width)
  if all == 1 then return 1 end
  return math.floor((count - 1) / (all - 1) * (width - 1) + 1.5)
end

-- ---- drawing ----

local function empty_rows(width)
  local rows = {}
  for r = 1, height do
    rows[r] = {}
    for c = 1, width do rows[r][c] = " " end
  end
  return rows
end

local function draw_dots(rows, points, axis, width)
  for _, point in ipairs(points) do
    if point.value then rows[axis.row(point.value)][column_of(point.count, #points, width)] = "·" end
  end
end

-- The best of each column, from the first that has one.
local function best_of_columns(points, width)
  local best, last = {}, nil
  for _, point in ipairs(points) do best[column_of(point.count, #points, width)] = point.best end
  for c = 1, width do
    last = best[c] or last
    best[c] = last
  end
  return best
end

local function draw_best(rows, points, axis, width)
  local best, before = best_of_columns(points, width), nil
  for c = 1, width do
    local row = best[c] and axis.row(best[c])
    if row and before and row ~= before then
      rows[before][c] = row > before and "┓" or "┛"
      for r = math.min(row, before) + 1, math.max(row, before) - 1 do rows[r][c] = "┃" end
      rows[row][c] = row > before and "┗" or "┏"
    elseif row then
      rows[row][c] = "━"
    end
    before = row or before
  end
end

-- ---- the horizontal axis ----

-- A line with texts at columns: each ends there, unless it is the first.
local function marks_line(marks, indent)
  local line, at = (" "):rep(indent), 0
  for i, mark in ipairs(marks) do
    local from = math.max(i == 1 and mark.column - 1 or mark.column - #mark.text, at > 0 and at + 2 or 0)
    line = line .. (" "):rep(from - at) .. mark.text
    at = from + #mark.text
  end
  return line
end

local parts = {0, 0.25, 0.5, 0.75, 1}

local function add_horizontal_axis(lines, points, width, indent)
  local counts, times, seen = {}, {}, {}
  for _, part in ipairs(parts) do
    local point = points[math.floor(1 + part * (#points - 1) + 0.5)]
    local column = column_of(point.count, #points, width)
    if not seen[point.count] then
      seen[point.count] = true
      counts[#counts + 1] = {column = column, text = ("%d"):format(point.count)}
      if point.at then times[#times + 1] = {column = column, text = point.at > 0 and duration(point.at) or "0 s"} end
    end
  end
  lines[#lines + 1] = marks_line(counts, indent) .. " evaluations"
  if #times == #counts then lines[#lines + 1] = marks_line(times, indent) end
end

-- ---- the chart ----

--- Adds the chart.
-- @tparam {string,...} lines
-- @tparam table run of @{clue.result.tuning}, with a best result
-- @tparam {table,...} points of @{clue.show.tune.analysis}
-- @tparam int width characters of a line
function plot.add(lines, run, points, width)
  local axis, labels, indent = vertical_axis(points), {}, 0
  for _, row in ipairs {1, math.floor(height / 2 + 0.5), height} do
    if not axis.flat or row == height then labels[row] = values.text(run, axis.value(row)) end
    indent = math.max(indent, #(labels[row] or ""))
  end
  local room = math.max(20, width - indent - 2 - #" evaluations")
  local rows = empty_rows(room)
  draw_dots(rows, points, axis, room)
  draw_best(rows, points, axis, room)
  lines[#lines + 1] = ("%s of each configuration (·) and of the best so far (━)%s"):format(run.objective,
    axis.logarithmic and ", logarithmic" or "")
  for r, row in ipairs(rows) do
    local label = labels[r] or ""
    lines[#lines + 1] = trim_end((" "):rep(indent - #label) .. label .. (labels[r] and " ┤" or " │")
      .. table.concat(row))
  end
  add_horizontal_axis(lines, points, room, indent + 2)
end

return plot
