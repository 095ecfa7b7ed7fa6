--- The results of a run as a document in the auto-tuning community's format T4, version 1.0.0. Times are milliseconds.
-- @module clue.tune.results.t4
local host = require "clue.options"
local list = require("clue.shared.json").list

local t4 = {}

local function milliseconds(seconds)
  return seconds and seconds * 1000
end

local function measurements_of(result)
  local all = list {}
  if not result.samples then return all end
  all[1] = {name = "time", value = milliseconds(result.seconds), unit = "ms"}
  local names = {}
  for name in pairs(result.metrics) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do all[#all + 1] = {name = name, value = result.metrics[name], unit = ""} end
  return all
end

local function entry(result, objective)
  local runtimes = list {}
  for i, sample in ipairs(result.samples or {}) do runtimes[i] = milliseconds(sample) end
  return {
    configuration = result.p, objectives = list {objective},
    times = {compilation_time = milliseconds(result.build) or 0, runtimes = runtimes, framework = 0,
             search_algorithm = 0, validation = milliseconds(result.verify) or 0},
    invalidity = result.failed or "correct", correctness = result.failed == "correctness" and 0 or 1,
    measurements = measurements_of(result),
    clue = {failure = result.text, stopped_early = result.lost or nil, seconds_into_run = result.at},
  }
end

--- Makes the document.
-- @tparam {table,...} results of @{clue.tune.runner}, in the order of the evaluations
-- @tparam table about name, objective, device (facts), strategy, seed, started; tune_params
-- @tparam ?{table,...} final of @{clue.tune.runner}
-- @treturn table schema_version, metadata, results; clue: what the format has no place for
function t4.document(results, about, final)
  local entries, best = list {}, list {}
  for i, result in ipairs(results) do entries[i] = entry(result, about.objective) end
  for i, each in ipairs(final or {}) do
    local runtimes = list {}
    for k, sample in ipairs(each.samples) do runtimes[k] = milliseconds(sample) end
    best[i] = {configuration = each.result.p, time = milliseconds(each.seconds), runtimes = runtimes,
               metrics = each.metrics, ratio = each.against.ratio, ratio_low = each.against.interval[1],
               ratio_high = each.against.interval[2]}
  end
  return {schema_version = "1.0.0", metadata = {timeunit = "milliseconds", device = about.device.name,
          framework = "clue " .. host.version}, results = entries,
          clue = {name = about.name, device = about.device, strategy = about.strategy, seed = about.seed,
                  started = about.started, tune_params = about.tune_params, best = best}}
end

return t4
