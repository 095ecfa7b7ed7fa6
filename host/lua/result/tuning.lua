--- Stored results of a tuner: Kernel Tuner's cache files and results in the T4 format, both also compressed by gzip.
--
-- Whatever the format, the results have the form of those of @{clue.tune.runner}, as far as the file says so much.
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local documents = require "clue.result.document"
local statistics = require "clue.timing.statistics"
local trim_end = require("clue.text").trim_end

local tuning = {}

-- ---- the text ----

-- Kernel Tuner writes a cache line by line. Until its run has ended, the ends of "cache" and of the document are
-- missing.
local function decode(path, text)
  local document, problem = json.read(text)
  if type(document) ~= "table" and text:find '"cache"' then
    document = json.read(trim_end(text):gsub(",$", "") .. "}}")
  end
  if type(document) == "table" then return document end
  return nil, ("%s: not JSON: %s"):format(path, tostring(problem))
end

-- ---- one result ----

-- An object's part, empty if it is missing.
local function part(of, name)
  return type(of[name]) == "table" and of[name] or {}
end

local function is_measured(value)
  return type(value) == "number" and value > 0 and value < math.huge
end

-- Kernel Tuner's words for failures, in those of T4.
local failures = {InvalidConfig = "constraints", CompilationFailedConfig = "compile", RuntimeFailedConfig = "runtime"}

local function new_result(p, value, failed, text)
  if is_measured(value) then return {p = p, value = value} end
  return {p = p, failed = failed, text = text}
end

-- ---- results, from either format ----

local readers = {}

