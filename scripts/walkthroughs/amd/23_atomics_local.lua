-- Extensions, step 23: 32-bit atomics in local memory (cl_khr_local_int32_base_atomics; in OpenCL itself from 1.1).
--
-- Step 22 is limited by its atomics in global memory, one for each value, 13.2 sectors a request. Here each group
-- counts in its own bins in local memory, where atomics are fast and only the group's items compete (2.3 passes a
-- request, since different bins share banks; equal bins need not wait: an NVIDIA card adds up a warp's increments of
-- one word in one pass). At the end each group adds its 256 bins to those in global memory, 4 sectors a request: 65,536
-- atomics for all 256 groups, however many values there are. Two barriers are necessary: the bins must be 0 before the
-- first count, and complete before they are added.
local amd = require "clue.walk.amd"
local cl = require "clue"
local group = require "clue.walk.group"
local walk = require "clue.walk"

amd.inputs(input)
input.int("_group", 64, "work-items in a group; fewer if the device cannot", 1, 4096)

local KERNEL = [[
__kernel void histogram(__global const uchar *values, uint count, __global uint *bins)
{
    __local uint own[256];
    for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
        own[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        const uint value = values[i];
        atomic_inc(&own[value]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
        atomic_add(&bins[k], own[k]);
}
]]

local row = {
  number = 23, name = "atomics_local", study = "extensions",
  change = "the histogram counted in local memory first", decides = {"local_mem_type", "max_compute_units"},
  expect = {
    cpu = function(on)
      if on.max_compute_units < 2 then return "open", "there is one compute unit, so no other competes for the bins" end
      return "faster", ("each of %d units keeps its group's bins in its own cache, instead of sharing their "
        .. "lines"):format(on.max_compute_units)
    end,
    gpu = {"faster", "the bins are in each unit's own memory, so groups do not wait for one another"},
  },
}

-- Every other value is 0, so one bin is crowded and the others are not.
local function fill(values)
  values:random(0, 255, 1)
  for i = 0, #values - 1, 2 do values[i] = 0 end
end

function OnStart()
  local context = cl.context()
  amd.need(row, context, "cl_khr_local_int32_base_atomics", "cl_khr_global_int32_base_atomics")
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
