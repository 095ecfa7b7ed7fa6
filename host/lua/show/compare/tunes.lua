--- Results of `clue tune` side by side: the best configuration of each device, with its time and interval.
-- @module clue.show.compare.tunes
local grouped = require "clue.shared.grouped"
local stored = require "clue.result.tuning"

local tunes = {}

-- The best one, which was measured again at the end; or that of the search, if the run did not get so far.
local function best_of(run)
  local final = run.final[1]
  if final then return final.result.p, final.seconds, final.low, final.high, final.metrics end
  if not run.best then return nil end
  return run.best.p, run.second and run.best.value * run.second or nil
end

local function row_of(column)
  local run = assert(stored.of(column.of))
  local row = {column = column.number, name = run.name or "?", objective = run.objective, evaluated = #run.results,
               failed = 0, again = run.final[1] ~= nil}
  for _, result in ipairs(run.results) do
    row.failed = row.failed + (result.failed and 1 or 0)
  end
  row.configuration, row.seconds, row.low, row.high, row.metrics = best_of(run)
  row.metrics = row.metrics or {}
  return row
end

--- Why the results of a column cannot be read.
-- @tparam {table,...} columns of documents of `clue tune`
-- @treturn ?string the file, and what is wrong with it; nil if all can be read
function tunes.unusable(columns)
  for _, column in ipairs(columns) do
    local run, why = stored.of(column.of)
    if not run then return ("%s: %s"):format(column.path, why) end
  end
end

--- The results of some columns, by the space that was searched and the objective.
-- @tparam {table,...} columns of documents of `clue tune`, all of which can be read
-- @treturn {table,...} tables: name, rows: column (its number), objective; evaluated and failed: how many
--   configurations; configuration, seconds, low and high (the 95 % interval), metrics: of the best one, nil if all
--   failed; again: whether it was measured again at the end
function tunes.of(columns)
  local rows, list = {}, {}
  for i, column in ipairs(columns) do rows[i] = row_of(column) end
  for i, same in ipairs(grouped(rows, function(row) return ("%s|%s"):format(row.name, row.objective) end)) do
    list[i] = {name = same[1].name, rows = same}
    same.key = nil
  end
  return list
end

return tunes
