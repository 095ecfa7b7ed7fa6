--- The report's roofline: the device's limits, and each step below them.
-- @module clue.show.report.roofline
local arithmetic_unit = require("clue.shared.figures").arithmetic_unit
local bounds = require "clue.result.bounds"
local chart = require "clue.show.report.chart"
local data = require "clue.show.report.data"
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"
local series = require "clue.show.report.series"

local roofline = {}

-- The traffic of a step: what its groups move, as it was counted, in proportion to its work; else the least that the
-- problem needs.
local function traffic_of(row)
  local counts, times = row.counts, row.times
  if counts and (counts.flops or 0) > 0 and counts.sums.of_groups > 0 then
    return math.max(counts.sums.of_groups * times.flops / counts.flops, times.bytes or 0)
  end
  return times.bytes or 0
end

-- Every verified step that ran on the device, with known work and traffic, of a type whose limit is known: FLOP per
-- byte, and GFLOPS of the kernel alone (GOPS of whole numbers).
local function placed(run, peak)
  local points = {}
  for order, row in ipairs(run.rows) do
    local times = row.times or {}
    local speed = row.device and row_of.speed(row)
      and row_of.speeds(row, row_of.time(row, "kernel") and "kernel" or "total", "GFLOPS")
    local limit = row_of.most_flops(row, peak)
    local traffic = speed and limit and times.flops > 0 and traffic_of(row) or 0
    if traffic > 0 then
      points[#points + 1] = {x = times.flops / traffic, y = speed.median, least = speed.least, most = speed.most,
        label = series.harmless(row.number), order = order, type = row.type}
    end
  end
  return points
end

-- Points in the same place get one label with all their numbers.
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

-- The ceilings of computing for the steps' types; always float's.
local function ceilings(peak, points)
  local wanted, list = {float = true}, {}
  for _, point in ipairs(points) do wanted[point.type] = true end
  for _, kind in ipairs {"half", "float", "double", "int"} do
    local value = (peak.flops or {})[kind]
    if wanted[kind] and type(value) == "number" and value > 0 then
      list[#list + 1] = {kind = kind, value = value * 1e-9}
    end
  end
  return list
end

-- What the axes count: with a roof of whole numbers, operations of both kinds.
local function units_of(tops)
  for _, top in ipairs(tops) do
    local unit = arithmetic_unit(top.kind)
    if unit ~= "GFLOPS" then return "operations", "GFLOPS or " .. unit end
  end
  return "FLOP", "GFLOPS"
end

local function roof_lines(tops, bandwidth, from, to)
  local lines, drawings = {}, {}
  for i, top in ipairs(tops) do
    local knee = top.value / bandwidth
    lines[#lines + 1] = ("$roof%d << EOD\n%.9g %.9g\n%.9g %.9g\n%.9g %.9g\nEOD\n"):format(i, from, from * bandwidth,
      knee, top.value, to, top.value)
    lines[#lines + 1] = ("set label '%s %s' at graph 0.98, first %.9g right offset 0,0.6 textcolor rgb '#030303'\n")
      :format(top.kind, ("%s %s"):format(figures.number(top.value), arithmetic_unit(top.kind)), top.value)
    drawings[i] = ("$roof%d using 1:2 with lines linecolor rgb '#040404' linewidth 1.75 dashtype %s"):format(i,
      top.kind == "float" and "1" or "(6,4)")
  end
  return table.concat(lines), table.concat(drawings, ", ")
end

local function roof_ranges(points, tops, bandwidth)
  local least, most = series.extent {{points = points}}
  local highest, knee, left, right = 0, 0, math.huge, 0
  for _, top in ipairs(tops) do
    highest, knee = math.max(highest, top.value), math.max(knee, top.value / bandwidth)
  end
  for _, point in ipairs(points) do left, right = math.min(left, point.x), math.max(right, point.x) end
  left, right = math.min(left / 3, knee / 10), math.max(right * 6, knee * 10)
  return left, right, math.min(least / 2, left * bandwidth * 2), math.max(most, highest) * 3
end

--- The device's limits, and each step below them.
-- @tparam table document
-- @tparam table run
-- @treturn table as from @{clue.show.report.plots.speed}, with bandwidth (GB/s) and tops ({kind, value in GFLOPS}); nil
--   if the device's limits were not measured or no step has both its work and its traffic
function roofline.plot(document, run)
  local device, index = data.device(document, run)
  local peak = device.peak
  local points = peak and placed(run, peak) or {}
  local bandwidth = peak and bounds.bandwidth(peak)
  local tops = peak and ceilings(peak, points) or {}
  if not bandwidth or #tops == 0 or #points == 0 then return nil end
  bandwidth = bandwidth * 1e-9
  local work, unit = units_of(tops)
  local left, right, low, high = roof_ranges(points, tops, bandwidth)
  local colour, mark = series.looks("device", index)
  local list = {{points = points, ranges = true, role = colour, mark = mark, line = false}}
  local lines, roofs = roof_lines(tops, bandwidth, left, right)
  local decades = math.log(high / low) / math.log(10)
  return {bandwidth = bandwidth, tops = tops, index = index, device = device,
    title = ("Roofline of %s"):format(device.name or device.address),
    description = ("%s by %s per byte and %s, under %s GB/s and %s %s."):format(counted(#points, "step"), work, unit,
      figures.number(bandwidth), figures.number(tops[1].value), arithmetic_unit(tops[1].kind)),
    script = function(size)
      return chart.axis("x", left, right, true) .. chart.axis("y", low, high, true)
        .. series.labels(work .. " per byte", unit) .. label_lines(points, decades) .. lines
        .. series.plot(list, size):gsub("plot ", "plot " .. roofs .. ", ")
    end}
end

return roofline
