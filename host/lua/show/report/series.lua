--- The series of the report's charts: points with the range of their runs, marks, and the axes' names.
-- @module clue.show.report.series
local chart = require "clue.show.report.chart"

local series = {}

-- Filled marks for devices, open ones for the author's machines. Marks in a chart never differ by colour alone.
local filled, open = {7, 5, 9, 11, 13, 15}, {6, 4, 8, 10, 12, 14}

local function mark_of(list, index)
  return list[(index - 1) % #list + 1]
end

local function role(kind, index)
  return kind .. ((index - 1) % 8 + 1)
end

--- The colour and the mark of a series.
-- @tparam string kind "device" or "author"
-- @tparam int index
-- @treturn string role of its colour
-- @treturn int gnuplot's number of its mark
function series.looks(kind, index)
  return role(kind, index), mark_of(kind == "device" and filled or open, index)
end

--- A block of gnuplot's data.
-- @tparam string name
-- @tparam {table,...} points x, y, least, most; apart: no line leads to it from the one before
-- @treturn string
function series.block(name, points)
  local lines = {"$" .. name .. " << EOD"}
  for i, point in ipairs(points) do
    if i > 1 and point.apart then lines[#lines + 1] = "" end
    lines[#lines + 1] = ("%.9g %.9g %.9g %.9g"):format(point.x, point.y, point.least or point.y, point.most or point.y)
  end
  lines[#lines + 1] = "EOD"
  return table.concat(lines, "\n") .. "\n"
end

-- A thin line through the points, a bar for the range of the runs, and the mark of the median on top.
local function drawing(name, one, size)
  local colour, thin = chart.colour(one.role), size.name == "narrow"
  local parts = {}
  if one.line ~= false then
    parts[1] = ("$%s using 1:2 with lines linecolor rgb '%s' linewidth %s dashtype %s"):format(name, colour,
      thin and "1" or "1.25", one.dashed and "(4,4)" or "1")
  end
  if one.ranges then
    parts[#parts + 1] = ("$%s using 1:2:3:4 with yerrorbars linecolor rgb '%s' linewidth 1.5 pointtype 0 pointsize 0")
      :format(name, colour)
  end
  parts[#parts + 1] = ("$%s using 1:2 with points linecolor rgb '%s' linewidth 1.5 pointtype %d pointsize %s"):format(
    name, colour, one.mark, thin and "0.6" or "0.8")
  return table.concat(parts, ", ")
end

--- Adds a series to a chart's, with its colour and mark, if it has points.
-- @tparam {table,...} list
-- @tparam table one kind, index, points, ...
function series.add(list, one)
  one.role, one.mark = series.looks(one.kind, one.index)
  if #one.points > 0 then list[#list + 1] = one end
end

--- gnuplot's commands to draw series.
-- @tparam {table,...} list of series: points ({x, y, least, most}), role, mark, line (false: none), dashed, ranges
-- @tparam table size of the chart
-- @treturn string
function series.plot(list, size)
  local blocks, drawings = {}, {}
  for i, one in ipairs(list) do
    blocks[i] = series.block("s" .. i, one.points)
    drawings[i] = drawing("s" .. i, one, size)
  end
  return table.concat(blocks) .. "plot " .. table.concat(drawings, ", ") .. "\n"
end

--- The least and the greatest value of all series.
-- @tparam {table,...} list of series
-- @treturn number
-- @treturn number
function series.extent(list)
  local least, most = math.huge, 0
  for _, one in ipairs(list) do
    for _, point in ipairs(one.points) do
      least = math.min(least, point.least or point.y)
      most = math.max(most, point.most or point.y)
    end
  end
  return least, most
end

--- gnuplot's commands for the axis of the values: linear from 0 if all values can be distinguished then; logarithmic
-- if the largest is more than twenty times the least.
-- @tparam {table,...} list of series
-- @tparam[opt=20] number from how many times the least it is logarithmic
-- @treturn string
-- @treturn bool whether it is logarithmic
function series.axis(list, from)
  local least, most = series.extent(list)
  if most / least > (from or 20) then return chart.axis("y", least / 1.3, most * 1.3, true), true end
  return chart.axis("y", 0, most * 1.08, false), false
end

--- A text without characters that could do harm in gnuplot's script. A results file may hold any text, and a quotation
-- mark in it would end gnuplot's, so that the rest became commands, of which gnuplot has system().
-- @param text any value
-- @treturn string
function series.harmless(text)
  return (tostring(text):gsub("[^%w%._+/ -]", ""))
end

--- gnuplot's commands to name the axes.
-- @tparam string x
-- @tparam string y
-- @treturn string
function series.labels(x, y)
  return ("set xlabel '%s' textcolor rgb '#030303'\nset ylabel '%s' textcolor rgb '#030303'\n"):format(
    series.harmless(x), series.harmless(y))
end

return series
