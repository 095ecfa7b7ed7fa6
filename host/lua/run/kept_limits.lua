--- A device's limits beside its steps: arithmetic and global memory as `clue peak` measures them, but only the few that
-- bound kernels, which takes seconds.
--
-- The limits of a device and driver are kept in the subfolder `limits` of clue's cache folder, so that they are
-- measured once. Of two measurements the higher one is right, and the shorter time: other work makes a device slower,
-- nothing makes it faster.
-- CLUE_NO_CACHE keeps none.
--
-- Parameters with one meaning everywhere: device, its facts; types, of numbers: "float", "double", "half", "int";
-- seconds, the limit for each group of measurements; run, of a document.
local binding = require "clue.binding"
local device_kind = require("clue.result.device").kind
local lists = require "clue.shared.list"
local json = require "clue.shared.json"
local make_folder = require("clue.shared.paths").make_folder
local measure = require "clue.peak.measure"
local read_file = require("clue.file").read
local row_of = require "clue.result.row"
local save = require("clue.file").save

local limits = {}

limits.format = "clue limits 3"

-- ---- the file ----

local function path_of(device)
  local folder = (os.getenv "CLUE_NO_CACHE" or "") == "" and binding.cache_folder()
  if not (folder and device.name) then return nil end
  local words = device_kind(device)
  for i, word in ipairs(words) do words[i] = word:gsub("[^%w.+-]+", "_") end
  return folder .. "/limits", ("%s.json"):format(table.concat(words, "--"):sub(1, 200))
end

-- Kept limits of another form count as none.
local function kept(device)
  local folder, name = path_of(device)
  local text = folder and read_file(folder .. "/" .. name)
  local document = text and json.read(text)
  local right = type(document) == "table" and document.format == limits.format
    and type(document.flops) == "table" and type(document.bandwidth) == "table"
  return right and document or nil
end

-- The shorter of two times.
local function shorter(a, b)
  return a and b and math.min(a, b) or a or b
end

-- The higher of both for each kind.
local function merged(a, b)
  local all = {format = limits.format, measured = b.finished or a.measured, loads = {},
               launch = shorter(a.launch, b.launch)}
  for _, from in ipairs {a, b} do
    for where, seconds in pairs(from.loads or {}) do all.loads[where] = shorter(all.loads[where], seconds) end
  end
  for _, group in ipairs {"flops", "tensor", "bandwidth"} do
    all[group] = {}
    for _, from in ipairs {a, b} do
      for kind, value in pairs(type(from[group]) == "table" and from[group] or {}) do
        if type(value) == "number" then all[group][kind] = math.max(all[group][kind] or 0, value) end
      end
    end
  end
  for _, name in ipairs {"local_bandwidth", "cache_bandwidth", "cache_stores"} do
    local higher = math.max(a[name] or 0, b[name] or 0)
    all[name] = higher > 0 and higher or nil
  end
  all.tried_local = a.tried_local or b.tried_local
  return all
end

-- What is known of a device: kept limits, or those that were measured for a run.
local function known_of(device)
  return kept(device) or device.peak
end

--- Keeps what was measured, where it is higher than what was known. A folder that cannot be written keeps nothing.
-- @tparam table document of `clue peak`
-- @treturn table flops, bandwidth, local_bandwidth: all that is known now
function limits.keep(device, document)
  local all = merged(known_of(device) or {}, document)
  local folder, name = path_of(device)
  if folder and make_folder(folder) then pcall(save, folder .. "/" .. name, json.text(all) .. "\n") end
  return all
end

-- ---- measuring ----

-- What steps compute with instead.
local also = {float = {"tensor cores, TF32", "tensor cores, TF32 by wgmma"}, int = {"tensor cores, char"}}

-- The fastest access is by wide vectors on CPUs; GPUs need no wider ones than four.
local function names_for(device, types)
  local width, names = device.kind == "cpu" and "float16" or "float4", {}
  for _, type in ipairs(types) do
    names[#names + 1], names[#names + 2] = type .. ", at most", "tensor cores, " .. type
    for _, name in ipairs(also[type] or {}) do names[#names + 1] = name end
  end
  for _, name in ipairs {"read " .. width, "copy " .. width, measure.launch, "read 4 MiB again",
                         "write 4 MiB, a word a line", "load, 16 KiB", "load, 4 MiB", "load, 128 MiB",
                         "tensor cores, half by wgmma"} do
    names[#names + 1] = name
  end
  return names
end

local function lacks(known, types)
  return lists.filter(types, function(type) return not (known and known.flops[type]) end)
end

--- The limits that are known without measuring: those that are kept, or else device.peak.
-- @tparam {string,...} types "float", "double", "half", "int": of which all must be known
-- @treturn ?table flops and bandwidth by kind, operations and bytes in a second
function limits.known(device, types)
  local known = known_of(device)
  local is_whole = known and #lacks(known, types) == 0 and next(known.bandwidth)
    and (device.kind ~= "gpu" or known.local_bandwidth or known.tried_local)
  return is_whole and known or nil
end

--- Measures limits, in a child: no driver is loaded here. Keeps them.
-- @treturn ?table flops and bandwidth by kind, operations and bytes in a second; nil if nothing could be measured
function limits.measure(device, types, seconds)
  local groups = {"compute", "global", "latency"}
  if device.kind == "gpu" then -- a CPU's local memory is like any other
    groups[4], groups[5], groups[6] = "local", "caches", "tensor"
  end
  local document = measure.device {device = device.address, groups = groups, seconds = seconds,
                                   names = names_for(device, types)}
  if not (document.flops and next(document.flops)) then return nil end
  document.tried_local = device.kind == "gpu" or nil
  return limits.keep(device, document)
end

-- ---- for a run ----

local measurable = {float = true, double = true, half = true, int = true}

--- The types of a run's arithmetic that have a limit; float if it has none, for instance only speeds in GB/s.
-- @treturn ?{string,...} nil if no row has a speed on the device
function limits.types_of(run)
  local types, seen, any = {}, {}, false
  for _, row in ipairs(run.rows) do
    local counts, type = row.device and row_of.speed(row), row.type
    any = any or counts
    if counts and measurable[type] and not seen[type] then types[#types + 1], seen[type] = type, true end
  end
  return any and (types[1] and types or {"float"}) or nil
end

--- Whether a row computes faster than the limit, which is then too low.
-- @tparam table peak
function limits.is_exceeded(run, peak)
  return lists.any(run.rows, function(row)
    return row_of.rate(row) ~= "GB/s" and (row_of.share_of_peak(row, peak) or 0) > 1
  end)
end

--- Whether limits of a device are kept: not those of a debugger, which change with what it checks.
function limits.are_kept(device)
  return path_of(device) ~= nil and not (device.platform or ""):lower():find("oclgrind", 1, true)
end

return limits
