--- Reads the records that the core writes under CLUE_TRACE (host/core/trace/trace.c describes their fields).
-- @module clue.trace.read
local text = require "clue.text"

local read = {}

-- Readers by the first field of a line; they get the other fields in the form that `forms` gives.
local readers = {}

function readers.process(into, pid, command)
  into.pid, into.command = pid, text.trim_end(command)
end

function readers.call(into, name, began, ended, code)
  into.calls[#into.calls + 1] = {name = name, began = began, ended = ended, code = tonumber(code), failed = code ~= "0"}
end

function readers.device(into, number, ordinal, name, clock)
  into.devices[number] = {ordinal = ordinal >= 0 and ordinal or nil, name = name, clock = clock, timers = {}}
end

function readers.timer(into, number, moment, began, ended)
  local device = into.devices[number]
  if device then device.timers[#device.timers + 1] = {device = moment, began = began, ended = ended} end
end

function readers.queue(into, number, device, order)
  if not into.devices[device] then return end
  into.queues[number] = {number = number, device = into.devices[device], in_order = order == "in"}
end

function readers.command(into, id, began, queue, call, bytes, detail, range)
  if not into.queues[queue] then return end
  local command = {id = id, began = began, queue = into.queues[queue], call = call, bytes = bytes >= 0 and bytes or nil,
                   kernel = call == "clEnqueueNDRangeKernel" and detail or nil, range = range ~= "" and range or nil}
  into.commands[#into.commands + 1] = command
  into.by_id[id] = command
end

function readers.sent(into, id, began, ended, code)
  local command = into.by_id[id]
  if command then command.began, command.ended, command.code = began, ended, code end
end

function readers.times(into, id, status, seen, queued, submitted, started, finished)
  local command = into.by_id[id]
  if not command then return end
  command.status, command.seen = status, seen
  if queued and submitted and started and finished then
    command.times = {queued = queued, submitted = submitted, started = started, ended = finished}
  end
end

function readers.own(into, began, ended)
  into.own[#into.own + 1] = {began = began, ended = ended}
end

-- What the host and its queues did from a moment on.
local function keep_from(list, since)
  local kept = {}
  for _, each in ipairs(list) do
    if each.began >= since then kept[#kept + 1] = each end
  end
  return kept
end

-- The fields of each line: n is a whole number, m a moment or "-", t a text. A line that a crash cut short, or that is
-- damaged, is left out, and so is one that names a device, a queue or a command of such a line.
local forms = {process = "nt", call = "tnnt", device = "nntt", timer = "nnnn", queue = "nnt", command = "nnntntt",
               sent = "nnnn", times = "nnnmmmm", own = "nn"}

local unpack = unpack or table.unpack -- luacheck: ignore

-- The fields' values, and whether all of them have their form.
local function values_of(parts, form)
  local values = {}
  for i = 1, #form do
    local is, part = form:sub(i, i), parts[i]
    local right = part and (is == "t" or part:find "^%-?%d+$" or (is == "m" and part == "-"))
    if not right then return values, false end
    values[i] = is == "t" and part or tonumber(part)
  end
  return values, true
end

local function take(into, line)
  local parts = {}
  for part in (line .. "\t"):gmatch "([^\t]*)\t" do parts[#parts + 1] = part end
  local kind = table.remove(parts, 1)
  if not forms[kind] then return end
  local values, right = values_of(parts, forms[kind])
  if right then readers[kind](into, unpack(values, 1, #forms[kind])) end
end

--- Reads the records of one process.
-- @tparam string given the text of a .trace file
-- @tparam[opt=0] number since leave out what began before
-- @treturn table pid, command (line); first: when the first call began, nil if there is none; calls {name, began,
-- ended, code, failed}; devices by number {ordinal, name, clock: "device" or "host", timers}; queues by number
-- {number, device, in_order}; commands {id, queue, call, kernel, range, bytes, began, ended (nil: the call that
-- enqueued it did not return), code, status, seen, times {queued, submitted, started, ended}}; own {began, ended}.
-- Moments are nanoseconds: those in times of the device's timer, all others of the monotonic clock.
function read.process(given, since)
  local into = {calls = {}, devices = {}, queues = {}, commands = {}, by_id = {}, own = {}}
  text.take_lines(given, function(line) take(into, line) end)
  into.by_id = nil
  for _, name in ipairs {"calls", "commands", "own"} do into[name] = keep_from(into[name], since or 0) end
  for _, list in ipairs {into.calls, into.commands} do
    if list[1] then into.first = math.min(into.first or math.huge, list[1].began) end
  end
  return into
end

--- Reads what the processes of a run have left, in the order of their first calls.
-- @tparam string folder
-- @treturn {table,...} as from @{process}; nil if the folder or a file cannot be opened
-- @treturn ?string why
function read.folder(folder)
  local processes, names = {}, {}
  local found, lfs = pcall(require, "lfs")
  if not found then return nil, "traces need LuaFileSystem, Debian's package lua-filesystem or a rock" end
  local opened, next_name, listing = pcall(lfs.dir, folder)
  if not opened then return nil, (tostring(next_name):gsub("^cannot open ", "")) end
  -- To its end before a file is opened: a listing that is left holds its file descriptor.
  for name in next_name, listing do
    if name:find "%.trace$" then names[#names + 1] = name end
  end
  for _, name in ipairs(names) do
    local file, why = io.open(folder .. "/" .. name, "rb")
    if not file then return nil, why end
    local process = read.process(file:read "*a")
    file:close()
    if process.first then processes[#processes + 1] = process end
  end
  table.sort(processes, function(a, b) return a.first < b.first end)
  return processes
end

-- ---- names ----

--- The name of a command: its kernel's, else that of the call.
-- @tparam table command of @{process}
-- @treturn string
function read.command_name(command)
  return command.kernel or command.call
end

--- The kind of a command.
-- @tparam table command
-- @treturn string "kernel", "transfer" (it has bytes) or "other"
function read.command_kind(command)
  return command.kernel and "kernel" or command.bytes and "transfer" or "other"
end

--- The name of a device.
-- @tparam table device of @{process}
-- @treturn string "device 0 NAME", "a part of NAME"
function read.device_name(device)
  return device.ordinal and ("device %d %s"):format(device.ordinal, device.name) or "a part of " .. device.name
end

return read
