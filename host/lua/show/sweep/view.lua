--- Shows a sweep: speed against size as a table and a plot; a step's times against its parameters as a table and a map;
-- options against options as a table of gains.
local analysis = require "clue.show.tune.analysis"
local block = require "clue.show.block"
local columns = require "clue.result.columns"
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local gains = require "clue.result.gain"
local device_at = require("clue.result.device").at
local lists = require "clue.shared.list"
local point = require "clue.result.point"
local ranking = require "clue.show.sweep.ranking"
local remarks = require "clue.show.walk.remarks"
local results = require "clue.show.sweep.results"
local row_of = require "clue.result.row"
local tune_charts = require "clue.show.tune.charts"

local unpack = unpack or table.unpack -- luacheck: ignore

local view = {}

local logarithmic_from = 10 -- if the largest value is so many times the least
local logarithmic_sizes_from = 4

-- What a plot shows, in words.
local function words_of(unit)
  return ranking.is_time(unit) and "time in " .. unit or unit
end

-- A page begins with the drawing; a terminal has it below the table, whose letters it has.
local function with_drawing(drawing, of)
  return {drawing and block.only("page", drawing), of, drawing and block.only("text", drawing)}
end

-- A line in a terminal, a sentence on a page.
local function note(text)
  return {block.paragraph(text, {only = "text"}),
          block.paragraph(text:gsub("^%l", string.upper) .. ".", {only = "page", class = "note"})}
end

-- The median of a part of a row's time, in milliseconds.
local function time_cell(row, time)
  if not time then return nil end
  return {figures.marked(figures.milliseconds(time.median), row.times.extrapolated), range = time.count > 1
    and figures.range(time.min, time.max, figures.milliseconds)}
end

local function number_of(row) return tostring(row.number) end

local function name_of(row) return row.name or "?" end

-- ---- speed against size ----

local function letter(index)
  local place = (index - 1) % 52 + 1
  return ("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"):sub(place, place)
end

