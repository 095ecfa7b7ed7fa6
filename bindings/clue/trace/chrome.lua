--- Writes a run in the Chrome trace format, which Perfetto (https://ui.perfetto.dev) and chrome://tracing open. Each
-- process has a row for the host's calls and one for each queue. A queue whose commands overlap gets as many rows as
-- it needs, since a row must not have overlapping entries.
-- @module clue.trace.chrome
local json = require "clue.json.write"
local numbers = require "clue.number"
local read = require "clue.trace.read"
local spans = require "clue.trace.spans"

local chrome = {}

local HOST = 1 -- the row of the host's calls; those of queues follow

-- Events are written field by field, since there may be a million of them. Numbers are microseconds, to the
-- nanosecond.
local quoted = json.quoted

local function event_text(event)
  local parts = {}
  for _, field in ipairs(event) do
    local value = field[2]
    local text = type(value) == "table" and event_text(value) or type(value) == "string" and quoted(value)
      or value == math.floor(value) and ("%.0f"):format(value) or numbers.text("%.3f", value)
    parts[#parts + 1] = quoted(field[1]) .. ":" .. text
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function metadata(out, pid, tid, what, text)
  out {{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"args", {{"name", text}}}}
end

local function row_name(out, pid, tid, text)
  metadata(out, pid, tid, "thread_name", text)
  out {{"ph", "M"}, {"name", "thread_sort_index"}, {"pid", pid}, {"tid", tid}, {"args", {{"sort_index", tid}}}}
end

local function slice(out, how)
  out {{"ph", "X"}, {"cat", how.kind}, {"name", how.name}, {"pid", how.pid}, {"tid", how.row}, {"ts", how.from},
       {"dur", how.to - how.from}, {"args", how.arguments}}
end

-- ---- the host's row ----

local function host_row(out, process, since)
  local pid = process.pid
  local function call(kind, title, began, ended, arguments)
    slice(out, {kind = kind, name = title, pid = pid, row = HOST, from = (began - since) / 1000,
                to = (ended - since) / 1000, arguments = arguments})
  end
  row_name(out, pid, HOST, "host")
  for _, each in ipairs(process.calls) do
    call("host", each.name, each.began, each.ended, each.failed and {{"code", each.code or "failed"}} or {})
  end
  for _, each in ipairs(process.commands) do
    if each.ended then
      local arguments = {{"command", each.id}, {"what", read.command_name(each)}}
      if each.code ~= 0 then arguments[#arguments + 1] = {"code", each.code} end
      call("host", each.call, each.began, each.ended, arguments)
    end
  end
  for _, each in ipairs(process.own) do call("trace", "clue trace itself", each.began, each.ended, {}) end
end

-- ---- the queues' rows ----

local function arguments_of(command, since)
  local at, clock = command.at, command.clock or "device"
  local list = {{"command", command.id}, {"clock", clock}}
  for _, moment in ipairs {"queued", "submitted", "started", "ended"} do
    list[#list + 1] = {moment .. "_us", (at[moment] - since) / 1000}
  end
  if command.range then list[#list + 1] = {"range", command.range} end
  if command.bytes then list[#list + 1] = {"bytes", command.bytes} end
  if command.bytes and at.ended > at.started then
    list[#list + 1] = {"gb_per_s", command.bytes / (at.ended - at.started)}
  end
  if command.status and command.status < 0 then list[#list + 1] = {"status", command.status} end
  return list
end

-- An arrow from the call that enqueued the command.
local function arrow(out, command, how)
  local id = how.pid .. "." .. command.id
  out {{"ph", "s"}, {"cat", "enqueued"}, {"name", "enqueued"}, {"id", id}, {"pid", how.pid}, {"tid", HOST},
       {"ts", how.called}}
  out {{"ph", "f"}, {"bp", "e"}, {"cat", "enqueued"}, {"name", "enqueued"}, {"id", id}, {"pid", how.pid},
       {"tid", how.row}, {"ts", how.from}}
end

local function queue_rows(out, process, queue, commands, first_row, since)
  local lanes = spans.lanes(commands)
  local title = ("queue %d of %s"):format(queue.number + 1, read.device_name(queue.device))
  for lane = 1, lanes do
    row_name(out, process.pid, first_row + lane - 1, lane == 1 and title or title .. ", beside it")
  end
  for _, command in ipairs(commands) do
    local how = {kind = read.command_kind(command), name = read.command_name(command), pid = process.pid,
                 row = first_row + command.lane - 1, from = (command.at.started - since) / 1000,
                 to = (command.at.ended - since) / 1000, called = (command.began - since) / 1000,
                 arguments = arguments_of(command, since)}
    slice(out, how)
    arrow(out, command, how)
  end
  return first_row + lanes
end

local function process_rows(out, process, since)
  local by_queue, row = {}, HOST + 1
  metadata(out, process.pid, HOST, "process_name", process.command)
  host_row(out, process, since)
  for _, command in ipairs(process.commands) do
    if command.at then
      by_queue[command.queue] = by_queue[command.queue] or {}
      table.insert(by_queue[command.queue], command)
    elseif (command.code or 0) == 0 then
      out {{"ph", "i"}, {"s", "p"}, {"cat", "other"}, {"name", read.command_name(command) .. ": no end was seen"},
           {"pid", process.pid}, {"tid", HOST}, {"ts", (command.began - since) / 1000}}
    end
  end
  for number = 0, #process.queues do
    local queue = process.queues[number]
    if queue and by_queue[queue] then row = queue_rows(out, process, queue, by_queue[queue], row, since) end
  end
end

--- Writes a run.
-- @tparam {table,...} processes of @{clue.trace.read}, aligned
-- @tparam table other the strings in otherData, by name
-- @treturn string JSON
function chrome.text(processes, other)
  local lines = {}
  local function out(event) lines[#lines + 1] = event_text(event) end
  for _, process in ipairs(processes) do process_rows(out, process, processes[1].first) end
  return ('{"displayTimeUnit":"ns","otherData":%s,"traceEvents":[\n%s\n]}\n'):format(json.text(other, {}),
    table.concat(lines, ",\n"))
end

return chrome
