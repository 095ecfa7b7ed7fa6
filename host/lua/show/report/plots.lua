--- The report's plots: the speed of steps, the variants of a step, and the roofline: the device's limits, and each step
-- below them.
local block = require "clue.show.block"
local chart = require "clue.show.chart"
local counted = require("clue.text").count
local fastest = require "clue.result.fastest"
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local device = require "clue.result.device"
local row_of = require "clue.result.row"
local steps_table = require "clue.show.walk.steps_table"

local plots = {}

-- ---- groups of steps ----

-- The unit that most of a study's steps have, for steps without a speed.
local function units_by_study(walkthrough)
  local units = {}
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      local study = row.study or ""
      units[study] = units[study] or row_of.rate(row)
    end
  end
  return units
end

local function group_for(groups, study, unit)
  local known = lists.find(groups, function(each) return each.study == study and each.unit == unit end)
  if known then return known end
  local group = {study = study, unit = unit, steps = {}, places = {}}
  groups[#groups + 1] = group
  return group
end

--- The steps that share an axis: those of one study and one unit.
-- @tparam table walkthrough
-- @treturn {table,...} study ("" if there is none), unit, steps: {number, name} in order; place(row): a row's place
--   among them, nil if it belongs to another group
function plots.groups(walkthrough)
  local groups, units = {}, units_by_study(walkthrough)
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      local study = row.study or ""
      local unit = row_of.rate(row) or units[study]
      if unit then
        local group = group_for(groups, study, unit)
        if not group.places[row_of.key(row)] then
          group.steps[#group.steps + 1] = {number = row.number, name = row.name}
          group.places[row_of.key(row)] = #group.steps
        end
      end
    end
  end
  for _, group in ipairs(groups) do
    function group.place(row)
      local mine = (row.study or "") == group.study and (row_of.rate(row) or group.unit) == group.unit
      return mine and group.places[row_of.key(row)] or nil
    end
  end
  return groups
end

-- ---- series ----

-- Series that share a step are placed side by side, so that their bars do not hide each other.
local function spread_out(list)
  local width = math.min(0.3, 0.08 * #list)
  for i, one in ipairs(list) do
    local shift = #list > 1 and ((i - 1) / (#list - 1) - 0.5) * width or 0
    for _, point in ipairs(one.points) do point.x = point.x + shift end
  end
end

-- A plot over marks that are side by side.
local function over_marks(list, texts, x_title, of)
  local marks = lists.map(texts, function(text, i) return {i, text} end)
  spread_out(list)
  of.only, of.series, of.legend = "page", list, true
  of.x = {title = x_title, marks = marks, least = 0.5, most = #texts + 0.5}
  return block.plot(of)
end

-- ---- speed by step ----

-- No line leads across a step without a mark, from a loop of the host to a step on the device, or to a step that solves
-- another problem.
local function interrupt(points)
  for i = 2, #points do
    local before, now = points[i - 1], points[i]
    now.apart = now.x - before.x > 1 or row_of.is_of_host(now.row) ~= row_of.is_of_host(before.row)
      or not fastest.compete(before.row, now.row)
  end
  return points
end

-- Adds a series if it has points, which become sorted.
local function add(list, one)
  if #one.points == 0 then return end
  table.sort(one.points, function(a, b) return a.x < b.x end)
  interrupt(one.points)
  list[#list + 1] = one
end

-- Adds the series of a device; place_of(row) is where its mark stands, nil for none. whole: by the time that the
-- author's figures are of, of rows which are judged by another one.
local function add_device(list, on, place_of, whole)
  local points = lists.map(on.rows, function(row)
    local part = row_of[whole and "whole" or "judged"](row)
    local place, speed = place_of(row), row_of.speeds(row, part)
    return place and speed and not (whole and part == row_of.judged(row))
      and {x = place, y = speed.median, least = speed.least, most = speed.most, row = row} or nil
  end)
  add(list, {kind = "device", index = on.place, name = on.called .. (whole and ", total" or ""),
             points = points, ranges = true, dashed = whole})
end

-- The author's figures are the same whatever device his steps are replayed on.
local function author_points(walkthrough, group, on)
  local points, seen = {}, {}
  for _, run in ipairs(walkthrough.runs) do
    for _, row in ipairs(run.rows) do
      local place = group.place(row)
      local rate = place and not seen[place] and row_of.published_rate(row_of.published(row, on), group.unit)
      if rate and rate > 0 then
        seen[place] = true
        points[#points + 1] = {x = place, y = rate, row = row}
      end
    end
  end
  return points
end

--- The speed of each step on each device, beside the author's figures.
-- @tparam table document
-- @tparam table walkthrough
-- @tparam table group see @{groups}
-- @treturn ?table block; nil if no step has a speed, or if there is only one step on one device
function plots.speed(document, walkthrough, group)
  local list = {}
  for _, run in ipairs(walkthrough.runs) do
    add_device(list, device.of_run(document, run), group.place)
  end
  if #list == 0 or #group.steps == 1 and #list == 1 then return nil end
  local authors, rows = {}, lists.flat(walkthrough.runs, function(run) return run.rows end)
  for index, author in ipairs(steps_table.authors(rows)) do
    add(authors, {kind = "author", index = index, name = "the author's " .. author.on, dashed = true,
                  points = author_points(walkthrough, group, author.on)})
  end
  for _, run in ipairs(authors[1] and walkthrough.runs or {}) do
    add_device(list, device.of_run(document, run), group.place, true)
  end
  local texts = lists.map(group.steps, function(step) return tostring(step.number) end)
  return over_marks(lists.joined(list, authors), texts, "step", {
    title = ("%s of each step%s"):format(group.unit, group.study ~= "" and " of the study " .. group.study or ""),
    caption = ("By the kernel's time%s. Bars: from the slowest to the fastest run. Steps without a mark were skipped, "
      .. "failed, are wrong, or have no figure."):format(authors[1] and "; the author's figures are totals" or ""),
    y = {title = group.unit}})
end

-- ---- the variants of a step ----

-- Texts that are too long for the axis become numbers, which are explained beside the plot.
local function numbers_for_long(texts)
  local is_long = lists.any(texts, function(text) return #text > 8 end)
  return is_long and lists.map(texts, function(_, i) return tostring(i) end) or nil
end

--- The speed of each variant in a step's sweep, on each device that has one.
-- @tparam {table,...} sweeps row; on: the device's name; index: its place
-- @treturn ?table block; nil if no variant has a speed
function plots.sweep(sweeps)
  local list, names, places = {}, {}, {}
  local row = sweeps[1].row
  for _, sweep in ipairs(sweeps) do
    local on = {called = sweep.on, place = sweep.index, rows = row_of.variants(sweep.row)}
    add_device(list, on, function(variant)
      if not places[variant.label] then
        names[#names + 1] = tostring(variant.label)
        places[variant.label] = #names
      end
      return places[variant.label]
    end)
  end
  if #list == 0 then return nil end
  local common, texts = lists.common_words(names) -- "groups of ": written once, below the axis
  local what = common ~= "" and (common:gsub(" $", "")) or "variant"
  local numbers = numbers_for_long(texts)
  local chosen, unit = row.variant and row.sweep[row.variant], row_of.rate(row)
  return over_marks(list, numbers or texts, numbers and "variant" or what, {
    title = ("%s of each variant"):format(unit), names = numbers and names or nil, y = {title = unit},
    caption = chosen and ("The step counts with this variant: %s."):format(tostring(chosen.label))
      or "The step counts with its fastest variant."})
end

-- ---- the roofline ----

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
  return lists.map(run.rows, function(row)
    local times = row.times or {}
    local speed = row.device and row_of.speed(row)
      and row_of.speeds(row, row_of.time(row, "kernel") and "kernel" or "total", "GFLOPS")
    local limit = row_of.most_flops(row, peak)
    local traffic = speed and limit and times.flops > 0 and traffic_of(row) or 0
    return traffic > 0 and {x = times.flops / traffic, y = speed.median, least = speed.least, most = speed.most,
      text = tostring(row.number), type = row.type} or nil
  end)
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
  local function is_above(point) return point.y > point.x * bandwidth end
  return lists.filter(points, function(point) return not is_above(point) end),
    lists.map(points, function(point) return is_above(point) and point.text or nil end)
end

-- What the axes count: with a roof of whole numbers, operations of both kinds.
local function units_of(tops)
  for _, top in ipairs(tops) do
    local unit = figures.arithmetic_unit(top.kind)
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
      figures.number(top.value), figures.arithmetic_unit(top.kind))}
  end
  return labels
end

local function roof_ranges(points, tops, bandwidth)
  local least, most = chart.extent({{points = points}}, "y", "least", "most")
  local left, right = chart.extent({{points = points}}, "x")
  local _, highest = lists.best(tops, function(top) return top.value end)
  local knee = highest / bandwidth
  left, right = math.min(left / 3, knee / 10), math.max(right * 6, knee * 10)
  return {logarithmic = true, least = left, most = right},
    {logarithmic = true, least = math.min(least / 2, left * bandwidth * 2), most = math.max(most, highest) * 3}
end

local how_to_read = " Each mark is a step, "
  .. "by its number: kernel time alone, over what its groups move where that was counted (--counts), else over the "
  .. "least traffic that the problem needs; then a kernel that reads the same data repeatedly, past caches and tiles, "
  .. "is far below."

local function caption(tops, bandwidth, others, explained)
  local texts = lists.map(tops, function(top)
    return ("%s%s %s in %s"):format(top.proved and "by a step at least " or "", figures.number(top.value),
      figures.arithmetic_unit(top.kind), top.kind)
  end)
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
function plots.roofline(document, run, explained)
  local on = device.of_run(document, run)
  local peak = on.peak
  local points = peak and placed(run, peak) or {}
  local bandwidth = peak and device.bandwidth(peak)
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
  list[#list + 1] = {kind = "device", index = on.place, points = points, ranges = true, line = false}
  for _, point in ipairs(points) do labels[#labels + 1] = point end
  return block.plot {only = "page", title = ("Roofline of %s"):format(on.called), x = x, y = y,
    series = list, labels = labels, caption = caption(tops, bandwidth, others, explained),
    description = ("%s by %s per byte and %s, under %s GB/s and %s %s."):format(counted(#points, "step"), work, unit,
      figures.number(bandwidth), figures.number(tops[1].value), figures.arithmetic_unit(tops[1].kind))}
end

return plots
