--- Prints the rows of a walkthrough: first the verdict, then the table, then the chart; notes only if asked for.
--
-- Rows of one device get a table and a chart for each study. Those of several devices get one table, with a group of
-- columns for each device.
-- @module clue.walk.view
local counts_table = require "clue.walk.counts_table"
local bars = require "clue.walk.bars"
local chart = require "clue.shared.chart"
local figures = require "clue.shared.figures"
local grouped = require "clue.shared.grouped"
local remarks = require "clue.walk.remarks"
local row_of = require "clue.walk.row"
local seen_page = require "clue.walk.seen"
local steps_table = require "clue.walk.steps_table"
local tables = require "clue.table"

local view = {}

local figure, percent, marked = figures.number, figures.percent, figures.marked

-- ---- printing ----

local green, red, cyan, bold, plain = "\27[32m", "\27[1;31m", "\27[36m", "\27[1m", "\27[0m"

local colour_of_word = {better = green, worse = "\27[31m"}

-- The first of some plain text, coloured.
local function coloured(line, text, colour, around)
  local first, last = line:find(text, 1, true)
  if not first then return line end
  return line:sub(1, first - 1) .. colour .. text .. plain .. (around or "") .. line:sub(last + 1)
end

-- A line of text. In the line of a row, its gain is green or red; the line of the fastest row is bold.
local function painted(line, row, best)
  local around = row and row == best and bold or ""
  local colour = row and colour_of_word[row_of.gain_word(row) or ""]
  if colour then line = coloured(line, steps_table.gain(row), around .. colour, around) end
  line = line:gsub("%f[%w]verified%f[%W]", green .. "%0" .. plain .. around)
  line = line:gsub("%f[%w]WRONG%f[%W]", red .. "%0" .. plain .. around)
  line = line:gsub("[█▏▎▍▌▋▊▉]+", cyan .. "%0" .. plain .. around)
  return around .. line .. (around ~= "" and plain or "")
end

-- A function that writes a block of lines and an empty line. rows: those of the last lines, for their colours; best:
-- the fastest of them.
local function writer(out)
  local width, colour = out:width() or 132, out:colour()
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

local function median_of(row, part)
  local summary = row_of.time(row, part)
  return summary and marked(figures.milliseconds(summary.median), row.times.extrapolated)
end

local function least_of(summary) return figures.milliseconds(summary.min) end
local function range_of(summary) return percent(summary.spread) end

