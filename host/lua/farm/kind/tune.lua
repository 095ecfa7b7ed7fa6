--- `clue farm tune SPACE.lua`: the configurations of a space, dealt out. Each kind of device measures all of them, on
-- as many workers as have it; then one of these measures the best of all once more, by turns.
-- Parameters with one meaning everywhere: state, what the farm keeps of the search; folder, the farm's; plan, of its
-- work; words, the space and words for it.
local contact = require "clue.farm.contact"
local counted = require("clue.text").count
local duration = require("clue.text").duration
local json = require "clue.shared.json"
local keep = require("clue.tune.outcome").keep
local lfs = require "lfs"
local lists = require "clue.shared.list"
local output = require "clue.output"
local read_file = require("clue.file").read
local scripts = require "clue.tune.space_script"
local search = require "clue.tune.search"
local shown = require "clue.show.tune"
local tuning = require "clue.result.tuning"
local view = require "clue.show.tune.view"
local write = require("clue.shared.paths").write

local tune = {}

local finalists = 4
local chunks_of_worker, least_chunk = 3, 4

-- ---- before ----

-- The configurations to measure: all, or as many as asked for by chance.
local function candidates_of(space, most, seed)
  local at = search.new(space, most < space.count and "random" or "exhaustive", {seed = seed, budget = most})
  local list = {}
  for i = 1, math.min(most, space.count) do
    list[i] = space:configuration(at:ask())
    at:tell(0)
  end
  return list
end

--- What is wrong with a command.
-- @treturn ?string nil if nothing is
function tune.wrong(words)
  return not words[1] and "give the space: clue farm tune SPACE.lua" or nil
end

--- Reads a command that is not wrong.
-- @tparam table options evaluations, seed, time_limit, chunk
-- @tparam Cargo cargo
function tune.prepare(words, options, cargo)
  local more = {}
  for i = 2, #words do more[i - 1] = words[i] end
  local script = scripts.load(words[1], {words = more})
  local space = script:space()
  return {words = cargo:add_words(words), script = script, space = space, chunk = options.chunk,
          candidates = candidates_of(space, options.evaluations or 200, options.seed or 1),
          time_limit = options.time_limit}
end

-- Small enough that the last chunks end at about the same time, large enough that starting a job costs little:
-- tests/bench/farms/simulate.lua shows both.
local function chunk_of(state, workers)
  local count = #state.candidates
  return state.chunk
    or math.max(math.ceil(count / (workers * chunks_of_worker)), math.min(least_chunk, math.ceil(count / workers)))
end

