-- Transposition, step 8, beyond the course: each work-item moves four elements of a larger tile.
--
-- In step 7 a row of a tile is half a warp: a request touches two lines of 128 bytes, takes two passes of local memory,
-- and each item has one read in progress when it comes to the barrier. Here tiles are 32 x 32, groups 32 x 8, and an
-- item moves four elements. A row of a tile fills a line of 128 bytes, so there is one line and one pass a request.
-- Four elements share the computation of indices (44 instructions an element, not 48), and four reads are in progress
-- at once before the barrier. The counts of memory are now the least possible, 4 sectors a request; what limits is how
-- long the runs are that a group writes.
local cl = require "clue"
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "2003x1501", "N, or WxH: the plane has H rows of W floats")
input.int("_tile", 32, "rows and columns of a tile; fewer if the device cannot", 1, 64)

local KERNEL = [[
__kernel void transpose(__global const float *from, __global float *to, ulong width, ulong height,
                        __local float *tile)
{
    const uint side = get_local_size(0), stride = side + 1;
    const size_t left = get_group_id(0) * side, top = get_group_id(1) * side;
    const uint column = get_local_id(0), lines = get_local_size(1);
    for (uint line = get_local_id(1); line < side; line += lines)
        if (left + column < width && top + line < height)
            tile[line * stride + column] = from[(top + line) * width + left + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint line = get_local_id(1); line < side; line += lines)
        if (left + line < width && top + column < height)
            to[(left + line) * height + top + column] = tile[column * stride + line];
}
]]

local row = {
  number = 8, name = "block_per_item", study = "transpose",
  beyond = true, change = "tiles of 32 x 32, four elements per work-item",
  expect = {
    cpu = {"open", "an item has loops of its own now, which share indices, but may keep a compiler from computing "
      .. "several items at once"},
    gpu = {"faster", "one line a request instead of two, one pass of local memory instead of two, and four reads of an "
      .. "item in progress"},
  },
  decides = {"local_mem_size", "max_work_group_size"},
}

function OnStart()
  local plane = move.plane{size = sizes.of_study(_size, "transpose", "2003x1501"), repeats = _repeat,
                           transposed = true}
  local context = cl.context()
  local queue = context:queue()
  local move_all = context:program(KERNEL):kernel "transpose"
  local function bytes(side) return side * (side + 1) * 4 end
  local side = group.side(move_all, _tile, {
    bytes = bytes, lines = 4,
    idle = function(none, side) return none, none, cl.ulong(0), cl.ulong(0), cl.local_memory(bytes(side)) end,
  })
  local lines = math.ceil(side / 4)
  local items_x, items_y = group.round_up(plane.width, side), math.ceil(plane.height / side) * lines
  local from, to = context:buffer(plane.from, "read_only"), context:buffer(plane.to)
  local parts = {
    bytes = plane.traffic, rate = "GB/s", repeats = plane.repeats,
    upload = function() queue:write_buffer(from, plane.from) end,
    reset = function() plane:forget(queue, to) end,
    execute = function()
      move_all(queue, {items_x, items_y}, {side, lines}, from, to, cl.ulong(plane.width), cl.ulong(plane.height),
        cl.local_memory(bytes(side)))
    end,
    read = function() queue:read_buffer(to, plane.to) end,
  }
  row.check = walk.verify(parts, plane:passes())
  row.times = walk.run(parts)
  row.notes = {("tiles of %d x %d by groups of %d x %d, %d bytes of local memory"):format(side, side, side, lines,
    bytes(side))}
  walk.report(plane:row(row, context))
end
