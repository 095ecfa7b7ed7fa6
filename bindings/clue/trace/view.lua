--- Prints the summary of a trace as tables.
-- @module clue.trace.view
local tables = require "clue.table"

local view = {}

local MOST_FUNCTIONS = 8

local function ms(seconds)
  return ("%.3f"):format(seconds * 1e3)
end

local function us(seconds)
  return ("%.1f"):format(seconds * 1e6)
end

local function percent(part, whole)
  return whole > 0 and ("%.0f %%"):format(part / whole * 100) or "-"
end

local function print_table(out, columns, rows)
  for _, line in ipairs(tables.lines(columns, rows)) do out:write(line, "\n") end
  out:write "\n"
end

local function clock_text(device)
  if device.clock == "host" then return "the host's clock: the device has no trustworthy timer" end
  return ("its timer, on the host's clock to +-%s us by %s"):format(us(device.alignment_seconds),
    device.aligned_by == "enqueueing" and "its commands' enqueueing" or device.aligned_by)
end

-- Of what the idle time is a sum.
local function each_text(device)
  local parts = (device.parts or 1) > 1 and (", for each of %d parts"):format(device.parts) or ""
  if device.processes < 2 then return parts end
  return parts .. (parts == "" and ", in each of %d processes" or ", in %d processes"):format(device.processes)
end

-- ---- the verdict ----

-- Why a device idles, and what usually helps.
local causes = {
  script = {"the script itself works", "enqueue the next commands before you work on results"},
  build = {"programs are built", "build them before the work begins, and once"},
  copy = {"the host waits for copies", "copy without waiting, {blocking = false}, and in a queue of its own"},
  wait = {"the host waits for commands one by one", "enqueue several before you wait"},
  once = {"the host waits once for long, as a driver does that compiles at the first launch", "launch each kernel once "
    .. "before the work begins"},
  other = {"the host makes other calls of OpenCL", "move them out of the loop"},
  trace = {"clue trace itself works, as when it saves a call", "trace without --capture"},
}

local IDLE = 0.1 -- the share of its time from which on it is worth a word

local function cause_of(device)
  local by = device.idle_by or {}
  local most, name = device.idle_seconds - device.idle_in_calls_seconds - (by.trace or 0), "script"
  for _, kind in ipairs {"build", "copy", "wait", "other", "trace"} do
    local its = by[kind] or 0
    if its > most then most, name = its, kind end
  end
  if name == "wait" and device.longest_idle_seconds > 0.6 * device.idle_seconds then name = "once" end
  return causes[name]
end

local function longest_of(document, device)
  local longest
  for _, group in ipairs {document.kernels, document.transfers, document.others} do
    for _, entry in ipairs(group) do
      if entry.device == device.name and (not longest or entry.seconds > longest.seconds) then longest = entry end
    end
  end
  return longest
end

--- What a summary says of each device, in a sentence.
-- @tparam table document of @{clue.trace.summary}
-- @treturn {string,...}
function view.verdicts(document)
  local texts = {}
  for i, device in ipairs(document.devices) do
    local name, longest = device.name:match "^device %d+" or device.name, longest_of(document, device)
    local idle = device.seconds > 0 and device.idle_seconds / device.seconds or 0
    if idle >= IDLE then
      local cause = cause_of(device)
      texts[i] = ("%s idles %.0f %%: %s; to do: %s"):format(name, idle * 100, cause[1], cause[2])
    else
      texts[i] = ("%s is busy %.0f %% of its time, most of it with %s"):format(name, (1 - idle) * 100, longest.name)
    end
  end
  return texts
end

-- ---- tables ----

local function print_devices(out, devices, width)
  local rows = {}
  for i, device in ipairs(devices) do
    local idle = device.idle_seconds
    rows[i] = {device.name:match "^device %d+" or device.name, ms(device.busy_seconds), ms(idle),
               percent(idle, device.seconds), ms(device.idle_in_calls_seconds),
               ms(idle - device.idle_in_calls_seconds), ms(device.longest_idle_seconds)}
  end
  print_table(out, {{title = ""}, {title = "busy ms", right = true}, {title = "idle ms", right = true},
                    {title = "idle", right = true}, {title = "the host in\nOpenCL ms", right = true},
                    {title = "and not\nin it ms", right = true}, {title = "longest\npause ms", right = true}}, rows)
  for _, device in ipairs(devices) do
    local text = ("%s: idle counts from its first command's start to its last one's end%s; times by %s"):format(
      device.name, each_text(device), clock_text(device))
    for _, line in ipairs(tables.wrap(text, width, "  ")) do out:write(line, "\n") end
  end
  out:write "\n"
