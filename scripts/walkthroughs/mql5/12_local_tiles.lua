-- Step 12, beyond the article: square tiles of A and B in local memory.
--
-- In step 11, each multiply-add still reads two elements from global memory, although 15 neighbours of a work-item read
-- the same row of A, and 15 others the same column of B. Here, a group of 16 x 16 work-items copies 16 x 16 elements of
-- both into local memory, one each; all of them multiply from there, and go on to the next 16 elements along K. So
-- global memory is read a sixteenth as often: 0.070 accesses an operation by the count, instead of 1.01. What limits it
-- now are the two reads of local memory for each multiply-add.
--
-- Of two barriers, the first waits until both tiles are filled, the second until nobody needs them any more: step 7
-- explains what happens without it. Zeros replace what is outside of the matrices, so every work-item reaches every
-- barrier, and sizes need not be multiples of 16.
--
-- On a CPU device, local memory is ordinary memory: copies cost, and save nothing that its caches would not.
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local walk = require "clue.walk"

local SIDE = 16 -- as in the kernel

product.inputs(input, "480")

local KERNEL = [[
#define SIDE 16 /* of a tile, and of a group */

/* An element of A, or of B, whose columns are stored as rows; 0 outside of it. */
static REALTYPE element(__global const REALTYPE *matrix, const int rows, const int row, const int k)
{
    return row < rows && k < K ? matrix[row * K + k] : 0;
}

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void matr_mul_local_tiles(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    __local REALTYPE tile_a[SIDE][SIDE], tile_b[SIDE][SIDE]; /* [row][k], [k][column] */
    const int x = get_local_id(0), y = get_local_id(1);
    const int top = get_group_id(1) * SIDE, left = get_group_id(0) * SIDE;
    REALTYPE sum = 0;
    for (int first = 0; first < K; first += SIDE) {
        tile_a[y][x] = element(a, M, top + y, first + x);
        tile_b[x][y] = element(b, N, left + y, first + x);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < SIDE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (top + y < M && left + x < N)
        c[(top + y) * N + left + x] = sum;
}
]]

local row = {
  number = 12, name = "matr_mul_local_tiles", beyond = true,
  change = "a group copies tiles of 16 x 16 of both matrices into local memory",
  expect = {
    cpu = {"open", "the copies come on top; but between barriers the compiler may compute several work-items side by "
      .. "side, and then how well it does that decides"},
    gpu = function(on)
      if on.local_mem_type ~= "local" then return "slower", "local memory is emulated in global memory here" end
      return "faster", "an element that a group has copied to local memory serves 16 work-items"
    end,
  },
  decides = {"local_mem_type", "local_mem_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = cl.context()
  walk.need(row, context, {type = p.type, group = SIDE * SIDE, local_memory = 2 * SIDE * SIDE * p.a:bytes() / #p.a})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "matr_mul_local_tiles"
  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)
  local global = {group.round_up(p.n, SIDE), group.round_up(p.m, SIDE)}

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function() multiply(queue, global, {SIDE, SIDE}, a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_columns"
  walk.report(p:row(row, context))
end
