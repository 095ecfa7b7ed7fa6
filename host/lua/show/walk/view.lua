--- Prints the rows of a walkthrough: first the verdict, then the table, then the chart; notes only if asked for. If no
-- step could run, there are no tables, and the verdict says why.
--
-- Rows of one device get a table and a chart for each study. Those of several devices get one table for each study,
-- with a group of columns for each device.
-- @module clue.show.walk.view
local counts_table = require "clue.show.walk.counts_table"
local bars = require "clue.show.walk.bars"
local chart = require "clue.show.chart"
local columns = require "clue.result.columns"
local contest = require "clue.result.contest"
local devices_table = require "clue.show.walk.devices_table"
local figures = require "clue.shared.figures"
local problems = require "clue.show.walk.problems"
local remarks = require "clue.show.walk.remarks"
local row_of = require "clue.result.row"
local seen_page = require "clue.show.walk.seen"
local steps_table = require "clue.show.walk.steps_table"
local tables = require "clue.table"

local view = {}

local figure, percent = figures.number, figures.percent

-- ---- printing ----

local green, red, cyan, bold, plain = "\27[32m", "\27[1;31m", "\27[36m", "\27[1m", "\27[0m"

local colour_of_word = {better = green, worse = "\27[31m"}

local BLOCK = "\226\150[\136-\143]" -- █ to ▏, of which bars are made; other characters have the first byte, too

local function escaped(text)
  return (text:gsub("%[", "%%["))
end

-- The first of some plain text, coloured.
local function coloured(line, text, colour, around)
  local first, last = line:find(text, 1, true)
  if not first then return line end
  return line:sub(1, first - 1) .. colour .. text .. plain .. (around or "") .. line:sub(last + 1)
end

-- A line of text. In the line of a row, its gain is green or red; the lines of the fastest rows are bold.
local function painted(line, row, best)
  local around = row and best and best[row] and bold or ""
  local colour = row and colour_of_word[row_of.gain_word(row) or ""]
  if colour then line = coloured(line, columns.text("gain", row), around .. colour, around) end
  line = line:gsub("%f[%w]verified%f[%W]", green .. "%0" .. plain .. around)
  line = line:gsub("%f[%w]WRONG%f[%W]", red .. "%0" .. plain .. around)
  line = line:gsub(BLOCK, cyan .. "%0" .. plain .. around):gsub(escaped(plain .. around .. cyan), "")
  return around .. line .. (around ~= "" and plain or "")
end

