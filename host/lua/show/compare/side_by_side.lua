--- Sets the steps of walkthroughs, or the limits, of many devices side by side: a row for each step, a cell for each
-- column of @{clue.show.compare.columns}.
--
-- A row is {number, name, study, at (the point of a sweep), problem, unit (nil if no cell has a value), part, host:
-- whether it is a loop of the host's, differ: whether the cells are of different problems, apart: whether it is one of
-- several for a step, kernels: lists of columns with one kernel and its build options, if they differ, cells =
-- {[column] = cell}}. A cell is {verdict, verified, well: whether the verdict is as it
-- should be; why: in words; value: in the row's unit, only if it is verified; seconds, extrapolated, problem, size,
-- best}.
-- @module clue.show.compare.side_by_side
local copy_of = require "clue.show.compare.copy_of"
local figures = require "clue.shared.figures"
local grouped = require "clue.shared.grouped"
local part_of = require "clue.show.compare.part"
local peaks = require "clue.show.compare.peaks"
local point = require "clue.result.point"
local problem = require "clue.show.compare.problem"
local row_of = require "clue.result.row"

local side_by_side = {}

-- ---- which rows of the documents belong together ----

-- The rows of a column's walkthroughs, each with its point: {row, run}.
local function rows_in(column, walkthroughs)
  local list = {}
  for _, walkthrough in ipairs(walkthroughs or {}) do
    for _, run in ipairs(walkthrough.runs or {}) do
      for _, row in ipairs(run.device == column.address and run.rows or {}) do
        list[#list + 1] = {row = row, run = run}
      end
    end
  end
  return list
end

-- Whether a document has a sweep: only then do points tell rows apart.
local function has_points(columns, by_column)
  for c, column in ipairs(columns) do
    for _, entry in ipairs(rows_in(column, by_column[c])) do
      if entry.run.point then return true end
    end
  end
  return false
end

-- The cells of each step: {[column] = row}, in the order in which the columns have them.
local function matched(columns, by_column)
  local list, by_key, pointed = {}, {}, has_points(columns, by_column)
  for c, column in ipairs(columns) do
    local times = {}
    for _, entry in ipairs(rows_in(column, by_column[c])) do
      local at = pointed and problem.point(entry.run, column.of) or nil
      local key = row_of.key(entry.row) .. "|" .. point.key(at)
      times[key] = (times[key] or 0) + 1 -- a step that a run has several times
      key = key .. "|" .. times[key]
      if not by_key[key] then
        by_key[key] = {at = at and point.label(at) or nil, swept = pointed, rows = {}}
        list[#list + 1] = by_key[key]
      end
      by_key[key].rows[c] = entry.row
    end
  end
  return list
end

-- ---- the unit of a row ----

-- Whether all rows with figures pass a test.
local function each_measured(rows, count, test)
  for c = 1, count do
    if rows[c] and rows[c].times and row_of.is_verified(rows[c]) and not test(rows[c]) then return false end
  end
  return true
end

-- The part of the time of all rows with figures.
local function part_of_entry(entry, count)
  local rows = {}
  each_measured(entry.rows, count, function(row)
    rows[#rows + 1] = row
    return true
  end)
  return part_of(rows, entry.swept)
end

-- The unit of the speeds, if all have one.
local function rate_of(rows, count, part)
  local rate
  local equal = each_measured(rows, count, function(row)
    rate = rate or row_of.rate(row)
    return rate and row_of.rate(row) == rate and row_of.speed(row, part) ~= nil
  end)
  return equal and rate or nil
end

-- The problems of the rows that have figures.
local function problems_in(rows, count)
  local problems, seen = {}, {}
  each_measured(rows, count, function(row)
    local key = problem.of(row)
    if key and not seen[key] then problems[#problems + 1], seen[key] = key, true end
    return true
  end)
  return problems, seen
end

-- Figures of different problems can only be compared as speeds; without speeds, each problem gets a row of its own.
-- What has no figure is in the first of them.
local function split(entry, count)
  local problems, measured = problems_in(entry.rows, count)
  entry.differ = #problems > 1
  if #problems < 2 or rate_of(entry.rows, count, part_of_entry(entry, count)) then return {entry} end
  local list = {}
  for i, key in ipairs(problems) do
    list[i] = {at = entry.at, swept = entry.swept, rows = {}, apart = true}
    for c = 1, count do
      local row = entry.rows[c]
      local own = row and problem.of(row)
      if row and (measured[own] and own or problems[1]) == key then list[i].rows[c] = row end
    end
  end
  return list
end

-- The columns by what they built, if it is not the same for all that built something.
local function kernels_of(rows, count)
  local built = {}
  for c = 1, count do
    local source = rows[c] and row_of.source(rows[c]) or ""
    if source ~= "" then built[#built + 1] = {column = c, source = source} end
  end
  local list = {}
  for i, same in ipairs(grouped(built, function(it) return it.source end)) do
    list[i] = {}
    for k, it in ipairs(same) do list[i][k] = it.column end
  end
  return #list > 1 and list or nil
end

-- ---- cells ----

local function cell_of(row, unit, part)
  local verdict, well = row_of.verdict(row)
  local cell = {verdict = verdict, verified = row_of.is_verified(row), well = well, why = row_of.why(row),
                problem = problem.words(row), size = problem.size(row)}
  if not (cell.verified and row.times) then return cell end
  cell.seconds = row_of.seconds(row, part)
  cell.extrapolated = row.times.extrapolated or nil
  cell.value = unit and row_of.speed(row, part) or not unit and cell.seconds and cell.seconds * 1000 or nil
  cell.host_clock = part == "kernel" and row.times.clock == "host" or nil
  return cell
end

local function is_figure(value)
  return value and value > 0 and value < math.huge
end

-- Marks the best of a row; also others that are printed with the same figure.
local function mark_best(row, count)
  local best, measured
  for c = 1, count do
    local value = row.cells[c] and row.cells[c].value
    if is_figure(value) then
      measured = (measured or 0) + 1
      if not best or (row.less and value < best or not row.less and value > best) then best = value end
    end
  end
  if row.host or not best or measured < 2 then return end
  for c = 1, count do
    local cell = row.cells[c]
    if cell and is_figure(cell.value) and figures.number(cell.value) == figures.number(best) then cell.best = true end
  end
end

local function first_of(rows, count, test)
  for c = 1, count do
    if rows[c] and test(rows[c]) then return rows[c] end
  end
end

local function row_from(entry, count)
  local part = part_of_entry(entry, count)
  local rate = rate_of(entry.rows, count, part)
  local any = first_of(entry.rows, count, function() return true end)
  local told = first_of(entry.rows, count, function(row) return row.times and problem.of(row) end)
    or first_of(entry.rows, count, problem.of) or any
  local row = {number = any.number, name = any.name, study = any.study, at = entry.at, problem = problem.words(told),
               part = part, unit = rate or "ms", less = not rate or nil, apart = entry.apart,
               differ = entry.differ and not entry.apart or nil, kernels = kernels_of(entry.rows, count), cells = {}}
  row.host = first_of(entry.rows, count, row_of.is_of_host) and true or nil
  for c = 1, count do row.cells[c] = entry.rows[c] and cell_of(entry.rows[c], rate, part) or nil end
  if not first_of(row.cells, count, function(cell) return cell.value end) then row.unit = nil end
  mark_best(row, count)
  return row
end

-- ---- ratios ----

-- How many times as fast, or as good, as the first column another one is in a row. Problems that differ have speeds.
local function ratio_in(row, c)
  local first, other = row.cells[1], row.cells[c]
  if row.host or not (first and other and is_figure(first.value) and is_figure(other.value)) then return nil end
  if row.differ then return other.value / first.value end
  if is_figure(first.seconds) and is_figure(other.seconds) then return first.seconds / other.seconds end
  return row.less and first.value / other.value or not row.less and other.value / first.value or nil
end

-- The geometric mean for each column, over the rows that both have: {ratio, rows, extrapolated}.
local function ratios_of(rows, count)
  local list = {}
  for c = 1, count do
    local sum, number, extrapolated = 0, 0, nil
    for _, row in ipairs(rows) do
      local ratio = ratio_in(row, c)
      if ratio then
        sum, number = sum + math.log(ratio), number + 1
        extrapolated = extrapolated or row.cells[1].extrapolated or row.cells[c].extrapolated
      end
    end
    list[c] = {column = c, rows = number, ratio = number > 0 and math.exp(sum / number) or nil,
               extrapolated = extrapolated}
  end
  return list
end

-- ---- walkthroughs ----

-- The walkthroughs of each name: {name, first, by_column = {[column] = walkthroughs}}.
local function by_name(columns)
  local list, found = {}, {}
  for c, column in ipairs(columns) do
    for _, walkthrough in ipairs(column.of.walkthroughs) do
      local name = walkthrough.name
      if not found[name] then
        found[name] = {name = name, first = walkthrough, by_column = {}}
        list[#list + 1] = found[name]
      end
      local its = found[name].by_column
      its[c] = its[c] or {}
      table.insert(its[c], walkthrough)
    end
  end
  return list
end

-- Takes the columns of a copy to those of the walkthrough, unless a column has both.
local function joined(group, copy)
  if not copy_of.walkthrough(group.first, copy.first) then return false end
  for c in pairs(copy.by_column) do
    if group.by_column[c] then return false end
  end
  group.copies = group.copies or {}
  for c, walkthroughs in pairs(copy.by_column) do
    group.by_column[c], group.copies[#group.copies + 1] = walkthroughs, {column = c, name = copy.name}
  end
  table.sort(group.copies, function(a, b) return a.column < b.column end)
  return true
end

-- The walkthroughs that belong together, with copies under another name.
local function groups_of(columns)
  local groups = {}
  for _, each in ipairs(by_name(columns)) do
    local taken = false
    for _, group in ipairs(groups) do taken = taken or joined(group, each) end
    if not taken then groups[#groups + 1] = each end
  end
  return groups
end

--- The walkthroughs of some columns.
-- @tparam {table,...} columns of documents of `clue walk`
-- @treturn {table,...} tables: walkthrough; copies: {column, name} where it has another name, or nil; rows; ratios:
--   {column, ratio, rows: over how many, extrapolated}
function side_by_side.walks(columns)
  local tables = {}
  for _, group in ipairs(groups_of(columns)) do
    local rows = {}
    for _, entry in ipairs(matched(columns, group.by_column)) do
      for _, each in ipairs(split(entry, #columns)) do rows[#rows + 1] = row_from(each, #columns) end
    end
    if #rows > 0 then
      tables[#tables + 1] = {walkthrough = group.name, copies = group.copies, rows = rows,
                             ratios = ratios_of(rows, #columns)}
    end
  end
  return tables
end

--- The rows with a verified result in one column that are wrong or failed in another.
-- @tparam {table,...} rows
-- @tparam int count of columns
-- @treturn {table,...} row, column (the number), cell; verified: the numbers of the columns where it is verified
function side_by_side.lost(rows, count)
  local list = {}
  for _, row in ipairs(rows) do
    local verified = {}
    for c = 1, count do
      if row.cells[c] and row.cells[c].verified then verified[#verified + 1] = c end
    end
    for c = 1, verified[1] and count or 0 do
      local cell = row.cells[c]
      if cell and not cell.well then list[#list + 1] = {row = row, column = c, cell = cell, verified = verified} end
    end
  end
  return list
end

-- ---- limits ----

local function limit_cell(limit, unit)
  local side = peaks.side(limit, unit)
  return {verdict = side.verdict, verified = side.verified, well = side.good, why = side.why, value = side.value}
end

--- The limits of some columns.
-- @tparam {table,...} columns of documents of `clue peak`
-- @treturn {table,...} one table: rows, with the group as the study; ratios as for @{walks}
function side_by_side.peaks(columns)
  local entries = {}
  for c, column in ipairs(columns) do
    for _, limit in ipairs(column.of.limits) do entries[#entries + 1] = {column = c, limit = limit} end
  end
  -- A limit that was skipped has no unit.
  local rows = {}
  for _, same in ipairs(grouped(entries, function(entry) return peaks.name(entry.limit) end)) do
    local row = {study = same[1].limit.group, name = same[1].limit.name, cells = {}}
    for _, entry in ipairs(same) do
      row.unit = row.unit or entry.limit.unit
      row.cells[entry.column] = limit_cell(entry.limit, row.unit)
    end
    row.less = peaks.is_time(row.unit) or nil
    mark_best(row, #columns)
    rows[#rows + 1] = row
  end
  local in_groups = {} -- also those that only a later column has
  for _, group in ipairs(grouped(rows, function(row) return row.study or "" end)) do
    for _, row in ipairs(group) do in_groups[#in_groups + 1] = row end
  end
  return {{rows = in_groups, ratios = ratios_of(rows, #columns)}}
end

return side_by_side