end

local function remarks(entry)
  local words = {}
  if entry.clock == "host" then words[1] = "host clock" end
  if entry.failed > 0 then words[#words + 1] = ("%d FAILED"):format(entry.failed) end
  return table.concat(words, ", ")
end

-- The time of all commands on the devices, for the shares.
local function total_of(document)
  local sum = 0
  for _, group in ipairs {document.kernels, document.transfers, document.others} do
    for _, entry in ipairs(group) do sum = sum + entry.seconds end
  end
  return sum
end

local function print_group(out, title, entries, total, with_bytes)
  if #entries == 0 then return end
  local columns = {{title = title}, {title = "runs", right = true}, {title = "total ms", right = true},
                   {title = "share", right = true}, {title = "min us", right = true},
                   {title = "median us", right = true}, {title = "max us", right = true}}
  if with_bytes then
    columns[8], columns[9] = {title = "MB", right = true}, {title = "GB/s", right = true}
  end
  columns[#columns + 1] = {title = ""}
  local rows = {}
  for i, entry in ipairs(entries) do
    local row = {entry.name, entry.runs, ms(entry.seconds), percent(entry.seconds, total), us(entry.min),
                 us(entry.median), us(entry.max)}
    if with_bytes then
      row[8] = ("%.3f"):format(entry.bytes / 1e6)
      row[9] = entry.bytes_per_second and ("%.2f"):format(entry.bytes_per_second / 1e9) or "-"
    end
    row[#row + 1] = remarks(entry)
    rows[i] = row
  end
  print_table(out, columns, rows)
end

local function print_host(out, host)
  local rows, rest, rest_calls = {}, 0, 0
  for i, entry in ipairs(host.functions) do
    if i <= MOST_FUNCTIONS then
      rows[i] = {entry.name, entry.calls, ms(entry.seconds), percent(entry.seconds, host.seconds), us(entry.max)}
    else
      rest, rest_calls = rest + entry.seconds, rest_calls + entry.calls
    end
  end
  if rest_calls > 0 then rows[#rows + 1] = {"other calls", rest_calls, ms(rest), percent(rest, host.seconds), ""} end
  local elsewhere = host.seconds - host.opencl_seconds - host.trace_seconds
  rows[#rows + 1] = {"(not in OpenCL)", "", ms(elsewhere), percent(elsewhere, host.seconds), ""}
  rows[#rows + 1] = {"(clue trace itself)", "", ms(host.trace_seconds), percent(host.trace_seconds, host.seconds), ""}
  print_table(out, {{title = "host"}, {title = "calls", right = true}, {title = "total ms", right = true},
                    {title = "share", right = true}, {title = "max us", right = true}}, rows)
end

local function print_unfinished(out, unfinished)
  for i, each in ipairs(unfinished) do
    if i > 5 then
      out:write(("and %d more\n"):format(#unfinished - 5))
      break
    end
    out:write(("command %d, %s%s: no end was seen\n"):format(each.command, each.name,
      each.range and " over " .. each.range or ""))
  end
end

--- Prints a summary.
-- @tparam table document of @{clue.trace.summary}
-- @tparam file out
-- @tparam[opt=100] number width characters of a line
function view.print(document, out, width)
  local total = total_of(document)
  for _, text in ipairs(view.verdicts(document)) do
    for _, line in ipairs(tables.wrap(text, width or 100, "  ")) do out:write(line, "\n") end
  end
  if #document.devices > 0 then print_devices(out, document.devices, width or 100) end
  print_group(out, "kernel", document.kernels, total)
  print_group(out, "transfer", document.transfers, total, true)
  print_group(out, "other command", document.others, total)
  print_host(out, document.host)
  print_unfinished(out, document.unfinished)
end

return view