-- The keys of the cache, in the order of the file, which is that of the evaluations.
local function keys_in_order(cache, text)
  local keys, seen = {}, {}
  local function add(key)
    if cache[key] ~= nil and not seen[key] then
      keys[#keys + 1], seen[key] = key, true
    end
  end
  for key in (text or ""):gmatch '"([^"]*)"%s*:%s*{' do add(key) end
  for key in pairs(cache) do add(key) end -- what has a quotation mark in its key
  return keys
end

-- Kernel Tuner's: results by key, each with parameters and measurements side by side.
function readers.cache(document, objective, text)
  local given = document.objective -- since version 1.1 a list
  objective = objective or type(given) == "table" and given[1] or type(given) == "string" and given or "time"
  local results = {}
  for i, key in ipairs(keys_in_order(document.cache, text)) do
    local entry = document.cache[key]
    if type(entry) ~= "table" then return nil, "an entry of its cache is not an object" end
    local value = entry[objective] or entry.__error__
    results[i] = new_result(entry, value, failures[value] or "missing", type(value) == "string" and value
      or ("it has no '%s'"):format(objective))
    results[i].stamp = documents.seconds(entry.timestamp)
  end
  return {results = results, names = document.tune_params_keys, tune_params = document.tune_params,
          objective = objective, unit = objective == "time" and "ms", name = document.kernel_name,
          device = document.device_name}
end

-- Returns the value and its unit.
local function measured(entry, objective)
  for _, measurement in ipairs(part(entry, "measurements")) do
    if type(measurement) == "table" and measurement.name == objective then
      return measurement.value, measurement.unit
    end
  end
end

local function t4_result(entry, objective)
  local ours = part(entry, "clue")
  local correct, value, unit = entry.invalidity == "correct", measured(entry, objective)
  local missing = correct and ("it has no '%s'"):format(objective)
  local result = new_result(entry.configuration, correct and value, correct and "missing" or tostring(entry.invalidity),
    ours.failure or missing)
  result.lost, result.at, result.stamp = ours.stopped_early, ours.seconds_into_run, documents.seconds(entry.timestamp)
  return result, unit
end

-- T4's: a list of results, each with its configuration, measurements and invalidity.
function readers.results(document, objective)
  local results, unit = {}, nil
  for i, entry in ipairs(document.results) do
    if type(entry) ~= "table" or type(entry.configuration) ~= "table" then
      return nil, ("its result %d has no configuration"):format(i)
    end
    objective = objective or type(entry.objectives) == "table" and entry.objectives[1] or "time"
    local result, its_unit = t4_result(entry, objective)
    results[i], unit = result, unit or its_unit
  end
  local ours, about = part(document, "clue"), part(document, "metadata")
  if unit == "" and objective == "time" then unit = about.timeunit end
  return {results = results, objective = objective or "time", unit = unit, tune_params = ours.tune_params,
          name = ours.name, device = part(ours, "device").name or about.device,
          final = ours.best, reference = ours.reference}
end

-- ---- the parameters ----

local ranks = {boolean = 1, number = 2, string = 3}

local function in_order(a, b)
  if type(a) ~= type(b) then return ranks[type(a)] < ranks[type(b)] end
  if type(a) == "boolean" then return b and not a end
  return a < b
end

-- T4 does not list the values of the parameters: they are those of all configurations, in rising order.
local function values_of(results)
  local tune_params, seen = {}, {}
  for _, result in ipairs(results) do
    for name, value in pairs(result.p) do
      if not seen[name] then seen[name], tune_params[name] = {}, {} end
      if ranks[type(value)] and not seen[name][value] then
        seen[name][value] = true
        table.insert(tune_params[name], value)
      end
    end
  end
  for _, values in pairs(tune_params) do table.sort(values, in_order) end
  return tune_params
end

-- Returns what is wrong, or nil.
local function add_parameters(run)
  run.tune_params = run.tune_params or values_of(run.results)
  if type(run.tune_params) ~= "table" then return "its tune_params are not an object" end
  run.names = run.names or lists.keys(run.tune_params)
  run.values = {}
  for i, name in ipairs(run.names) do
    run.values[i] = run.tune_params[name]
    if type(run.values[i]) ~= "table" then return ("its tune_params have no values of '%s'"):format(tostring(name)) end
  end
end

-- ---- the run ----

-- Published files have "miliseconds".
local seconds_in = {s = 1, seconds = 1, ms = 1e-3, milliseconds = 1e-3, miliseconds = 1e-3, us = 1e-6,
                    microseconds = 1e-6, ns = 1e-9, nanoseconds = 1e-9}

-- More is better for the metrics of clue, and for rates.
local function is_more_better(document, objective)
  return objective ~= "time" and (type(document.clue) == "table" or tostring(objective):find "/" ~= nil)
end

local function add_best(run)
  for _, result in ipairs(run.results) do
    local value = not result.lost and result.value
    if value and (not run.best or tuning.is_better(run, value, run.best.value)) then run.best = result end
  end
end

-- Other tools give the time of day, which becomes the seconds since the first result.
local function add_seconds(run)
  local first = math.huge
  for _, result in ipairs(run.results) do first = math.min(first, result.stamp or first) end
  for _, result in ipairs(run.results) do
    result.at = result.at or result.stamp and result.stamp - first
  end
end

local function add_final(run)
  local final = {}
  for i, entry in ipairs(run.final or {}) do
    local low, high = statistics.interval(statistics.sorted(entry.runtimes))
    final[i] = {result = {p = entry.configuration}, seconds = entry.time / 1000, low = low and low / 1000,
                high = high and high / 1000, metrics = entry.metrics or {},
                against = {ratio = entry.ratio, interval = {entry.ratio_low, entry.ratio_high}}}
  end
  run.final = final
end

--- Whether one value of the objective is better than another.
-- @tparam table run
-- @tparam number one
-- @tparam number other
function tuning.is_better(run, one, other)
  if run.more then return one > other end
  return one < other
end

--- The best results, without those that were stopped early.
-- @tparam table run
-- @tparam int most how many
-- @treturn {table,...} the best first; each gets number, its place in the search
function tuning.ranked(run, most)
  local list = {}
  for i, result in ipairs(run.results) do
    result.number = i
    if result.value and not result.lost then list[#list + 1] = result end
  end
  table.sort(list, function(a, b)
    if a.value == b.value then return a.number < b.number end
    return tuning.is_better(run, a.value, b.value)
  end)
  for i = #list, most + 1, -1 do list[i] = nil end
  return list
end

--- The results in a document.
-- @tparam table document T4 or Kernel Tuner's cache, as JSON gives it
-- @tparam[opt] string objective the name of the measurement that counts; by default the document's own
-- @tparam[opt] string text of the document, which has the order of a cache's entries
-- @treturn[1] table results, in the order of the evaluations: p, value (of the objective; nil if it failed), failed
--   (T4's word, or "missing"), text (why), lost, at (seconds, nil if unknown); objective; more: whether more of it is
--   better; second: the seconds in one of its unit, nil if it is not a time; best: a result, nil if all failed; names,
--   values and tune_params as those of a Space; name, device and reference (a configuration), nil if unknown; final as
--   of the runner, empty for other tools
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function tuning.of(document, objective, text)
  for list, reader in pairs(readers) do
    if type(document[list]) == "table" then
      local run, why = reader(document, objective, text)
      if not run then return nil, why end
      why = add_parameters(run)
      if why then return nil, why end
      run.second = seconds_in[run.unit]
      run.more = is_more_better(document, run.objective)
      add_best(run)
      add_seconds(run)
      add_final(run)
      return run
    end
  end
  return nil, "neither a cache of Kernel Tuner (it has no 'cache') nor T4 results (it has no 'results')"
end

--- Reads a file.
-- @tparam string path
-- @tparam[opt] string objective as for @{of}
-- @treturn[1] table as @{of} returns it
-- @treturn[1] table the document
-- @treturn[2] nil
-- @treturn[2] string the path and what is wrong
function tuning.read(path, objective)
  local text, why = documents.text(path)
  if not text then return nil, why end
  local document, run
  document, why = decode(path, text)
  if not document then return nil, why end
  run, why = tuning.of(document, objective, text)
  if not run then return nil, ("%s: %s"):format(path, why) end
  return run, document
end

return tuning
