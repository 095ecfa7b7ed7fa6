--- The report of `clue walk --report FILE.html`: one self-contained file, for screen, phone and paper.
--
-- It shows only the document, which it also contains as JSON, in the element with the id "data".
local block = require "clue.show.block"
local columns = require "clue.result.columns"
local figures = require "clue.shared.figures"
local first_screen = require "clue.show.walk.first_screen"
local lists = require "clue.shared.list"
local notes = require "clue.show.walk.notes"
local of_run = require("clue.result.device").of_run
local plots = require "clue.show.report.plots"
local remarks = require "clue.show.walk.remarks"
local row_of = require "clue.result.row"
local step = require "clue.show.walk.step"
local summary = require "clue.show.report.summary"
local swept = require "clue.show.sweep.view"
local view = require "clue.show.walk.view"

local report = {}

-- ---- the section of a walkthrough: what it is ----

-- A text as a sentence.
local function sentence(text)
  return (text:gsub("^%l", string.upper):gsub("%.$", "")) .. "."
end

local function about(walkthrough)
  local year = figures.year(walkthrough.year)
  local origin = lists.filter({walkthrough.author or false, year or false, walkthrough.language or false},
    function(part) return part end)
  return {block.paragraph(walkthrough.about or "", {class = "lead"}),
    #origin > 0 and block.paragraph({sentence(table.concat(origin, ", ")),
      walkthrough.hardware and sentence(" The author's hardware: " .. walkthrough.hardware) or "",
      walkthrough.headline and sentence(" The headline: " .. walkthrough.headline) or ""}, {class = "muted"}),
    (walkthrough.figures or "") ~= "" and block.paragraph(sentence(walkthrough.figures), {class = "muted"})}
end

-- ---- charts ----

-- All rows with their devices and runs, run by run.
local function entries_of(runs)
  return lists.flat(runs, function(run)
    return lists.map(run.rows, function(row)
      return {row = row, on = run.name, index = run.index, run = run}
    end)
  end)
end

local function variants_of(sweeps)
  local row = sweeps[1].row
  return {block.heading(("Step %s, %s: its variants"):format(tostring(row.number), row.name or "?")),
          plots.sweep(sweeps)}
end