local function times_columns(measured, layout)
  local columns = {{title = "#", right = true, get = function(row) return row.number end}}
  local function add(title, right, get) columns[#columns + 1] = {title = title, right = right, get = get} end
  local function add_beside(title, part, write)
    columns[#columns + 1] = {title = title, right = true, gap = 1, get = function(row)
      return of_runs(row, part, write)
    end}
  end
  if layout.names then add("step", false, function(row) return row.name end) end
  for _, part in ipairs(measured) do
    add(part .. " ms\nmedian", true, function(row) return median_of(row, part) end)
    if layout.least[part] then add_beside("min", part, least_of) end
    if layout.spread[part] then add_beside("±%", part, range_of) end
  end
  if #measured > 0 then add("n", true, function(row) return row.times and row.times.runs end) end
  return columns
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

-- The tables of one unit. Rows without a speed are in the first one.
local function print_unit(rows, unit, best, how, block, width)
  local of_host, of_device = apart(rows)
  local of = {unit = unit, judged = "total", best = best, peak = how.peak, all_verified = are_all_verified(rows)}
  for _, row in ipairs(rows) do
    if row.times and (row_of.rate(row) or "") == unit then of.judged = row_of.judged(row) end
  end
  if #of_device > 0 then block(steps_table.lines(of_device, of, width), {rows = of_device, best = best}) end
  if #of_host > 0 then block(steps_table.host_lines(of_host, unit, width)) end
  local lines, shown = bars.lines(of_device, of, width)
  block(lines, {rows = shown, best = best})
end

local function print_study(rows, several, how, block, width)
  if several then
    local fastest = remarks.fastest(rows, how.peak)
    block({("-- %s%s --"):format(rows.key ~= "" and rows.key or "other steps", fastest and ": " .. fastest or "")},
      {indent = "   "})
  end
  local units = row_of.units(rows)
  local rest = of_unit(rows, "")
  for i, each in ipairs(units) do
    local chosen = {}
    for _, row in ipairs(rows) do
      if row_of.rate(row) == each.unit or i == 1 and not row_of.rate(row) then chosen[#chosen + 1] = row end
    end
    print_unit(chosen, each.unit, #chosen > 1 and each.row or nil, how, block, width)
  end
  if #units == 0 and #rest > 0 then print_unit(rest, "", nil, how, block, width) end
  for _, row in ipairs(rows) do
    if row.sweep then block(sweep_table(row, width)) end
  end
end

local function print_notes_of_study(rows, block, width)
  block(remarks.changes(rows), {indent = "   "})
  block(times_table(rows, width))
  for _, each in ipairs(row_of.units(rows)) do
    block(steps_table.author_lines(of_unit(rows, each.unit), each.unit))
  end
end

-- ---- several devices ----

-- What a table shows of a row on each device; `of` names what is left out if there is no room.
local device_columns = {
  {title = "ms", right = true, gap = 3, get = median_of},
  {of = "range", title = "±%", right = true, gap = 1, get = function(row) return of_runs(row, nil, range_of) end},
  {title = "speed", right = true, get = function(row)
    local speed = figure(row_of.speed(row))
    return speed and speed .. " " .. row_of.rate(row)
  end},
  {title = "gain", get = steps_table.gain},
  {of = "over", title = "over", gap = 1, get = function(row) return row.gain and tostring(row.gain.over) end},
  {of = "result", title = "result", get = row_of.verdict},
}

local device_layouts = {{name = 40, range = true, over = true, result = true}, {name = 40, over = true, result = true},
                        {name = 16, over = true, result = true}, {name = 16, over = true}, {name = 12}, {}}

-- A line for each of some rows, which stand for all rows of their number.
local function device_table(runs, rows_by_number, every, layout)
  local columns = {{title = "#", right = true, get = function(row) return row.number end}}
  if layout.name then
    columns[2] = {title = "step", get = function(row) return tables.cut(row.name or "?", layout.name) end}
  end
  for d, run in ipairs(runs) do
    for i, column in ipairs(device_columns) do
      if not column.of or layout[column.of] then
        columns[#columns + 1] = {
          title = i == 1 and run.device .. "\n" .. column.title or column.title, right = column.right, gap = column.gap,
          get = function(row)
            local here = rows_by_number[d][row.number]
            return here and (column.get(here))
          end,
        }
      end
    end
  end
  return tables.of(columns, every)
end

local function print_devices(runs, block, width)
  local rows_by_number, seen, every = {}, {}, {}
  for d, run in ipairs(runs) do
    rows_by_number[d] = {}
    for _, row in ipairs(run.rows) do
      rows_by_number[d][row.number] = row
      if not seen[row.number] then
        every[#every + 1] = row
        seen[row.number] = true
      end
    end
  end
  block(tables.fitting(device_layouts, width, function(layout)
    return device_table(runs, rows_by_number, every, layout)
  end))
end

-- ---- everything ----

-- Lines about one run, below its device if there are several.
local function of_run(runs, run, lines)
  if #runs > 1 and #lines > 0 then table.insert(lines, 1, "-- " .. run.device .. " --") end
  return lines
end

local function print_notes(runs, studies, how, block, width)
  local every = {}
  block({how.title}, {indent = "  "})
  if #runs == 1 then
    for _, rows in ipairs(studies) do print_notes_of_study(rows, block, width) end
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
  local studies = grouped(runs[1].rows, function(row) return row.study or "" end)
  for _, run in ipairs(runs) do
    block(remarks.verdict(run.rows, {name = how.name, device = several and run.device or nil, peak = run.peak,
      studies = not several and #studies > 1}), {indent = "   ", close = true})
  end
  block(how.alone and {""} or remarks.where(runs), {indent = "   ", close = how.alone})
  if several then
    print_devices(runs, block, width)
  else
    for _, rows in ipairs(studies) do
      print_study(rows, #studies > 1, {peak = runs[1].peak}, block, width)
    end
  end
  block(counts_table.lines(runs[1].rows, runs[1].peak))
  block(counts_table.findings(runs[1].rows), {indent = "   "})
  block(remarks.warnings(runs), {indent = "   "})
  for _, run in ipairs(runs) do
    block(of_run(runs, run, remarks.problems(run.rows)), {indent = "   "})
  end
  for _, lines in ipairs(how.entry and seen_page.blocks(how.entry, runs) or {}) do
    block(lines, {indent = not lines.keep and "     " or nil})
  end
  if how.notes then
    print_notes(runs, studies, how, block, width)
  elseif how.hint then
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
