-- Extensions, step 22: 32-bit atomics in global memory (cl_khr_global_int32_base_atomics; in OpenCL itself from 1.1).
--
-- A histogram: all work-items add to the same 256 bins. bins[v]++ reads, adds and writes, and loses what another item
-- writes in between; atomic_inc() does all three in one step. Items that add to the same bin wait for each other, so
-- fewer different values make it slower: half of the values here are 0. That limits the step: each value takes an
-- atomic operation in memory that all units share, and a warp's request touches 13.2 sectors.
--
-- An atomic operation is never divided, but it puts nothing into an order: which item adds first is left open. A sum of
-- ints is the same in any order; a sum of floats, or a list that items append to, is not. The base extension has add,
-- subtract, increment, decrement, exchange and compare-and-exchange. A second one,
-- cl_khr_global_int32_extended_atomics, has minimum, maximum, and, or and xor; since 1.1 they are in OpenCL, too.
local amd = require "clue.walk.amd"
local cl = require "clue"
local group = require "clue.walk.group"
local walk = require "clue.walk"

amd.inputs(input)
input.int("_group", 64, "work-items in a group; fewer if the device cannot", 1, 4096)

local KERNEL = [[
__kernel void histogram(__global const uchar *values, uint count, __global uint *bins)
{
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        const uint value = values[i];
        atomic_inc(&bins[value]);
    }
}
]]

local row = {
  number = 22, name = "atomics_global", study = "extensions",
  change = "a histogram in global memory by 32-bit atomics", decides = {"global_mem_cache_type", "max_compute_units"},
}

-- Every other value is 0, so one bin is crowded and the others are not.
local function fill(values)
  values:random(0, 255, 1)
  for i = 0, #values - 1, 2 do values[i] = 0 end
end

function OnStart()
  local context = cl.context()
  amd.need(row, context, "cl_khr_global_int32_base_atomics")
  local queue = context:queue()
  local values = cl.array.uchar(amd.elements(_size))
  local found = cl.array.uint(256)
  local histogram = context:program(KERNEL):kernel "histogram"
  local size = group.size(histogram, _group, {
    idle = function(none) return none, 0, none end,
  })
  local items = math.min(group.round_up(#values, size), size * 256)
  local from, bins = context:buffer(values, "read_only"), context:buffer(found)
  local parts = {
    bytes = #values, rate = "GB/s", repeats = amd.repeats(_repeat),
    upload = function() queue:write_buffer(from, values) end,
    reset = function() found:fill(0) queue:write_buffer(bins, found) end,
    execute = function() histogram(queue, {items}, {size}, from, #values, bins) end,
    read = function() queue:read_buffer(bins, found) end,
  }
  local expected
  row.check = walk.verify(parts, {{
    name = "every bin",
    prepare = function() fill(values) expected = amd.histogram(values) end,
    check = function() return amd.same_bins(found, expected) end,
  }})
  row.times = walk.run(parts)
  row.problem, row.context = ("a histogram of %d bytes"):format(#values), context
  walk.report(row)
end
