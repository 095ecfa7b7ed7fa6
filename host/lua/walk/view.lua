--- Prints the rows of a walkthrough: times, speeds beside the author's, changes, results.
--
-- Rows of one device get two tables for each study, of times and of speeds. Those of several devices get one table,
-- with a group of columns for each device.
-- @module clue.walk.view
local chart = require "clue.shared.chart"
local figures = require "clue.shared.figures"
local remarks = require "clue.walk.remarks"
local row_of = require "clue.walk.row"
local speeds = require "clue.walk.speeds"
local tables = require "clue.table"

local view = {}

local any, figure, percent, marked = row_of.any, figures.number, figures.percent, figures.marked

-- ---- the times ----

local parts = {{"upload", "upload ms"}, {"kernel", "kernel ms"}, {"read", "read ms"}, {"total", "total ms"}}
local every_part = {upload = true, kernel = true, read = true, total = true}

-- What the terminal's width decides: whether the table has the steps' names, and which parts show least and spread.
local layouts = {
  {names = true, least = every_part, spread = every_part},
  {names = false, least = every_part, spread = every_part},
  {names = false, least = {total = true}, spread = {kernel = true, total = true}},
}

-- The parts that at least one row measured.
local function measured_parts(rows)
  local measured = {}
  for _, part in ipairs(parts) do
    if any(rows, function(row) return row.times and row.times[part[1]] end) then measured[#measured + 1] = part end
  end
  return measured
end

local function times_columns(measured, layout)
  local columns = {{title = "#", right = true}}
  if layout.names then columns[2] = {title = "step"} end
  for _, part in ipairs(measured) do
    columns[#columns + 1] = {title = part[2] .. "\nmedian", right = true}
    if layout.least[part[1]] then columns[#columns + 1] = {title = "min", right = true, gap = 1} end
    if layout.spread[part[1]] then columns[#columns + 1] = {title = "range%", right = true, gap = 1} end
  end
  if #measured > 0 then columns[#columns + 1] = {title = "n", right = true} end
  columns[#columns + 1] = {title = "result"}
  return columns
end

local function add_time(cells, row, part, layout)
  local summary = row_of.time(row, part)
  local several = summary and summary.count > 1
  cells[#cells + 1] = summary and marked(figure(summary.median * 1000), row.times.extrapolated) or false
  if layout.least[part] then cells[#cells + 1] = several and figure(summary.min * 1000) or false end
  if layout.spread[part] then cells[#cells + 1] = several and percent(summary.spread) or false end
end

local function times_lines(rows, measured, layout)
  local lines = {}
  for i, row in ipairs(rows) do
    local cells = {row.number}
    if layout.names then cells[2] = row.name end
    for _, part in ipairs(measured) do add_time(cells, row, part[1], layout) end
    if #measured > 0 then cells[#cells + 1] = row.times and row.times.runs or false end
    cells[#cells + 1] = not row.aside and row_of.verdict(row) or false
    lines[i] = cells
  end
  return tables.lines(times_columns(measured, layout), lines)
end

local function times_table(rows, width)
  local measured, lines = measured_parts(rows), nil
  for _, layout in ipairs(layouts) do
    lines = times_lines(rows, measured, layout)
    if tables.width(lines) <= width then break end
  end
  return lines
end

-- ---- one row's sweep ----

local function sweep_table(row, width)
  local lines, largest, variants = {}, 0, row_of.variants(row)
  for _, variant in ipairs(variants) do largest = math.max(largest, row_of.speed(variant) or 0) end
  for i, variant in ipairs(variants) do
    local summary, speed = row_of.time(variant), row_of.speed(variant)
    lines[i] = {variant.label, figure(summary.median * 1000), percent(summary.spread), figure(speed) or false,
                chart.bar(speed or 0, largest, math.min(40, width - 40))}
  end
  local part = row_of.judged(row)
  return tables.lines({{title = ("%s: variant"):format(row.number)}, {title = part .. " ms\nmedian", right = true},
                       {title = "range%", right = true, gap = 1},
                       {title = (row_of.rate(row) or "") .. "\n" .. part, right = true}, {title = ""}}, lines)
end

-- ---- several devices ----

local function device_table(runs, rows_by_number, numbers)
  local columns, lines = {{title = "#", right = true}, {title = "step"}}, {}
  for _, run in ipairs(runs) do
    columns[#columns + 1] = {title = run.device .. "\nms", right = true, gap = 3}
    columns[#columns + 1] = {title = "range%", right = true, gap = 1}
    columns[#columns + 1] = {title = "speed", right = true}
    columns[#columns + 1] = {title = "gain"}
    columns[#columns + 1] = {title = "result"}
  end
  for i, number in ipairs(numbers) do
    local cells = {number, false}
    for d in ipairs(runs) do
      local row = rows_by_number[d][number] or {}
      local summary, speed = row_of.time(row), figure(row_of.speed(row))
      cells[2] = cells[2] or row.name
      cells[#cells + 1] = summary and marked(figure(summary.median * 1000), row.times.extrapolated) or false
      cells[#cells + 1] = summary and summary.count > 1 and percent(summary.spread) or false
      cells[#cells + 1] = speed and speed .. " " .. row_of.rate(row) or false
      cells[#cells + 1] = speeds.gain(row)
      cells[#cells + 1] = row.number and row_of.verdict(row) or false
    end
    lines[i] = cells
  end
  return tables.lines(columns, lines)
end

-- ---- printing ----

local function paint(line, colour)
  if not colour then return line end
  line = line:gsub("%f[%w]verified%f[%W]", "\27[32m%0\27[0m")
  return (line:gsub("%f[%w]WRONG%f[%W]", "\27[1;31m%0\27[0m"):gsub("[█▏▎▍▌▋▊▉]+", "\27[36m%0\27[0m"))
end

-- Further host loops go below their step.
local function with_host_rows(rows)
  local all = {}
  for _, row in ipairs(rows) do
    all[#all + 1] = row
    for _, beside in ipairs(row.times and row_of.beside(row) or {}) do all[#all + 1] = beside end
  end
  return all
end

-- Rows by their study, in the order of the studies' first rows.
local function studies_of(rows)
  local studies, by_name = {}, {}
  for _, row in ipairs(rows) do
    local name = row.study or ""
    if not by_name[name] then
      by_name[name] = {name = row.study, rows = {}}
      studies[#studies + 1] = by_name[name]
    end
    table.insert(by_name[name].rows, row)
  end
  return studies
end

local function writer(out)
  local width, colour = out:width() or 132, out:colour()
  return function(lines, indent)
    for _, line in ipairs(lines) do
      for _, part in ipairs(indent and tables.width {line} > width and tables.wrap(line, width, indent) or {line}) do
        out:write_painted(part, function(shown) return paint(shown, colour) .. "\n" end)
      end
    end
    if #lines > 0 then out:write("\n") end
  end, width
end

local function print_study(study, block, width)
  local all = with_host_rows(study.rows)
  if study.name then block {"-- " .. study.name .. " --"} end
  block(remarks.changes(all), "   ")
  block(times_table(all, width))
  for _, unit in ipairs(speeds.units(all)) do block(speeds.lines(all, unit, width)) end
  for _, row in ipairs(study.rows) do
    if row.sweep then block(sweep_table(row, width)) end
  end
  block(remarks.notes(study.rows), "   ")
end

local function print_devices(runs, block)
  local numbers, rows_by_number, seen, every = {}, {}, {}, {}
  for d, run in ipairs(runs) do
    rows_by_number[d] = {}
    for _, row in ipairs(run.rows) do
      rows_by_number[d][row.number] = row
      if not seen[row.number] then
        numbers[#numbers + 1], every[#every + 1] = row.number, row
        seen[row.number] = true
      end
    end
  end
  block(remarks.changes(every), "   ")
  block(device_table(runs, rows_by_number, numbers))
  for _, run in ipairs(runs) do
    local notes = remarks.notes(run.rows)
    if #notes > 0 then
      table.insert(notes, 1, "-- " .. run.device .. " --")
      block(notes, "   ")
    end
  end
end

--- Prints the rows of one or several devices.
-- @tparam {table,...} runs device (its address) and rows
-- @tparam table out of @{clue.output}
-- @tparam[opt] string author_figures remarks on the author's figures
function view.print(runs, out, author_figures)
  local block, width = writer(out)
  local every = {}
  for _, run in ipairs(runs) do
    block(remarks.head(run.rows), "  ")
    for _, row in ipairs(run.rows) do every[#every + 1] = row end
  end
  if #runs > 1 then
    print_devices(runs, block)
  else
    for _, study in ipairs(studies_of(every)) do print_study(study, block, width) end
  end
  block(remarks.legend(every, author_figures), "   ")
  for _, run in ipairs(runs) do
    block(remarks.summary(run.rows, #runs > 1 and run.device or nil), "   ")
  end
end

--- Prints the rows of one device.
-- @tparam {table,...} rows
-- @tparam table out of @{clue.output}
function view.print_rows(rows, out)
  view.print({{rows = rows}}, out)
end

return view
