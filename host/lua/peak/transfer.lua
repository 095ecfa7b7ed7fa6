--- Transfers between the host's memory and the device's. The host's is ordinary memory ("pageable") or memory that
-- the driver allocated for this ("pinned": a buffer of CL_MEM_ALLOC_HOST_PTR, mapped). Timed by the host's clock,
-- from the call to its end.
local binding = require "clue.binding"
local cl = require "clue"
local series = require "clue.peak.series"

local transfer = {}

local function most_bytes(stand)
  if stand.slow then return 2 ^ 20 end
  return stand:largest(2 ^ 28, 2)
end

-- Whether the buffer, or the array that was read from it, has the first elements of what was sent.
local function check(stand, buffer, found, sent, count)
  if not found then
    found = cl.array.float(count)
    stand.queue:read_buffer(buffer, found)
  end
  return series.same(found:copy(0, count), sent:copy(0, count))
end

-- Measures one direction, from or to an array as long as the largest transfer.
local function measure(stand, way, data)
  local most = #data * 4
  local buffer = stand.context:buffer(most)
  local sent = way == "read" and cl.array.float(#data) or data
  sent:random(0, 1, 7) -- a sequence that differs from itself under any shift
  if way == "read" then stand.queue:write_buffer(buffer, sent) end
  local move = way == "read" and stand.queue.read_buffer or stand.queue.write_buffer
  local measured = series.measure {
    unit = "GB/s",
    -- Not less, even if it takes long enough: C libraries copy large amounts past the caches, at another speed.
    least = math.min(most, stand.slow and 2 ^ 16 or 2 ^ 20), most = most, enough = most,
    run = function(bytes)
      local before = binding.now()
      move(stand.queue, buffer, data, {count = bytes / 4})
      return binding.now() - before, "host"
    end,
    amount = function(bytes) return bytes end,
    check = function(bytes) return check(stand, buffer, way == "read" and data, sent, bytes / 4) end,
  }
  buffer:close()
  return measured
end

local function measure_pinned(stand, way)
  local host = stand.context:buffer(most_bytes(stand), {"read_write", "alloc_host_ptr"})
  local mapped = stand.queue:map_buffer(host, "float", {"read", "write"})
  local measured = measure(stand, way, mapped)
  stand.queue:unmap(mapped)
  host:close()
  return measured
end

--- Measures all transfers.
-- @tparam table stand of clue.peak.stand
-- @tparam function each_limit see @{clue.peak.compute.run}; facts.way: "write" or "read", facts.memory: "pageable" or
--   "pinned"
function transfer.run(stand, each_limit)
  for _, memory in ipairs {"pageable", "pinned"} do
    for _, way in ipairs {"write", "read"} do
      each_limit({way = way, memory = memory, name = ("%s, %s"):format(way, memory)}, function()
        if memory == "pinned" then return measure_pinned(stand, way) end
        return measure(stand, way, cl.array.float(most_bytes(stand) / 4))
      end)
    end
  end
end

return transfer
