--- Sets the results of many devices side by side: prints them, and makes the document of --json.
-- @module clue.show.compare.many
local columns_of = require "clue.show.compare.columns"
local conditions = require "clue.show.compare.conditions"
local json = require "clue.shared.json"
local output = require "clue.output"
local side_by_side = require "clue.show.compare.side_by_side"
local tables = require "clue.table"
local tunes = require "clue.show.compare.tunes"
local tunes_lines = require "clue.show.compare.tunes_view"
local view = require "clue.show.compare.many_view"

local format = "clue compare many 1"

local print_lines = output.print_lines

-- ---- the document ----

-- Cells become a list, with a null where a column has none.
local function cells_of(row, count)
  local cells = json.list {}
  for c = 1, count do
    local cell = row.cells[c] or {verdict = "none"}
    cells[c] = {verdict = cell.verdict, why = cell.why, value = cell.value, seconds = cell.seconds, best = cell.best,
                extrapolated = cell.extrapolated, problem = row.differ and cell.problem or nil}
  end
  return cells
end

local function table_of(it, count)
  local result = {walkthrough = it.walkthrough, copies = it.copies, rows = json.list {}, ratios = json.list(it.ratios)}
  for i, row in ipairs(it.rows) do
    result.rows[i] = {number = row.number, name = row.name, study = row.study, at = row.at, unit = row.unit,
                      part = row.part, problem = row.problem, host = row.host, kernels = row.kernels,
                      cells = cells_of(row, count)}
  end
  return result
end

local function document_of(kind, columns, differences, list)
  local document = {format = format, kind = kind, caution = view.caution, columns = json.list {},
                    conditions = json.list(differences), tables = json.list(list)}
  for i, column in ipairs(columns) do document.columns[i] = columns_of.about(column) end
  return document
end

-- ---- what each command wrote ----

-- Returns the exit status: 1 if the first column is one of those that are right.
local function print_lost(it, columns, width)
  local lost, status = side_by_side.lost(it.rows, #columns), 0
  print_lines(view.lost(lost, it.walkthrough, width))
  for _, each in ipairs(lost) do
    if each.verified[1] == 1 then status = 1 end
  end
  return status
end

local kinds = {}

-- Each returns the tables of the document, and the exit status; nil and a text if a file cannot be used.
kinds["clue walk"] = function(columns, width)
  local list, status = {}, 0
  for i, it in ipairs(side_by_side.walks(columns)) do
    output.print ""
    print_lines(view.walkthrough(it, columns, width))
    status = math.max(status, print_lost(it, columns, width))
    list[i] = table_of(it, #columns)
  end
  return list, status
end

kinds["clue peak"] = function(columns, width)
  local list, status = side_by_side.peaks(columns), 0
  for i, it in ipairs(list) do
    output.print ""
    print_lines(view.limits(it, columns, width))
    status = math.max(status, print_lost(it, columns, width))
    list[i] = table_of(it, #columns)
  end
  return list, status
end

kinds["clue tune"] = function(columns, width)
  local list = tunes.of(columns)
  for _, it in ipairs(list) do
    output.print ""
    print_lines(tunes_lines(it, columns, width))
    json.list(it.rows)
  end
  return list, 0
end

-- ---- the comparison ----

-- What is wrong if there is nothing to set side by side.
local function too_few(files, columns)
  if #columns > 1 then return nil end
  local path = files[1].path
  if #columns == 0 then return ("%s has no results"):format(path) end
  return ("%s has the results of one device, %s: give a second file"):format(path, columns[1].name)
end

--- Prints results side by side.
-- @tparam {table,...} files of @{clue.show.compare.files}
-- @tparam function refuse refuse(text, ...) reports and returns the values after the text
-- @treturn int the exit status: 0; 1 if a step or limit that is verified in the first column is wrong or failed in
--   another one, or if there is nothing to set side by side
-- @treturn ?table the document; nil if nothing was
return function(files, refuse)
  local columns, kind, width = columns_of.of(files), files[1].kind, output.out:columns(132)
  local why = too_few(files, columns) or kind == "clue tune" and tunes.unusable(columns)
  if why then return refuse(why, 1) end
  local differences = conditions.of_columns(columns)
  print_lines(view.head(columns, kind, differences, width))
  local list, status = kinds[kind](columns, width)
  output.print ""
  print_lines(tables.wrap(view.caution, width, "   "))
  return status, document_of(kind, columns, differences, list)
end
