--- How long each of a device's limits alone would make some work take, by the figures of `clue peak`.
local bounds = {}

--- The highest of a device's bandwidths of global memory.
-- @tparam table peak the device's limits, see @{clue.peak.measure}
-- @treturn ?number bytes in a second; nil if none was measured
function bounds.bandwidth(peak)
  local best
  for _, value in pairs(peak.bandwidth or {}) do
    if type(value) == "number" and value > 0 then best = math.max(best or 0, value) end
  end
  return best
end

--- The limits of some work, the slowest first.
-- @tparam table peak the device's limits
-- @tparam table work type and operations (of this type), rate (a limit of theirs in a second, if another), bytes (of
--   global memory), passes (of a GPU's load units, 128 bytes each, whose rate `clue peak` measures as the bandwidth of
--   local memory); what is nil sets no limit
-- @treturn {table,...} name ("arithmetic", "memory", "requests"), seconds
function bounds.of(peak, work)
  local list = {}
  local function add(name, amount, rate)
    if (amount or 0) > 0 and type(rate) == "number" and rate > 0 then
      list[#list + 1] = {name = name, seconds = amount / rate}
    end
  end
  add("arithmetic", work.operations, work.rate or (peak.flops or {})[work.type])
  add("memory", work.bytes, bounds.bandwidth(peak))
  add("requests", work.passes and work.passes * 128, peak.local_bandwidth)
  table.sort(list, function(a, b) return a.seconds > b.seconds end)
  return list
end

return bounds
