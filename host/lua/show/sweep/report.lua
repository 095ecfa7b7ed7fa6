--- A report's section on a walkthrough that was swept: the charts, the tables, and what could not run.
-- @module clue.show.sweep.report
local data = require "clue.show.report.data"
local charts_of = require("clue.show.sweep.charts").of
local figures = require "clue.shared.figures"
local html = require "clue.show.report.html"
local overview = require "clue.show.report.overview"
local page = require "clue.show.report.page"
local point = require "clue.result.point"
local ranking = require "clue.show.sweep.ranking"
local results = require "clue.show.sweep.results"
local row_of = require "clue.result.row"
local rows = require "clue.show.report.rows"
local sides = require "clue.show.sweep.sides"
local troubles = require "clue.show.sweep.troubles"

local report = {}

local h = html.element

report.charts = function(_, walkthrough) return charts_of(walkthrough) end

-- ---- figures ----

local function legend(series)
  local items = {}
  for i, each in ipairs(series) do
    items[i] = h("li", nil, overview.legend_mark(each.kind, each.index), h("span", nil, each.name))
  end
  return h("ul", {class = "legend"}, items)
end

local captions = {
  curves = "Dashed: libraries and host loops. Bars: from the slowest to the fastest run.",
  values = "Bars: from the slowest to the fastest run.",
  map = "The darker, the nearer to the best. Of further parameters, each cell has the best value.",
}

local function figure(it)
  if not it.drawing then return nil end
  return h("figure", nil, it.kind == "curves" and legend(it.series), it.drawing,
    h("figcaption", nil, it.title, ". ", captions[it.kind]))
end

