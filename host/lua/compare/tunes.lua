--- Results of `clue tune` side by side: the best configuration of each device, with its time and interval.
-- @module clue.compare.tunes
local grouped = require "clue.shared.grouped"
local shape = require "clue.compare.shape"
local stored = require "clue.tune.results.stored"

local tunes = {}

--- Whether a document is in the format T4, from whatever tuner.
-- @tparam table document
-- @treturn boolean
function tunes.is_t4(document)
  return document.schema_version ~= nil and type(document.results) == "table"
end

-- ---- whether it is as clue writes it ----

local function configuration_problem(p, where)
  if type(p) ~= "table" then return where .. " is missing" end
  for name, value in pairs(p) do
    if type(name) ~= "string" or type(value) == "table" then return where .. " is not an object of values" end
  end
end

local function best_problem(entry, where)
  local problem = shape.fields(entry, where, {time = "number", metrics = "table"})
    or configuration_problem(entry.configuration, where .. ".configuration")
    or shape.numbers(entry.runtimes, where .. ".runtimes")
  for _, field in ipairs {"time", "runtimes"} do
    if entry[field] == nil then problem = problem or ("%s.%s is missing"):format(where, field) end
  end
  for name, value in pairs(not problem and entry.metrics or {}) do
    if type(value) ~= "number" then problem = ("%s.metrics.%s is not a number"):format(where, tostring(name)) end
  end
  return problem
end

local function result_problem(entry, where)
  return configuration_problem(entry.configuration, where .. ".configuration")
    or shape.fields(entry, where, {invalidity = "string", objectives = "table", measurements = "table"})
    or shape.words(entry.objectives, where .. ".objectives")
    or shape.each(entry.measurements, where .. ".measurements")
end

--- What is wrong with a document of `clue tune`.
-- @tparam table document
-- @treturn ?string the place, and what is wrong
function tunes.problem(document)
  local ours = document.clue
  return shape.fields(document, "it", {metadata = "table"})
    or shape.fields(document.metadata or {}, "metadata", {device = "string", framework = "string"})
    or shape.fields(ours, "clue", {name = "string", started = "string", device = "table", tune_params = "table"})
    or shape.fields(ours.device or {}, "clue.device", {name = "string", address = "string", driver = "string"})
    or shape.each(ours.best, "clue.best", best_problem)
    or shape.each(document.results, "results", result_problem)
end

-- ---- the rows ----

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
