-- Step 14, beyond the article: four elements at a time, from global and from local memory.
--
-- Step 13 has eight loads of local memory for 16 multiply-adds. One instruction loads a vector of four elements instead
-- of one, if they are adjacent: two loads, a quarter, and as few of global memory. But a load of four floats takes more
-- passes than one of a single float, so the loads save little there: most of what this step saves of local memory's
-- passes are the stores of the tile of B. There, elements are adjacent: both matrices are stored along K. In local
-- memory, the four rows of a work-item's block should be adjacent. So its rows and columns are now contiguous, and A's
-- tile is stored like B's, the other way round than A itself: an element's row is its place along K.
--
-- Local memory consists of banks, 32 on most GPUs, and work-items that use the same bank at the same time wait for each
-- other. Four neighbours copy 16 elements along K, which go down one column of the tile. If its rows had 64 floats, all
-- of a column would be in the same bank. Four unused elements behind each row spread it: two passes a store, where step
-- 13 has 16 for the tile of B.
--
-- The loop over the depth of a tile is unrolled. Otherwise PoCL goes through all work-items of a group for each k, and
-- their sums through memory.
local cl = require "clue"
local product = require "clue.walk.product"
local walk = require "clue.walk"

local SIDE, DEPTH = 16, 16 -- as in the kernel
local TILE = SIDE * 4
local PITCH = TILE + 4

product.inputs(input, "480")

local KERNEL = [[
#define SIDE 16          /* of a group */
#define DEPTH 16         /* of a tile along K */
#define TILE (SIDE * 4)  /* rows and columns of C: 4 x 4 for each work-item */
#define PITCH (TILE + 4) /* of the tiles' rows in local memory */

/* Four elements along K of a row of A, or of a column of B; 0 outside of the matrix. */
static REALTYPE4 four(__global const REALTYPE *matrix, const int rows, const int row, const int k)
{
    __global const REALTYPE *from = matrix + row * K + k;
    if (row >= rows || k >= K)
        return (REALTYPE4)(0);
    if (K % 4 == 0) /* all rows are aligned */
        return *(__global const REALTYPE4 *)from;
    return (REALTYPE4)(from[0], k + 1 < K ? from[1] : 0, k + 2 < K ? from[2] : 0, k + 3 < K ? from[3] : 0);
}

/* Puts them into a tile, where they go down a column. */
static void put(__local REALTYPE4 *tile, const int at, const int k, const REALTYPE4 v)
{
    __local REALTYPE *to = (__local REALTYPE *)tile + k * PITCH + at;
    to[0] = v.s0, to[PITCH] = v.s1, to[2 * PITCH] = v.s2, to[3 * PITCH] = v.s3;
}

/* Stores four elements of a row of C, as far as they are in it. */
static void store(__global REALTYPE *c, const int row, const int column, const REALTYPE4 v)
{
    const REALTYPE part[4] = {v.s0, v.s1, v.s2, v.s3};
    for (int j = 0; j < 4; j++)
        if (row < M && column + j < N)
            c[row * N + column + j] = part[j];
}

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void matr_mul_wide(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    __local REALTYPE4 tile_a[DEPTH * PITCH / 4], tile_b[DEPTH * PITCH / 4]; /* [k][row], [k][column] */
    const int x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x;
    const int top = get_group_id(1) * TILE, left = get_group_id(0) * TILE;
    const int copied = item / (DEPTH / 4), from = item * 4 % DEPTH; /* its row or column, and k, in the tiles */
    REALTYPE4 sum[4] = {(REALTYPE4)(0), (REALTYPE4)(0), (REALTYPE4)(0), (REALTYPE4)(0)};
    for (int first = 0; first < K; first += DEPTH) {
        put(tile_a, copied, from, four(a, M, top + copied, first + from));
        put(tile_b, copied, from, four(b, N, left + copied, first + from));
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            const REALTYPE4 of_a = tile_a[k * PITCH / 4 + y], of_b = tile_b[k * PITCH / 4 + x];
            sum[0] += of_a.s0 * of_b, sum[1] += of_a.s1 * of_b;
            sum[2] += of_a.s2 * of_b, sum[3] += of_a.s3 * of_b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    #pragma unroll
    for (int i = 0; i < 4; i++)
        store(c, top + 4 * y + i, left + 4 * x, sum[i]);
}
]]

local row = {
  number = 14, name = "matr_mul_wide", beyond = true,
  change = "loads of four elements; A transposed and padded in local memory",
  expect = {
    cpu = {"faster", "vectors of four are loaded and multiplied at once, and the sums stay in registers through the "
      .. "unrolled depth of a tile"},
    gpu = {"faster", "2 passes for a store of a tile instead of 16, which is most of it, and a quarter of the load "
      .. "instructions of local memory; reading C back, which takes as long as before, hides a part"},
  },
  decides = {"local_mem_size", "preferred_vector_width_float"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = cl.context()
  walk.need(row, context, {type = p.type, group = SIDE * SIDE, local_memory = 2 * DEPTH * PITCH * p.a:bytes() / #p.a})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "matr_mul_wide"
  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)
  local global = {math.ceil(p.n / TILE) * SIDE, math.ceil(p.m / TILE) * SIDE}

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
