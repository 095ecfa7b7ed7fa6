--- The page of `clue tune --report FILE.html`: the charts, the best configurations, and those that failed.
--
-- It shows only a document of results, which it also contains as JSON if clue wrote it; other tools' caches may be
-- huge.
-- @module clue.show.tune.page
local analysis = require "clue.show.tune.analysis"
local chart = require "clue.show.report.chart"
local counted = require("clue.text").count
local duration = require("clue.text").duration
local failures = require "clue.show.tune.failures"
local figures = require "clue.shared.figures"
local frame = require "clue.show.report.page"
local html = require "clue.show.report.html"
local overview = require "clue.show.report.overview"
local plots = require "clue.show.tune.plots"
local save = require("clue.file").save
local stored = require "clue.result.tuning"
local values = require "clue.show.tune.values"
local view = require "clue.show.tune.view"

local page = {}

local h = html.element

local most_rows = 20

-- ---- tables ----

-- columns: {title, is text}; rows: lists of cells, texts or nodes.
local function table_of(name, columns, rows)
  local heads, lines = {}, {}
  for c, column in ipairs(columns) do
    heads[c] = h("th", {scope = "col", class = column[2] and "text" or false}, column[1])
  end
  for r, row in ipairs(rows) do
    local cells = {}
    for c, column in ipairs(columns) do cells[c] = h("td", {class = column[2] and "text" or false}, row[c] or "") end
    lines[r] = h("tr", {class = row.class or false}, cells)
  end
  return h("div", {class = "scroll", role = "region", tabindex = "0", ["aria-label"] = name},
    h("table", nil, h("thead", nil, h("tr", nil, heads)), h("tbody", nil, lines)))
end

