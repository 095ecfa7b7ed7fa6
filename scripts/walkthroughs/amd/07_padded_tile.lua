-- Transposition, step 7, beyond the course: the tile is one column wider.
--
-- When step 6 reads a column of its tile, a request to local memory takes 8 passes. Local memory is distributed over
-- banks word by word; most GPUs have 32 banks. A column of a tile that is 16 or 32 wide is in one or two banks, so its
-- words are accessed one after the other. One more column shifts each row by a bank. An element's store and load now
-- take 2 + 2 passes instead of 1 + 8 (a warp has two rows of a tile of 16, which overlap in some banks). This gains up
-- to 9 / 4 = 2.2 where local memory is the limit, and nothing where global memory is.
local cl = require "clue"
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "2003x1501", "N, or WxH: the plane has H rows of W floats")
input.int("_tile", 16, "rows and columns of a tile; fewer if the device cannot", 1, 64)

local KERNEL = [[
__kernel void transpose(__global const float *from, __global float *to, ulong width, ulong height,
                        __local float *tile)
{
    const uint side = get_local_size(0), stride = side + 1;
    const size_t left = get_group_id(0) * side, top = get_group_id(1) * side;
    const uint column = get_local_id(0), line = get_local_id(1);
    if (left + column < width && top + line < height)
        tile[line * stride + column] = from[(top + line) * width + left + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left + line < width && top + column < height)
        to[(left + line) * height + top + column] = tile[column * stride + line];
}
]]

local row = {
  number = 7, name = "padded_tile", study = "transpose",
  beyond = true, change = "the tile padded by one column against bank conflicts",
  expect = {
    cpu = {"same", "a CPU's caches have no such banks"},
    gpu = {"open", "local memory takes 4 passes for a store and a load of an element, instead of 9; that gains only "
      .. "where it, not global memory, is the limit"},
  },
  decides = {"local_mem_type", "local_mem_size"},
}

function OnStart()
  local plane = move.plane{size = sizes.of_study(_size, "transpose", "2003x1501"), repeats = _repeat,
                           transposed = true}
  local context = cl.context()
  local queue = context:queue()
  local move_all = context:program(KERNEL):kernel "transpose"
  local function bytes(side) return side * (side + 1) * 4 end
  local side = group.side(move_all, _tile, {
    bytes = bytes,
    idle = function(none, side) return none, none, cl.ulong(0), cl.ulong(0), cl.local_memory(bytes(side)) end,
  })
  local items_x, items_y = group.round_up(plane.width, side), group.round_up(plane.height, side)
  local from, to = context:buffer(plane.from, "read_only"), context:buffer(plane.to)
  local parts = {
    bytes = plane.traffic, rate = "GB/s", repeats = plane.repeats,
    upload = function() queue:write_buffer(from, plane.from) end,
    reset = function() plane:forget(queue, to) end,
    execute = function()
      move_all(queue, {items_x, items_y}, {side, side}, from, to, cl.ulong(plane.width), cl.ulong(plane.height),
        cl.local_memory(bytes(side)))
    end,
    read = function() queue:read_buffer(to, plane.to) end,
  }
  row.check = walk.verify(parts, plane:passes())
  row.times = walk.run(parts)
  row.notes = {("tiles of %d x %d, %d bytes of local memory"):format(side, side, bytes(side))}
  walk.report(plane:row(row, context))
end
