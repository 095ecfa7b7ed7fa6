--- `clue farm sweep SCRIPT --set n=1,2,4`: a script with every combination of values, dealt out to the workers. Each
-- kind of device runs all points, since times of different devices are never mixed; with --any-device each point runs
-- once, wherever a worker is free.
-- Parameters with one meaning everywhere: state, what the farm keeps of the sweep; plan, of its work; folder, the
-- farm's.
local contact = require "clue.farm.contact"
local counted = require("clue.text").count
local duration = require("clue.text").duration
local json = require "clue.shared.json"
local lfs = require "lfs"
local output = require "clue.output"
local plans = require "clue.run.plan"
local tables = require "clue.table"
local write = require("clue.shared.paths").write

local sweep = {}

local most_points = 10000

local elsewhere = {device = "the devices of the hosts' file"}

-- The parameters of --set, or nil and what is wrong. A slip such as 1..64+1 three times would fill the disk with jobs.
local function parameters_of(options)
  local list, why = plans.parameters(options.set, elsewhere)
  if not list then return nil, why end
  local count = 1
  for _, it in ipairs(list) do count = count * #it.values end
  if count <= most_points then return list end
  return nil, ("--set: %d points; at most %d run"):format(count, most_points)
end

--- What is wrong with a command.
-- @tparam {string,...} words the script and words for it
-- @tparam table options set
-- @treturn ?string nil if nothing is
function sweep.wrong(words, options)
  if not words[1] then return "give the script: clue farm sweep SCRIPT.lua --set n=1,2,4" end
  if not (options.set or {})[1] then return "--set NAME=VALUES says what to sweep, such as --set n=1,2,4" end
  return select(2, parameters_of(options))
end

--- Whether what a new farm shall run is there. Raises if it is not.
-- @tparam {string,...} words
function sweep.check(words)
  if not lfs.attributes(words[1]) then error(("there is no script %s"):format(words[1]), 0) end
end

--- Reads a command that is not wrong.
-- @tparam {string,...} words the script and words for it
-- @tparam table options set, any_device, time_limit
-- @tparam Cargo cargo
function sweep.prepare(words, options, cargo)
  local list = parameters_of(options)
  return {words = cargo:add_words(words), points = plans.combinations(list), parameters = list, script = words[1],
          any_device = options.any_device, seconds = options.time_limit}
end

local function words_with(state, point)
  local words = {state.words[1]}
  for _, each in ipairs(point) do words[#words + 1] = ("--%s=%s"):format(each.name, each.value) end
  for i = 2, #state.words do words[#words + 1] = state.words[i] end
  return words
end

--- Makes the jobs.
-- @treturn {table,...} groups
function sweep.groups(state, plan, folder)
  local kinds, groups = contact.by_device(plan.workers), {}
  if state.any_device then
    local all = {workers = {}}
    for _, worker in ipairs(plan.workers) do table.insert(all.workers, worker.name) end
    kinds = {all}
  end
  for k, kind in ipairs(kinds) do
    local ids = {}
    for i, point in ipairs(state.points) do
      ids[i] = ("%d-%d"):format(k, i)
      folder:save_job(ids[i], {words = words_with(state, point), outputs = json.list {}, keep = json.list {},
        point = point, seconds = state.seconds})
    end
    groups[k] = {name = tostring(k), workers = kind.workers, jobs = ids, device = kind.device}
  end
  return groups
end

-- The JSON objects among the lines that a script printed.
local function objects_in(text)
  local list = json.list {}
  for line in text:gmatch "[^\n]+" do
    local value = line:find "^%s*{" and json.read(line)
    if type(value) == "table" then list[#list + 1] = value end
  end
  return list
end

-- A value as JSON has it: a number, unless it would be another one then, or a word such as "nan".
local function value_of(text)
  local number = text:find "^%-?%d[%d.eE+-]*$" and tonumber(text)
  return number and math.abs(number) < 2 ^ 53 and number or text
end

-- Objects that are lost must not look as if there were none.
local cut = "it printed more than a MiB, of which the rest is lost"

local function point_of(folder, id)
  local job, result = assert(folder:job(id)), folder:result(id)
  local set = {}
  for _, each in ipairs(job.point) do set[each.name] = value_of(each.value) end
  if not result then return {set = set, failed = "not done"} end
  return {set = set, worker = result.worker, host = result.host, device = result.device, started = result.started,
          seconds = result.seconds, status = result.status, failed = result.failed or result.output_is_cut and cut,
          output = result.output, results = objects_in(result.output)}
end

local function last_line(text)
  local last = ""
  for line in (text or ""):gmatch "[^\n]+" do last = line end
  return last
end

local function show(state, group, points, width)
  local rows, columns = {}, {}
  for i, it in ipairs(state.parameters) do columns[i] = {title = it.name, right = true} end
  columns[#columns + 1] = {title = "time", right = true}
  columns[#columns + 1] = {title = "worker"}
  columns[#columns + 1] = {title = "last line"}
  for i, point in ipairs(points) do
    local row = {}
    for k, each in ipairs(state.points[i]) do row[k] = each.value end
    row[#row + 1] = point.seconds and duration(point.seconds) or ""
    row[#row + 1] = point.worker or ""
    row[#row + 1] = point.failed and "failed: " .. point.failed or last_line(point.output)
    rows[i] = row
  end
  if group.device then output.print(("%s, %s"):format(group.device.name, group.device.driver)) end
  for _, line in ipairs(tables.lines(columns, rows)) do output.print(tables.cut(line, width)) end
  output.print ""
end

--- Writes sweep.json and prints the points.
-- @treturn int exit status
function sweep.finish(state, plan, folder)
  local document = {format = "clue farm sweep 1", clue = plan.clue, started = plan.started, script = state.script,
                    parameters = state.parameters, devices = json.list {}}
  local width, bad = output.out:columns(132), 0
  for k, group in ipairs(plan.groups) do
    local points = json.list {}
    for i, id in ipairs(group.jobs) do
      points[i] = point_of(folder, id)
      bad = bad + (points[i].failed and 1 or 0)
    end
    document.devices[k] = {device = group.device, points = points}
    show(state, group, points, width)
  end
  local path = folder:file "sweep.json"
  write(path, json.text(document, true) .. "\n")
  output.print(("results: %s%s"):format(path, bad > 0 and ("; %s failed"):format(counted(bad, "point")) or ""))
  return bad > 0 and 1 or 0
end

return sweep
