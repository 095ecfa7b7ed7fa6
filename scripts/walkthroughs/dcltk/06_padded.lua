-- Step 6, part 3 of the series: the host pads the matrices with zeros to whole tiles, so the kernel needs no bounds
-- tests. rows, cols and result_cols are those of the padded matrices.
--
-- Step 5 tests for each element of a tile whether it is in the matrix: two tests for 32 multiply-adds, so little is to
-- be gained. The counts are the same, 0.035 accesses an operation and 4 sectors a request. Zeros add nothing to a sum,
-- and nobody looks beyond the edges of C, but they are multiplied: 53 % more at 100 x 200 x 300, 3 % more at 1000 x
-- 2000 x 3000. The padding costs the host a copy of every matrix, which counts here as upload and as reading.
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
                tile_a[row * side + column] = a[i * cols + first + column];
                tile_b[row * side + column] = b[(first + row) * result_cols + j];
                barrier(CLK_LOCAL_MEM_FENCE);
                for (uint k = 0; k < side; k++)
                    value += tile_a[row * side + k] * tile_b[k * side + column];
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            c[i * result_cols + j] = value;
        }
}
]]

local row = {
  number = 6, name = "padded", change = "the host pads the matrices to whole tiles: no bounds tests in the kernel",
  note_of_author = "part 3 of the series; no figures for it",
  expect = {
    cpu = {"open", "the tests go, but the zeros are multiplied, and C is copied: half more work if the matrices are "
      .. "small"},
    gpu = {"slower", "the tests cost the kernel little, and the total contains reading the padded C and copying it"},
  },
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

  local m, k, n = group.round_up(p.m, side), group.round_up(p.k, side), group.round_up(p.n, side)
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
    ("padded to %d x %d times %d x %d, whole tiles of %d x %d: %.1f %% more to multiply"):format(m, k, k, n, side, side,
      100 * (m * k * n / (p.m * p.k * p.n) - 1)),
  }
  walk.report(p:row(row, context))
end
