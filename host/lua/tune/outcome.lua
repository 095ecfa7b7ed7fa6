--- What a run of `clue tune` leaves: its results as a document in the auto-tuning community's format T4, version 1.0.0,
-- and the best parameters for cl.tuned.
local clue_options = require "clue.options"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local make_folder = require("clue.shared.paths").make_folder
local save = require("clue.file").save
local tuned = require "clue.tuned"

local outcome = {}

-- ---- T4 ----

local function milliseconds(seconds)
  return seconds and seconds * 1000
end

local function measurements_of(result)
  local all = json.list {}
  if not result.samples then return all end
  all[1] = {name = "time", value = milliseconds(result.seconds), unit = "ms"}
  for _, name in ipairs(lists.keys(result.metrics)) do
    all[#all + 1] = {name = name, value = result.metrics[name], unit = ""}
  end
  return all
end

local function runtimes_of(of)
  return json.list(lists.map(of.samples or {}, milliseconds))
end

local function entry(result, objective)
  return {
    configuration = result.p, objectives = json.list {objective},
    times = {compilation_time = milliseconds(result.build) or 0, runtimes = runtimes_of(result), framework = 0,
             search_algorithm = 0, validation = milliseconds(result.verify) or 0},
    invalidity = result.failed or "correct", correctness = result.failed == "correctness" and 0 or 1,
    measurements = measurements_of(result),
    clue = {failure = result.text, stopped_early = result.lost or nil, seconds_into_run = result.at},
  }
end

--- Makes the document, in the format T4. Times are milliseconds.
-- @tparam {table,...} results of @{clue.tune.runner}, in the order of the evaluations
-- @tparam table about name, objective, device (facts), strategy, seed, started; tune_params; reference: a
--   configuration; call: the best's, of @{clue.tune.space_script.Script:call}
-- @tparam ?{table,...} final of @{clue.tune.runner}
-- @treturn table schema_version, metadata, results; clue: what the format has no place for
function outcome.document(results, about, final)
  local entries = json.list(lists.map(results, function(result) return entry(result, about.objective) end))
  local best = json.list(lists.map(final or {}, function(each)
    return {configuration = each.result.p, time = milliseconds(each.seconds), runtimes = runtimes_of(each),
            metrics = each.metrics, ratio = each.against.ratio, ratio_low = each.against.interval[1],
            ratio_high = each.against.interval[2]}
  end))
  return {schema_version = "1.0.0", metadata = {timeunit = "milliseconds", device = about.device.name,
          framework = "clue " .. clue_options.version}, results = entries,
          clue = {name = about.name, device = about.device, strategy = about.strategy, seed = about.seed,
                  started = about.started, tune_params = about.tune_params, best = best,
                  reference = about.reference, call = about.call}}
end

-- ---- for cl.tuned ----

local function size_of(script)
  local size = script.of.size or script.of.problem_size
  if type(size) == "function" then return nil end
  return type(size) == "number" and {size} or size
end

local function same_size(one, other)
  if not one or not other then return one == other end
  for i = 1, math.max(#one, #other) do
    if one[i] ~= other[i] then return false end
  end
  return true
end

--- Keeps the parameters that a run found where cl.tuned looks for them. They replace
-- older ones for the same device, driver and size.
-- @tparam Script script
-- @tparam table device facts
-- @tparam table best of @{clue.tune.runner}'s final
-- @treturn ?string the file; nil if there is no folder for it. Raises if it cannot be written
function outcome.keep(script, device, best)
  local folder = tuned.folder()
  if not folder then return nil end
  local made, reason = make_folder(folder)
  if not made then error(("the parameters: %s"):format(reason), 0) end
  local path, size, entries = ("%s/%s.json"):format(folder, script.name), size_of(script), json.list {}
  for _, old in ipairs(tuned.read(path)) do
    local same = old.device.name == device.name and old.device.driver == device.driver
    if not (same and same_size(old.size, size)) then entries[#entries + 1] = old end
  end
  table.insert(entries, {
    device = {name = device.name, driver = device.driver, vendor = device.vendor, kind = device.kind,
              compute_units = device.compute_units},
    size = size and json.list(size), parameters = best.result.p, seconds = best.seconds,
  })
  local saved, why = save(path, json.text({format = tuned.format, entries = entries}, true) .. "\n")
  if not saved then error(("the parameters: %s"):format(why), 0) end
  return path
end

return outcome
