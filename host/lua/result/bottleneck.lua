--- What limits a step: the time that each of a device's limits alone would take for it, beside the time that it took.
--
-- What was counted, at a small size, is scaled with the work. So a limit may come out above the measured time: the
-- device's compiler merged accesses, or a tile of the small problem was not full. Such a limit is refuted. The nearest
-- of the others is named if it explains half of the time. There is no limit for the caches that all units share, for
-- waiting (latency over the work-items in flight) and for launches: `clue peak` measures none of them for a step.
-- @module clue.result.bottleneck
local bounds = require "clue.result.bounds"
local kernels = require "clue.result.counts"
local row_of = require "clue.result.row"

local bottleneck = {}

--- The names of all limits, in the order of tables.
bottleneck.names = {"arithmetic", "instructions", "local memory", "requests", "memory"}

-- A limit is refuted above so many times the measured time, and named from so much of it.
local REFUTED, NEAR = 1.1, 0.5

-- What a GPU's units do for what a row did, in proportion to its work: instructions of warps, passes of local memory,
-- and of requests to global memory, a pass for each line of 128 bytes.
local function passes_of(row)
  local counts, times = row.counts, row.times
  local field = (counts.flops or 0) > 0 and "flops" or "bytes"
  if not ((counts[field] or 0) > 0 and (times[field] or 0) > 0) then return nil end
  local factor, lines = times[field] / counts[field], 0
  for _, kernel in ipairs(counts.kernels or {}) do
    lines = lines + kernels.requests(kernel, "warp", kernels.is_global).lines
  end
  return {instructions = (counts.sums.slots or 0) / 32 * factor, ["local memory"] = (counts.sums.passes or 0) * factor,
          requests = lines * factor}
end

-- How many of each a device does in a second: a pass moves 128 bytes, and a unit begins as many instructions of warps
-- as it does multiply-adds of them.
local function rates_of(peak)
  local passes, float = peak.local_bandwidth, (peak.flops or {}).float
  return {instructions = float and float / 64, ["local memory"] = passes and passes / 128,
          requests = passes and passes / 128}
end

--- What limits a row.
-- @tparam table row
-- @tparam ?table peak the device's limits, see @{clue.peak.measure}
-- @treturn ?table by name: seconds of each limit; measured: seconds of the kernel; nearest: a name, nil if none
--   explains the time; refuted: set of names. nil if nothing was measured, or no limit is known
function bottleneck.of(row, peak)
  local measured = row.device and row_of.seconds(row)
  if not (measured and peak) or row.unlike then return nil end
  local it, best = {measured = measured, refuted = {}}, 0
  local function add(name, seconds)
    it[name] = seconds
    if seconds > measured * REFUTED then
      it.refuted[name] = true
    elseif seconds > best then
      best, it.nearest = seconds, seconds >= measured * NEAR and name or nil
    end
  end
  for _, each in ipairs(bounds.of(peak, {type = row.type, operations = row.times.flops,
                                         bytes = not row.moves and row.times.bytes or nil})) do
    add(each.name, each.seconds)
  end
  local passes = row.counts and row.device.kind == "gpu" and passes_of(row)
  for name, rate in pairs(passes and rates_of(peak) or {}) do
    if passes[name] > 0 then add(name, passes[name] / rate) end
  end
  return (best > 0 or next(it.refuted)) and it or nil
end

return bottleneck
