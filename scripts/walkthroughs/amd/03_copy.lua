-- Transposition, step 3: a plain copy, with the transpositions' groups.
--
-- Each element is read once and written once, both consecutively: 4 sectors of 32 bytes for a warp's request, the least
-- that 32 floats can have. GB/s count both. What limits it: an item has only one read in progress, so memory may not be
-- busy all the time. So a transposition can be faster than this copy: vectors copy more (steps 12 to 14), 1.9 times as
-- much on an H200.
local cl = require "clue"
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "2003x1501", "N, or WxH: the plane has H rows of W floats")

local KERNEL = [[
__kernel void copy(__global const float *from, __global float *to, ulong width, ulong height)
{
    const size_t x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        to[y * width + x] = from[y * width + x];
}
]]

local row = {
  number = 3, name = "copy", study = "transpose", limit = true,
  change = "a plain copy in the same groups, for comparison",
  note_of_author = "the transpositions were charted on an HD 5870; the figures cannot be read off",
  decides = {"global_mem_cacheline_size"},
}

function OnStart()
  local plane = move.plane{size = sizes.of_study(_size, "transpose", "2003x1501"), repeats = _repeat,
                           transposed = false}
  local context = cl.context()
  local queue = context:queue()
  local move_all = context:program(KERNEL):kernel "copy"
  local side = group.side(move_all, 16)
  local items_x, items_y = group.round_up(plane.width, side), group.round_up(plane.height, side)
  local from, to = context:buffer(plane.from, "read_only"), context:buffer(plane.to)
  local parts = {
    bytes = plane.traffic, rate = "GB/s", repeats = plane.repeats,
    upload = function() queue:write_buffer(from, plane.from) end,
    reset = function() plane:forget(queue, to) end,
    execute = function()
      move_all(queue, {items_x, items_y}, {side, side}, from, to, cl.ulong(plane.width), cl.ulong(plane.height))
    end,
    read = function() queue:read_buffer(to, plane.to) end,
  }
  row.check = walk.verify(parts, plane:passes())
  row.times = walk.run(parts)
  row.notes = {("groups of %d x %d work-items"):format(side, side)}
  walk.report(plane:row(row, context))
end
