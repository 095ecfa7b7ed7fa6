--- What the report's charts show: speed by step, the roofline, the variants of a step.
-- @module clue.report.plots
local chart = require "clue.report.chart"
local data = require "clue.report.data"
local figures = require "clue.report.figures"

local plots = {}

-- Filled marks for devices, open ones for the author's machines; no two of a chart differ by colour alone.
local filled, open = {7, 5, 9, 11, 13, 15}, {6, 4, 8, 10, 12, 14}

local function mark_of(list, index)
  return list[(index - 1) % #list + 1]
end

local function role(kind, index)
  return kind .. ((index - 1) % 8 + 1)
end

--- Where a series stands among the legend's marks.
-- @tparam string kind "device" or "author"
-- @tparam int index
-- @treturn string role of its colour
-- @treturn int gnuplot's number of its mark
function plots.looks(kind, index)
  return role(kind, index), mark_of(kind == "device" and filled or open, index)
end

-- ---- series ----

local function block(name, points)
  local lines = {"$" .. name .. " << EOD"}
  for i, point in ipairs(points) do
    lines[i + 1] = ("%.9g %.9g %.9g %.9g"):format(point.x, point.y, point.least or point.y, point.most or point.y)
  end
  lines[#lines + 1] = "EOD"
  return table.concat(lines, "\n") .. "\n"
end

-- A thin line through the points, the range of the runs as a bar, the mark of the median on top.
local function drawing(name, series, size)
  local colour, thin = chart.colour(series.role), size.name == "narrow"
  local parts = {}
  if series.line ~= false then
    parts[1] = ("$%s using 1:2 with lines linecolor rgb '%s' linewidth %s dashtype %s"):format(name, colour,
      thin and "1" or "1.25", series.dashed and "(4,4)" or "1")
  end
  if series.ranges then
    parts[#parts + 1] = ("$%s using 1:2:3:4 with yerrorbars linecolor rgb '%s' linewidth 1.5 pointtype 0 pointsize 0")
      :format(name, colour)
  end
  parts[#parts + 1] = ("$%s using 1:2 with points linecolor rgb '%s' linewidth 1.5 pointtype %d pointsize %s"):format(
    name, colour, series.mark, thin and "0.6" or "0.8")
  return table.concat(parts, ", ")
end

local function plot(list, size)
  local blocks, drawings = {}, {}
  for i, series in ipairs(list) do
    blocks[i] = block("s" .. i, series.points)
    drawings[i] = drawing("s" .. i, series, size)
  end
  return table.concat(blocks) .. "plot " .. table.concat(drawings, ", ") .. "\n"
end

local function extent(list)
  local least, most = math.huge, 0
  for _, series in ipairs(list) do
    for _, point in ipairs(series.points) do
      least = math.min(least, point.least or point.y)
      most = math.max(most, point.most or point.y)
    end
  end
  return least, most
end

-- Linear from nothing where all can be told apart on that; logarithmic where the largest is over twenty times the
-- least.
local function speed_axis(list)
  local least, most = extent(list)
  if most / least > 20 then return chart.axis("y", least / 1.3, most * 1.3, true), true end
  return chart.axis("y", 0, most * 1.08, false), false
end

-- Every step has a mark of its own; their labels are written as far as there is room, aslant where that helps.
local function step_axis(steps, size)
  local longest = 1
  for _, step in ipairs(steps) do longest = math.max(longest, #step.label) end
  local room = (size.width - 90) / (size.font * 0.62) -- characters beside each other
  local aslant = longest > 3 and #steps * (longest + 1) > room
  local every = aslant and math.ceil(#steps * 2.2 / room) or math.ceil(#steps * (longest + 1) / room)
  local marks = {}
  for i, step in ipairs(steps) do
    if (i - 1) % every == 0 then marks[#marks + 1] = ("'%s' %d"):format(step.label, i) end
  end
  return ("set xrange [0.5:%d.5]\nset xtics %s (%s)\n"):format(#steps, aslant and "rotate by 40 right" or "norotate",
    table.concat(marks, ", "))
end

local function labels(x, y)
  return ("set xlabel '%s' textcolor rgb '#030303'\nset ylabel '%s' textcolor rgb '#030303'\n"):format(x, y)
end

-- Only what is certainly harmless to gnuplot stands in its script.
local function harmless(text)
  return (tostring(text):gsub("[^%w%.+ -]", ""))
end

-- The words that all labels begin with, "groups of ": they are said once, below the axis.
local function common_words(steps)
  local common = #steps > 1 and steps[1].label:match "^(.* )" or ""
  for _, step in ipairs(steps) do
    while common ~= "" and step.label:sub(1, #common) ~= common do common = common:match "^(.* )%S+ $" or "" end
  end
  for _, step in ipairs(steps) do step.label = step.label:sub(#common + 1) end
  return common ~= "" and (common:gsub(" $", "")) or "variant"
end

-- Labels too long for an axis become numbers, to be told beside the chart.
local function numbers_for_long(steps)
  local long = false
  for _, step in ipairs(steps) do long = long or #step.label > 8 end
  if not long then return nil end
  local names = {}
  for i, step in ipairs(steps) do
    names[i] = step.name
    step.label = tostring(i)
  end
  return names
end

-- Series that share a step stand beside each other, so that their bars do not hide each other.
local function spread_out(list, width)
  for i, series in ipairs(list) do
    local shift = #list > 1 and ((i - 1) / (#list - 1) - 0.5) * width or 0
    for _, point in ipairs(series.points) do point.x = point.x + shift end
  end
end

-- ---- speed by step ----

local function device_series(document, walkthrough, group)
  local list = {}
  for _, run in ipairs(walkthrough.runs) do
    local device, index = data.device(document, run)
    local points = {}
    for _, row in ipairs(run.rows) do
      local place, speed = group.place(row), data.speed(row)
      if place and speed then
        points[#points + 1] = {x = place, y = speed.value, least = speed.least, most = speed.most}
      end
    end
    local colour, mark = plots.looks("device", index)
    if #points > 0 then
      list[#list + 1] = {kind = "device", index = index, name = device.name or device.address, points = points,
                         ranges = true, role = colour, mark = mark}
    end
  end
  return list
end

-- What the author published is the same whatever device his steps are replayed on.
local function author_points(walkthrough, group, on)
  local points, seen = {}, {}
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      local place = group.place(row)
      local rate = place and not seen[place] and data.published_rate(data.published(row, on), group.unit)
      if rate and rate > 0 then
        seen[place] = true
        points[#points + 1] = {x = place, y = rate}
      end
    end
  end
  table.sort(points, function(a, b) return a.x < b.x end)
  return points
end

local function author_series(walkthrough, group)
  local list = {}
  for index, on in ipairs(data.authors(walkthrough)) do
    local points = author_points(walkthrough, group, on)
    local colour, mark = plots.looks("author", index)
    if #points > 0 then
      list[#list + 1] = {kind = "author", index = index, name = on, points = points, dashed = true, role = colour,
                         mark = mark}
    end
  end
  return list
end

local function told(list)
  local sentences = {}
  for _, series in ipairs(list) do
    local least, most = extent {series}
    sentences[#sentences + 1] = ("%s%s: %s to %s."):format(series.kind == "author" and "The author's " or "",
      series.name, figures.number(least), figures.number(most))
  end
  return table.concat(sentences, " ")
end

--- The speed of each step on each device, beside the author's figures.
-- @tparam table document
-- @tparam table walkthrough
-- @tparam table group see @{clue.report.data.groups}
-- @treturn table for @{clue.report.chart.draw}, with series: kind, index, name, role, mark; logarithmic; nil where no
--   step has a speed, or one step alone on one device
function plots.speed(document, walkthrough, group)
  local list = device_series(document, walkthrough, group)
  if #list == 0 or #group.steps == 1 and #list == 1 then return nil end
  for _, series in ipairs(author_series(walkthrough, group)) do list[#list + 1] = series end
  local axis, logarithmic = speed_axis(list)
  spread_out(list, math.min(0.3, 0.08 * #list))
  local steps = {}
  for i, step in ipairs(group.steps) do steps[i] = {label = harmless(step.number)} end
  return {series = list, logarithmic = logarithmic,
    title = ("Speed of each step, %s, %s axis"):format(group.unit, logarithmic and "logarithmic" or "linear"),
    description = told(list) .. " The values stand in the table of all rows.",
    script = function(size) return axis .. step_axis(steps, size) .. labels("step", group.unit) .. plot(list, size) end}
end

-- ---- the variants of a step ----

--- The speed of each variant of a step's sweep, on each device that has one.
-- @tparam {table,...} sweeps row, device, index: the device's place
-- @treturn table as of @{speed}, with names: of the variants, where the axis has their numbers only
function plots.sweep(sweeps)
  local list, steps, places, unit = {}, {}, {}, data.unit(sweeps[1].row)
  for _, sweep in ipairs(sweeps) do
    local points = {}
    for _, variant in ipairs(sweep.row.sweep) do
      if not places[variant.label] then
        steps[#steps + 1] = {label = harmless(variant.label), name = tostring(variant.label)}
        places[variant.label] = #steps
      end
      local speed = data.speed_of(variant.times, unit, data.judged(sweep.row))
      if speed then
        points[#points + 1] = {x = places[variant.label], y = speed.value, least = speed.least, most = speed.most}
      end
    end
    local colour, mark = plots.looks("device", sweep.index)
    if #points > 0 then
      list[#list + 1] = {kind = "device", index = sweep.index, name = sweep.device.name or sweep.device.address,
                         points = points, ranges = true, role = colour, mark = mark}
    end
  end
  if #list == 0 then return nil end
  local axis, logarithmic = speed_axis(list)
  spread_out(list, math.min(0.3, 0.08 * #list))
  local what = common_words(steps)
  local names = numbers_for_long(steps)
  what = names and "variant" or what
  return {series = list, names = names, logarithmic = logarithmic, title = ("Speed of each variant, %s"):format(unit),
    description = told(list), script = function(size)
      return axis .. step_axis(steps, size) .. labels(what, unit) .. plot(list, size)
    end}
end

-- ---- the roofline ----

local function kernel_seconds(row)
  return data.times(row, "kernel") or data.times(row, "total")
end

-- Every verified step that says its work and its traffic: FLOP per byte, and GFLOPS of the kernel alone.
local function placed(run)
  local points = {}
  for order, row in ipairs(run.rows) do
    local times = row.times
    if data.speed(row) and times.flops and times.bytes and times.flops > 0 and times.bytes > 0 then
      local seconds = kernel_seconds(row)
      if seconds.least > 0 then
        points[#points + 1] = {x = times.flops / times.bytes, y = times.flops / seconds.median * 1e-9,
          least = times.flops / seconds.most * 1e-9, most = times.flops / seconds.least * 1e-9,
          label = harmless(row.number), order = order, type = row.type}
      end
    end
  end
  return points
end

-- Points that lie on top of each other get one label with all their numbers.
local function label_lines(points, y_decades)
  local sorted, lines = {}, {}
  for i, point in ipairs(points) do sorted[i] = point end
  table.sort(sorted, function(a, b) return a.x ~= b.x and a.x < b.x or a.x == b.x and a.y < b.y end)
  local apart, i = 10 ^ (0.045 * y_decades), 1
  while i <= #sorted do
    local first, last, together = sorted[i], sorted[i], {sorted[i]}
    while sorted[i + 1] and sorted[i + 1].x / first.x < 1.15 and sorted[i + 1].y / last.y < apart do
      i = i + 1
      last = sorted[i]
      together[#together + 1] = last
    end
    table.sort(together, function(a, b) return a.order < b.order end)
    local numbers = {}
    for n, point in ipairs(together) do numbers[n] = point.label end
    lines[#lines + 1] = ("set label '%s' at %.9g,%.9g left offset character 1,0 textcolor rgb '#030303'\n"):format(
      table.concat(numbers, " "), last.x, math.sqrt(first.y * last.y))
    i = i + 1
  end
  return table.concat(lines)
end

local function best_bandwidth(peak)
  local best
  for _, value in pairs(peak.bandwidth or {}) do
    if type(value) == "number" and value > 0 then best = math.max(best or 0, value) end
  end
  return best
end

-- The ceilings of computing that the steps' types ask for; float's at least.
local function ceilings(peak, points)
  local wanted, list = {float = true}, {}
  for _, point in ipairs(points) do wanted[point.type or "float"] = true end
  for _, kind in ipairs {"half", "float", "double", "int"} do
    local value = (peak.flops or {})[kind]
    if wanted[kind] and type(value) == "number" and value > 0 then
      list[#list + 1] = {kind = kind, value = value * 1e-9}
    end
  end
  return list
end

local function roof_lines(tops, bandwidth, from, to)
  local lines, drawings = {}, {}
  for i, top in ipairs(tops) do
    local knee = top.value / bandwidth
    lines[#lines + 1] = ("$roof%d << EOD\n%.9g %.9g\n%.9g %.9g\n%.9g %.9g\nEOD\n"):format(i, from, from * bandwidth,
      knee, top.value, to, top.value)
    lines[#lines + 1] = ("set label '%s %s' at graph 0.98, first %.9g right offset 0,0.6 textcolor rgb '#030303'\n")
      :format(top.kind, figures.number(top.value) .. " GFLOPS", top.value)
    drawings[i] = ("$roof%d using 1:2 with lines linecolor rgb '#040404' linewidth 1.75 dashtype %s"):format(i,
      top.kind == "float" and "1" or "(6,4)")
  end
  return table.concat(lines), table.concat(drawings, ", ")
end

local function roof_ranges(points, tops, bandwidth)
  local least, most = extent {{points = points}}
  local highest, knee, left, right = 0, 0, math.huge, 0
  for _, top in ipairs(tops) do
    highest, knee = math.max(highest, top.value), math.max(knee, top.value / bandwidth)
  end
  for _, point in ipairs(points) do left, right = math.min(left, point.x), math.max(right, point.x) end
  left, right = math.min(left / 3, knee / 10), math.max(right * 6, knee * 10)
  return left, right, math.min(least / 2, left * bandwidth * 2), math.max(most, highest) * 3
end

--- What the device could do at most, and each step placed under it.
-- @tparam table document
-- @tparam table run
-- @treturn table as of @{speed}, with bandwidth (GB/s) and tops ({kind, value in GFLOPS}); nil where the device's
--   limits were not measured or no step says both its work and its traffic
function plots.roofline(document, run)
  local device, index = data.device(document, run)
  local peak, points = device.peak, placed(run)
  local bandwidth = peak and best_bandwidth(peak)
  local tops = peak and ceilings(peak, points) or {}
  if not bandwidth or #tops == 0 or #points == 0 then return nil end
  bandwidth = bandwidth * 1e-9
  local left, right, low, high = roof_ranges(points, tops, bandwidth)
  local colour, mark = plots.looks("device", index)
  local list = {{points = points, ranges = true, role = colour, mark = mark, line = false}}
  local lines, roofs = roof_lines(tops, bandwidth, left, right)
  local decades = math.log(high / low) / math.log(10)
  return {bandwidth = bandwidth, tops = tops, index = index, device = device,
    title = ("Roofline of %s"):format(device.name or device.address),
    description = ("%d steps by FLOP per byte and GFLOPS, under %s GB/s and %s GFLOPS."):format(#points,
      figures.number(bandwidth), figures.number(tops[1].value)),
    script = function(size)
      return chart.axis("x", left, right, true) .. chart.axis("y", low, high, true)
        .. labels("FLOP per byte", "GFLOPS") .. label_lines(points, decades) .. lines
        .. plot(list, size):gsub("plot ", "plot " .. roofs .. ", ")
    end}
end

return plots
