--- The limits of a device.
local block = require "clue.show.block"
local counted = require("clue.text").count
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local statistics = require "clue.result.statistics"

local view = {}

-- ---- the summary ----

-- The best median among the limits that a test accepts; nil if none was measured, or one of them is wrong.
local function most(document, accepts)
  local best
  for _, limit in ipairs(document.limits) do
    if limit.value and not limit.wrong and accepts(limit) and (not best or limit.value > best) then
      best = limit.value
    end
  end
  return best
end

local function add(parts, text, value)
  if value then parts[#parts + 1] = text:format(figures.number(value)) end
end

local function line(lines, title, parts)
  if #parts > 0 then lines[#lines + 1] = ("%s: %s"):format(title, table.concat(parts, ", ")) end
end

local function arithmetic(document)
  local parts = {}
  for _, type in ipairs {"float", "double", "half", "int"} do
    local value = most(document, function(limit) return limit.group == "compute" and limit.type == type end)
    add(parts, ("%%s %s in %s"):format(figures.arithmetic_unit(type), type), value)
  end
  if #parts > 0 then parts[#parts] = parts[#parts] .. " (thousand million operations a second)" end
  return parts
end

local function memory(document)
  local parts = {}
  for _, way in ipairs {{"read", "reads"}, {"write", "writes"}, {"copy", "copies"}} do
    add(parts, way[2] .. " %s GB/s", most(document, function(limit)
      return limit.group == "global" and limit.way == way[1]
    end))
  end
  add(parts, "a work-group's local memory %s GB/s", most(document, function(limit) return limit.group == "local" end))
  return parts
end

local function transfers(document)
  local parts = {}
  for _, way in ipairs {{"^write", "to the device %s GB/s"}, {"^read", "back %s GB/s"}} do
    add(parts, way[2], most(document, function(limit)
      return limit.group == "transfer" and limit.name:find(way[1]) ~= nil
    end))
  end
  add(parts, "a kernel that you start and wait for costs %s us besides its work", most(document, function(limit)
    return limit.name == "enqueue and wait"
  end))
  return parts
end

-- The three lines; fewer if not all was measured.
local function summary_lines(document)
  local lines = {}
  line(lines, "arithmetic", arithmetic(document))
  line(lines, "memory", memory(document))
  line(lines, "transfers", transfers(document))
  return lines
end

-- ---- what terms mean ----

local known_terms = {
  {"compute", "float4: vectors of four numbers. float4 x 12: twelve calculations that do not wait for each other; at "
    .. "most: the fastest such form. GFLOPS: 10^9 operations on fractions a second, GOPS: on whole numbers"},
  {"tensor", "tensor cores multiply small matrices in one instruction: of TF32, floats that are rounded to 11 bits; "
    .. "sums are of float, of double or, for char, of int"},
  {"global", "GB/s: 10^9 bytes a second; a copy counts what it reads and what it writes"},
  {"local", "local memory: the small, fast memory that a work-group shares"},
  {"caches", "load: the time until a work-item has what it reads from a list of so many bytes, one read after the "
    .. "other; again: all work-groups read the same bytes many times; a word a line: each stores to a line of 128 "
    .. "bytes of its own. ns: thousand millionths of a second; G/s: 10^9 stores a second"},
  {"transfer", "write: from the host to the device, read: back. pageable: ordinary memory of a program; pinned: memory "
    .. "that the driver keeps in its place (alloc_host_ptr)"},
  {"latency", "enqueue: to hand a kernel to the driver; to start: until the device begins; and wait: until the host "
    .. "knows that it has ended; empty kernel: how long one runs that does nothing. us: millionths of a second"},
}

-- What the terms mean that the table has: sentences.
local function terms_in(document)
  local has = {}
  for _, limit in ipairs(document.limits) do has[limit.group] = has[limit.group] or limit.value ~= nil end
  local list = lists.map(known_terms, function(term) return has[term[1]] and term[2] or nil end)
  if #list > 0 then table.insert(list, "range: (longest - shortest time) / median time") end
  return list
end

-- A spread above this is reported.
local large_spread = 0.1

local titles = {
  compute = "multiply-adds, two operations each", tensor = "the same in matrices",
 global = "global memory", ["local"] = "local memory",
  caches = "what serves a load", transfer = "host and device", latency = "latency",
}

-- The fastest form, and the work of a compute unit in one cycle.
local function text_of_form(limit)
  local form = ("%s%s x %d"):format(limit.type, limit.width > 1 and limit.width or "", limit.chains)
  return limit.per_cycle and ("%s, %s a cycle and unit"):format(form, figures.ratio(limit.per_cycle)) or form
end

local function remarks_of(limit)
  if limit.skipped then return limit.skipped end
  if limit.failed then return "failed: " .. limit.failed:match "[^\n]*" end
  local remarks = {}
  if (limit.chains or 1) > 1 then remarks[1] = text_of_form(limit) end
  if limit.wrong then remarks[#remarks + 1] = "WRONG: " .. limit.wrong end
  if limit.clock == "host" and limit.group ~= "transfer" and limit.group ~= "latency" then
    remarks[#remarks + 1] = "host clock"
  end
  return table.concat(remarks, "; ")
end

local function of_measured(get)
  return function(limit)
    return not (limit.title or limit.skipped or limit.failed) and get(limit, statistics.of(limit.times) or {count = 0})
  end
end

local function median_of(limit)
  return not limit.title and ((limit.skipped or limit.failed) and "-" or figures.number(limit.value))
end

local columns = {
  {title = "limit", head = true, get = function(limit)
    return limit.title or {"  " .. limit.name, page = limit.name}
  end},
  {title = "median", right = true, get = median_of},
  {title = "best", right = true, get = of_measured(function(limit) return figures.number(limit.best) end)},
  {title = "unit", get = of_measured(function(limit) return limit.unit end)},
  {title = "range", right = true, get = of_measured(function(_, times)
    return times.spread and figures.percent(times.spread) .. " %"
  end)},
  {title = "runs", right = true, get = of_measured(function(_, times) return ("%d"):format(times.count) end)},
  {title = "", get = function(limit) return not limit.title and remarks_of(limit) end},
}

local function count_unsteady(limits)
  local measured = lists.filter(limits, function(limit) return limit.value end)
  return #lists.filter(measured, function(limit)
    local times = statistics.of(limit.times)
    return times and times.spread > large_spread
  end), #measured
end

local function head_of(device)
  local kinds = {gpu = "GPU", accelerator = "accelerator", cpu = "CPU", any = "CPU and GPU", custom = "custom"}
  if not device.name then return ("device %s"):format(device.address) end
  return ("device %d (%s) %s [%s, %s], driver %s, %s, %d MHz, %s"):format(device.ordinal, device.address, device.name,
    kinds[device.kind] or "?", device.platform or "?", device.driver or "?",
    counted(device.compute_units or 0, "compute unit"), device.mhz or 0, device.loader or "?")
end

local function words_of(failure)
  return failure.text .. "\n" .. table.concat(failure.lines, "\n")
end

local function place_of(failure)
  return failure.group .. (failure.at and ", at " .. failure.at or "")
end

-- What fails in several groups for the same reason is said once.
local function failures_of(document)
  return lists.map(lists.grouped(document.failures or {}, words_of), function(same)
    local places = lists.map(same, place_of)
    return {text = ("%s: %s"):format(table.concat(places, "; "), same[1].text), lines = same[1].lines}
  end)
end

-- The limits, each group below its title.
local function rows_of(limits)
  local rows, group = {}, nil
  for _, limit in ipairs(limits) do
    if limit.group ~= group then rows[#rows + 1] = {title = ("%s (%s)"):format(limit.group, titles[limit.group])} end
    group = limit.group
    rows[#rows + 1] = limit
  end
  return rows
end

local function unsteady_of(limits)
  local unsteady, measured = count_unsteady(limits)
  return unsteady > 0 and block.paragraph(("%d of %s vary by more than %.0f %%: other work or changing clocks; the "
    .. "best is what the device can do"):format(unsteady, counted(measured, "limit"), large_spread * 100),
    {indent = "", close = true})
end

--- What a document says of a device.
-- @tparam table document of @{clue.peak.measure}
-- @treturn table blocks
function view.blocks(document)
  local rows = rows_of(document.limits)
  local failures = lists.map(failures_of(document), function(failure)
    return {block.list({failure.text}, {indent = "  ", close = true}),
            block.quote(failure.lines, {prefix = "  ", close = true})}
  end)
  return {
    block.paragraph(head_of(document.device), {indent = "", close = true}),
    block.list(summary_lines(document), {indent = "  ", close = true}),
    rows[1] and {block.gap(), block.table {columns = columns, rows = rows, name = "limits"},
      block.list(terms_in(document), {indent = "  ", close = true})},
    unsteady_of(document.limits), failures,
  }
end

return view