local function in_order(points, count)
  local list = {}
  for i = 1, count do list[#list + 1] = points[i] end
  return list
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

local function extent_of_steps(chart)
  local least, most = math.huge, 0
  for _, line in ipairs(chart.lines) do
    for _, at in pairs(line.kind ~= "host" and line.points or {}) do
      least, most = math.min(least, at.y), math.max(most, at.y)
    end
  end
  return least, most
end

local function series_of(chart)
  local list, counts = {}, {device = 0, author = 0}
  local least, most = extent_of_steps(chart)
  for i, line in ipairs(chart.lines) do
    local is_step = line.kind == "step"
    local kind = is_step and "device" or "author"
    counts[kind], line.letter = counts[kind] + 1, letter(i)
    if not is_far_slower(line, least, most, ranking.is_time(chart.unit)) then
      list[#list + 1] = {kind = kind, index = counts[kind], name = line.name, letter = line.letter, ranges = is_step,
                         dashed = not is_step, points = in_order(line.points, #chart.sizes)}
    end
  end
  return list
end

-- The curves over the size; they get a letter.
local function curves_plot(chart)
  local list, marks = series_of(chart), {}
  for i, size in ipairs(chart.sizes) do marks[i] = {chart.places[i], size} end
  local spread = chart.numeric and math.max(unpack(chart.places)) / math.min(unpack(chart.places)) or 1
  return block.plot {title = ("%s against size%s"):format(words_of(chart.unit), #list < #chart.lines
      and ", without slow host loops" or ""), legend = true, series = list,
    caption = "Dashed: libraries and host loops. Bars: from the slowest to the fastest run.",
    x = {title = "size", marks = marks, logarithmic = spread > logarithmic_sizes_from},
    y = {title = chart.unit, logarithmic_from = logarithmic_from}}
end

local function speed_cell(at, best)
  if not at then return {"- ", page = ""} end
  local text, star = figures.marked(figures.number(at.y), at.extrapolated), at.rank == best and "*" or ""
  return {text .. (star == "" and " " or star), page = text .. star, range = at.most > at.least
    and figures.range(at.least, at.most, figures.number)}
end

local function best_at(chart, place)
  return select(2, lists.best(chart.lines, function(line) return line.points[place] and line.points[place].rank end))
end

local function size_table(chart)
  local list = {
    {title = "", only = "text", get = function(line) return line.letter end},
    {title = chart.unit .. " at size", head = true, get = function(line) return line.name end},
  }
  for place, size in ipairs(chart.sizes) do
    local best = best_at(chart, place)
    list[#list + 1] = {title = size .. " ", page = size, right = true, fold = size, get = function(line)
      return speed_cell(line.points[place], best)
    end}
  end
  return block.table {columns = list, rows = chart.lines, name = chart.unit .. " against size",
    look = function(line) return {class = line.kind ~= "step" and "aside" or nil} end}
end

local function is_extrapolated(list)
  return lists.any(list, function(each)
    local row = each.row
    return row.host and row.host.extrapolated or row.times and row.times.extrapolated
  end)
end

local function curves_part(entry, list)
  local charts = results.curves(entry, list)
  local blocks = lists.map(charts, function(chart)
    return {chart.study and block.heading(chart.study, {level = 4, only = #charts == 1 and "page" or nil}),
            with_drawing(curves_plot(chart), size_table(chart)), block.list(results.remarks(chart))}
  end)
  return {blocks, #charts > 0 and note(("%s; *: the fastest at that size%s"):format(ranking.legend(list),
    is_extrapolated(list) and "; ~: a part was run, and the whole computed" or ""))}
end

-- ---- a step against its parameters ----

local function share_cell(fraction)
  return fraction and ("%.0f %%"):format(fraction * 100)
end

local function add_axes(list, group)
  for _, axis in ipairs(group.axes) do
    list[#list + 1] = {title = axis.name, right = true, get = function(each)
      local value = axis.get(each.point)
      return value ~= nil and point.shown(value)
    end}
  end
end

local function parameter_table(group)
  local best, most = ranking.fastest(group)
  local part, list, share = row_of.judged(best.row), {}, ranking.shares(group)
  add_axes(list, group)
  list[#list + 1] = {title = part .. " ms\nmedian", right = true, get = function(each)
    return time_cell(each.row, row_of.time(each.row, row_of.judged(each.row)))
  end}
  list[#list + 1] = {title = "range%", right = true, only = "text", get = function(each)
    return columns.text(row_of.judged(each.row) .. "_range", each.row)
  end}
  list[#list + 1] = not ranking.is_time(most.unit) and {title = most.unit, right = true, get = function(each)
    local speed = ranking.figure(each.row)
    return speed and figures.marked(figures.number(speed.median), each.row.times.extrapolated)
  end} or nil
  list[#list + 1] = {title = "of the\nbest", right = true, get = function(each) return share_cell(share(each)) end}
  list[#list + 1] = {title = "", get = function(each)
    return share(each) and {bar = share(each)} or (row_of.verdict(each.row))
  end}
  return block.table {columns = list, rows = group,
    name = ("step %s against its parameters"):format(tostring(group.number)),
    look = function(each) return {class = share(each) == 1 and "best" or nil} end}
end

-- The speed or time of a step at each value of its only parameter; only on a page, since a terminal's table has bars.
local function values_plot(group)
  local axis, marks, found = group.axes[1], {}, {}
  local unit = select(2, ranking.fastest(group)).unit
  for i, value in ipairs(axis.values) do marks[i] = {i, point.shown(value)} end
  for _, each in ipairs(group) do
    for i, value in ipairs(axis.values) do
      local figure = axis.get(each.point) == value and ranking.figure(each.row)
      if figure and figure.unit == unit then
        found[i] = {x = i, y = figure.median, least = figure.least, most = figure.most}
      end
    end
  end
  local number = tostring(group.number)
  return block.plot {only = "page", title = ("%s of step %s against %s"):format(words_of(unit), number, axis.name),
    caption = "Bars: from the slowest to the fastest run.", x = {title = axis.name, marks = marks},
    y = {title = unit, logarithmic_from = logarithmic_from}, series = {{kind = "device", index = 1, ranges = true,
      name = ("step %s"):format(number), points = in_order(found, #axis.values)}}}
end

local function map_of(group)
  local run = results.as_tuned(group)
  local pair = run and analysis.pair(analysis.effects(run))
  return pair and tune_charts.map(run, pair)
end

local function step_part(group)
  if not ranking.fastest(group) then return false end -- what went wrong is told below the tables
  local drawing = #group.axes > 1 and map_of(group) or #group.axes == 1 and values_plot(group)
  return {block.heading(("step %s, %s"):format(tostring(group.number), group.name or "?"), {level = 4}),
    with_drawing(drawing, parameter_table(group))}
end

-- The other steps, which ran once.
local function others_part(entry, others)
  return block.list(lists.map(others, function(each)
    local figure, at = ranking.figure(each.row), entry.sweep.sizes and each.point.size
    return figure and ("to compare with: step %s, %s%s: %s %s"):format(number_of(each.row), name_of(each.row),
      at and " at " .. at or "", figures.number(figure.median), figure.unit)
  end))
end

local function parameters_part(entry, list)
  local swept, others = results.by_step(entry, list)
  local blocks = lists.map(swept, step_part)
  return {blocks, others_part(entry, others), not entry.sweep.sizes and note(ranking.legend(list))}
end

-- ---- options against options ----

local function side_column(side, title)
  return {title = title, right = true, get = function(pair)
    return time_cell(pair[side], results.time_in_turn(pair, side))
  end}
end

local function gain_cell(pair)
  local gain = pair.gain
  return gain and {gains.figures(gain), page = figures.ratio(gain.ratio), range = gains.range(gain),
                   class = gains.word(gain)}
end

local function options_table(all, label)
  return block.table {name = "options against options", rows = all, columns = {
    {title = "#", right = true, get = function(pair) return number_of(pair.a) end},
    {title = "step", head = true, get = function(pair) return name_of(pair.a) end},
    {title = "at", optional = true, get = function(pair)
      local at, page = label(pair.point), label(pair.point, true)
      return page ~= "" and {at ~= "" and at or nil, page = page}
    end},
    {title = "\ntime", get = function(pair)
      return pair.a.times and (pair.gain and pair.gain.part or row_of.judged(pair.a))
    end},
    side_column("a", "A\nms"), side_column("b", "B\nms"), {title = "B's gain\n(95 %)", get = gain_cell},
    {title = "", get = results.verdict},
  }}
end

local function options_part(entry, list)
  local names, all = results.names(entry), results.pairs_of(list)
  local heads = lists.map(entry.sweep.options, function(options, i)
    return {i == 1 and "A: " or "B: ", options == "" and "no further options" or {code = options}}
  end)
  local function label(at, has_size)
    return point.label(at, {size = has_size or entry.sweep.sizes ~= nil, options = false, names = names})
  end
  return {block.list(heads), options_table(all, label), block.list(results.disturbed(all, label)),
    note "times are medians of the runs in turn; B's gain: how many times as fast as A, with the 95 % interval"}
end

-- ---- a device ----

local function noise(list)
  local wide = #lists.filter(list, function(each)
    local time = row_of.counts(each.row) and row_of.time(each.row)
    return time and time.spread > remarks.wide_spread
  end)
  return wide > 0 and note(("%s with over %d %% between the fastest and the slowest run: another sweep may "
    .. "differ by as much (--until-stable runs more)"):format(counted(wide, "measurement"), remarks.wide_spread * 100))
end

local function troubles_part(entry, list)
  local items = lists.map(results.troubles(entry, list), function(each) return {each.text, quote = each.said} end)
  return block.list(items)
end

local function device_part(document, entry, address, several)
  local list = results.of(entry, address)
  local device, place = device_at(document, address)
  return {
    block.heading(device.name or address, {mark = {"device", place}, only = "page"}),
    several and note(("%s: %s"):format(address, results.summary(entry, list)))
      or block.only("page", note(results.summary(entry, list))),
    entry.sweep.options and options_part(entry, list) or {entry.sweep.sizes and curves_part(entry, list),
      entry.sweep.parameters and parameters_part(entry, list)},
    troubles_part(entry, list), noise(list),
  }
end

-- ---- the whole ----

-- "size 256, 512; tile 8, 16"
local function axes_text(entry)
  local parts = {}
  for i, axis in ipairs(results.axes(entry)) do
    local shown = lists.map(axis.values, point.shown)
    parts[i] = ("%s %s"):format(axis.name, table.concat(shown, ", "))
  end
  if entry.sweep.options then parts[#parts + 1] = "options of the compiler, A against B" end
  return table.concat(parts, "; ")
end

-- A terminal's first lines: the verdict, the article and where it ran.
local function head_part(entry, devices, head)
  local lines, runs = {}, {}
  for i, address in ipairs(devices) do
    local list = results.of(entry, address)
    runs[i] = {device = address, rows = lists.map(list, function(each) return each.row end)}
    lines[i] = ("%s%s: %s"):format(head.name, #devices > 1 and " on " .. address or "", results.summary(entry, list))
  end
  lines[#lines + 1] = head.title
  for _, line in ipairs(runs[1] and remarks.where(runs) or {}) do lines[#lines + 1] = line end
  return block.list(lines, {indent = "   ", only = "text"})
end

--- A walkthrough that was swept, one device after the other.
-- @tparam table document
-- @tparam table entry of its walkthroughs, with sweep
-- @tparam[opt] string anchor id on a page
-- @tparam[opt] table head of a terminal: name and title of the walkthrough
-- @treturn table a section of blocks
function view.blocks(document, entry, anchor, head)
  local devices = results.devices(entry)
  local parts = lists.map(devices, function(address) return device_part(document, entry, address, #devices > 1) end)
  return block.section {id = anchor, contents = entry.name, blocks = {
    head and head_part(entry, devices, head) or false,
    block.only("page", {entry.about and block.paragraph(entry.about, {class = "lead"}),
      block.paragraph(("The axes: %s."):format(axes_text(entry)), {class = "muted"})}),
    parts,
    block.paragraph("Each figure is the median of all runs. ~: a part was run, and the whole computed from it.",
      {class = "note", only = "page"}),
  }, title = #document.walkthroughs == 1 and "The walkthrough" or entry.title or entry.name}
end

--- A page's summary, where all walkthroughs were swept.
-- @tparam table document
-- @tparam function anchor anchor(place): the id of a walkthrough's section
-- @treturn table a section of blocks
function view.summary(document, anchor)
  local items = {}
  for w, entry in ipairs(document.walkthroughs) do
    for _, address in ipairs(results.devices(entry)) do
      items[#items + 1] = {{to = "#" .. anchor(w), entry.name}, (" on %s: %s."):format(device_at(document, address).name
        or address, results.summary(entry, results.of(entry, address)))}
    end
  end
  return block.section {id = "summary", title = "Results", blocks = {block.list(items)}}
end

return view
