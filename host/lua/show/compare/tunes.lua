--- Results of `clue tune` side by side: the best configuration of each device, with its time and interval.
local block = require "clue.show.block"
local duration = require("clue.text").duration
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local point = require "clue.result.point"
local tables = require "clue.table"
local tuning = require "clue.result.tuning"

local tunes = {}

-- ---- the results ----

-- The best one, which was measured again at the end; or that of the search, if the run did not get so far.
local function best_of(run)
  local final = run.final[1]
  if final then return final.result.p, final.seconds, final.low, final.high, final.metrics end
  if not run.best then return nil end
  return run.best.p, run.second and run.best.value * run.second or nil
end

local function row_of(column)
  local run = assert(tuning.of(column.of))
  local row = {column = column.number, name = run.name or "?", objective = run.objective, evaluated = #run.results,
               failed = #lists.filter(run.results, function(result) return result.failed end),
               again = run.final[1] ~= nil}
  row.configuration, row.seconds, row.low, row.high, row.metrics = best_of(run)
  row.metrics = row.metrics or {}
  return row
end

--- Why the results of a column cannot be read.
-- @tparam {table,...} columns of documents of `clue tune`
-- @treturn ?string the file, and what is wrong with it; nil if all can be read
function tunes.unusable(columns)
  for _, column in ipairs(columns) do
    local run, why = tuning.of(column.of)
    if not run then return ("%s: %s"):format(column.path, why) end
  end
end

--- The results of some columns, by the space that was searched and the objective.
-- @tparam {table,...} columns of documents of `clue tune`, all of which can be read
-- @treturn {table,...} tables: name, rows: column (its number), objective; evaluated and failed: how many
--   configurations; configuration, seconds, low and high (the 95 % interval), metrics: of the best one, nil if all
--   failed; again: whether it was measured again at the end
function tunes.of(columns)
  local rows = lists.map(columns, row_of)
  return lists.map(lists.grouped(rows, function(row) return ("%s|%s"):format(row.name, row.objective) end),
    function(same)
      same.key = nil -- of the group
      return {name = same[1].name, rows = same}
    end)
end

-- ---- the view ----

local function configuration(p)
  local words = lists.map(lists.keys(p), function(name) return ("%s=%s"):format(name, point.shown(p[name])) end)
  return table.concat(words, " ")
end

local function metric_names(rows)
  local names = {}
  for _, row in ipairs(rows) do
    for name in pairs(row.metrics) do names[name] = true end
  end
  return lists.keys(names)
end

local function time_of(row)
  if not row.configuration then return "none works" end
  return row.seconds and duration(row.seconds) or "-"
end

local function name_column(columns, most, narrow)
  return {title = "device", head = true, most = most, narrow = narrow, get = function(row, characters)
    local name = columns[row.column].name
    return {tables.cut(name, characters), page = name}
  end}
end

local function columns_of(it, columns, name)
  local list = {
    {title = "", right = true, get = function(row) return row.column end}, name,
    {title = "", optional = true, get = function(row) return columns[row.column].mark end},
    {title = "time", right = true, get = time_of},
    {title = "95 %", optional = true, narrow = {{3, false}}, get = function(row)
      return row.low and ("%s to %s"):format(duration(row.low), duration(row.high))
    end},
  }
  for _, metric in ipairs(metric_names(it.rows)) do
    list[#list + 1] = {title = metric, right = true, get = function(row) return figures.number(row.metrics[metric]) end}
  end
  list[#list + 1] = {title = "evaluated", right = true, get = function(row) return row.evaluated end}
  list[#list + 1] = {title = "failed", right = true, get = function(row) return row.failed end}
  return list
end

-- The configurations are in the table, or below it in a terminal that is too narrow.
local function table_of(it, columns)
  local narrow = columns_of(it, columns, name_column(columns, 24, {{1, 14}, {2, 10}}))
  local wide = columns_of(it, columns, name_column(columns, 40, {{1, 24}}))
  wide[#wide + 1] = {title = "configuration", get = function(row) return configuration(row.configuration) end}
  local below = lists.map(it.rows, function(row)
    return row.configuration and ("%d: %s"):format(row.column, configuration(row.configuration)) or nil
  end)
  return block.table {name = it.name, columns = wide, rows = it.rows, otherwise = {
    block.table {columns = narrow, rows = it.rows, close = true}, block.list(below, {close = true}),
  }}
end

--- A space in blocks.
-- @tparam table it of @{of}
-- @tparam {table,...} columns
function tunes.blocks(it, columns)
  local by = it.rows[1].objective ~= "time" and " by " .. it.rows[1].objective or ""
  local in_search = lists.filter(it.rows, function(row) return row.configuration and not row.again end)
  local remarks = lists.map(in_search, function(row)
    return ("%d: the time is that of the search: the run ended before the best were measured again"):format(row.column)
  end)
  return {
    block.paragraph(("%s: the best configuration%s on each device; 95 %%: the interval of the median time"):format(
      it.name, by), {close = true}),
    table_of(it, columns), block.list(remarks),
  }
end

return tunes
