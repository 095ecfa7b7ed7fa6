--- Prints a sweep: speed against size as a table and a chart; a step's times against its parameters as a table and a
-- heat map; options against options as a table of ratios.
-- @module clue.show.sweep.view
local bar = require("clue.show.chart").bar
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local heat = require "clue.show.tune.text"
local log_lines = require "clue.shared.log_lines"
local plot = require "clue.show.sweep.plot"
local point = require "clue.result.point"
local ranking = require "clue.show.sweep.ranking"
local remarks = require "clue.show.walk.remarks"
local results = require "clue.show.sweep.results"
local row_of = require "clue.result.row"
local sides = require "clue.show.sweep.sides"
local tables = require "clue.table"
local troubles = require "clue.show.sweep.troubles"

local view = {}

local widest = 100 -- of a chart

-- ---- speed against size ----

local function speed_text(at, best)
  if not at then return nil end
  return figures.marked(figures.number(at.y), at.extrapolated) .. (at.rank == best and "*" or " ")
end

local function best_at(chart, place)
  local best = 0
  for _, line in ipairs(chart.lines) do best = math.max(best, line.points[place] and line.points[place].rank or 0) end
  return best
end

local function size_table(chart, from, to)
  local columns = {}
  for i = 1, #chart.lines do chart.lines[i].letter = plot.letter(i) end
  columns[1] = {title = "", get = function(line) return line.letter end}
  columns[2] = {title = chart.unit .. " at size", get = function(line) return line.name end}
  for place = from, to do
    local best = best_at(chart, place)
    columns[#columns + 1] = {title = chart.sizes[place] .. " ", right = true, get = function(line)
      return speed_text(line.points[place], best) or "- "
    end}
  end
  return tables.of(columns, chart.lines)
end

-- Sizes that do not fit beside each other follow below.
local function size_tables(chart, width, block)
  local from = 1
  while from <= #chart.sizes do
    local to = #chart.sizes
    while to > from and tables.width(size_table(chart, from, to)) > width do to = to - 1 end
    block(size_table(chart, from, to))
    from = to + 1
  end
end

local function print_curves(entry, list, width, block)
  local charts = results.curves(entry, list)
  for _, chart in ipairs(charts) do
    if chart.study and #charts > 1 then block {"-- " .. chart.study .. " --"} end
    size_tables(chart, width, block)
    block(plot.lines(chart, math.min(width, widest)))
    block(results.remarks(chart), "   ")
  end
  if #charts > 0 then
    block({ranking.legend(list) .. "; *: the fastest at that size"
      .. (list.extrapolated and "; ~: a part was run, and the whole computed" or "")}, "   ")
  end
end

-- ---- a step against its parameters ----

local function milliseconds(row)
  local time = row_of.time(row, ranking.part(row))
  return time and figures.marked(figures.milliseconds(time.median), row.times.extrapolated)
end

local function range(row)
  local time = row_of.time(row, ranking.part(row))
  return time and time.count > 1 and figures.percent(time.spread)
end

