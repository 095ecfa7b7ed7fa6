-- Transposition, step 4: consecutive reads, scattered writes.
--
-- The copy of step 3 touches 4 sectors a request, to read and to write. A transposition exchanges rows and columns, so
-- one of the two must be scattered. Here neighbours in dimension 0 read neighbouring elements, and write them a whole
-- column apart. In groups of 16 x 16, a warp has two rows of 16 elements, and the two elements of a column are adjacent
-- in the result: a request to write touches 16 sectors, each for two elements, where 4 could hold all 32. So requests
-- ask for (4 + 16) / 8 = 2.5 times the bytes: this step can only lose. The scattered writes are its limit.
local cl = require "clue"
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "2003x1501", "N, or WxH: the plane has H rows of W floats")

local KERNEL = [[
__kernel void transpose(__global const float *from, __global float *to, ulong width, ulong height)
{
    const size_t x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        to[x * height + y] = from[y * width + x];
}
]]

local row = {
  number = 4, name = "reads_consecutive", study = "transpose",
  change = "transposed by consecutive reads and scattered writes",
  note_of_author = "charted on an HD 5870; the figures cannot be read off",
  expect = {
    cpu = function(on)
      return "slower", ("neighbours write to different cache lines of %d bytes, which must stay in the cache until the "
        .. "group's other items have filled them"):format(on.global_mem_cacheline_size)
    end,
    gpu = {"slower", "a request to write touches 16 sectors instead of 4, so requests ask for 2.5 times the bytes"},
  },
  decides = {"global_mem_cacheline_size"},
}

function OnStart()
  local plane = move.plane{size = sizes.of_study(_size, "transpose", "2003x1501"), repeats = _repeat,
                           transposed = true}
  local context = cl.context()
  local queue = context:queue()
  local move_all = context:program(KERNEL):kernel "transpose"
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