-- A function that writes a block of lines and an empty line. rows: those of the last lines, for their colours; best:
-- the set of the fastest of them.
local function writer(out)
  local width, colour = out:columns(132), out:colour()
  return function(lines, how)
    how = how or {}
    local rows, indent = how.rows or {}, how.indent
    for l, line in ipairs(lines) do
      local row = rows[l - (#lines - #rows)]
      for _, part in ipairs(indent and tables.width {line} > width and tables.wrap(line, width, indent) or {line}) do
        out:write_painted(part, function(shown)
          return (colour and painted(shown, row, how.best) or shown) .. "\n"
        end)
      end
    end
    if #lines > 0 and not how.close then out:write("\n") end
  end, width
end

-- ---- one row's sweep ----

local function sweep_table(row, width)
  local largest, variants, part = 0, row_of.variants(row), row_of.judged(row)
  for _, variant in ipairs(variants) do largest = math.max(largest, row_of.speed(variant) or 0) end
  return tables.of({
    {title = ("%s: variant"):format(row.number), get = function(variant) return variant.label end},
    {title = part .. " ms\nmedian", right = true, get = function(variant)
      return figures.milliseconds(row_of.time(variant).median)
    end},
    {title = "±%", right = true, gap = 1, get = function(variant) return percent(row_of.time(variant).spread) end},
    {title = (row_of.rate(row) or "") .. "\n" .. part, right = true, get = function(variant)
      return figure(row_of.speed(variant))
    end},
    {title = "", get = function(variant)
      return chart.bar(row_of.speed(variant) or 0, largest, math.max(8, math.min(40, width - 60)))
    end},
  }, variants)
end

-- ---- the parts of the time ----

local every_part = {upload = true, kernel = true, read = true, total = true}

-- What the terminal's width decides: whether the table has the steps' names, and which parts show least and spread.
local layouts = {
  {names = true, least = every_part, spread = every_part},
  {names = false, least = every_part, spread = every_part},
  {names = false, least = {total = true}, spread = {kernel = true, total = true}},
}

-- What several runs tell, by a function of their summary.
local function of_runs(row, part, write)
  local summary = row_of.time(row, part)
  return summary and summary.count > 1 and write(summary)
end

local function least_of(summary) return figures.milliseconds(summary.min) end
local function range_of(summary) return percent(summary.spread) end

local function times_columns(measured, layout)
  local list = {{title = "#", right = true, get = function(row) return row.number end}}
  local function add(title, right, get) list[#list + 1] = {title = title, right = right, get = get} end
  local function add_beside(title, part, write)
    list[#list + 1] = {title = title, right = true, gap = 1, get = function(row)
      return of_runs(row, part, write)
    end}
  end
  if layout.names then add("step", false, function(row) return row.name end) end
  for _, part in ipairs(measured) do
    add(part .. " ms\nmedian", true, function(row) return columns.text(part .. "_median_s", row) end)
    if layout.least[part] then add_beside("min", part, least_of) end
    if layout.spread[part] then add_beside("±%", part, range_of) end
  end
  if #measured > 0 then add("n", true, function(row) return row.times and row.times.runs end) end
  return list
end

local function times_table(rows, width)
  local measured = row_of.measured(rows)
  if #measured == 0 then return {} end
  return tables.fitting(layouts, width, function(layout) return tables.of(times_columns(measured, layout), rows) end)
end

-- ---- one study ----

-- The rows of the host's loops: steps that run there, if others do not, and the loops beside them. Then the others.
local function apart(rows)
  local of_host, of_device = {}, {}
  local on_device = row_of.any(rows, function(row) return row.device end)
  for _, row in ipairs(rows) do
    local list = on_device and row_of.is_of_host(row) and of_host or of_device
    list[#list + 1] = row
    for _, beside in ipairs(row.times and row_of.beside(row) or {}) do of_host[#of_host + 1] = beside end
  end
  return of_host, of_device
end

-- The units of some rows' speeds.
local function units_of(rows)
  local units, seen = {}, {}
  for _, row in ipairs(rows) do
    local unit = row_of.rate(row)
    if unit and not seen[unit] then units[#units + 1], seen[unit] = unit, true end
  end
  return units
end

local function of_unit(rows, unit)
  local chosen = {}
  for _, row in ipairs(rows) do
    if (row_of.rate(row) or "") == unit then chosen[#chosen + 1] = row end
  end
  return chosen
end

local function are_all_verified(rows)
  return not row_of.any(rows, function(row) return not row_of.is_verified(row) end)
end

-- The tables of one unit, and a chart of each problem. Rows without a speed are in the first one.
local function print_unit(rows, unit, how, block, width)
  local of_host, of_device = apart(rows)
  local best = contest.winners(rows)
  local of = {unit = unit, judged = "total", best = best, peak = how.peak, all_verified = are_all_verified(rows)}
  for _, row in ipairs(rows) do
    if row.times and (row_of.rate(row) or "") == unit then of.judged = row_of.judged(row) end
  end
  if #of_device > 0 then block(steps_table.lines(of_device, of, width), {rows = of_device, best = best}) end
  if #of_host > 0 then block(steps_table.host_lines(of_host, unit, width)) end
  for _, each in ipairs(how.bars and contest.of(of_device) or {}) do
    block(bars.lines(each.rows, of, width), {rows = each.rows, best = best})
  end
end

local function print_units(rows, how, block, width)
  local units = units_of(rows)
  for i, unit in ipairs(units) do
    local chosen = {}
    for _, row in ipairs(rows) do
      if row_of.rate(row) == unit or i == 1 and not row_of.rate(row) then chosen[#chosen + 1] = row end
    end
    print_unit(chosen, unit, how, block, width)
  end
  if #units == 0 and #rows > 0 then print_unit(rows, "", how, block, width) end
end

local function study_title(study)
  return study.key ~= "" and study.key or "other steps"
end

local function print_study(study, several, block, width)
  local rows, peak = study[1].rows, study[1].peak
  if several then
    local fastest = remarks.fastest(rows, peak)
    block({("-- %s%s --"):format(study_title(study), fastest and ": " .. fastest or "")}, {indent = "   "})
  end
  print_units(rows, {peak = peak, bars = true}, block, width)
  for _, row in ipairs(rows) do
    if row.sweep then block(sweep_table(row, width)) end
  end
end

local function print_notes_of_study(rows, block, width)
  block(remarks.changes(rows), {indent = "   "})
  block(times_table(rows, width))
  for _, unit in ipairs(units_of(rows)) do block(steps_table.author_lines(of_unit(rows, unit), unit)) end
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

-- If there is no room for the devices side by side, their tables follow each other.
local function print_devices(studies, block, width)
  for _, runs in ipairs(studies) do
    if #studies > 1 then
      block({("-- %s --"):format(study_title(runs))}, {close = true})
      for _, run in ipairs(runs) do
        local fastest = remarks.fastest(run.rows, run.peak)
        block({fastest and ("%s: %s"):format(run.device, fastest)}, {indent = "   ", close = true})
      end
    end
    local lines = devices_table.lines(runs, width)
    block(lines or {""}, {close = not lines})
    for _, run in ipairs(not lines and runs or {}) do
      block({("on %s"):format(run.device)}, {close = true})
      print_units(run.rows, {peak = run.peak}, block, width)
    end
  end
end

-- ---- everything ----

-- Lines about one run, below its device if there are several.
local function of_run(runs, run, lines)
  if #runs > 1 and #lines > 0 then table.insert(lines, 1, "-- " .. run.device .. " --") end
  return lines
end

-- Whether a step was not skipped.
local function is_any_run(runs)
  for _, run in ipairs(runs) do
    if row_of.any(run.rows, function(row) return not row.skipped end) then return true end
  end
  return false
end

local function print_tables(runs, studies, block, width)
  if #runs > 1 then return print_devices(studies, block, width) end
  for _, study in ipairs(studies) do print_study(study, #studies > 1, block, width) end
end

local function print_notes(runs, studies, how, block, width)
  local every = {}
  block({how.title}, {indent = "  "})
  if #runs == 1 then
    for _, study in ipairs(studies) do print_notes_of_study(study[1].rows, block, width) end
  else
    block(remarks.changes(runs[1].rows), {indent = "   "})
  end
  for _, run in ipairs(runs) do
    for _, row in ipairs(run.rows) do every[#every + 1] = row end
    block(of_run(runs, run, remarks.notes(run.rows)), {indent = "   "})
    block(remarks.machine(run.rows), {indent = "   "})
  end
  block(remarks.legend(every, {figures = how.figures, peak = runs[1].peak ~= nil}), {indent = "   ", close = true})
end

--- Prints the rows of one or several devices.
-- @tparam {table,...} runs device (its address), rows, and peak: the device's limits, if they are known
-- @tparam table out of @{clue.output}
-- @tparam[opt] table how name and title of the walkthrough; figures: remarks on the author's figures; notes: true to
--   print the notes; hint: true to say how to get them; alone: true if it was said which device this is;
--   entry: of the document, if all of its steps ran: the page on what they showed is printed
function view.print(runs, out, how)
  local block, width = writer(out)
  how = how or {}
  local several = #runs > 1
  local studies, ran = studies_of(runs), is_any_run(runs)
  for _, run in ipairs(runs) do
    block(remarks.verdict(run.rows, {name = how.name, device = several and run.device or nil, peak = run.peak,
      studies = #studies > 1}), {indent = "   ", close = true})
  end
  block(how.alone and {""} or remarks.where(runs), {indent = "   ", close = how.alone})
  if ran then print_tables(runs, studies, block, width) end
  block(counts_table.lines(runs[1].rows, runs[1].peak, width))
  block(counts_table.findings(runs[1].rows), {indent = "   "})
  block(remarks.warnings(runs), {indent = "   "})
  for _, run in ipairs(runs) do
    local lines = remarks.reason(run.rows) and {} or problems.lines(run.rows, width)
    block(of_run(runs, run, lines), {indent = "   "})
  end
  for _, lines in ipairs(ran and how.entry and seen_page.blocks(how.entry, runs, width) or {}) do
    block(lines, {indent = "     "})
  end
  if how.notes then
    print_notes(runs, studies, how, block, width)
  elseif how.hint and ran then
    block({"--notes adds the changes, findings, all times, and the author's figures."}, {indent = "", close = true})
  end
end

--- Prints the rows of a step that runs alone, with their notes. Its script has said which device it took.
-- @tparam {table,...} rows
-- @tparam table out of @{clue.output}
function view.print_rows(rows, out)
  view.print({{rows = rows}}, out, {notes = true, alone = true})
end

return view
