--- What limits a step: the time that each of a device's limits alone would take for it, beside the time that it took.
--
-- What was counted, at a small size, is scaled with the work. So a limit may come out above the measured time: the
-- device's compiler merged accesses. Such a limit is refuted. The nearest of the others is named if it explains half of
-- the time.
--
-- Local memory and requests to global memory pass through one unit, so their passes add up, and the time has the name
-- of what takes more of them. Instructions are those that no compiler saves: a multiply-add for two declared
-- operations, and one for each request.
--
-- Latency is the time that the warps which the device holds at once wait for their loads, one after the other, each
-- from the nearest place that may have it: the cache of a unit, if another load of its group fetched the sector; the
-- cache that all units share, if another group did; else memory. A compiler that begins several loads before it waits
-- makes it less. So latency is named where nothing else explains the time, with the loads that it takes at once.
local device = require "clue.result.device"
local figures = require "clue.shared.figures"
local kernels = require "clue.result.counts"
local lists = require "clue.shared.list"
local read_document = require("clue.result.document").read
local row_of = require "clue.result.row"

local bottleneck = {}

--- The names of all limits, in the order of tables.
bottleneck.names = {"arithmetic", "instructions", "local memory", "requests", "cache", "memory", "latency", "launch"}

-- ---- limits alone ----

