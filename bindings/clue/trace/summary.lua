--- Where the time of a run went: by kernel, by transfer, on the host, and how long devices were idle.
-- @module clue.trace.summary
local read = require "clue.trace.read"
local spans = require "clue.trace.spans"

local summary = {}

--- The value of the field `format` of a document.
summary.format = "clue trace 1"

local function list()
  return setmetatable({}, {__jsontype = "array"})
end

local function seconds(nanoseconds)
  return nanoseconds * 1e-9
end

-- ---- commands of one kind ----

local function entry_of(entries, by_key, command)
  local device = read.device_name(command.queue.device)
  local key = read.command_name(command) .. "\0" .. device
  local entry = by_key[key]
  if not entry then
    entry = {name = read.command_name(command), device = device, runs = 0, seconds = 0, times = {},
             clock = command.clock or "device", failed = 0}
    by_key[key], entries[#entries + 1] = entry, entry
  end
  return entry
end

local function add(entry, command)
  local took = seconds(command.at.ended - command.at.started)
  entry.runs, entry.seconds = entry.runs + 1, entry.seconds + took
  entry.times[#entry.times + 1] = took
  if command.bytes then entry.bytes = (entry.bytes or 0) + command.bytes end
  if command.clock == "host" then entry.clock = "host" end
  if command.status < 0 then entry.failed = entry.failed + 1 end
end

local function finish_entry(entry)
  table.sort(entry.times)
  local count = #entry.times
  entry.min, entry.max = entry.times[1], entry.times[count]
  entry.median = (entry.times[math.floor((count + 1) / 2)] + entry.times[math.floor(count / 2) + 1]) / 2
  entry.times = nil
  if entry.bytes and entry.seconds > 0 then entry.bytes_per_second = entry.bytes / entry.seconds end
end

-- Kernels, transfers and others, the longest first.
local function commands_of(processes)
  local groups, by_key = {kernel = list(), transfer = list(), other = list()}, {}
  for _, process in ipairs(processes) do
    for _, command in ipairs(process.commands) do
      if command.at then add(entry_of(groups[read.command_kind(command)], by_key, command), command) end
    end
  end
  for _, entries in pairs(groups) do
    for _, entry in ipairs(entries) do finish_entry(entry) end
    table.sort(entries, function(a, b)
      if a.seconds ~= b.seconds then return a.seconds > b.seconds end
      return a.name < b.name
    end)
  end
  return groups
end

-- ---- the host ----

-- What the host does in a call.
local function kind_of(call)
  if call:find "Build" or call:find "Compile" or call:find "Link" or call:find "CreateProgram" then return "build" end
  if call:find "Read" or call:find "Write" or call:find "Copy" or call:find "[Mm]ap" then return "copy" end
  return (call == "clFinish" or call == "clWaitForEvents") and "wait" or "other"
end

-- The host's time in OpenCL's calls, by function; and all its spans, by process, of each kind and together.
local function host_of(processes)
  local functions, by_name, calls, own, wall, count = list(), {}, {}, 0, 0, 0
  local in_calls = 0
  local function call(into, kinds, title, began, ended)
    local entry = by_name[title]
    if not entry then
      entry = {name = title, calls = 0, seconds = 0, max = 0}
      by_name[title], functions[#functions + 1] = entry, entry
    end
    local took = seconds(ended - began)
    entry.calls, entry.seconds, entry.max = entry.calls + 1, entry.seconds + took, math.max(entry.max, took)
    into[#into + 1] = {began, ended}
    local kind = kind_of(title)
    kinds[kind] = kinds[kind] or {}
    table.insert(kinds[kind], {began, ended})
    count = count + 1
  end
  for p, process in ipairs(processes) do
    local last, stretches, kinds, recording = process.first, {}, {}, {}
    for _, each in ipairs(process.calls) do
      call(stretches, kinds, each.name, each.began, each.ended)
      last = math.max(last, each.ended)
    end
    for _, each in ipairs(process.commands) do
      if each.ended then call(stretches, kinds, each.call, each.began, each.ended) end
      last = math.max(last, each.at and each.at.ended or 0)
    end
    for _, each in ipairs(process.own) do recording[#recording + 1] = {each.began, each.ended} end
    calls[p] = {all = spans.union(stretches), kinds = {}, own = spans.union(recording)}
    for kind, list_of_it in pairs(kinds) do calls[p].kinds[kind] = spans.union(list_of_it) end
    in_calls = in_calls + seconds(spans.total(calls[p].all))
    own = own + seconds(spans.total(calls[p].own))
    wall = wall + seconds(last - process.first)
  end
  table.sort(functions, function(a, b) return a.seconds > b.seconds end)
  return {seconds = wall, opencl_seconds = in_calls, calls = count, functions = functions, trace_seconds = own,
          processes = #processes}, calls
end

-- ---- devices ----

local function busy_spans(process, device)
  local busy = {}
  for _, command in ipairs(process.commands) do
    if command.at and command.queue.device == device then busy[#busy + 1] = {command.at.started, command.at.ended} end
  end
  return spans.union(busy)
end

local function longest(gaps)
  local most = 0
  for _, gap in ipairs(gaps) do most = math.max(most, gap[2] - gap[1]) end
  return most
end

-- Parts of a device share an entry, even in one process. What one process had to time by the host's clock does not
-- make the device's timer a bad one.
local function add_instance(entry, process, device)
  if entry.last ~= process then entry.processes = entry.processes + 1 end
  entry.last = process
  if not device.ordinal then entry.parts = (entry.parts or 0) + 1 end
  if device.aligned_by ~= "host clock" then entry.clock, entry.aligned_by = "device", device.aligned_by end
  if device.doubt then entry.alignment_seconds = math.max(entry.alignment_seconds or 0, seconds(device.doubt)) end
end

-- calls: the host's spans in OpenCL. Idle time outside them is the script's own, or that of the trace.
local function add_device(entry, busy, calls)
  local gaps = spans.gaps(busy)
  entry.seconds = entry.seconds + seconds(busy[#busy][2] - busy[1][1])
  entry.busy_seconds = entry.busy_seconds + seconds(spans.total(busy))
  entry.idle_seconds = entry.idle_seconds + seconds(spans.total(gaps))
  entry.idle_in_calls_seconds = entry.idle_in_calls_seconds + seconds(spans.common(gaps, calls.all))
  for kind, stretches in pairs(calls.kinds) do
    entry.idle_by[kind] = entry.idle_by[kind] + seconds(spans.common(gaps, stretches))
  end
  entry.idle_by.trace = entry.idle_by.trace + seconds(spans.common(gaps, calls.own))
  entry.longest_idle_seconds = math.max(entry.longest_idle_seconds, seconds(longest(gaps)))
end

local function device_entry(devices, device)
  for _, entry in ipairs(devices) do
    if entry.name == read.device_name(device) then return entry end
  end
  devices[#devices + 1] = {
    name = read.device_name(device), clock = "host", aligned_by = "host clock", processes = 0,
    seconds = 0, busy_seconds = 0, idle_seconds = 0, idle_in_calls_seconds = 0, longest_idle_seconds = 0,
    idle_by = {build = 0, copy = 0, wait = 0, other = 0, trace = 0},
  }
  return devices[#devices]
end

local function devices_of(processes, calls)
  local devices = list()
  for p, process in ipairs(processes) do
    for number = 0, #process.devices do
      local device = process.devices[number]
      local busy = device and busy_spans(process, device) or {}
      if busy[1] then -- else nothing of it ended
        local entry = device_entry(devices, device)
        add_instance(entry, process, device)
        add_device(entry, busy, calls[p])
      end
    end
  end
  for _, entry in ipairs(devices) do entry.last = nil end
  return devices
end

-- ---- what did not finish ----

local function unfinished_of(processes)
  local unfinished = list()
  for _, process in ipairs(processes) do
    for _, command in ipairs(process.commands) do
      local refused = command.code and command.code ~= 0
      if not refused and not command.at then
        unfinished[#unfinished + 1] = {name = read.command_name(command), command = command.id, range = command.range,
                                       process = process.pid}
      end
    end
  end
  return unfinished
end

--- Sums up a run. Times are seconds.
-- @tparam {table,...} processes of @{clue.trace.read}, aligned
-- @treturn table format; host {seconds (from a process's first call on, all together), opencl_seconds, trace_seconds,
-- calls, processes, functions {name, calls, seconds, max}}; devices, those of which a command ended {name, processes,
-- parts (of one that was divided), clock, aligned_by, alignment_seconds, seconds (from the first command's start to the
-- last one's end), busy_seconds, idle_seconds, idle_in_calls_seconds, idle_by (its seconds while the host was in calls
-- that build, copy or wait, and in others, and while the trace itself worked), longest_idle_seconds}; kernels,
-- transfers, others {name, device, runs, failed, seconds, min, median, max, clock, bytes, bytes_per_second}; unfinished
-- {name, command, range, process}
function summary.of(processes)
  local host, calls = host_of(processes)
  local groups = commands_of(processes)
  return {format = summary.format, host = host, devices = devices_of(processes, calls), kernels = groups.kernel,
          transfers = groups.transfer, others = groups.other, unfinished = unfinished_of(processes)}
end

return summary
