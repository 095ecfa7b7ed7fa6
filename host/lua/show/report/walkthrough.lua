--- The report's section on one walkthrough: charts, the table of all rows, and every step with its text and kernel.
-- @module clue.show.report.walkthrough
local access = require "clue.show.report.access"
local arithmetic_unit = require("clue.shared.figures").arithmetic_unit
local closing = require "clue.show.report.closing"
local contest = require "clue.result.contest"
local data = require "clue.show.report.data"
local figures = require "clue.shared.figures"
local expectation = require "clue.result.expectation"
local grouped = require "clue.shared.grouped"
local html = require "clue.show.report.html"
local overview = require "clue.show.report.overview"
local page = require "clue.show.report.page"
local plots = require "clue.show.report.plots"
local roofline = require "clue.show.report.roofline"
local row_of = require "clue.result.row"
local rows = require "clue.show.report.rows"
local share = require "clue.result.share"
local source = require "clue.show.report.source"

local section = {}

local h = html.element

-- ---- the charts ----

-- All rows with their devices and runs, run by run.
local function entries_of(document, walkthrough)
  local entries = {}
  for _, run in ipairs(walkthrough.runs) do
    local device, index = data.device(document, run)
    for _, row in ipairs(run.rows) do
      entries[#entries + 1] = {row = row, device = device, index = index, run = run}
    end
  end
  return entries
end

local function sweeps_of(document, walkthrough)
  local swept = {}
  for _, entry in ipairs(entries_of(document, walkthrough)) do
    local row = entry.row
    if row.sweep and #row.sweep > 0 and row_of.rate(row) then swept[#swept + 1] = entry end
  end
  return grouped(swept, function(entry) return row_of.key(entry.row) end)
end

--- The charts of a walkthrough, to be drawn.
-- @tparam table document
-- @tparam table walkthrough
-- @treturn {table,...} each for @{clue.show.report.chart.draw}, with kind: "speed", "sweep" or "roofline"; group; row
function section.charts(document, walkthrough)
  local list = {}
  local function add(kind, it, more)
    if not it then return end
    it.kind = kind
    for key, value in pairs(more or {}) do it[key] = value end
    list[#list + 1] = it
  end
  for _, group in ipairs(data.groups(walkthrough)) do
    add("speed", plots.speed(document, walkthrough, group), {group = group})
  end
  for _, sweeps in ipairs(sweeps_of(document, walkthrough)) do
    add("sweep", plots.sweep(sweeps), {row = sweeps[1].row})
  end
  for _, run in ipairs(walkthrough.runs) do add("roofline", roofline.plot(document, run)) end
  return list
end

local function legend(series)
  local items = {}
  for i, each in ipairs(series) do
    items[i] = h("li", nil, overview.legend_mark(each.kind, each.index), h("span", nil, (each.kind == "author"
      and "the author's " or "") .. each.name))
  end
  return h("ul", {class = "legend"}, items)
end

local function speed_figure(it, several)
  local what = ("%s of each step%s"):format(it.group.unit, it.group.study ~= "" and " of the study " .. it.group.study
    or "")
  return {several and h("h3", nil, it.group.study ~= "" and it.group.study or it.group.unit) or false,
    h("figure", nil, legend(it.series), it.drawing, h("figcaption", nil, what, it.logarithmic
      and ", on a logarithmic axis" or "", "; bars: from the slowest to the fastest run. "
      .. "Steps without a mark were skipped, failed, are wrong, or have no figure."))}
end

local function sweep_figure(it)
  local names = {}
  for i, name in ipairs(it.names or {}) do names[i] = h("li", nil, name) end
  local chosen = it.row.variant and it.row.sweep[it.row.variant]
  local counted = chosen and ("The step counts with this variant: %s."):format(tostring(chosen.label))
    or "The step counts with its fastest variant."
  return {h("h3", nil, ("Step %s, %s: its variants"):format(tostring(it.row.number), it.row.name or "?")),
    h("figure", nil, legend(it.series), it.drawing, #names > 0 and h("ol", {class = "note"}, names),
      h("figcaption", nil, counted, it.logarithmic and " Logarithmic axis." or ""))}
end

local function roofline_figure(it, _, first)
  local tops = {}
  for i, top in ipairs(it.tops) do
    tops[i] = ("%s %s in %s"):format(figures.number(top.value), arithmetic_unit(top.kind), top.kind)
  end
  return {h("h3", nil, "Roofline of " .. (it.device.name or it.device.address)),
    h("figure", nil, it.drawing, h("figcaption", nil, ("Measured: %s GB/s of global memory, the slope; %s, the top.")
      :format(figures.number(it.bandwidth), table.concat(tops, ", ")), first and " Only what caches hold can be above "
      .. "the slope; nothing can be above the top. Each mark is a step, by its number: kernel time alone, over what "
      .. "its groups move where that was counted (--counts), else over the least traffic that the problem needs; then "
      .. "a kernel that reads the same data repeatedly, past caches and tiles, is far below." or ""))}
end

local function figures_of(charts, kind, write)
  local found, nodes = {}, {}
  for _, it in ipairs(charts) do
    if it.kind == kind and it.drawing then found[#found + 1] = it end
  end
  for i, it in ipairs(found) do nodes[i] = write(it, #found > 1, i == 1) end
  return nodes
end

-- ---- tables ----

local function tables(document, walkthrough)
  local nodes, groups = {}, data.groups(walkthrough)
  for r, run in ipairs(walkthrough.runs) do
    local device, index = data.device(document, run)
    local best, taken = contest.winners(run.rows), {}
    local function add(unit, study, accept)
      local list = {}
      for i, row in ipairs(run.rows) do
        if not taken[i] and accept(row) then
          taken[i] = true
          list[#list + 1] = {row, i - 1}
        end
      end
      if #list == 0 then return end
      local caption = study ~= "" and "Study " .. study or nil
      local name = (caption and caption .. " on " or "Rows on ") .. (device.name or device.address)
      nodes[#nodes + 1] = rows.table(list, {name = name, caption = caption, unit = unit, peak = device.peak,
        best = best,
        at = ("/walkthroughs/%d/runs/%d"):format(walkthrough.place, r - 1), link = walkthrough.link})
    end
    nodes[#nodes + 1] = h("h3", nil, overview.legend_mark("device", index), " All rows on ",
      device.name or device.address)
    for _, group in ipairs(groups) do add(group.unit, group.study, group.place) end
    add(nil, "", function() return true end)
    for _, line in ipairs(share.lines(run.rows)) do
      nodes[#nodes + 1] = h("p", {class = "share"}, line:gsub("^%l", string.upper) .. ".")
    end
  end
  return nodes
end

-- ---- steps ----

local function paragraphs(text)
  local nodes = {}
  for paragraph in ((text or ""):gsub("\r", "") .. "\n\n"):gmatch "(.-)\n%s*\n" do
    if paragraph:find "%S" then nodes[#nodes + 1] = h("p", nil, paragraph) end
  end
  return nodes
end

local met = {[true] = ", as expected", [false] = ", other than expected"}

local function problem_list(row)
  local items = {}
  local function add(text) items[#items + 1] = h("li", nil, text) end
  if row.problem then add(row.problem) end
  if row.skipped then add("skipped: " .. row.skipped) end
  if row.failed then
    add {h("span", {class = "bad"}, row.failed.word or "failed"), ": ", row.failed.text or ""}
    if row.failed.lines and #row.failed.lines > 0 then add(h("pre", nil, table.concat(row.failed.lines, "\n"))) end
  end
  if row.check then
    add(row.check.verified and "checked: " .. (row.check.text or "")
      or {h("span", {class = "bad"}, "WRONG"), ": ", row.check.text or ""})
  end
  local expected = expectation.text(row)
  if expected then add(("expected here%s: %s"):format(expectation.about(row), expected)) end
  local gain = rows.gain_text(row)
  if gain then add(("gain over step %s: %s%s"):format(tostring(row.gain.over), gain, met[expectation.is_met(row)]
    or "")) end
  local disturbed = rows.disturbed_text(row)
  if disturbed then add(disturbed) end
  if row.note_of_author then add("the author: " .. row.note_of_author) end
  for _, note in ipairs(row.notes or {}) do add(note) end
  for _, fact in ipairs(row.facts or {}) do add(("%s: %s"):format(fact.property, tostring(fact.value))) end
  local sample = row.sample and #row.sample > 0 and table.concat(row.sample, "\n")
  return {h("ul", nil, items), sample and h("pre", {class = "sample"}, sample)}
end

local function kernel_facts(program)
  local parts = {}
  for _, kernel in ipairs(program.kernels or {}) do
    parts[#parts + 1] = row_of.kernel_text(kernel)
  end
  return table.concat(parts, "; ")
end

local function text_of(row)
  local texts = {}
  for i, program in ipairs(row and row.programs or {}) do texts[i] = program.source or "" end
  return #texts > 0 and table.concat(texts, "\n") or nil
end

-- A kernel that is the same on several devices is shown once.
local function kernels(list, before)
  local nodes, shown = {}, {}
  for i, entry in ipairs(list) do
    for _, program in ipairs(entry.row.programs or {}) do
      local options = program.options and program.options ~= "" and program.options or "no options"
      local where = ("%s, built with %s. %s"):format(entry.device.name or entry.device.address, options,
        kernel_facts(program))
      nodes[#nodes + 1] = not shown[program.source or ""] and h("h4", nil, "The kernel as built") or false
      nodes[#nodes + 1] = h("p", {class = "note"}, where)
      if not shown[program.source or ""] then nodes[#nodes + 1] = source.show(program.source or "") end
      shown[program.source or ""] = true
    end
    local old, new = text_of(before[i]), text_of(entry.row)
    local difference = old and new and not shown[old .. "\0" .. new] and source.difference(old, new)
    if difference then
      shown[old .. "\0" .. new] = true
      nodes[#nodes + 1] = h("h4", nil, ("What differs from the kernel of step %s"):format(tostring(before[i].number)))
      nodes[#nodes + 1] = difference
    elseif old and new and old == new and i == 1 then
      nodes[#nodes + 1] = h("p", {class = "note"}, ("The kernel is that of step %s."):format(
        tostring(before[i].number)))
    end
  end
  return nodes
end

-- The inner loop's machine code on each device.
local function machine_code_of(list)
  local nodes = {}
  for _, entry in ipairs(list) do
    local code = entry.row.code
    local where = entry.device.name or entry.device.address
    if code and code.lines then
      nodes[#nodes + 1] = h("h4", nil, "The inner loop, compiled for " .. where)
      nodes[#nodes + 1] = h("p", {class = "note"}, row_of.code_text(code))
      nodes[#nodes + 1] = h("pre", nil, table.concat(code.lines, "\n"))
    elseif code then
      nodes[#nodes + 1] = h("p", {class = "note"}, ("No machine code for %s: %s"):format(where, code.missing or "?"))
    end
  end
  return nodes
end

-- The line of a closed step: its number, name, change and speed.
local function head_line(list)
  local row, results = list[1].row, {}
  for i, entry in ipairs(list) do
    local speed = row_of.speed(entry.row)
    local speed_text = speed and figures.marked(figures.number(speed), entry.row.times.extrapolated)
    results[i] = {i > 1 and ", " or " — ",
      speed_text and speed_text .. " " .. row_of.rate(entry.row) or rows.verdict(entry.row)}
  end
  return h("summary", nil, h("span", {class = "number"}, tostring(row.number), " ", html.breakable(row.name or "?")),
    h("span", {class = "what"}, row.change and ": " .. row_of.change(row) or "", results))
end

local function step_text(walkthrough, row)
  for _, step in ipairs(walkthrough.steps or {}) do
    if step.number == row.number and (step.name == row.name or row.name == nil) then return step.text end
  end
  for _, step in ipairs(walkthrough.steps or {}) do
    if step.number == row.number then return step.text end
  end
end

local function step(walkthrough, list, before)
  local results, row = {}, list[1].row
  for i, entry in ipairs(list) do
    results[i] = h("div", {class = "device-note"}, overview.legend_mark("device", entry.index), " ",
      entry.device.name or entry.device.address, ": ", rows.verdict(entry.row), problem_list(entry.row))
  end
  return h("details", {id = walkthrough.link(row)}, head_line(list),
    h("div", {class = "body"}, paragraphs(step_text(walkthrough, row)), results,
      row.counts and access.part(row.counts), machine_code_of(list), kernels(list, before)))
end

-- The row that a row is compared with, or the nearest one above, on the same device and of the same study, that has a
-- kernel.
local function kernel_before(entry)
  local found
  for _, row in ipairs(entry.run.rows) do
    if row == entry.row then return found end
    if text_of(row) and (row.study or "") == (entry.row.study or "") then
      if row.number == entry.row.over then return row end
      found = row
    end
  end
end

local function steps(document, walkthrough)
  local nodes = {}
  local of_steps = grouped(entries_of(document, walkthrough), function(entry) return walkthrough.link(entry.row) end)
  for i, list in ipairs(of_steps) do
    local before = {}
    for e, entry in ipairs(list) do before[e] = kernel_before(entry) or false end
    nodes[i] = step(walkthrough, list, before)
  end
  return nodes
end

-- ---- the section ----

-- A text as a sentence.
local function sentence(text)
  return (text:gsub("^%l", string.upper):gsub("%.$", "")) .. "."
end

local function about(walkthrough)
  local origin = {}
  for _, part in ipairs {walkthrough.author or false, walkthrough.year and figures.exact(walkthrough.year) or false,
                         walkthrough.language or false} do
    if part then origin[#origin + 1] = part end
  end
  return {h("p", {class = "lead"}, walkthrough.about),
    #origin > 0 and h("p", {class = "muted"}, sentence(table.concat(origin, ", ")),
      walkthrough.hardware and sentence(" The author's hardware: " .. walkthrough.hardware),
      walkthrough.headline and sentence(" The headline: " .. walkthrough.headline)),
    closing.links(walkthrough),
    (walkthrough.figures or "") ~= "" and h("p", {class = "muted"}, sentence(walkthrough.figures))}
end

--- Builds the section.
-- @tparam table document
-- @tparam table walkthrough with anchor, place, heading and link(row), which the page adds
-- @tparam {table,...} charts from @{charts}, each drawn one with its drawing
-- @treturn node
function section.build(document, walkthrough, charts)
  return page.section(walkthrough.anchor, walkthrough.heading, about(walkthrough),
    figures_of(charts, "speed", speed_figure), figures_of(charts, "sweep", sweep_figure),
    figures_of(charts, "roofline", roofline_figure), tables(document, walkthrough),
    h("h3", nil, "The steps"), steps(document, walkthrough), closing.part(document, walkthrough))
end

return section
