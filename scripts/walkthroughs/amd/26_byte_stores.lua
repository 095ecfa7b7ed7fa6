-- Extensions, step 26: byte-addressable stores (cl_khr_byte_addressable_store; part of OpenCL itself from 1.1 on).
--
-- The histogram without atomics. Each work-item has 256 bins of one byte in local memory, and processes at most 255
-- values, so no bin overflows. Then each item adds up some of the bins over all items of its group and writes them to
-- the group's histogram. The host adds up the histograms. Without the extension a kernel cannot write less than 32 bits
-- to memory: the bins would need four times the memory, and a group could have a quarter of the items.
local amd = require "clue.walk.amd"
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local walk = require "clue.walk"

amd.inputs(input)
input.int("_group", 32, "work-items in a group; fewer if the device cannot", 1, 4096)

local KERNEL = amd.pragma "cl_khr_byte_addressable_store" .. [[
__kernel void histogram(__global const uchar *values, uint count, __global uint *bins, __local uchar *own)
{
    const uint here = get_local_id(0), items = get_local_size(0);
    for (uint k = 0; k < 256; k++)
        own[k * items + here] = 0;
    const uint first = get_group_id(0) * items * 255 + here;
    for (uint k = 0; k < 255; k++) {
        const uint i = first + k * items;
        if (i < count)
            own[values[i] * items + here]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = here; bin < 256; bin += items) {
        uint sum = 0;
        for (uint k = 0; k < items; k++)
            sum += own[bin * items + k];
        bins[get_group_id(0) * 256 + bin] = sum;
    }
}
]]

local row = {
  number = 26, name = "byte_stores", study = "extensions", change = "the histogram in bins of a byte, without atomics",
  decides = {"local_mem_size", "local_mem_type"},
}

local function fill(values)
  values:random(0, 255, 1)
  for i = 0, #values - 1, 2 do values[i] = 0 end
end

-- Adds up the bins of all groups.
local function added(found)
  local bins = {}
  for byte = 0, 255 do bins[byte] = 0 end
  for i = 0, #found - 1 do bins[i % 256] = bins[i % 256] + found[i] end
  return bins
end

function OnStart()
  local context = cl.context()
  amd.need(row, context, "cl_khr_byte_addressable_store")
  local queue = context:queue()
  local values = cl.array.uchar(amd.elements(_size, 2 ^ 26))
  local histogram = context:program(KERNEL):kernel "histogram"
  local size = group.size(histogram, _group, {
    bytes = function(items) return items * 256 end,
    idle = function(none, items) return none, 0, none, cl.local_memory(items * 256) end,
  })
  local groups = math.ceil(#values / (size * 255))
  local found = cl.array.uint(groups * 256)
  local from, bins = context:buffer(values, "read_only"), context:buffer(found)
  local parts = {
    bytes = #values, rate = "GB/s", repeats = amd.repeats(_repeat),
    upload = function() queue:write_buffer(from, values) end,
    reset = function() found:fill(2 ^ 32 - 1) queue:write_buffer(bins, found) end,
    execute = function()
      histogram(queue, {groups * size}, {size}, from, #values, bins, cl.local_memory(size * 256))
    end,
    read = function() queue:read_buffer(bins, found) end,
  }
  local expected
  row.check = walk.verify(parts, {{
    name = "every bin",
    prepare = function() fill(values) expected = amd.histogram(values) end,
    check = function() return amd.same_bins(added(found), expected) end,
  }})
  row.times = walk.run(parts)
  row.notes = {("%s of %d items, %d bytes of local memory each"):format(counted(groups, "group"), size,
    size * 256)}
  row.problem, row.context = ("a histogram of %d bytes"):format(#values), context
  walk.report(row)
end
