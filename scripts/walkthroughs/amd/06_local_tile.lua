-- Transposition, step 6: a tile in local memory makes reads and writes consecutive.
--
-- In step 5 a request to read touches 16 sectors where 4 would do. With 4, requests ask for 1 / 2.5 of the bytes. So a
-- group reads a square tile row by row into local memory, and after the barrier writes it column by column: its columns
-- are rows of the result. Only local memory, which has no lines, is accessed in a scattered way. Every work-item
-- reaches the barrier, including those beyond the edge.
--
-- The price is the barrier, a store and a load of local memory, and three times the instructions (47 a work-item, not
-- 16). If a cache already served the scattered reads, there is little to gain. The next limit may be local memory: a
-- column of a tile of 16 x 16 takes 8 passes a request, on 32 banks.
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
    const uint side = get_local_size(0);
    const size_t left = get_group_id(0) * side, top = get_group_id(1) * side;
    const uint column = get_local_id(0), line = get_local_id(1);
    if (left + column < width && top + line < height)
        tile[line * side + column] = from[(top + line) * width + left + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left + line < width && top + column < height)
        to[(left + line) * height + top + column] = tile[column * side + line];
}
]]

local row = {
  number = 6, name = "local_tile", study = "transpose",
  change = "a tile in local memory: reads and writes both consecutive",
  note_of_author = "the course charts steps 4 and 5 on an HD 5870, and does not rank this one",
  expect = {
    cpu = {"slower", "local memory is ordinary memory on a CPU, so the tile is one more copy through the same cache, "
      .. "and the barrier divides the items' loop in two"},
    gpu = function(on)
      if (on.global_mem_cache_size or 0) == 0 then
        return "faster", "no cache serves step 5's scattered reads, and 4 sectors a request replace 16"
      end
      return "open", "reads touch 4 sectors a request instead of 16, but if step 5's already came from a cache, the "
        .. "barrier and 31 more instructions a work-item only cost"
    end,
  },
  decides = {"local_mem_type", "local_mem_size"},
}

function OnStart()
  local plane = move.plane{size = sizes.of_study(_size, "transpose", "2003x1501"), repeats = _repeat,
                           transposed = true}
  local context = cl.context()
  local queue = context:queue()
  local move_all = context:program(KERNEL):kernel "transpose"
  local function bytes(side) return side * (side) * 4 end
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
