--- Reads the records that the core writes under CLUE_TRACE (host/core/trace/trace.c describes their fields).
-- @module clue.trace.read
local text = require "clue.text"

local read = {}

local function moment(word)
  return word ~= "-" and tonumber(word) or nil
end

-- Readers by the first field of a line. They check every field, so that a line that a crash cut short is left out.
local readers = {}

function readers.process(into, pid, command)
  into.pid, into.command = tonumber(pid), text.trim_end(command)
end

function readers.call(into, name, began, ended, code)
  into.calls[#into.calls + 1] = {name = name, began = tonumber(began), ended = tonumber(ended), code = tonumber(code),
                                 failed = code ~= "0"}
end

function readers.device(into, number, ordinal, name, clock)
  into.devices[tonumber(number)] = {ordinal = tonumber(ordinal) >= 0 and tonumber(ordinal) or nil, name = name,
                                    clock = clock, timers = {}}
end

function readers.timer(into, number, device, began, ended)
  local timers = into.devices[tonumber(number)].timers
  timers[#timers + 1] = {device = tonumber(device), began = tonumber(began), ended = tonumber(ended)}
end

function readers.queue(into, number, device, order)
  into.queues[tonumber(number)] = {number = tonumber(number), device = into.devices[tonumber(device)],
                                   in_order = order == "in"}
end

function readers.command(into, id, began, queue, call, bytes, detail, range)
  local command = {id = tonumber(id), began = tonumber(began), queue = into.queues[tonumber(queue)], call = call,
                   bytes = tonumber(bytes) >= 0 and tonumber(bytes) or nil,
                   kernel = call == "clEnqueueNDRangeKernel" and detail or nil, range = range ~= "" and range or nil}
  into.commands[#into.commands + 1] = command
  into.by_id[command.id] = command
end

function readers.sent(into, id, began, ended, code)
  local command = into.by_id[tonumber(id)]
  command.began, command.ended, command.code = tonumber(began), tonumber(ended), tonumber(code)
end

function readers.times(into, id, status, seen, queued, submitted, started, finished)
  local command = into.by_id[tonumber(id)]
  command.status, command.seen = tonumber(status), tonumber(seen)
  if moment(queued) then
    command.times = {queued = moment(queued), submitted = moment(submitted), started = moment(started),
                     ended = moment(finished)}
  end
end

function readers.own(into, began, ended)
  into.own[#into.own + 1] = {began = tonumber(began), ended = tonumber(ended)}
end

-- What the host and its queues did from a moment on.
local function keep_from(list, since)
  local kept = {}
  for _, each in ipairs(list) do
    if each.began >= since then kept[#kept + 1] = each end
  end
  return kept
end

local fields = {process = 2, call = 4, device = 4, timer = 4, queue = 3, command = 7, sent = 4, times = 7, own = 2}

local unpack = unpack or table.unpack -- luacheck: ignore

local function take(into, line)
  local parts = {}
  for part in (line .. "\t"):gmatch "([^\t]*)\t" do parts[#parts + 1] = part end
  local kind = table.remove(parts, 1)
  if fields[kind] and #parts >= fields[kind] then readers[kind](into, unpack(parts)) end
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
-- @treturn {table,...} as from @{process}
function read.folder(folder)
  local processes = {}
  for name in require "lfs".dir(folder) do
    local file = name:find "%.trace$" and assert(io.open(folder .. "/" .. name, "rb"))
    if file then
      local process = read.process(file:read "*a")
      file:close()
      if process.first then processes[#processes + 1] = process end
    end
  end
  table.sort(processes, function(a, b) return a.first < b.first end)
  return processes
end

return read