local function charts_of(document, walkthrough, runs)
  local groups = plots.groups(walkthrough)
  local blocks = lists.map(groups, function(group)
    local plot = plots.speed(document, walkthrough, group)
    return plot and {#groups > 1 and block.heading(group.study ~= "" and group.study or group.unit), plot}
  end)
  local variants = lists.filter(entries_of(runs), function(entry)
    return entry.row.sweep and #entry.row.sweep > 0 and row_of.rate(entry.row)
  end)
  local of_steps = lists.grouped(variants, function(entry) return row_of.key(entry.row) end)
  blocks = lists.joined(blocks, lists.map(of_steps, variants_of))
  local is_first = true
  for _, run in ipairs(runs) do
    local plot = plots.roofline(document, run.run, is_first)
    blocks[#blocks + 1] = plot and {block.heading("Roofline of " .. run.name), plot}
    is_first = is_first and not plot
  end
  return blocks
end

-- ---- steps ----

-- The line of a closed step: its number, name, change and speed.
local function head_line(list)
  local row = list[1].row
  local results = lists.map(list, function(entry, i)
    local speed = row_of.speed(entry.row)
    local text = speed and figures.marked(figures.number(speed), entry.row.times.extrapolated)
    return {i > 1 and ", " or " — ", text and text .. " " .. row_of.rate(entry.row) or columns.mark(entry.row)}
  end)
  return {{class = "number", tostring(row.number), " ", row.name or "?"},
    {class = "what", row.change and ": " .. row_of.change(row) or "", results}}
end

-- The row that a row is compared with, or the nearest one above, on the same device and of the same study, that has a
-- kernel.
local function kernel_before(entry)
  local found, over = nil, (entry.row.gain or {}).over or entry.row.over
  for _, row in ipairs(entry.run.rows) do
    if row == entry.row then return found end
    if row_of.source(row) ~= "" and (row.study or "") == (entry.row.study or "") then
      if row.number == over then return row end
      found = row
    end
  end
end

local function steps_of(walkthrough, runs, how)
  local groups = lists.grouped(entries_of(runs), function(entry) return how.link(entry.row) end)
  return {block.heading "The steps", lists.map(groups, function(list)
    for _, entry in ipairs(list) do entry.before, entry.peak = kernel_before(entry), entry.run.peak end
    local row = list[1].row
    return block.details {id = how.link(row), summary = head_line(list),
      blocks = {step.changes(list), step.explanation(step.text_of(walkthrough, row), list), step.parts(list)}}
  end)}
end

-- ---- the section ----

local function legend_of(walkthrough, runs)
  local every = lists.flat(runs, function(run) return run.rows end)
  local peak = runs[1] and runs[1].peak ~= nil
  return block.list(notes.legend(every, {figures = walkthrough.figures, peak = peak}), {class = "note"})
end

-- What leads the section: for each device the verdict, the table of the first screen, and what gained most.
local function first_of(walkthrough, runs, how)
  local blocks = {}
  for i, run in ipairs(runs) do
    local studies = lists.map(lists.grouped(run.rows, function(row) return row.study or "" end), function(rows)
      return {key = rows.key, {rows = rows}}
    end)
    local said = first_screen.verdict(run.rows, {peak = run.peak, studies = #studies > 1})
    local author = first_screen.author(run.rows, walkthrough)
    for _, line in ipairs(remarks.left_out {run}) do said[#said + 1] = line end
    for s, line in ipairs(said) do said[s] = sentence(line) end
    blocks[i] = {
      block.heading("The steps on " .. run.name, {mark = {"device", run.index}}),
      block.paragraph(table.concat(said, " ")),
      #studies > 1 and block.list(first_screen.of_studies(studies)),
      first_screen.table(run.rows, {link = how.link, name = "the steps in short, on " .. run.name}),
      author and block.paragraph(sentence(author), {class = "note"}), block.list(first_screen.gains(run.rows))}
  end
  return blocks
end

local function section_of(document, walkthrough, runs, how)
  return block.section {id = walkthrough.anchor, title = walkthrough.heading, contents = walkthrough.name, blocks = {
    about(walkthrough), first_of(walkthrough, runs, how), charts_of(document, walkthrough, runs),
    runs[1] and view.blocks(runs, setmetatable({entry = walkthrough}, {__index = how})), legend_of(walkthrough, runs),
    steps_of(walkthrough, runs, how)}}
end

-- ---- the page ----

local function anchor(place) return ("w%d"):format(place) end

-- A walkthrough with what its section needs besides the document, which is not changed: runs with their devices, and
-- the places of its rows on the page and in the document.
local function prepared(document, walkthrough, w)
  local links, count, places, runs = {}, 0, {}, {}
  local function link(row)
    local key = row_of.key(row)
    if not links[key] then
      count = count + 1
      links[key] = ("%s-%d"):format(anchor(w), count)
    end
    return links[key]
  end
  for r, run in ipairs(walkthrough.runs) do
    local it = of_run(document, run)
    it.name, it.index = it.called, it.place
    runs[r] = it
    for i, row in ipairs(run.rows) do
      places[row] = ("/walkthroughs/%d/runs/%d/rows/%d"):format(w - 1, r - 1, i - 1)
      link(row)
    end
  end
  -- The title of a single walkthrough is that of the page.
  local heading = #document.walkthroughs == 1 and "The walkthrough" or walkthrough.title or walkthrough.name
  return {walkthrough = setmetatable({anchor = anchor(w), heading = heading}, {__index = walkthrough}), runs = runs,
          how = {link = link, at = function(_, row) return places[row] end}}
end

--- The report as a page.
-- @tparam table document of `clue walk --json`
-- @treturn table for @{clue.show.page.text}
function report.page(document)
  local all, sections, is_sweep = {}, {}, false
  for w, walkthrough in ipairs(document.walkthroughs) do
    local it = prepared(document, walkthrough, w)
    all[w], is_sweep = it, is_sweep or walkthrough.sweep
    sections[w] = walkthrough.sweep and swept.blocks(document, walkthrough, it.walkthrough.anchor)
      or section_of(document, it.walkthrough, it.runs, it.how)
  end
  return {title = summary.title(document), head = summary.head(document), document = document,
    blocks = {is_sweep and swept.summary(document, anchor) or summary.results(all), sections,
              summary.machine(document)}}
end

return report
