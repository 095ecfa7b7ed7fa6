--- Prints the rows of a walkthrough: times, speeds beside the author's, changes, results.
--
-- Rows of one device get two tables for each study, of times and of speeds. Those of several devices get one table,
-- with a group of columns for each device.
-- @module clue.walk.view
local chart = require "clue.shared.chart"
local figures = require "clue.shared.figures"
local grouped = require "clue.shared.grouped"
local remarks = require "clue.walk.remarks"
local row_of = require "clue.walk.row"
local speeds = require "clue.walk.speeds"
local tables = require "clue.table"

local view = {}

local figure, percent, marked = figures.number, figures.percent, figures.marked

-- ---- the times ----

local every_part = {upload = true, kernel = true, read = true, total = true}

-- What the terminal's width decides: whether the table has the steps' names, and which parts show least and spread.
local layouts = {
  {names = true, least = every_part, spread = every_part},
  {names = false, least = every_part, spread = every_part},
  {names = false, least = {total = true}, spread = {kernel = true, total = true}},
}

-- A time of a row in milliseconds, "~" if it was extrapolated.
local function median_of(row, part)
  local summary = row_of.time(row, part)
  return summary and marked(figures.milliseconds(summary.median), row.times.extrapolated)
end

-- What several runs tell, by a function of their summary.
local function of_runs(row, part, write)
  local summary = row_of.time(row, part)
  return summary and summary.count > 1 and write(summary)
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
    if layout.spread[part] then add_beside("range%", part, range_of) end
  end
  if #measured > 0 then add("n", true, function(row) return row.times and row.times.runs end) end
  add("result", false, function(row) return not row.aside and row_of.verdict(row) end)
  return columns
end

local function times_table(rows, width)
  local measured = row_of.measured(rows)
  return tables.fitting(layouts, width, function(layout) return tables.of(times_columns(measured, layout), rows) end)
end

-- ---- one row's sweep ----

local function sweep_table(row, width)
  local largest, variants, part = 0, row_of.variants(row), row_of.judged(row)
  for _, variant in ipairs(variants) do largest = math.max(largest, row_of.speed(variant) or 0) end
  return tables.of({
    {title = ("%s: variant"):format(row.number), get = function(variant) return variant.label end},
    {title = part .. " ms\nmedian", right = true, get = median_of},
    {title = "range%", right = true, gap = 1, get = function(variant) return range_of(row_of.time(variant)) end},
    {title = (row_of.rate(row) or "") .. "\n" .. part, right = true, get = function(variant)
      return figure(row_of.speed(variant))
    end},
    {title = "", get = function(variant)
      return chart.bar(row_of.speed(variant) or 0, largest, math.min(40, width - 40))
    end},
  }, variants)
end

-- ---- several devices ----

-- What a table shows of a row on each device.
local device_columns = {
  {title = "ms", right = true, gap = 3, get = median_of},
  {title = "range%", right = true, gap = 1, get = function(row) return of_runs(row, nil, range_of) end},
  {title = "speed", right = true, get = function(row)
    local speed = figure(row_of.speed(row))
    return speed and speed .. " " .. row_of.rate(row)
  end},
  {title = "gain", get = speeds.gain},
  {title = "result", get = row_of.verdict},
}

-- A line for each of some rows, which stand for all rows of their number.
local function device_table(runs, rows_by_number, every)
  local columns = {{title = "#", right = true, get = function(row) return row.number end},
                   {title = "step", get = function(row) return row.name end}}
  for d, run in ipairs(runs) do
    for i, column in ipairs(device_columns) do
      columns[#columns + 1] = {
        title = i == 1 and run.device .. "\n" .. column.title or column.title, right = column.right, gap = column.gap,
        get = function(row)
          local here = rows_by_number[d][row.number]
          return here and (column.get(here))
        end,
      }
    end
  end
  return tables.of(columns, every)
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

local function print_study(rows, block, width)
  local all = with_host_rows(rows)
  if rows.key ~= "" then block {"-- " .. rows.key .. " --"} end
  block(remarks.changes(all), "   ")
  block(times_table(all, width))
  for _, each in ipairs(row_of.units(all)) do block(speeds.lines(all, each.unit, width)) end
  for _, row in ipairs(rows) do
    if row.sweep then block(sweep_table(row, width)) end
  end
  block(remarks.notes(rows), "   ")
end

local function print_devices(runs, block)
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
  block(remarks.changes(every), "   ")
  block(device_table(runs, rows_by_number, every))
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
    local studies = grouped(every, function(row) return row.study or "" end)
    for _, rows in ipairs(studies) do print_study(rows, block, width) end
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
