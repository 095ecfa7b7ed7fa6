--- `clue farm -- COMMAND`: the same command of clue on every device of every host.
-- Parameters with one meaning everywhere: words, of a command; plan, of the farm's work; folder, the farm's.
local lfs = require "lfs"
local lists = require "clue.shared.list"
local output = require "clue.output"
local tables = require "clue.table"
local duration = require("clue.text").duration
local shell = require "clue.shared.shell"

local each = {}

-- {host}, {device} and {worker} in a word.
local function filled(word, worker, host)
  local values = {host = host.name, device = (worker.device.address:gsub(":", ".")), worker = worker.name}
  return (word:gsub("{(%a+)}", values))
end

local function has_placeholder(word)
  return word:find "{host}" or word:find "{device}" or word:find "{worker}"
end

-- {what} of a name in JSON; nil if there is none that we do not know.
local function unknown_placeholder(word)
  for what in word:gmatch "{(%a+)}" do
    if word:find "%.json$" and what ~= "host" and what ~= "device" and what ~= "worker" then return what end
  end
end

-- What a word names: all of it, or the value of its option, as in --json={worker}.json.
local function file_of(word)
  return word:match "^%-%-?[%w-]+=(.*)$" or word
end

--- What is wrong with a command.
-- @treturn ?string nil if nothing is
function each.wrong(words)
  if not words[1] then
    return "give a command after --, such as: clue farm --hosts FILE -- walk mql5 --json {worker}.json"
  end
  for _, word in ipairs(words) do
    local unknown = unknown_placeholder(word)
    if unknown then
      return ("'%s': there is no {%s}; there are {worker}, {host} and {device}"):format(word, unknown)
    end
    if has_placeholder(word) and not word:find "%.json$" then
      return ("'%s': what comes back is a result in JSON, such as {worker}.json"):format(word)
    end
    if has_placeholder(word) and word:find "/" then
      return ("'%s': results come back to the farm's own folder; give a name without /"):format(word)
    end
  end
end

--- Reads a command that is not wrong.
-- @tparam table options of the command
-- @tparam Cargo cargo
-- @treturn table words, and outputs: those that name a result
function each.prepare(words, options, cargo)
  local outputs = lists.map(words, function(word, i) return has_placeholder(word) and i or nil end)
  return {words = cargo:add_words(words), outputs = outputs, seconds = options.time_limit}
end

local function take_name(name, worker, taken)
  if name == "plan.json" then error("plan.json is the farm's own: choose another name than {worker}.json", 0) end
  if taken[name] then
    error(("%s and %s would both write %s: put {worker} into the name"):format(taken[name], worker, name), 0)
  end
  taken[name] = worker
end

-- Makes a group with a job for each of some workers. taken: who writes a file, by its name.
local function new_group(state, plan, folder, name, workers, taken)
  local ids, names = {}, {}
  for i, worker in ipairs(workers) do
    local words, outputs = lists.map(state.words, function(word) return word end), {}
    for _, at in ipairs(state.outputs) do
      words[at] = filled(words[at], worker, plan.hosts[worker.host])
      take_name(file_of(words[at]), worker.name, taken)
      outputs[#outputs + 1] = file_of(words[at])
    end
    ids[i], names[i] = worker.name, worker.name
    folder:save_job(ids[i], {words = words, outputs = outputs, keep = outputs, worker = worker.name,
      host = plan.hosts[worker.host].name, seconds = state.seconds})
  end
  return {name = name, pinned = true, workers = names, jobs = ids}
end

--- Makes the jobs: one for each worker.
-- @tparam table state of @{prepare}
-- @treturn {table,...} groups
function each.groups(state, plan, folder)
  return {new_group(state, plan, folder, "each", plan.workers, {})}
end

-- The jobs of all groups.
local function jobs_of(plan)
  return lists.flat(plan.groups, function(group) return group.jobs end)
end

--- Makes the jobs of workers that were not there when the farm began.
-- @tparam table state of @{prepare}
function each.add_late(state, plan, folder)
  local taken, late = {}, {}
  for _, id in ipairs(jobs_of(plan)) do
    for _, name in ipairs(assert(folder:job(id)).keep) do take_name(name, id, taken) end
  end
  local known = lists.set(jobs_of(plan)) -- a job is named after its worker
  for _, worker in ipairs(plan.workers) do
    if not known[worker.name] then late[#late + 1] = worker end
  end
  if not late[1] then return end
  table.insert(plan.groups, new_group(state, plan, folder, "each " .. #plan.groups + 1, late, taken))
end

local function outcome(result)
  if not result then return "not done" end
  return result.failed and "failed: " .. result.failed or "done"
end

-- What a command printed, if it has no result in a file.
local function show_output(id, result)
  output.print(("\n%s:"):format(id))
  for line in (result.output .. result.errors):gmatch "[^\n]+" do output.print("  " .. line) end
  if result.output_is_cut then output.print "  (it printed more, which is lost: the first MiB is kept)" end
end

--- Prints what came of the jobs.
-- @tparam table state
-- @treturn int exit status: 0 if the command was run on every host, and no job failed
function each.finish(state, plan, folder)
  local rows, files, status, has_job = {}, {}, 0, {}
  local jobs = jobs_of(plan)
  for i, id in ipairs(jobs) do
    local result, job = folder:result(id), assert(folder:job(id))
    has_job[job.host or false] = true
    for _, name in ipairs(job.keep) do
      if lfs.attributes(folder:file(name)) then files[#files + 1] = shell.shown(folder:file(name)) end
    end
    if not result or result.failed then status = 1 end
    rows[i] = {id, result and result.device.name or "", result and result.device.driver or "",
               result and duration(result.seconds) or "", outcome(result)}
  end
  for _, host in ipairs(plan.hosts) do
    if host.lost and not has_job[host.name] then -- so what was to run on every host did not
      rows[#rows + 1], status = {host.name, "", "", "", "not used: " .. host.lost}, 1
    end
  end
  output.print_lines(tables.lines({{title = "worker"}, {title = "device"}, {title = "driver"},
    {title = "time", right = true}, {title = "result"}}, rows))
  for _, id in ipairs(state.outputs[1] and {} or jobs) do
    local result = folder:result(id)
    if result then show_output(id, result) end
  end
  output.print(("\nresults: %s"):format(folder.path))
  if #files > 1 then output.print(("side by side: clue compare %s"):format(table.concat(files, " "))) end
  return status
end

return each
