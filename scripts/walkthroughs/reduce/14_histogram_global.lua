-- Histogram, step 14: each work-item adds its number to a bin in global memory.
--
-- There are 256 bins, and a number's bin is its lowest byte, as in the counting pass of a radix sort. bins[b]++ reads,
-- adds and writes, and loses what another item writes in between; atomic_inc() does all three in one step. All items of
-- the device compete for 256 words: this limits it, with an atomic operation in memory that all units share for each
-- number, and 10.7 sectors for a warp's request. It is worst if all numbers are in one bin: the last line says how fast
-- that is. GB/s count each number as read once.
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
    const uint i = get_global_id(0);
    if (i < count)
        atomic_inc(&bins[from[i] % 256]);
}
]]

local row = {
  number = 14, name = "histogram_global", study = "histogram",
  change = "one item for each number, atomics on 256 bins in global memory",
  decides = {"global_mem_cache_type", "max_compute_units"},
}

function OnStart()
  local counts = numbers.histogram{size = _size, repeats = _repeat}
  local context = cl.context()
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
