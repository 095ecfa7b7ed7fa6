--- Reads what a tuner measured: Kernel Tuner's cache files and results in the T4 format, both also compressed by gzip.
-- @module clue.tune.cache
local child = require "clue.shared.child"
local json = require "dkjson"
local read_file = require "clue.read_file"
local space = require "clue.tune.space"
local too_deep = require("clue.json_depth").too_deep
local trim_end = require("clue.text").trim_end

-- ---- the text ----

local function unpacked(path)
  local text, seen = child.output_of {"/usr/bin/env", "gzip", "-dc", "--", path}
  if seen:status() == 127 then return nil, path .. ": it is compressed, and gzip is not installed" end
  if not seen:is_well() then return nil, ("%s: gzip cannot read it: %s"):format(path, seen:last_errors(1)[1] or "?") end
  return text
end

local function text_of(path)
  local text, why = read_file(path)
  if text and text:sub(1, 2) == "\31\139" then return unpacked(path) end
  return text, why
end

-- Kernel Tuner writes a cache line by line. Until its run has ended, the ends of "cache" and of the document are
-- missing.
local function decode(path, text)
  local deep = too_deep(text)
  if deep then return nil, ("%s: %s"):format(path, deep) end
  local document, _, problem = json.decode(text)
  if type(document) ~= "table" and text:find '"cache"' then
    document = json.decode(trim_end(text):gsub(",$", "") .. "}}")
  end
  if type(document) == "table" then return document end
  return nil, ("%s: not JSON: %s"):format(path, tostring(problem))
end

-- ---- results, from either format ----

-- A cost that failed is a text (the name of the failure) or missing.
local function cost_of(value)
  return type(value) == "number" and value == value and value > 0 and value or math.huge
end

local readers = {}

-- Kernel Tuner's: results by key, each with parameters and measurements side by side.
function readers.cache(document, objective)
  objective = objective or document.objective or "time"
  local results = {}
  for _, entry in pairs(document.cache) do
    if type(entry) ~= "table" then return nil, "an entry of its cache is not an object" end
    results[#results + 1] = {configuration = entry, cost = cost_of(entry[objective])}
  end
  return {results = results, names = document.tune_params_keys, tune_params = document.tune_params,
          objective = objective}
end

local function measured(entry, objective)
  for _, measurement in ipairs(entry.measurements) do
    if type(measurement) == "table" and measurement.name == objective then return measurement.value end
  end
end

-- T4's: a list of results, each with its configuration, measurements and invalidity.
function readers.results(document, objective)
  local results = {}
  for i, entry in ipairs(document.results) do
    if type(entry) ~= "table" or type(entry.configuration) ~= "table" then
      return nil, ("its result %d has no configuration"):format(i)
    end
    objective = objective or type(entry.objectives) == "table" and entry.objectives[1] or "time"
    local correct = entry.invalidity == "correct" and type(entry.measurements) == "table"
    results[i] = {configuration = entry.configuration,
                  cost = correct and cost_of(measured(entry, objective)) or math.huge}
  end
  return {results = results, objective = objective}
end

-- ---- the space ----

local ranks = {boolean = 1, number = 2, string = 3}

local function in_order(a, b)
  if type(a) ~= type(b) then return ranks[type(a)] < ranks[type(b)] end
  if type(a) == "boolean" then return b and not a end
  return a < b
end

-- T4 does not list the values of the parameters: they are those of all configurations, in rising order.
local function parameters_of(results)
  local names, tune_params, seen = {}, {}, {}
  for _, result in ipairs(results) do
    for name, value in pairs(result.configuration) do
      if not seen[name] then
        seen[name], tune_params[name], names[#names + 1] = {}, {}, name
      end
      if not seen[name][value] then
        seen[name][value] = true
        table.insert(tune_params[name], value)
      end
    end
  end
  table.sort(names)
  for _, values in pairs(tune_params) do table.sort(values, in_order) end
  return names, tune_params
end

local function space_of(read)
  local names, tune_params = read.names, read.tune_params
  if not (names and tune_params) then names, tune_params = parameters_of(read.results) end
  local configurations = {}
  for i, result in ipairs(read.results) do configurations[i] = result.configuration end
  return space.of(names, tune_params, configurations)
end

local function whole(path, read)
  local made, of = pcall(space_of, read)
  if not made then return nil, ("%s: %s"):format(path, of) end
  local costs, best, failed = {}, math.huge, 0
  for _, result in ipairs(read.results) do
    costs[of:index(result.configuration)] = result.cost
    best = math.min(best, result.cost)
    if result.cost == math.huge then failed = failed + 1 end
  end
  if best == math.huge then
    return nil, ("%s: none of its %d configurations has a number as its '%s'"):format(path, #read.results,
      tostring(read.objective))
  end
  return {path = path, space = of, costs = costs, best = best, failed = failed, objective = read.objective}
end

--- Reads a file.
-- @tparam string path
-- @tparam[opt] string objective the name of the measurement that counts as the cost; by default the file's own
-- @treturn[1] table path; space: a Space of the configurations in the file; costs = {[index] = cost}, math.huge for
--   those that failed; best: the lowest cost; failed: how many failed; objective
-- @treturn[2] nil
-- @treturn[2] string the path and what is wrong
return function(path, objective)
  local text, why = text_of(path)
  if not text then return nil, why end
  local document
  document, why = decode(path, text)
  if not document then return nil, why end
  for list, reader in pairs(readers) do
    if type(document[list]) == "table" then
      local read
      read, why = reader(document, objective)
      if not read then return nil, ("%s: %s"):format(path, why) end
      return whole(path, read)
    end
  end
  return nil, path .. ": neither a cache of Kernel Tuner (it has no 'cache') nor T4 results (it has no 'results')"
end
