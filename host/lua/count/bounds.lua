--- How long each of a device's limits alone would make a kernel take: its counts by the figures of `clue peak`.
-- @module clue.count.bounds
local kernels = require "clue.count.kernels"

local bounds = {}

local function best_bandwidth(peak)
  local best
  for _, value in pairs(peak.bandwidth or {}) do
    if type(value) == "number" then best = math.max(best or 0, value) end
  end
  return best
end

local function add(list, name, work, rate)
  if work > 0 and type(rate) == "number" and rate > 0 then list[#list + 1] = {name = name, seconds = work / rate} end
end

--- The limits of a kernel, the slowest first.
--
-- Of a GPU's load unit, a request takes a pass of 128 bytes for each line of global memory that it touches, and for
-- each pass of local memory's banks; `clue peak` measures that rate as the bandwidth of local memory. Those are the
-- requests as written: a device's compiler may merge loads.
-- @tparam table kernel of @{clue.count.kernels.of}
-- @tparam table peak the document of `clue peak --json`
-- @tparam string width "warp" or "wavefront"
-- @treturn {table,...} name ("arithmetic", "global memory", "requests"), seconds
function bounds.of(kernel, peak, width)
  local list = {}
  local operations, kind = kernels.operations(kernel)
  local read, written = kernels.least_traffic(kernel)
  add(list, "arithmetic", operations, (peak.flops or {})[kind])
  add(list, "global memory", read + written, best_bandwidth(peak))
  if (peak.device or {}).kind == "gpu" then
    local of = kernels.requests(kernel, width, function(site) return site.space ~= "private" end)
    add(list, "requests", (of.lines + of.passes) * 128, peak.local_bandwidth)
  end
  table.sort(list, function(a, b) return a.seconds > b.seconds end)
  return list
end

return bounds