--- The limits of some work, the slowest first.
-- @tparam table peak the device's limits
-- @tparam table work type and operations (of this type), rate (a limit of theirs in a second, if another), bytes (of
--   global memory), passes (of a GPU's load units, 128 bytes each, whose rate `clue peak` measures as the bandwidth of
--   local memory); what is nil sets no limit
-- @treturn {table,...} name ("arithmetic", "memory", "requests"), seconds
function bottleneck.bounds(peak, work)
  local list = {}
  local function add(name, amount, rate)
    if (amount or 0) > 0 and type(rate) == "number" and rate > 0 then
      list[#list + 1] = {name = name, seconds = amount / rate}
    end
  end
  add("arithmetic", work.operations, work.rate or (peak.flops or {})[work.type])
  add("memory", work.bytes, device.bandwidth(peak))
  add("requests", work.passes and work.passes * 128, peak.local_bandwidth)
  table.sort(list, function(a, b) return a.seconds > b.seconds end)
  return list
end

-- Whether something measured bounds a kernel.
local function has_rates(peak)
  for _, name in ipairs {"flops", "bandwidth"} do
    if type(peak[name]) ~= "table" then peak[name] = nil end
  end
  for kind in pairs(peak.flops or {}) do
    if bottleneck.bounds(peak, {type = kind, operations = 1})[1] then return true end
  end
  return bottleneck.bounds(peak, {bytes = 1, passes = 1})[1] ~= nil
end

--- The devices of a file of `clue peak --json`, for `clue count --peak`.
-- @tparam string path
-- @treturn[1] {table,...} for each device with limits that bound a kernel: device, flops, bandwidth, local_bandwidth
-- @treturn[2] nil
-- @treturn[2] string what is wrong, and what to do
function bottleneck.devices(path)
  local document, kind = read_document(path)
  if not document then return nil, "--peak: " .. kind end
  if kind ~= "clue peak" then return nil, ("--peak: %s is from %s, not from clue peak"):format(path, kind) end
  local list = lists.filter(document.limits and {document} or document.devices, has_rates)
  if list[1] then return list end
  return nil, ("--peak: %s has no rate of arithmetic or memory: measure them, clue peak --only compute,global,local "
    .. "--json FILE"):format(path)
end

-- ---- what was counted ----

-- A limit is refuted above so many times the measured time, and named from so much of it. A warp has a few loads at
-- once: compilers unroll loops four times, and a multiply-add needs two. Arithmetic is named where it is most of the
-- instructions.
local REFUTED, NEAR, MOST_LOADS, MOST_OF = 1.1, 0.5, 8, 0.9

local WIDTH = 32

-- How many of each a device does in a second: a pass moves 128 bytes, and a unit begins as many instructions of warps
-- as it does multiply-adds of them.
local function rates_of(peak)
  local passes, float = peak.local_bandwidth, (peak.flops or {}).float
  return {instructions = float and float / 64, ["local memory"] = passes and passes / 128,
          requests = passes and passes / 128}
end

-- The part of a device's units that a launch keeps busy, until the unit with the most groups is done.
local function busy_part(launch, units)
  local groups = launch and launch.group and launch.items / launch.launches / launch.group
  if not (groups and groups > 0 and (units or 0) > 0) then return 1 end
  return groups / (units * math.ceil(groups / units))
end

local function waits(site)
  return kernels.is_global(site) and site.access ~= "store"
end

-- Seconds that a warp waits for a load, on average.
local function wait_of(kernel, asked, loads)
  local read, written = kernels.least_traffic(kernel)
  local fetched = math.min(1, kernels.traffic_of_groups(kernel) / 32 / asked.sectors)
  local new = math.min(fetched, (read + written) / 32 / asked.sectors)
  return loads.near + fetched * (loads.shared - loads.near) + new * (loads.memory - loads.shared)
end

-- Seconds that the warps which are there at once wait, nil if that is not known.
local function latency_of(kernel, launch, peak)
  local asked, loads = kernels.requests(kernel, "warp", waits), peak.loads or {}
  if asked.sectors == 0 or not (launch and launch.at_once and loads.near and loads.shared and loads.memory) then
    return nil
  end
  local at_once = math.min(launch.at_once, math.max(1, launch.items / launch.launches / WIDTH))
  return asked.requests * wait_of(kernel, asked, loads) / at_once
end

-- The shared cache delivers sectors and takes lines at the same time.
local function cache_of(kernel, peak)
  local stores = kernels.requests(kernel, "warp", function(site)
    return site.space == "global" and site.access == "store"
  end)
  return math.max(peak.cache_bandwidth and kernels.traffic_of_groups(kernel) / peak.cache_bandwidth or 0,
    peak.cache_stores and stores.lines / peak.cache_stores or 0)
end

-- What was done at the small size: there, the last tiles may be mostly outside the problem, and are computed all the
-- same.
local MOSTLY = 1.5

local function work_of(counts, field)
  local declared = counts[field] or 0
  local done = lists.sum(field == "flops" and counts.kernels or {}, function(kernel)
    return lists.sum({"half", "float", "double"}, function(kind) return kernel.operations[kind] end)
  end)
  return done > MOSTLY * declared and done or declared
end

-- The seconds of what a GPU did for a row, in proportion to its work.
local function seconds_of(row, peak)
  local counts, times, seconds = row.counts, row.times, {}
  local field = (counts.flops or 0) > 0 and "flops" or "bytes"
  local work = work_of(counts, field)
  if not (work > 0 and (times[field] or 0) > 0) then return seconds end
  local factor, rates = times[field] / work, rates_of(peak)
  local launched = lists.by(times.launches or {}, "kernel")
  local function add(name, value)
    if value and value > 0 then seconds[name] = (seconds[name] or 0) + value * factor end
  end
  for _, kernel in ipairs(counts.kernels or {}) do
    local launch = launched[kernel.kernel]
    local own = kernels.requests(kernel, "warp", function(site) return site.space == "local" end)
    local global = kernels.requests(kernel, "warp", kernels.is_global)
    local done = {instructions = own.requests + global.requests, ["local memory"] = own.passes,
                  requests = kernels.passes(kernel, kernels.is_global)}
    for name, amount in pairs(done) do
      add(name, rates[name] and amount / rates[name] / busy_part(launch, row.device.compute_units))
    end
    add("cache", cache_of(kernel, peak))
    add("latency", latency_of(kernel, launch, peak))
  end
  local float = rates.instructions and (times.flops or 0) / 2 / WIDTH / rates.instructions
  seconds.instructions = seconds.instructions and seconds.instructions + float
  local passes, requests = seconds["local memory"], seconds.requests
  if passes and requests then
    seconds["local memory"] = passes >= requests and passes + requests or nil
    seconds.requests = passes < requests and passes + requests or nil
  end
  return seconds
end

-- The seconds that as many launches take which do nothing; nil if they were not counted.
local function launch_of(row, peak)
  if row_of.judged(row) ~= "kernel" then return nil end
  local count = lists.sum(row.times.launches or {}, function(launch) return launch.launches end)
  return count > 0 and peak.launch and count * peak.launch or nil
end

--- What limits a row.
-- @tparam table row
-- @tparam ?table peak the device's limits, see @{clue.peak.measure}
-- @treturn ?table by name: seconds of each limit; measured: seconds of the kernel; nearest: a name, nil if none
--   explains the time; refuted: set of names; loads: how many a warp has at once, if latency is the nearest by that.
--   nil if nothing was measured, or no limit is known
function bottleneck.of(row, peak)
  local measured = row.device and row_of.seconds(row)
  if not (measured and peak) or row.unlike then return nil end
  local it, best = {measured = measured, refuted = {}}, 0
  local function add(name, seconds)
    it[name] = seconds
    it.refuted[name] = seconds > measured * REFUTED or nil
    if not it.refuted[name] and seconds > best and name ~= "latency" then
      best, it.nearest = seconds, seconds >= measured * NEAR and name or nil
    end
  end
  for _, each in ipairs(bottleneck.bounds(peak, {rate = row_of.most_flops(row, peak), operations = row.times.flops,
                                         bytes = not row.moves and row.times.bytes or nil})) do
    add(each.name, each.seconds)
  end
  local seconds = row.counts and row.device.kind == "gpu" and seconds_of(row, peak) or {}
  seconds.launch = launch_of(row, peak)
  for _, name in ipairs(bottleneck.names) do
    if seconds[name] then add(name, seconds[name]) end
  end
  if it.nearest == "instructions" and (it.arithmetic or 0) >= it.instructions * MOST_OF then
    it.nearest = "arithmetic"
  end
  local loads = (it.latency or 0) / measured
  if not it.nearest and loads >= NEAR and loads <= MOST_LOADS then
    it.nearest, it.loads = "latency", loads > REFUTED and loads or nil
  end
  return (best > 0 or it.latency or next(it.refuted)) and it or nil
end

--- The nearest limit, in words.
-- @tparam table it of @{of}
-- @treturn string such as "local memory, 92 %"
function bottleneck.text(it)
  if it.loads then return ("%s, %s loads at once"):format(it.nearest, figures.ratio(it.loads)) end
  return it.nearest and ("%s, %s %%"):format(it.nearest, figures.percent(it[it.nearest] / it.measured))
    or "not explained by these"
end

return bottleneck
