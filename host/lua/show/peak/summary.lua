--- What a device can do, in three lines, and what the terms in the table of its limits mean.
local arithmetic_unit = require("clue.shared.figures").arithmetic_unit
local figures = require "clue.shared.figures"

local summary = {}

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

-- ---- the three lines ----

local function arithmetic(document)
  local parts = {}
  for _, type in ipairs {"float", "double", "half", "int"} do
    local value = most(document, function(limit) return limit.group == "compute" and limit.type == type end)
    add(parts, ("%%s %s in %s"):format(arithmetic_unit(type), type), value)
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

--- The three lines; fewer if not all was measured.
-- @tparam table document of @{clue.peak.measure}
-- @treturn {string,...}
function summary.lines(document)
  local lines = {}
  line(lines, "arithmetic", arithmetic(document))
  line(lines, "memory", memory(document))
  line(lines, "transfers", transfers(document))
  return lines
end

-- ---- the terms ----

local terms = {
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

--- What the terms mean that the table has.
-- @tparam table document of @{clue.peak.measure}
-- @treturn {string,...} sentences
function summary.terms(document)
  local has, list = {}, {}
  for _, limit in ipairs(document.limits) do has[limit.group] = has[limit.group] or limit.value ~= nil end
  for _, term in ipairs(terms) do
    if has[term[1]] then list[#list + 1] = term[2] end
  end
  if #list > 0 then table.insert(list, "range: (longest - shortest time) / median time") end
  return list
end

return summary
