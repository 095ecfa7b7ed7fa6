--- Compares what files of `clue walk`, `clue peak` or `clue tune` have: two files are A and B; more, or one with
-- several devices, are set side by side.
--
-- A comparison has kind ("clue walk"), is_pair, columns, conditions (in which they differ), tables, lost (texts),
-- summary (of a pair), by ("file" or "device", if the rows are not steps), failed: whether something that is right in
-- the first column is not in another one. A table is {walkthrough (nil for limits), copies: {column, name} where it has
-- another name, columns, rows, ratios, alone: whether only one of a pair has the walkthrough; what
-- @{clue.show.compare.standing} adds}, or one of @{clue.show.compare.tunes}.
--
-- Parameters with one meaning everywhere: it, a comparison.
local block = require "clue.show.block"
local columns_of_rows = require "clue.result.columns"
local compared = require "clue.show.compare.compared"
local frame = require "clue.show.compare.frame"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local match = require "clue.result.match"
local rows_of = require "clue.show.compare.rows"
local selection = require "clue.result.selection"
local standing = require "clue.show.compare.standing"
local tunes = require "clue.show.compare.tunes"
local view = require "clue.show.compare.view"

local compare = {}

-- ---- tables ----

local function table_of(it, columns)
  it.columns = columns
  it.ratios = rows_of.ratios(it.rows, #columns)
  return it
end

-- The rows of the walkthroughs of a group, of some runs.
local function walkthrough_table(group, runs, columns, how)
  local first = match.first(group, #columns)
  local copies = {}
  for c = 1, #columns do
    if group[c] and group[c].name ~= first.name then copies[#copies + 1] = {column = c, name = group[c].name} end
  end
  local it = {walkthrough = first.name, copies = copies[1] and copies or nil}
  it.rows = rows_of.of(runs, columns, {any = how.any, copies = copies[1] ~= nil, is_pair = how.is_pair})
  return table_of(it, columns)
end

-- The walkthroughs of two files, for each pair of devices.
local function tables_of_pair(columns, how)
  local documents, list = lists.map(columns, function(column) return column.of end), {}
  local walkthroughs = lists.map(documents, function(document) return document.walkthroughs end)
  for _, group in ipairs(match.walkthroughs(walkthroughs, how)) do
    local runs = {}
    for c = 1, 2 do runs[c] = group[c] and group[c].runs or {} end
    for _, devices in ipairs(match.devices(runs, documents)) do
      local on = lists.map(columns, function(column, c) return compared.on(column, devices[c] and devices[c].key) end)
      local it = walkthrough_table(group, {devices[1] or {}, devices[2] or {}}, on, {any = how.any, is_pair = true})
      it.alone = not (group[1] and group[2])
      list[#list + 1] = it
    end
  end
  return list
end

local function runs_on(walkthrough, address)
  return lists.filter(walkthrough and walkthrough.runs or {}, function(run) return run.device == address end)
end

-- The walkthroughs of many columns.
local function tables_of_many(columns)
  local walkthroughs = lists.map(columns, function(column)
    return lists.filter(column.of.walkthroughs, function(each) return runs_on(each, column.address)[1] end)
  end)
  return lists.map(match.walkthroughs(walkthroughs), function(group)
    local runs = lists.map(columns, function(column, c) return runs_on(group[c], column.address) end)
    local it = walkthrough_table(group, runs, columns, {})
    return it.rows[1] and it or nil
  end)
end

local readers = {}

readers["clue walk"] = function(columns, how)
  return how.is_pair and tables_of_pair(columns, how) or tables_of_many(columns)
end

readers["clue peak"] = function(columns)
  return {table_of({rows = rows_of.of_limits(columns)}, columns)}
end

readers["clue tune"] = function(columns)
  local list = tunes.of(columns)
  for _, it in ipairs(list) do it.columns, it.is_tune = columns, true end
  return list
end

-- ---- the comparison ----

local function comparison_of(kind, columns, how)
  local it = {kind = kind, is_pair = how.is_pair or false, columns = columns, lost = {},
              conditions = compared.conditions(columns),
              tables = readers[kind](columns, how)}
  for _, each in ipairs(kind ~= "clue tune" and it.tables or {}) do
    for _, lost in ipairs(rows_of.lost(each.rows, #columns, it.is_pair)) do
      it.lost[#it.lost + 1] = how.by and lost or frame.lost(lost, each, it.is_pair)
      it.failed = it.failed or lost.verified[1] == 1
    end
  end
  it.summary = it.is_pair and frame.summary(it) or nil
  return it
end

-- What is wrong if there is nothing to set side by side.
local function too_few(files, columns)
  if #columns > 1 then return nil end
  local path = files[1].path
  if #columns == 0 then return ("%s has no results"):format(path) end
  return ("%s has the results of one device, %s: give a second file"):format(path, columns[1].name)
end

-- Files of one run: somebody handed in another one's, or twice. No two runs take the same time at every step.
local function copied(columns)
  local function run_of(column)
    local of = column.of
    return column.address .. " " .. json.line(of.walkthroughs or {of.started, of.flops, of.bandwidth, of.latency})
  end
  return lists.map(lists.grouped(columns, run_of), function(same)
    local names = lists.map(same, function(column) return column.file_name end)
    return names[2] and ("the same run, to the last digit, is in %s and %s"):format(
      table.concat(names, ", ", 1, #names - 1), names[#names])
  end)
end

--- Sets the results of some files side by side.
-- @tparam {table,...} files path, document, kind: the same for all
-- @tparam[opt] string by "step": a column for each device; "file" or "device": a row for each; nil: as their number
--   suggests
-- @treturn[1] table comparison
-- @treturn[2] nil
-- @treturn[2] string why there is nothing to compare
function compare.many(files, by)
  local columns, kind = compared.of(files), files[1].kind
  local why = too_few(files, columns) or kind == "clue tune" and (by and "--by is for files of clue walk and clue peak"
    or tunes.unusable(columns))
  if why then return nil, why end
  by = by or #columns >= standing.many and "file" or "step"
  if kind == "clue tune" or by == "step" then return comparison_of(kind, columns, {}) end
  local it = comparison_of(kind, columns, {by = by})
  it.by, it.lost, it.copied = by, standing.lost(it.lost, columns), copied(columns)
  for _, each in ipairs(it.tables) do standing.add(each, by) end
  return it
end

--- A comparison as comma-separated values.
function compare.csv(it)
  for _, each in ipairs(it.tables) do
    if not each.groups then standing.add(each, "file") end
  end
  return standing.csv(it.tables)
end

-- Leaves the device and the step that are compared. Returns what is wrong.
local function narrowed(file, letter, options)
  local why
  file.document, why = selection.device(file.document, options["device_" .. letter], file.path, "--device-" .. letter)
  local number = options["step_" .. letter] or options.step_a or options.step_b
  if not file.document or not number then return why end
  return select(2, selection.step(file.document, number, file.path))
end

--- Compares two files of `clue walk` or `clue peak`.
-- @tparam {table,...} files path, document, kind: the same for both
-- @tparam table options device_a, device_b, step_a, step_b: see @{clue.result.selection}
-- @treturn[1] table comparison
-- @treturn[2] nil
-- @treturn[2] {string,...} what is wrong with the devices and steps
function compare.two(files, options)
  local wrong = {}
  for i, letter in ipairs {"a", "b"} do wrong[#wrong + 1] = narrowed(files[i], letter, options) end
  if wrong[1] then return nil, wrong end
  return comparison_of(files[1].kind, compared.pair(files),
    {is_pair = true, any = (options.step_a or options.step_b) ~= nil})
end

-- ---- what is shown of it ----

--- A comparison in blocks.
-- @treturn table blocks of the head
-- @treturn table blocks below
function compare.blocks(it)
  local list = lists.map(it.tables, function(each, i)
    return each.is_tune and tunes.blocks(each, it.columns)
      or it.by and standing.blocks(each, view.heading(each, each.rows, false), i) or view.table(each, it.is_pair, i)
  end)
  list[#list + 1] = {block.list(it.copied or {}, {close = true}), block.list(it.lost, {close = true}),
                     it.summary and block.paragraph(it.summary, {close = true}),
                     block.paragraph(frame.caution(it.is_pair), {close = true})}
  return frame.head(it), list
end

-- ---- the document ----

local function picked(it, names)
  local list = {}
  for name in names:gmatch "%S+" do list[name] = it and it[name] end
  return list
end

local function document_of_row(row, count)
  local result = picked(row, "number name study at unit part problem host kernels")
  result.standing = row.standing
  result.cells = json.list {}
  local further = lists.map(columns_of_rows.compared(), function(entry) return entry.name end)
  for c = 1, count do -- none: the list needs something for each column
    result.cells[c] = picked(row.cells[c] or {verdict = "none"}, "verdict why value seconds spread best extrapolated "
      .. "number name problem " .. table.concat(further, " "))
  end
  for _, name in ipairs {"gain", "total_gain"} do
    result[name] = row[name] and picked(row[name], "ratio low high count word")
  end
  return result
end

local function document_of_table(it, is_pair)
  if it.is_tune then return {name = it.name, rows = json.list(it.rows)} end
  local result = {walkthrough = it.walkthrough, copies = it.copies, rows = json.list {}, ratios = json.list(it.ratios)}
  if it.groups then result.by, result.groups = it.by, json.list(standing.documents(it)) end
  if is_pair then
    result.devices = json.list(lists.map(it.columns, function(column) return column.device or {} end))
  end
  for i, row in ipairs(it.rows) do result.rows[i] = document_of_row(row, #it.columns) end
  return result
end

--- The document of --json.
function compare.document(it)
  local document = {format = "clue compare 2", kind = it.kind, caution = frame.caution(it.is_pair),
                    summary = it.summary, columns = json.list {}, conditions = json.list(it.conditions),
                    tables = json.list {}}
  for c, column in ipairs(it.columns) do
    document.columns[c] = compared.about(column)
    local failures = rows_of.failures(column.of)
    document.columns[c].failures = failures[1] and json.list(failures) or nil
  end
  for i, each in ipairs(it.tables) do document.tables[i] = document_of_table(each, it.is_pair) end
  return document
end

return compare
