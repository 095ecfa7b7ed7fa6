--- The report's roofline: the device's limits, and each step below them.
local arithmetic_unit = require("clue.shared.figures").arithmetic_unit
local bounds = require "clue.result.bounds"
local block = require "clue.show.block"
local chart = require "clue.show.chart"
local data = require "clue.show.report.data"
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local row_of = require "clue.result.row"

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
  for _, row in ipairs(run.rows) do
    local times = row.times or {}
    local speed = row.device and row_of.speed(row)
      and row_of.speeds(row, row_of.time(row, "kernel") and "kernel" or "total", "GFLOPS")
    local limit = row_of.most_flops(row, peak)
    local traffic = speed and limit and times.flops > 0 and traffic_of(row) or 0
    if traffic > 0 then
      points[#points + 1] = {x = times.flops / traffic, y = speed.median, least = speed.least, most = speed.most,
        text = tostring(row.number), type = row.type}
    end
  end
  return points
end

-- The ceilings of computing for the steps' types; always float's. A step that is faster than what was measured proves
-- that its ceiling is higher, and is the ceiling then.
local function ceilings(peak, points)
  local wanted, list = {float = 0}, {}
  for _, point in ipairs(points) do wanted[point.type] = math.max(wanted[point.type] or 0, point.y) end
  for _, kind in ipairs {"half", "float", "double", "int"} do
    local value = (peak.flops or {})[kind]
    if wanted[kind] and type(value) == "number" and value > 0 then
      local measured = value * 1e-9
      list[#list + 1] = {kind = kind, value = math.max(measured, wanted[kind]), proved = wanted[kind] > measured}
    end
  end
  return list
end

-- The points below the slope of the memory's bandwidth; and the numbers of the others, whose data come from caches.
local function below(points, bandwidth)
  local list, others = {}, {}
  for _, point in ipairs(points) do
    if point.y > point.x * bandwidth then others[#others + 1] = point.text else list[#list + 1] = point end
  end
  return list, others
end

-- What the axes count: with a roof of whole numbers, operations of both kinds.
local function units_of(tops)
  for _, top in ipairs(tops) do
    local unit = arithmetic_unit(top.kind)
    if unit ~= "GFLOPS" then return "operations", "GFLOPS or " .. unit end
  end
  return "FLOP", "GFLOPS"
end

-- Adds the roof of each type, and returns what to write at them.
local function add_roofs(list, tops, bandwidth, from, to)
  local labels = {}
  for i, top in ipairs(tops) do
    local knee = top.value / bandwidth
    list[#list + 1] = {kind = "limit", dashed = top.kind ~= "float", points = {{x = from, y = from * bandwidth},
      {x = knee, y = top.value}, {x = to, y = top.value}}}
    labels[i] = {limit = true, y = top.value, text = ("%s %s%s %s"):format(top.kind, top.proved and "at least " or "",
      figures.number(top.value), arithmetic_unit(top.kind))}
  end
  return labels
end

local function roof_ranges(points, tops, bandwidth)
  local least, most = chart.extent({{points = points}}, "y", "least", "most")
  local left, right = chart.extent({{points = points}}, "x")
  local highest, knee = 0, 0
  for _, top in ipairs(tops) do
    highest, knee = math.max(highest, top.value), math.max(knee, top.value / bandwidth)
  end
  left, right = math.min(left / 3, knee / 10), math.max(right * 6, knee * 10)
  return {logarithmic = true, least = left, most = right},
    {logarithmic = true, least = math.min(least / 2, left * bandwidth * 2), most = math.max(most, highest) * 3}
end

local how_to_read = " Each mark is a step, "
  .. "by its number: kernel time alone, over what its groups move where that was counted (--counts), else over the "
  .. "least traffic that the problem needs; then a kernel that reads the same data repeatedly, past caches and tiles, "
  .. "is far below."

local function caption(tops, bandwidth, others, explained)
  local texts = {}
  for i, top in ipairs(tops) do
    texts[i] = ("%s%s %s in %s"):format(top.proved and "by a step at least " or "", figures.number(top.value),
      arithmetic_unit(top.kind), top.kind)
  end
  local cached = others[1] and (" Not here, since caches serve them faster than memory could: %s."):format(
    table.concat(others, ", ")) or ""
  return ("Measured: %s GB/s of global memory, the slope; %s, the top.%s%s"):format(figures.number(bandwidth),
    table.concat(texts, ", "), cached, explained and how_to_read or "")
end

--- The device's limits, and each step below them.
-- @tparam table document
-- @tparam table run
-- @tparam[opt] bool explained whether its caption says how to read it
-- @treturn ?table block; nil if the device's limits were not measured or no step has both its work and its traffic
function roofline.plot(document, run, explained)
  local device, index = data.device(document, run)
  local peak = device.peak
  local points = peak and placed(run, peak) or {}
  local bandwidth = peak and bounds.bandwidth(peak)
  local tops = peak and ceilings(peak, points) or {}
  if not bandwidth or #tops == 0 then return nil end
  bandwidth = bandwidth * 1e-9
  local others
  points, others = below(points, bandwidth)
  if #points == 0 then return nil end
  local work, unit = units_of(tops)
  local x, y = roof_ranges(points, tops, bandwidth)
  x.title, y.title = work .. " per byte", unit
  local list = {}
  local labels = add_roofs(list, tops, bandwidth, x.least, x.most)
  list[#list + 1] = {kind = "device", index = index, points = points, ranges = true, line = false}
  for _, point in ipairs(points) do labels[#labels + 1] = point end
  return block.plot {only = "page", title = ("Roofline of %s"):format(device.name or device.address), x = x, y = y,
    series = list, labels = labels, caption = caption(tops, bandwidth, others, explained),
    description = ("%s by %s per byte and %s, under %s GB/s and %s %s."):format(counted(#points, "step"), work, unit,
      figures.number(bandwidth), figures.number(tops[1].value), arithmetic_unit(tops[1].kind))}
end

return roofline
