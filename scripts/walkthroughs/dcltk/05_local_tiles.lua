-- Step 5, part 2 of the series: tiles in local memory. A group copies a tile of A and a tile of B, which it reads once
-- from global memory. Then every work-item takes its row and its column from the tiles.
--
-- Step 4 reads global memory twice for each multiply-add, and its requests ask for 355 times the bytes that it uses
-- (all counts here are for 128 x 128 x 128). Each element of A and B is now read from global memory once per tile of C
-- instead of once per element of C: a 32nd of these reads. By the count, 0.035 accesses an operation instead of 1.00,
-- and 3.00 times the bytes instead of 355. Of this factor of 118, the tiles are 28.6, fewer accesses; the other 4.14 is
-- coalescing, 4.00 sectors a request instead of 16.6, since the dimensions are exchanged. There are two barriers per
-- tile: after it is filled, and after it was used. The groups stride over whole tiles, so that all work-items of a
-- group reach every barrier; those beyond an edge fill in zeros and store nothing. What is left are two reads of local
-- memory for each multiply-add.
--
-- The source has only the title of this part. Dimension 0 is now the column: neighbours read neighbouring elements of
-- A, of B and of the tile of B, and share one element of the tile of A, which is read once for all of them. With
-- dimension 0 as the row, as in step 4, they would read global memory a whole row apart, and a column of the tile of A,
-- whose elements are all in one bank of local memory if the tile is 32 wide.
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "100x200x300")
input.int("_groups", 4, "work-groups in each dimension", 1)
input.int("_local", 32, "work-items in each group and dimension; fewer if the device cannot", 1)

local KERNEL = [[
__kernel void product(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c,
                      uint rows, uint cols, uint result_cols, __local REALTYPE *tile_a, __local REALTYPE *tile_b)
{
    const uint side = get_local_size(0), column = get_local_id(0), row = get_local_id(1);
    for (uint top = get_group_id(1) * side; top < rows; top += get_global_size(1))
        for (uint left = get_group_id(0) * side; left < result_cols; left += get_global_size(0)) {
            const uint i = top + row, j = left + column;
            REALTYPE value = 0;
            for (uint first = 0; first < cols; first += side) {
                const uint ka = first + column, kb = first + row;
                tile_a[row * side + column] = i < rows && ka < cols ? a[i * cols + ka] : 0;
                tile_b[row * side + column] = kb < cols && j < result_cols ? b[kb * result_cols + j] : 0;
                barrier(CLK_LOCAL_MEM_FENCE);
                for (uint k = 0; k < side; k++)
                    value += tile_a[row * side + k] * tile_b[k * side + column];
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            if (i < rows && j < result_cols)
                c[i * result_cols + j] = value;
        }
}
]]

local row = {
  number = 5, name = "local_tiles", change = "tiles of A and B copied to local memory, then used by the whole group",
  note_of_author = "part 2 of the series; no figures for it",
  expect = {
    cpu = {"open", "the copies and two barriers for each tile come on top, as local memory is ordinary memory; but "
      .. "between barriers the compiler may compute several work-items side by side"},
    gpu = function(on)
      if on.local_mem_type ~= "local" then return "slower", "local memory is emulated in global memory here" end
      return "faster", "neighbours read side by side, 4 sectors a request instead of 32, and each element of a tile "
        .. "serves 32 work-items"
    end,
  },
  decides = {"local_mem_type", "local_mem_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, range = {0, 1}}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "product"
  local bytes_of = cl.array[_type](1):bytes()
  local function tile(side) return side * side * bytes_of end
  local side = group.side(multiply, _local, {
    bytes = function(side) return 2 * tile(side) end,
    idle = function(none, side)
      return none, none, none, 0, 0, 0, cl.local_memory(tile(side)), cl.local_memory(tile(side))
    end,
  })
  local items = _groups * side -- in each dimension

  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)
  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function()
      multiply(queue, {items, items}, {side, side}, a, b, c, p.m, p.k, p.n, cl.local_memory(tile(side)),
        cl.local_memory(tile(side)))
    end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {
    ("groups of %d x %d, %d bytes of local memory each; the device has %d"):format(side, side, 2 * tile(side),
      context.device.local_mem_size),
    walk.beside(context, "local_mem_size", "49152", "the K80"),
  }
  walk.report(p:row(row, context))
end
