-- Histogram, step 17: several copies of the bins in each group.
--
-- In step 16 an update of local memory takes 2.1 passes: items that run together wait for each other if their bins are
-- in the same bank of local memory, and on some hardware also if they add to the same bin. Here neighbours count in
-- different copies. A bin's copies lie side by side, and so in different banks. Where items of one bin wait, four
-- copies make it four times less crowded: up to 4 is to be gained if all numbers are in one bin (the last line). An
-- NVIDIA card adds up a warp's increments of one word in one pass, so there nothing is to be gained. With random
-- numbers bins seldom coincide, and banks do as before: 2.1 passes again. The copies take four times the local memory:
-- more of them leave room for fewer groups.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input, 256)

local COPIES = 4 -- of a group's bins

local KERNEL = [[
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void count(__global const uint *from, uint count, volatile __global uint *bins)
{
    volatile __local uint own[256 * COPIES];
    const uint here = get_local_id(0), copy = here % COPIES;
    for (uint k = here; k < 256 * COPIES; k += SIZE)
        own[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&own[from[i] % 256 * COPIES + copy]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = here; bin < 256; bin += SIZE) {
        uint sum = 0;
        for (uint k = 0; k < COPIES; k++)
            sum += own[bin * COPIES + k];
        atomic_add(&bins[bin], sum);
    }
}
]]

local row = {
  number = 17, name = "histogram_copies", study = "histogram",
  change = "four copies of a group's bins, in different banks, for neighbouring items",
  expect = {
    cpu = {"same", "a core adds for one item after the other, so none waits for another, and its cache has no such "
      .. "banks"},
    gpu = {"open", "with random numbers, 2.1 passes a request as before; crowded bins gain only if items of one bin "
      .. "wait here, and four times the local memory may leave room for fewer groups"},
  },
  decides = {"local_mem_size", "max_compute_units"},
}

function OnStart()
  local counts = numbers.histogram{size = _size, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {local_memory = 4 * COPIES * numbers.BINS})
  local queue = context:queue()
  local program, size = group.program(context, KERNEL, {
    kernel = "count", size = _group, defines = {COPIES = COPIES}, idle = function(none) return none, 0, none end,
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
  row.notes = {("%s of %d work-items, %d copies of the bins"):format(counted(groups, "group"), size, COPIES),
    counts:crowded(run), ceiling.reading(context, run)}
  walk.report(counts:row(row, context))
end