local function parameter_table(group, width)
  local best, most = ranking.fastest(group)
  local columns, unit = {}, most.unit
  for i, axis in ipairs(group.axes) do
    columns[i] = {title = axis.name, right = true, get = function(each)
      local value = axis.get(each.point)
      return value ~= nil and point.shown(value)
    end}
  end
  local function add(title, right, get) columns[#columns + 1] = {title = title, right = right, get = get} end
  local fraction = ranking.shares(group)
  add(ranking.part(best.row) .. " ms\nmedian", true, function(each) return milliseconds(each.row) end)
  add("range%", true, function(each) return range(each.row) end)
  if not ranking.is_time(unit) then
    add(unit, true, function(each)
      local speed = ranking.figure(each.row)
      return speed and figures.number(speed.median)
    end)
  end
  add("of the\nbest", true, function(each) return fraction(each) and ("%.0f %%"):format(fraction(each) * 100) end)
  add("", false, function(each)
    if not fraction(each) then return (row_of.verdict(each.row)) end
    return bar(fraction(each), 1, math.max(8, math.min(40, width - 50)))
  end)
  return tables.of(columns, group)
end

local function print_step(group, width, block)
  if not ranking.fastest(group) then return end -- what went wrong is told below the tables
  block {("-- step %s, %s --"):format(tostring(group.number), group.name or "?")}
  block(parameter_table(group, width))
  local run = #group.axes > 1 and results.as_tuned(group)
  if run then block(heat.map(run, math.min(width, widest))) end
end

local function print_parameters(entry, list, width, block)
  local swept, others = results.by_step(entry, list)
  for _, group in ipairs(swept) do print_step(group, width, block) end
  local lines = {}
  for _, each in ipairs(others) do
    local figure = ranking.figure(each.row)
    if figure then
      local at = entry.sweep.sizes and each.point.size and " at " .. each.point.size or ""
      lines[#lines + 1] = ("to compare with: step %s, %s%s: %s %s"):format(tostring(each.row.number),
        each.row.name or "?", at, figures.number(figure.median), figure.unit)
    end
  end
  block(lines, "   ")
end

-- ---- options against options ----

local function time_text(pair, side)
  local time = sides.time(pair, side)
  return time and figures.marked(figures.milliseconds(time.median), pair[side].times.extrapolated)
end

local function print_options(entry, list, block)
  local names, all, heads = results.names(entry), sides.pairs_of(list), {}
  for i, options in ipairs(entry.sweep.options) do
    heads[i] = ("%s: %s"):format(i == 1 and "A" or "B", sides.text(options))
  end
  local function label(at) return point.label(at, {size = entry.sweep.sizes ~= nil, options = false, names = names}) end
  block(heads, "   ")
  block(tables.of({
    {title = "#", right = true, get = function(pair) return tostring(pair.a.number) end},
    {title = "step", get = function(pair) return pair.a.name end},
    {title = "at", optional = true, get = function(pair)
      local at = label(pair.point)
      return at ~= "" and at
    end},
    {title = "\ntime", get = function(pair) return pair.a.times and row_of.judged(pair.a) end},
    {title = "A\nms", right = true, get = function(pair) return time_text(pair, "a") end},
    {title = "B\nms", right = true, get = function(pair) return time_text(pair, "b") end},
    {title = "B's gain\n(95 %)", get = function(pair) return pair.gain and figures.gain(pair.gain) end},
    {title = "", get = sides.verdict},
  }, all))
  block(sides.disturbed(all, label), "   ")
  block({"times are medians of the runs in turn; B's gain: how many times as fast as A, with the 95 % interval"}, "   ")
end

-- ---- below the tables ----

local function noise(list)
  local wide = 0
  for _, each in ipairs(list) do
    local time = row_of.counts(each.row) and row_of.time(each.row, ranking.part(each.row))
    if time and time.spread > remarks.wide_spread then wide = wide + 1 end
  end
  if wide == 0 then return {} end
  return {("%s with over %d %% between the fastest and the slowest run: another sweep may differ by as much "
    .. "(--until-stable runs more)"):format(counted(wide, "measurement"), remarks.wide_spread * 100)}
end

local function is_extrapolated(list)
  for _, each in ipairs(list) do
    local row = each.row
    if row.host and row.host.extrapolated or row.times and row.times.extrapolated then return true end
  end
end

-- ---- printing ----

local function print_device(entry, address, several, width, block)
  local list, rows = results.of(entry, address), {}
  list.extrapolated = is_extrapolated(list)
  for i, each in ipairs(list) do rows[i] = each.row end
  block(remarks.where {{rows = rows}}, "  ")
  if entry.sweep.options then
    print_options(entry, list, block)
  else
    if entry.sweep.sizes then print_curves(entry, list, width, block) end
    if entry.sweep.parameters then print_parameters(entry, list, width, block) end
  end
  local lines = {}
  for _, each in ipairs(troubles.of(entry, list)) do
    lines[#lines + 1] = each.text
    for _, line in ipairs(log_lines.fitted(each.said, width, "     | ")) do lines[#lines + 1] = line end
  end
  block(lines, "   ")
  block(noise(list), "   ")
  block({(several and address .. ": " or "") .. troubles.summary(entry, list)}, "   ")
end

--- Prints the sweep of a walkthrough, one device after the other.
-- @tparam table entry of a document's walkthroughs, with sweep
-- @tparam table out of @{clue.output}
function view.print(entry, out)
  local width = out:columns(100)
  local function block(lines, indent)
    for _, line in ipairs(lines) do
      local is_long = indent and tables.width {line} > width
      for _, part in ipairs(is_long and tables.wrap(line, width, indent) or {line}) do out:write(part, "\n") end
    end
    if #lines > 0 then out:write "\n" end
  end
  local devices = results.devices(entry)
  for _, address in ipairs(devices) do print_device(entry, address, #devices > 1, width, block) end
end

return view