-- The parameters that have several values, each with a column.
local function add_parameters(run, columns, rows)
  for i, name in ipairs(run.names) do
    if #run.values[i] > 1 then
      columns[#columns + 1] = {html.breakable(name)}
      for _, row in ipairs(rows) do row[#columns] = values.shown(row.p[name]) end
    end
  end
end

local function best_table(run)
  local rows = {}
  for i, result in ipairs(stored.ranked(run, most_rows)) do
    rows[i] = {values.text(run, result.value), ("%.0f %%"):format(values.fraction(run, result.value) * 100),
               tostring(result.number), p = result.p, class = i == 1 and "best"}
  end
  local columns = {{run.objective}, {"of the best"}, {"evaluation"}}
  add_parameters(run, columns, rows)
  return {h("h3", nil, ("The best %d of the search"):format(#rows)), table_of("the best of the search", columns, rows)}
end

local function interval(low, high, write)
  return low and h("span", {class = "range"}, write(low), "–", write(high)) or ""
end

local function final_table(run)
  if not run.final[1] then return nil end
  local columns, rows, metrics = {{"time"}, {view.ratio_title(run.objective, " ")}}, {}, {}
  for name in pairs(run.final[1].metrics) do metrics[#metrics + 1] = name end
  table.sort(metrics)
  for i, each in ipairs(run.final) do
    local against = each.against
    rows[i] = {{duration(each.seconds), interval(each.low, each.high, duration)}, i > 1
      and {figures.ratio(against.ratio), interval(against.interval[1], against.interval[2], figures.ratio)},
      p = each.result.p, class = i == 1 and "best"}
    for m, name in ipairs(metrics) do rows[i][2 + m] = figures.number(each.metrics[name]) end
  end
  for _, name in ipairs(metrics) do columns[#columns + 1] = {name} end
  add_parameters(run, columns, rows)
  return {h("h3", nil, "The best, measured again by turns"), table_of("the best, measured again", columns, rows),
    h("p", {class = "note"}, "Small: 95 % intervals. If that of a ratio contains 1, the two may be equally fast.")}
end

local function effects_table(run, effects)
  local rows = {}
  for _, effect in ipairs(effects) do
    for v, each in ipairs(effect.values) do
      rows[#rows + 1] = {v == 1 and h("strong", nil, html.breakable(effect.name)), v == 1
        and (effect.share and ("%.0f %%"):format(effect.share * 100) or "?"), values.shown(each.value),
        tostring(each.count), each.failed > 0 and tostring(each.failed), values.text(run, each.best),
        values.text(run, each.median)}
    end
  end
  return table_of("the effect of each parameter",
    {{"parameter", true}, {"share"}, {"value"}, {"tried"}, {"failed"}, {"best"}, {"median"}}, rows)
end

local function failures_section(run)
  local groups, rows = failures.groups(run.results), {}
  if #groups == 0 then return nil end
  for i, group in ipairs(groups) do
    rows[i] = {failures.words(group[1].failed), tostring(#group), (group[1].text or ""):match "[^\n]*", p = group[1].p}
  end
  local columns = {{"failed", true}, {"configurations"}, {"why, of the first", true}}
  add_parameters(run, columns, rows)
  return frame.section("failures", "Failed configurations", table_of("failed configurations", columns, rows))
end

-- ---- charts ----

-- What to draw, by name.
local function charts_of(run, named)
  local charts, points, effects = {}, analysis.progress(run), analysis.effects(run)
  charts.count = #points > 1 and plots.progress(run, points, "count") or nil
  charts.at = #points > 1 and points[#points].at and points[1].at and plots.progress(run, points, "at") or nil
  charts.effects = #effects > 0 and plots.effects(run, effects) or nil
  local pair = analysis.pair(effects, named)
  charts.map = pair and plots.map(run, analysis.grid(run, pair)) or nil
  return charts, effects
end

local names = {"count", "at", "effects", "map"}

-- Draws all at once: each gets its drawing, or none does and the reason is returned.
local function draw(charts)
  local all = {}
  for _, name in ipairs(names) do all[#all + 1] = charts[name] end
  local drawings, why = chart.draw(all)
  for i, each in ipairs(all) do each.drawing = drawings and drawings[i] end
  return why
end

local function figure(each, caption)
  if not (each and each.drawing) then return nil end
  return h("figure", nil, each.drawing, h("figcaption", nil, caption, each.logarithmic and " Logarithmic axis." or ""))
end

local function time_section(charts)
  if not (charts.count and charts.count.drawing) then return nil end
  local every = charts.count.every
  return frame.section("time", "The best over time",
    figure(charts.count, "Each mark is a configuration, the line is the best so far."
      .. (every > 1 and (" One in %d configurations has a mark."):format(every) or "")),
    figure(charts.at, "The same over the seconds since the run began, compiling and verifying included."))
end

local function legend(role, index, text)
  return h("li", nil, overview.legend_mark(role, index), h("span", nil, text))
end

local function effects_section(run, charts, effects)
  if #effects == 0 then return nil end
  local drawn = figure(charts.effects, "The parameter that explains most is on the left.")
  return frame.section("effects", "The effect of each parameter", drawn and h("ul", {class = "legend"},
    legend("device", 1, "the best with this value"), legend("author", 1, "the median")), drawn,
    effects_table(run, effects), h("p", {class = "note"}, ("The share is how much of the variation of the %s's "
      .. "logarithm a parameter explains alone. The search tries good values more often, so the shares describe what "
      .. "it tried, not the whole space; parameters that only act together have small shares."):format(run.objective)))
end

local function map_section(charts)
  local drawn = figure(charts.map, {"Over all values of the other parameters. An empty place was not tried.",
    charts.map and charts.map.is_cut and " The values with the worst results are left out if there is no room." or ""})
  return drawn and frame.section("map", charts.map.title, drawn)
end

-- ---- the page ----

local function counts(run)
  local failed, lost = 0, 0
  for _, result in ipairs(run.results) do
    failed = failed + (result.failed and 1 or 0)
    lost = lost + (result.lost and 1 or 0)
  end
  return ("%s; %d failed%s"):format(counted(#run.results, "configuration"), failed, lost > 0
    and (", %d stopped early"):format(lost) or "")
end

local function head(run, ours, title)
  local last = run.results[#run.results]
  return h("header", nil, h("h1", nil, title), h("p", {class = "lead"}, run.device and "On " .. run.device .. ". ",
    counts(run), last and last.at and (", in %s"):format(duration(last.at)) or "", "."),
    ours and h("p", {class = "muted"}, ("By %s; begun "):format(ours.framework), frame.time(ours.started),
      (". Strategy %s, seed %s."):format(tostring(ours.strategy), figures.exact(ours.seed or 0))))
end

local function device_section(device)
  if not device then return nil end
  return frame.section("machine", "The device", frame.facts {{"name", device.name},
    {"address", device.address and "--device " .. device.address .. " picks it again"},
    {"kind", device.kind and tostring(device.kind):upper()}, {"platform", device.platform}, {"driver", device.driver},
    {"compute units", device.compute_units and figures.exact(device.compute_units)}})
end

local function results_section(run, why)
  return frame.section("summary", "Results", frame.no_charts(why), run.best and final_table(run),
    run.best and best_table(run) or h("p", {class = "bad"}, "No configuration works."))
end

--- The page.
-- @tparam table run of @{clue.result.tuning}
-- @tparam table document that it is from
-- @tparam ?{string,string} named the parameters of the heat map
-- @treturn string HTML
-- @treturn ?string why it has no charts
function page.text(run, document, named)
  local charts, effects, why = {}, {}, nil
  if run.best then
    charts, effects = charts_of(run, named)
    why = draw(charts)
  end
  local ours = type(document.clue) == "table" and document.clue
  if ours then ours = setmetatable({framework = (document.metadata or {}).framework or "clue"}, {__index = ours}) end
  local title = ("Tuning %s"):format(run.name or "a kernel")
  return frame.text(title, {head(run, ours, title), h("main", nil, results_section(run, why),
    time_section(charts), effects_section(run, charts, effects), map_section(charts),
    failures_section(run), device_section(ours and ours.device))}, ours and document), why
end

--- Writes the page. Raises if that fails.
-- @tparam table run of @{clue.result.tuning}
-- @tparam table document that it is from
-- @tparam string path
-- @tparam ?{string,string} named the parameters of the heat map
-- @treturn ?string why it has no charts
function page.write(run, document, path, named)
  local text, why = page.text(run, document, named)
  local saved, problem = save(path, text)
  if not saved then error("--report: cannot write " .. problem, 0) end
  return why
end

return page
