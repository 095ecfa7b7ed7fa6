-- Step 7, part 4 of the series: each work-item computes 2 x 2 elements of C, and keeps their sums in private memory.
--
-- Step 6 reads two elements from local memory for each multiplication. For four multiplications, a work-item here reads
-- four elements from the tiles, where four work-items read eight: half the traffic of local memory. Tiles are twice as
-- wide and high, so global memory is read half as often too: requests ask for 1.67 times the bytes instead of 3.00. The
-- price is private memory (registers), and fewer work-items, which hide less of each other's waiting. The loops over
-- the block have a fixed length, and the sums are in registers only if the compiler unrolls them: Oclgrind's does not,
-- and counts four private accesses for two multiply-adds; neither does PoCL's.
--
-- The 2 x 2 elements are as far apart as the group is wide and high. So neighbouring work-items still take neighbouring
-- columns, in each of their accesses; if an item's elements were adjacent, its neighbours would be two columns apart.
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local walk = require "clue.walk"

local P = 2 -- as in the kernel

product.inputs(input, "100x200x300")
input.int("_groups", 4, "work-groups in each dimension", 1)
input.int("_local", 32, "work-items in each group and dimension; fewer if the device cannot", 1)

local KERNEL = [[
#define P 2 /* each work-item computes P x P elements of C, a group's width and height apart */

__kernel void product(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c,
                      uint rows, uint cols, uint result_cols, __local REALTYPE *tile_a, __local REALTYPE *tile_b)
{
    const uint size = get_local_size(0), side = size * P, column = get_local_id(0), row = get_local_id(1);
    for (uint top = get_group_id(1) * side; top < rows; top += get_num_groups(1) * side)
        for (uint left = get_group_id(0) * side; left < result_cols; left += get_num_groups(0) * side) {
            REALTYPE value[P][P] = {{0}};
            for (uint first = 0; first < cols; first += side) {
                for (uint y = row; y < side; y += size)
                    for (uint x = column; x < side; x += size) {
                        tile_a[y * side + x] = a[(top + y) * cols + first + x];
                        tile_b[y * side + x] = b[(first + y) * result_cols + left + x];
                    }
                barrier(CLK_LOCAL_MEM_FENCE);
                for (uint k = 0; k < side; k++)
                    for (uint y = 0; y < P; y++)
                        for (uint x = 0; x < P; x++)
                            value[y][x] += tile_a[(row + y * size) * side + k] * tile_b[k * side + column + x * size];
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            for (uint y = 0; y < P; y++)
                for (uint x = 0; x < P; x++)
                    c[(top + row + y * size) * result_cols + left + column + x * size] = value[y][x];
        }
}
]]

local row = {
  number = 7, name = "block_in_private",
  change = "each work-item computes 2 x 2 elements, their sums in private memory",
  note_of_author = "part 4 of the series; no figures for it",
  expect = {
    cpu = {"open", "half the reads of the tiles for each multiply-add; but if the compiler does not unroll the loops "
      .. "over the 2 x 2 sums, these are read and written in memory each time"},
    gpu = {"faster", "one read of local memory for each multiply-add instead of two, and half the reads of global "
      .. "memory"},
  },
  decides = {"local_mem_size", "max_work_group_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, range = {0, 1}}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "product"
  local bytes_of = cl.array[_type](1):bytes()
  local function tile(side) return (side * P) ^ 2 * bytes_of end
  local side = group.side(multiply, _local, {
    bytes = function(side) return 2 * tile(side) end,
    idle = function(none, side)
      return none, none, none, 0, 0, 0, cl.local_memory(tile(side)), cl.local_memory(tile(side))
    end,
  })
  local items = _groups * side -- in each dimension

  local m, k, n = group.round_up(p.m, side * P), group.round_up(p.k, side * P), group.round_up(p.n, side * P)
  local function matrix(rows, columns) return cl.array[_type](rows * columns):reshape(rows, columns) end
  local padded_a, padded_b, padded_c = matrix(m, k), matrix(k, n), matrix(m, n)
  local a, b = context:buffer(padded_a:bytes(), "read_only"), context:buffer(padded_b:bytes(), "read_only")
  local c = context:buffer(padded_c:bytes())
  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function()
      product.copy_part(padded_a, k, p.a, p.k, p.m, p.k)
      product.copy_part(padded_b, n, p.b, p.n, p.k, p.n)
      queue:write_buffer(a, padded_a) queue:write_buffer(b, padded_b)
    end,
    reset = function() padded_c:fill(0) queue:write_buffer(c, padded_c) end,
    execute = function()
      multiply(queue, {items, items}, {side, side}, a, b, c, m, k, n, cl.local_memory(tile(side)),
        cl.local_memory(tile(side)))
    end,
    read = function()
      queue:read_buffer(c, padded_c)
      product.copy_part(p.c, p.n, padded_c, n, p.m, p.n)
    end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {
    ("tiles of %d x %d for groups of %d x %d, %d bytes of local memory each; padded to %d x %d times %d x %d"):format(
      side * P, side * P, side, side, 2 * tile(side), m, k, k, n),
  }
  walk.report(p:row(row, context))
end