local function job_of(state, list, how)
  local words = {"tune", "--candidates", "candidates.json", "--results", "results.json", "--finalists",
                 tostring(how.finalists)}
  if state.time_limit then
    words[#words + 1], words[#words + 2] = "--time-limit", tostring(state.time_limit)
  end
  for _, word in ipairs(state.words) do words[#words + 1] = word end
  return {words = words, inputs = {["candidates.json"] = json.text(json.list(list))}, outputs = {"results.json"},
          keep = {how.keep}, tuning = true}
end

--- Makes the jobs: chunks of configurations.
-- @treturn {table,...} groups, one for each kind of device
function tune.groups(state, plan, folder)
  local groups = {}
  for k, kind in ipairs(contact.by_device(plan.workers)) do
    local size, ids, all = chunk_of(state, #kind.workers), {}, state.candidates
    for first = 1, #all, size do
      local id, list = ("%d-%d"):format(k, #ids + 1), {}
      for i = first, math.min(first + size - 1, #all) do list[#list + 1] = all[i] end
      folder:save_job(id, job_of(state, list, {finalists = 0, keep = ("jobs/%s.tune.json"):format(id)}))
      ids[#ids + 1] = id
    end
    groups[k] = {name = tostring(k), workers = kind.workers, jobs = ids, device = kind.device}
  end
  return groups
end

-- ---- between ----

-- One document of all that a kind of device measured; nil if nothing came.
local function merged(folder, group)
  local whole
  for _, id in ipairs(group.jobs) do
    local text = read_file(folder:file("jobs/%s.tune.json", id))
    local document = text and json.read(text)
    if type(document) == "table" and type(document.results) == "table" then
      if not whole then
        whole = document
      else
        for _, result in ipairs(document.results) do table.insert(whole.results, result) end
      end
    end
  end
  if whole then json.list(whole.results) end
  return whole
end

-- What a group's results are called: by its device, and by its number if two devices have one name.
local function path_of(state, plan, folder, group)
  local function plain(device) return (device.name:gsub("[^%w.-]+", "_")) end
  local name, same = plain(group.device), 0
  for _, other in ipairs(plan.groups) do
    if other.device and plain(other.device) == name and not other.final then same = same + 1 end
  end
  return folder:file("%s.%s%s.tune.json", state.script.name, name, same > 1 and "." .. group.name or "")
end

-- Writes what all chunks of a group found, and returns the best configurations.
local function best_of(state, plan, folder, group)
  local document = merged(folder, group)
  if not document then return {} end
  document.clue = document.clue or {}
  document.clue.strategy, document.clue.started = "dealt out", plan.started
  local path = path_of(state, plan, folder, group)
  write(path, json.text(document, true))
  local run = tuning.read(path)
  return lists.map(run and tuning.ranked(run, finalists) or {}, function(result) return result.p end)
end

--- Makes the second jobs: the best of each kind of device once more.
-- @tparam {table,...} ready the groups that are done
-- @treturn {table,...} groups
function tune.more(state, plan, folder, ready)
  local groups = {}
  for _, group in ipairs(ready) do
    local list = best_of(state, plan, folder, group)
    if list[1] then
      local id = group.name .. "-final"
      folder:save_job(id, job_of(state, list, {finalists = finalists, keep = ("jobs/%s.tune.json"):format(id)}))
      groups[#groups + 1] = {name = id, workers = group.workers, jobs = {id}, final = true, of = group.name}
    end
  end
  return groups
end

-- ---- after ----

-- Puts the last measurements into a group's document. Returns what tuning.read gives of it; nil if nothing was
-- measured.
local function finished(state, plan, folder, group)
  local path = path_of(state, plan, folder, group)
  if not lfs.attributes(path) then return nil end
  local text = read_file(folder:file("jobs/%s-final.tune.json", group.name))
  local last, document = text and json.read(text), json.read(assert(read_file(path)))
  if type(last) == "table" and type(last.clue) == "table" then
    document.clue.best, document.clue.device = last.clue.best, last.clue.device
    json.list(document.results)
    write(path, json.text(document, true))
  end
  local run = tuning.read(path)
  return run, path, type(document.clue.device) == "table" and document.clue.device or group.device
end

local function count_results(run)
  local failed = #lists.filter(run.results, function(result) return result.failed end)
  return ("%s, %d failed"):format(counted(#run.results, "configuration"), failed)
end

local function show(state, group, run, path, device)
  output.print(("%s on %s (%s), %s: %s"):format(state.script.name, group.device.name, group.device.driver,
    counted(#group.workers, "worker"), count_results(run)))
  shown.print {view.failures(state.space, run.results),
    run.final[1] and view.best(state.space, run.final, state.script.of.objective)}
  if run.final[1] then
    local done, kept = pcall(keep, state.script, device, run.final[1])
    if done and kept then output.print(("parameters: %s"):format(kept)) end
  else
    output.print(run.best and "the best was not measured again" or "no configuration works")
  end
  output.print(("results: %s\n"):format(path))
end

--- Writes a T4 document for each kind of device, keeps the best parameters for cl.tuned, and prints both.
-- @treturn int exit status
function tune.finish(state, plan, folder)
  local status = 0
  for _, group in ipairs(plan.groups) do
    if not group.final then
      local run, path, device = finished(state, plan, folder, group)
      if run then
        show(state, group, run, path, device)
      else
        local so_far = merged(folder, group)
        output.print(("%s: %s\n"):format(group.device.name, so_far
          and ("%d of %d configurations were measured"):format(#so_far.results, #state.candidates)
          or "nothing was measured"))
      end
      if not (run and run.final[1]) then status = 1 end
    end
  end
  return status
end

--- The best so far, for the progress line.
-- @tparam table event of a job that is done
function tune.note(state, folder, event)
  local run = tuning.read(folder:file("jobs/%s.tune.json", event.job))
  local best = run and run.best
  if not best then return end
  local seconds = run.second and best.value * run.second or nil
  if not state.best or seconds and seconds < state.best.seconds then
    state.best = seconds and {seconds = seconds, p = best.p, worker = event.worker} or state.best
  end
end

--- What the progress line says.
function tune.remark(state)
  local best = state.best
  return best and (", best %s: %s (%s)"):format(duration(best.seconds), view.configuration(state.space, best.p),
    best.worker) or ""
end

return tune
