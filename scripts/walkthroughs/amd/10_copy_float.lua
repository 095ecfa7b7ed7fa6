-- Vectors, step 10: a copy, one float per work-item.
--
-- This is the base of the study: the next steps move the same floats in vectors of 2, 4, 8 and 16. What limits it, if
-- not memory itself: an item takes 9 instructions to copy 4 bytes, and has no more than those in progress. Wider
-- vectors make fewer and larger accesses, which the VLIW GPUs of the course's time needed; current GPUs merge the
-- accesses of neighbours by themselves (4 sectors in 1 line for a warp, the least). The groups have 256 work-items and
-- the range is rounded up: otherwise NVIDIA's driver would choose a group size that divides the range, which is 1 for a
-- prime number of floats.
local cl = require "clue"
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "4000003", "how many floats")

local KERNEL = [[
__kernel void copy(__global const float *from, __global float *to, ulong count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        to[i] = from[i];
}
]]

local row = {
  number = 10, name = "copy_float", study = "vectors",
  change = "one float per work-item",
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local list = move.list{size = sizes.of_study(_size, "vectors", "4000003"), repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local copy = context:program(KERNEL):kernel "copy"
  local size = group.size(copy, 256)
  local items = group.round_up(list.width, size)
  local from, to = context:buffer(list.from, "read_only"), context:buffer(list.to)
  local parts = {
    bytes = list.traffic, rate = "GB/s", repeats = list.repeats,
    upload = function() queue:write_buffer(from, list.from) end,
    reset = function() list:forget(queue, to) end,
    execute = function() copy(queue, items, size, from, to, cl.ulong(list.width)) end,
    read = function() queue:read_buffer(to, list.to) end,
  }
  row.check = walk.verify(parts, list:passes())
  row.times = walk.run(parts)
  walk.report(list:row(row, context))
end
