-- Histogram, step 16: a fixed number of groups, each of whose items counts many numbers.
--
-- Step 15 still needs an atomic in global memory for each number, since a group has no more numbers than bins. So a
-- fixed number of groups is started, as many as keep the device busy, and each item walks through the numbers in
-- strides of the whole range, so that neighbours still read neighbouring numbers. A group adds its 256 bins once for
-- all of its numbers: instead of two atomics for a number there is little more than one, in local memory. Emptying
-- and adding the bins now takes almost no time. An update of local memory takes 2.1 passes, since different bins
-- share banks. On an H200 these passes alone would take less than a third of the kernel's time: they are not its
-- limit. Nor do equal bins wait for each other: an NVIDIA card adds up a warp's increments of one word in one pass,
-- and with all numbers in one bin an H200 is no slower than with random ones (2520 and 2429 GB/s). What is left is
-- that an item waits for each number before it asks for the next; step 18 has more of them on their way.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input, 256)

local KERNEL = [[
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void count(__global const uint *from, uint count, volatile __global uint *bins)
{
    volatile __local uint own[256];
    const uint here = get_local_id(0);
    for (uint bin = here; bin < 256; bin += SIZE)
        own[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&own[from[i] % 256]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = here; bin < 256; bin += SIZE)
        atomic_add(&bins[bin], own[bin]);
}
]]

local row = {
  number = 16, name = "histogram_many", study = "histogram",
  change = "as many groups as keep the device busy; each item counts many numbers",
  expect = {
    cpu = {"faster", "little more than one atomic for each number instead of two, and that one in the core's own "
      .. "cache"},
    gpu = function(on)
      return "faster", ("only %d groups add their bins in global memory, instead of one for every 256 "
        .. "numbers"):format(16 * on.max_compute_units)
    end,
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
  local most = 16 * (context.device.max_compute_units or 1) -- groups
  local groups = math.min(most, math.ceil(counts.count / size))
  local from, bins = context:buffer(counts.values:bytes(), "read_only"), context:buffer(counts.found:bytes())
  local run = {
    bytes = counts.traffic, rate = "GB/s", repeats = counts.repeats,
    upload = function() queue:write_buffer(from, counts.values) end,
    reset = function() counts:empty(queue, bins) end,
    execute = function() count(queue, groups * size, size, from, counts.count, bins) end,
    read = function() queue:read_buffer(bins, counts.found) end,
  }
  row.check = walk.verify(run, counts:passes())
  row.times = walk.run(run)
  row.host = counts:host()
  row.notes = {("%s of %d work-items"):format(counted(groups, "group"), size), counts:crowded(run),
    ceiling.reading(context, run)}
  walk.report(counts:row(row, context))
end