local function figures_of(charts, address, test)
  local nodes = {}
  for _, it in ipairs(charts) do
    if it.address == address and test(it) then nodes[#nodes + 1] = figure(it) end
  end
  return nodes
end

-- ---- tables ----

local function table_of(name, heads, lines)
  local cells = {}
  for i, head in ipairs(heads) do
    cells[i] = h("th", {scope = "col", class = head.text and "text" or false}, head[1])
  end
  return h("div", {class = "scroll", role = "region", tabindex = "0", ["aria-label"] = name},
    h("table", nil, h("thead", nil, h("tr", nil, cells)), h("tbody", nil, lines)))
end

local function range(least, most, write)
  return h("span", {class = "range"}, write(least), "–", write(most))
end

local function size_cell(at)
  if not at then return h("td", nil, "") end
  return h("td", nil, figures.marked(figures.number(at.y), at.extrapolated),
    at.most > at.least and range(at.least, at.most, figures.number))
end

local function size_table(chart)
  local heads, lines = {{chart.unit .. " at size", text = true}}, {}
  for i, size in ipairs(chart.sizes) do heads[i + 1] = {size} end
  for l, line in ipairs(chart.lines) do
    local cells = {}
    for i in ipairs(chart.sizes) do cells[i] = size_cell(line.points[i]) end
    lines[l] = h("tr", {class = line.kind ~= "step" and "aside"},
      h("th", {scope = "row", class = "text name"}, html.breakable(line.name)), cells)
  end
  return table_of(chart.unit .. " against size", heads, lines)
end

local function result_cells(each, most, fraction)
  local row, part = each.row, ranking.part(each.row)
  local time, shown = row_of.counts(row) and row_of.time(row, part), ranking.figure(row)
  local function marked(text) return figures.marked(text, row.times.extrapolated) end
  return h("td", {class = "text"}, rows.verdict(row)),
    h("td", nil, time and {marked(figures.milliseconds(time.median)), time.count > 1
      and range(time.min, time.max, figures.milliseconds)} or ""),
    not ranking.is_time(most.unit) and h("td", nil, shown and marked(figures.number(shown.median)) or ""),
    h("td", nil, fraction and ("%.0f %%"):format(fraction * 100) or "")
end

local function parameter_table(group)
  local heads, lines, best, most = {}, {}, ranking.fastest(group)
  local share = ranking.shares(group)
  for i, axis in ipairs(group.axes) do heads[i] = {axis.name} end
  heads[#heads + 1] = {"result", text = true}
  heads[#heads + 1] = {ranking.part(best.row) .. ", ms"}
  heads[#heads + 1] = not ranking.is_time(most.unit) and {most.unit} or nil
  heads[#heads + 1] = {"of the best"}
  for i, each in ipairs(group) do
    local cells = {}
    for a, axis in ipairs(group.axes) do
      local value = axis.get(each.point)
      cells[a] = h("td", nil, value ~= nil and point.shown(value) or "")
    end
    lines[i] = h("tr", {class = share(each) == 1 and "best"}, cells, result_cells(each, most, share(each)))
  end
  return table_of(("step %s against its parameters"):format(tostring(group.number)), heads, lines)
end

local function gain_text(gain)
  return figures.ratio(gain.ratio), gain.low and range(gain.low, gain.high, figures.ratio) or nil
end

local function side_cell(pair, side)
  local time = sides.time(pair, side)
  if not time then return h("td", nil, rows.verdict(pair[side])) end
  return h("td", nil, figures.marked(figures.milliseconds(time.median), pair[side].times.extrapolated), time.count > 1
    and range(time.min, time.max, figures.milliseconds))
end

local function options_named(letter, options)
  return {letter, ": ", options == "" and sides.text(options) or h("code", nil, options)}
end

local function options_table(walkthrough, list)
  local lines, names, all, notes = {}, results.names(walkthrough), sides.pairs_of(list), {}
  local function label(at) return point.label(at, {options = false, names = names}) end
  for i, pair in ipairs(all) do
    lines[i] = h("tr", nil, h("td", {class = "text"}, tostring(pair.a.number)),
      h("th", {scope = "row", class = "text name"}, html.breakable(pair.a.name or "?")),
      h("td", {class = "text"}, label(pair.point)), side_cell(pair, "a"), side_cell(pair, "b"),
      h("td", {class = row_of.gain_word(pair.b) == "same" and "nodiff"}, pair.gain and {gain_text(pair.gain)} or ""),
      h("td", {class = "text"}, sides.verdict(pair) or ""))
  end
  for i, line in ipairs(sides.disturbed(all, label)) do notes[i] = h("p", {class = "note"}, line, ".") end
  local options = walkthrough.sweep.options
  return {h("p", nil, options_named("A", options[1]), "; ", options_named("B", options[2]), "."),
    table_of("options against options", {{"#", text = true}, {"step", text = true}, {"at", text = true}, {"A, ms"},
      {"B, ms"}, {"B's gain"}, {"verdict", text = true}}, lines), notes,
    h("p", {class = "note"}, "Times are medians of the runs in turn, from the fastest to the slowest. B's gain: how "
      .. "many times as fast as A, with the 95 % interval.")}
end

-- ---- a device ----

local function legend_of(list)
  return (ranking.legend(list):gsub("^%l", string.upper)) .. "."
end

local function curves_part(walkthrough, list, charts, address)
  local nodes = {}
  for _, chart in ipairs(results.curves(walkthrough, list)) do
    nodes[#nodes + 1] = {chart.study and h("h4", nil, chart.study),
      figures_of(charts, address, function(it) return it.kind == "curves" and it.of.key == chart.key end),
      size_table(chart)}
    for _, line in ipairs(results.remarks(chart)) do nodes[#nodes + 1] = h("p", {class = "note"}, line) end
  end
  return nodes
end

local function parameters_part(walkthrough, list, charts, address)
  local nodes = {}
  for _, group in ipairs((results.by_step(walkthrough, list))) do
    if ranking.fastest(group) then
      nodes[#nodes + 1] = {h("h4", nil, ("Step %s, %s"):format(tostring(group.number), group.name or "?")),
        figures_of(charts, address, function(it) return it.kind ~= "curves" and it.of.key == group.key end),
        parameter_table(group)}
    end
  end
  return nodes
end

local function device_part(document, walkthrough, charts, address)
  local list, items = results.of(walkthrough, address), {}
  local device, index = data.device(document, {device = address, rows = {}})
  for i, each in ipairs(troubles.of(walkthrough, list)) do
    items[i] = h("li", nil, each.text, each.said[1] and h("pre", nil, table.concat(each.said, "\n")))
  end
  local sweep = walkthrough.sweep
  return {h("h3", nil, overview.legend_mark("device", index), " ", device.name or address),
    sweep.options and options_table(walkthrough, list)
      or {sweep.sizes and curves_part(walkthrough, list, charts, address),
          sweep.parameters and parameters_part(walkthrough, list, charts, address)},
    items[1] and h("ul", nil, items),
    not sweep.options and h("p", {class = "note"}, legend_of(list)) or false,
    h("p", {class = "share"}, troubles.summary(walkthrough, list), ".")}
end

-- "size 256, 512; tile 8, 16"
local function axes_text(walkthrough)
  local parts = {}
  for i, axis in ipairs(results.axes(walkthrough)) do
    local shown = {}
    for v, value in ipairs(axis.values) do shown[v] = point.shown(value) end
    parts[i] = ("%s %s"):format(axis.name, table.concat(shown, ", "))
  end
  if walkthrough.sweep.options then parts[#parts + 1] = "options of the compiler, A against B" end
  return table.concat(parts, "; ")
end

--- The report's summary, where all walkthroughs were swept.
-- @tparam table document
-- @tparam ?string no_charts why there are none
-- @treturn node
function report.summary(document, no_charts)
  local items = {}
  for _, walkthrough in ipairs(document.walkthroughs) do
    for _, address in ipairs(results.devices(walkthrough)) do
      local device = data.device(document, {device = address, rows = {}})
      items[#items + 1] = h("li", nil, h("a", {href = "#" .. walkthrough.anchor}, walkthrough.name), " on ",
        device.name or address, ": ", troubles.summary(walkthrough, results.of(walkthrough, address)), ".")
    end
  end
  return page.section("summary", "Results", page.no_charts(no_charts), h("ul", nil, items))
end

--- Builds the section.
-- @tparam table document
-- @tparam table walkthrough with sweep, and with anchor, which the page adds
-- @tparam {table,...} charts of @{clue.show.sweep.charts}, each drawn one with its drawing
-- @treturn node
function report.build(document, walkthrough, charts)
  local parts = {}
  for i, address in ipairs(results.devices(walkthrough)) do
    parts[i] = device_part(document, walkthrough, charts, address)
  end
  return page.section(walkthrough.anchor, walkthrough.heading,
    h("p", {class = "lead"}, walkthrough.about),
    h("p", {class = "muted"}, "The axes: ", axes_text(walkthrough), "."), parts,
    h("p", {class = "note"}, "Each figure is the median of all runs. ~: a part was run, and the whole computed from "
      .. "it."))
end

return report
