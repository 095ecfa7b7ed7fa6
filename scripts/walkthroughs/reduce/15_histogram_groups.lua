-- Histogram, step 15: each group counts in bins of its own, in local memory.
--
-- Step 14 is limited by its atomics in global memory, for which all items of the device compete: one for each number,
-- 10.7 sectors a request. Here each group counts in bins of its own, in local memory. Atomics there are faster, and
-- only the group's items compete for its bins. At the end the group adds its bins to those in global memory. Two
-- barriers are necessary: the bins must be 0 before the first count, and complete before they are added. But a group of
-- 256 items has only 256 numbers for its 256 bins, so it now needs as many atomics in global memory as before. They are
-- neighbours in neighbouring bins, so a request touches 4 sectors, of which no two items want the same word. Sectors
-- alone would make that a gain of 10.7 / 4 = 2.7; an H200 gains 6.82, so they are not all of it: what several items
-- that add to one word wait for is not in the count.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local group = require "clue.walk.group"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input, 256)

local KERNEL = [[
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void count(__global const uint *from, uint count, volatile __global uint *bins)
{
    volatile __local uint own[256];
    const uint here = get_local_id(0), i = get_global_id(0);
    for (uint bin = here; bin < 256; bin += SIZE)
        own[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count)
        atomic_inc(&own[from[i] % 256]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = here; bin < 256; bin += SIZE)
        atomic_add(&bins[bin], own[bin]);
}
]]

local row = {
  number = 15, name = "histogram_groups", study = "histogram",
  change = "each group counts in local memory, and adds its bins to the result",
  expect = {
    cpu = function(on)
      if on.max_compute_units < 2 then
        return "slower", "two atomics for each number instead of one, and no other compute unit competes"
      end
      return "open", ("two atomics for each number instead of one; but each of %d units takes a line of bins once for "
        .. "16 additions, which gains unless the units share a cache"):format(on.max_compute_units)
    end,
    gpu = {"faster", "as many atomics in global memory, but of neighbours in neighbouring bins, 4 sectors a request "
      .. "instead of 10.7"},
  },
  decides = {"local_mem_type", "max_compute_units"},
}

function OnStart()
  local counts = numbers.histogram{size = _size, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {local_memory = 4 * numbers.BINS})
  local queue = context:queue()
  local program, size = group.program(context, KERNEL, {
    kernel = "count", size = _group, idle = function(none) return none, 0, none end,
  })
  local count = program:kernel "count"
  local from, bins = context:buffer(counts.values:bytes(), "read_only"), context:buffer(counts.found:bytes())
  local run = {
    bytes = counts.traffic, rate = "GB/s", repeats = counts.repeats,
    upload = function() queue:write_buffer(from, counts.values) end,
    reset = function() counts:empty(queue, bins) end,
    execute = function() count(queue, group.round_up(counts.count, size), size, from, counts.count, bins) end,
    read = function() queue:read_buffer(bins, counts.found) end,
  }
  row.check = walk.verify(run, counts:passes())
  row.times = walk.run(run)
  row.host = counts:host()
  row.notes = {("groups of %d work-items"):format(size), counts:crowded(run), ceiling.reading(context, run)}
  walk.report(counts:row(row, context))
end
