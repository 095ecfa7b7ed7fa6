--- What a walkthrough's run showed. A terminal has the verdict, a table, the greatest gains and what is wrong; with the
-- notes, as a page, all tables and charts and what to keep. If no step could run, there are no tables, and the verdict
-- says why.
--
-- With the notes, rows of one device get a table and a chart for each study. Those of several devices get one table for
-- each study in a terminal, with a group of columns for each device; on a page each device has its own.
local block = require "clue.show.block"
local bottleneck = require "clue.result.bottleneck"
local columns = require "clue.result.columns"
local counts_view = require "clue.show.count.view"
local fastest = require "clue.result.fastest"
local figures = require "clue.shared.figures"
local first_screen = require "clue.show.walk.first_screen"
local lists = require "clue.shared.list"
local notes = require "clue.show.walk.notes"
local remarks = require "clue.show.walk.remarks"
local row_of = require "clue.result.row"
local steps_table = require "clue.show.walk.steps_table"
local tables = require "clue.table"

local view = {}

-- ---- a step's variants ----

local function variants_of(row)
  local variants, part = row_of.variants(row), row_of.judged(row)
  local _, largest = lists.best(variants, row_of.speed)
  local common = lists.common_words(lists.map(variants, function(variant) return tostring(variant.label) end))
  return block.table {rows = variants, name = ("the variants of step %s"):format(row.number), columns = {
    {title = ("%s: variant"):format(row.number), narrow = {{2, "short"}}, get = function(variant, most)
      local label = tostring(variant.label)
      return most and common ~= "" and "… " .. label:sub(#common + 1) or label
    end},
    {title = part .. " ms\nmedian", right = true, get = function(variant)
      return figures.milliseconds(row_of.time(variant).median)
    end},
    {title = "±%", right = true, gap = 1, narrow = {{4, false}}, get = function(variant)
      return figures.percent(row_of.time(variant).spread)
    end},
    {title = (row_of.rate(row) or "") .. "\n" .. part, right = true, get = function(variant)
      return figures.number(row_of.speed(variant))
    end},
    {title = "", narrow = {{1, 10}, {3, false}}, get = function(variant)
      return largest > 0 and {bar = (row_of.speed(variant) or 0) / largest}
    end},
  }}
end

-- ---- all times ----

-- When a part's least time, and its spread, are left out: those of the total last.
local least_rank = {upload = 2, kernel = 2, read = 2}
local spread_rank = {upload = 2, read = 2}

local function times_table(rows)
  local measured = row_of.measured(rows)
  local list = {{title = "#", right = true, get = function(row) return row.number end},
                {title = "step", narrow = {{1, false}}, get = function(row) return row.name end}}
  local function add(title, rank, get)
    list[#list + 1] = {title = title, right = true, gap = 1, narrow = rank and {{rank, false}}, get = get}
  end
  for _, part in ipairs(measured) do
    list[#list + 1] = {title = part .. " ms\nmedian", right = true, get = function(row)
      return columns.text(part .. "_median_s", row)
    end}
    add("min", least_rank[part], function(row)
      local summary = row_of.time(row, part)
      return summary and summary.count > 1 and figures.milliseconds(summary.min)
    end)
    add("±%", spread_rank[part], function(row) return columns.text(part .. "_range", row) end)
  end
  list[#list + 1] = {title = "n", right = true, get = function(row) return columns.text("runs", row) end}
  return measured[1] and block.table {columns = list, rows = rows, name = "all times"}
end

-- ---- the chart ----

-- The speeds of one contest as bars, beside them what each step changes.
local function bars_of(rows, of)
  local shown = lists.filter(rows, function(row) return row_of.speed(row) end)
  local _, largest = lists.best(shown, function(row) return row_of.speed(row) end)
  return shown[2] and block.table {rows = shown, name = "speeds", only = "text", cut = true, columns = {
    {title = "", right = true, get = function(row) return steps_table.mark(row, of) end},
    {title = "#", right = true, gap = 0, get = function(row) return row.number end},
    {title = of.unit, right = true, get = function(row) return figures.number(row_of.speed(row)) end},
    {title = of.judged, get = function(row) return {bar = row_of.speed(row) / largest} end},
    {title = "what it changes", optional = true, get = function(row)
      local change = row_of.change(row)
      return change and (change:gsub("%s+", " "))
    end},
  }, look = function(row) return {class = of.best[row] and "best"} end}
end

-- ---- one study ----

-- The rows of the host's loops: steps that run there, if others do not, and the loops beside them. Then the others.
local function apart(rows)
  local of_host, of_device = {}, {}
  local on_device = lists.any(rows, function(row) return row.device end)
  for _, row in ipairs(rows) do
    local list = on_device and row_of.is_of_host(row) and of_host or of_device
    list[#list + 1] = row
    for _, beside in ipairs(row.times and row_of.beside(row) or {}) do of_host[#of_host + 1] = beside end
  end
  return of_host, of_device
end

-- The units of some rows' speeds.
local function units_of(rows)
  return lists.distinct(lists.map(rows, row_of.rate))
end

local function are_all_verified(rows)
  return not lists.any(rows, function(row) return not row_of.is_verified(row) end)
end

-- The tables of one unit, and a chart of each problem. Rows without a speed are in the first one.
local function unit_blocks(rows, unit, how)
  local of_host, of_device = apart(rows)
  local of = setmetatable({unit = unit, judged = steps_table.judged(of_device), best = fastest.winners(rows),
                           all_verified = are_all_verified(rows)}, {__index = how})
  local blocks = {steps_table.block(of_device, of), steps_table.host_block(of_host, of)}
  for _, each in ipairs(how.bars and fastest.of(of_device) or {}) do blocks[#blocks + 1] = bars_of(each.rows, of) end
  return blocks
end

local function units_blocks(rows, how)
  local units = units_of(rows)
  if #units == 0 and rows[1] then return unit_blocks(rows, "", how) end
  return lists.map(units, function(unit, i)
    return unit_blocks(lists.filter(rows, function(row)
      return row_of.rate(row) == unit or i == 1 and not row_of.rate(row)
    end), unit, how)
  end)
end

local function study_title(study)
  return study.key ~= "" and study.key or "other steps"
end

-- What a table of a run is to know of it.
local function about(run, how)
  return {peak = run.peak, bars = how.bars, link = how.link, at = how.at and function(row) return how.at(run, row) end,
          name = "steps on " .. (run.name or run.device or "the device")}
end

local function study_blocks(study, several, how)
  local rows, peak = study[1].rows, study[1].peak
  local first, blocks = first_screen.fastest(rows, peak), {}
  blocks[1] = several and block.heading({study_title(study), first and ": " .. first}, {level = 4})
  blocks[2] = units_blocks(rows, setmetatable({bars = true}, {__index = about(study[1], how)}))
  for _, row in ipairs(rows) do
    if row.sweep then blocks[#blocks + 1] = block.only("text", {variants_of(row)}) end
  end
  return blocks
end

-- ---- several devices ----

-- The runs' rows of each study. A step that failed before it told its study counts to that of the other devices.
local function studies_of(runs)
  local study_of, studies = {}, {}
  for _, run in ipairs(runs) do
    for _, row in ipairs(run.rows) do study_of[row.number] = study_of[row.number] or row.study end
  end
  for d, run in ipairs(runs) do
    for _, row in ipairs(run.rows) do
      local key = study_of[row.number] or ""
      if not studies[key] then
        studies[key] = {key = key}
        for i, each in ipairs(runs) do studies[key][i] = {device = each.device, peak = each.peak, rows = {}} end
        studies[#studies + 1] = studies[key]
      end
      table.insert(studies[key][d].rows, row)
    end
  end
  return studies
end

-- One after the other.
local function apart_blocks(runs, how)
  return lists.map(runs, function(run)
    return {block.paragraph(("on %s"):format(run.device), {close = true}),
            how.notes and units_blocks(run.rows, about(run, how)) or first_screen.table(run.rows)}
  end)
end

local function side_by_side(studies, how)
  local blocks = {}
  for s, runs in ipairs(studies) do
    local heads = {}
    for i, run in ipairs(#studies > 1 and runs or {}) do
      local first = first_screen.fastest(run.rows, run.peak)
      heads[i] = first and block.paragraph(("%s: %s"):format(run.device, first), {close = true})
    end
    blocks[s] = {#studies > 1 and block.heading(study_title(runs), {close = true}), heads,
      steps_table.devices(runs, {block.gap(), apart_blocks(runs, how)})}
  end
  return blocks
end

-- All figures of each device, for which a page has room, and a terminal if there is one device.
local function device_blocks(runs, how)
  local blocks = {}
  for i, run in ipairs(runs) do
    local studies = studies_of {run}
    local parts = lists.map(studies, function(study) return study_blocks(study, #studies > 1, how) end)
    local name = run.name or run.device or "the device"
    blocks[i] = {block.heading("All rows on " .. name, {mark = {"device", run.index or i}, only = "page"}), parts}
    for _, line in ipairs(fastest.share_lines(run.rows)) do
      table.insert(blocks[i], block.paragraph(line:gsub("^%l", string.upper) .. ".", {only = "page"}))
    end
  end
  return blocks
end

-- ---- counts ----

local number_column = {title = "#", right = true, get = function(row) return tostring(row.number) end}

local function step_column(narrow, optional)
  return {title = "step", optional = optional, most = 22, narrow = narrow, get = function(row, most)
    return {tables.cut(row.name or "?", most), page = row.name or "?"}
  end}
end

local function counts_columns()
  local list = {number_column, step_column {{1, 16}, {3, 11}}}
  for _, column in ipairs(counts_view.step_columns(function(row) return row.counts end)) do list[#list + 1] = column end
  return list
end

-- The time that each limit alone would take beside the measured one, and the nearest limit.
local function limits_of(rows, peak)
  local of = {}
  for _, row in ipairs(rows) do of[row] = bottleneck.of(row, peak) end
  local list = lists.filter(rows, function(row) return of[row] end)
  local its = {
    number_column, step_column({{1, 16}, {2, 11}, {3, false}}, true),
    {title = "kernel\nms", right = true, get = function(row) return figures.milliseconds(of[row].measured) end},
  }
  for place, name in ipairs(bottleneck.names) do
    its[#its + 1] = {title = name:gsub(" ", "\n"), right = true, optional = true, narrow = {{3 + place, false}},
      get = function(row)
        local seconds = of[row][name]
        return seconds and (of[row].refuted[name] and "(%s)" or "%s"):format(figures.milliseconds(seconds))
      end}
  end
  its[#its + 1] = {title = "nearest", get = function(row) return bottleneck.text(of[row]) end}
  return list[1] and {
    block.paragraph("the time in ms that each limit alone would take, as counted, in proportion to the work; in "
      .. "brackets: more than the kernel took, so caches or the compiler save it:", {indent = "  ", close = true}),
    block.table {columns = its, rows = list, empty = "-", name = "the limits of each step"}}
end

-- What the counts say of the steps, a sentence each: the weightiest.
local function findings_of(rows)
  return lists.map(rows, function(row)
    local first = row.counts.findings[1]
    return first and ("%s: %s"):format(tostring(row.number), first)
  end)
end

-- " at the size 64", or of several studies " at the sizes mapping=64, vectors=4099"
local function at_size(rows)
  local all = lists.distinct(lists.map(rows, function(row) return row.counts.size end))
  if not all[2] then return all[1] and " at the size " .. all[1] or "" end
  return " at the sizes " .. table.concat(lists.distinct(lists.map(rows, function(row)
    return row.counts.size and ("%s=%s"):format(row.study or row.name, row.counts.size)
  end)), ", ")
end

-- The tables of a walk with `--counts`: what each step asks of memory, and which of the device's limits it is near.
local function counts_of(rows, peak)
  local list = lists.filter(rows, function(row) return row.counts end)
  if not list[1] then return {} end
  return {
    block.paragraph(("counted on a simulator%s, for warps of 32 work-items, as GPUs run them:"):format(
      at_size(list)), {indent = "  ", close = true}),
    block.table {columns = counts_columns(), rows = list, empty = "-", name = "what was counted"},
    limits_of(list, peak), block.list(findings_of(list)),
  }
end

-- ---- everything ----

-- Whether a step was not skipped.
local function is_any_run(runs)
  return lists.any(runs, function(run) return lists.any(run.rows, function(row) return not row.skipped end) end)
end

local function tables_of(runs, studies, how)
  if #runs == 1 then return device_blocks(runs, how) end
  return {block.only("text", side_by_side(studies, how)), block.only("page", device_blocks(runs, how))}
end

-- The first screen of a terminal: a table, and what gained most. The studies of one device share the table.
local function first_blocks(runs, studies, how)
  local blocks, run = {}, runs[1]
  if #runs > 1 then
    blocks[1] = side_by_side(studies, how)
    for i, each in ipairs(runs) do
      blocks[i + 1] = block.list(first_screen.gains(each.rows), {title = ("on %s:"):format(each.device)})
    end
    local of_kernels = steps_table.judged(run.rows) == "kernel"
    return {block.list {of_kernels and "times and speeds are of the kernels alone" or nil}, blocks}
  end
  local author, of_host = first_screen.author(run.rows, how.about or {}), first_screen.of_host(run.rows)
  return {#studies > 1 and block.list(first_screen.of_studies(studies)), first_screen.table(run.rows),
          block.list {of_host or author, of_host and author},
          block.list(first_screen.gains(run.rows))}
end

-- Items about one run, below its device if there are several.
local function of_run(runs, run, items)
  return #runs > 1 and items[1] and block.list(items, {title = "-- " .. run.device .. " --"}) or block.list(items)
end

local function notes_of_study(rows)
  local blocks = {block.list(notes.changes(rows)), times_table(rows)}
  for _, unit in ipairs(units_of(rows)) do
    local chosen = lists.filter(rows, function(row) return (row_of.rate(row) or "") == unit end)
    blocks[#blocks + 1] = steps_table.author_block(chosen, unit)
  end
  return blocks
end

local function notes_of(runs, studies, how)
  local blocks = {how.title and block.paragraph(how.title, {indent = "  "})}
  for _, study in ipairs(#runs == 1 and studies or {}) do blocks[#blocks + 1] = notes_of_study(study[1].rows) end
  if #runs > 1 then blocks[#blocks + 1] = block.list(notes.changes(runs[1].rows)) end
  for _, run in ipairs(runs) do
    blocks[#blocks + 1] = {of_run(runs, run, notes.of(run.rows)), block.list(notes.machine(run.rows))}
  end
  local every = lists.flat(runs, function(run) return run.rows end)
  local legend = notes.legend(every, {figures = how.figures, peak = runs[1].peak ~= nil})
  blocks[#blocks + 1] = block.list(legend, {close = true})
  return blocks
end

local function verdicts(runs, several_studies, how)
  local lines = lists.flat(runs, function(run)
    return first_screen.verdict(run.rows, {name = how.name, device = #runs > 1 and run.device or nil, peak = run.peak,
                                    studies = several_studies})
  end)
  local where = lists.joined(how.alone and {} or remarks.where(runs), remarks.left_out(runs))
  return {block.list(lines, {close = true}), where[1] and block.list(where) or block.gap()}
end

--- The rows of one or several devices.
-- @tparam {table,...} runs device (its address), rows, and peak: the device's limits, if they are known; for pages also
--   name and index of the device
-- @tparam[opt] table how name and title of the walkthrough; figures: remarks on the author's figures; about: the
--   entry of the document; notes: true for all of it; hint: the command that shows it, to say how to get it; alone:
--   true if it was said which device this is; entry: of the document, if all of its steps ran: what they showed
--   follows; for pages: link(row), the id of its step; at(run, row), its place in the document
-- @treturn table blocks
function view.blocks(runs, how)
  how = how or {}
  local studies, ran = studies_of(runs), is_any_run(runs)
  local wrong = lists.map(runs, function(run)
    return not first_screen.reason(run.rows) and of_run(runs, run, remarks.problems(run.rows))
  end)
  local function long(blocks) return how.notes and blocks or block.only("page", blocks) end
  return {
    block.only("text", verdicts(runs, #studies > 1, how)),
    ran and {not how.notes and block.only("text", first_blocks(runs, studies, how)),
             long(tables_of(runs, studies, how))},
    counts_of(runs[1].rows, runs[1].peak), long(remarks.warnings(runs)),
    not how.notes and block.only("text", remarks.brief(runs)), block.only("text", wrong),
    ran and how.entry and long(notes.closing(how.entry, runs)),
    how.notes and block.only("text", notes_of(runs, studies, how)),
    how.hint and ran and not how.notes and block.only("text", {first_screen.more(runs[1].rows, how.hint)}),
  }
end

--- The rows of a step that runs alone, with their notes. Its script has said which device it took.
-- @tparam {table,...} rows
-- @treturn table blocks
function view.rows(rows)
  return view.blocks({{rows = rows}}, {notes = true, alone = true})
end

return view
