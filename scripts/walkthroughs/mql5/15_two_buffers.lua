-- Step 15, beyond the article: two buffers for each tile. While one is multiplied, the next tile is on its way.
--
-- In step 14, a group waits for global memory before each tile, and nothing else happens meanwhile unless other groups
-- share the compute unit. Here, each work-item begins to load its part of the next tile into registers before the
-- multiplications, which do not need it, and stores it in the other buffer after them. One barrier for each tile is
-- enough, instead of two: it waits until the next tile is complete, and until nobody needs the current one, which the
-- tile after the next will replace.
--
-- No load is saved, so the gain is at most the waiting. The price is twice the local memory, 17 KiB for a group instead
-- of 8.5, and registers for the eight elements that are on their way: fewer groups fit on a unit, and other groups are
-- the other way to fill the waiting. On an H200 the two come out even.
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
#define SIZE (DEPTH * PITCH / 4) /* of a tile, in vectors */

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
void matr_mul_two_buffers(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    __local REALTYPE4 tile_a[2 * SIZE], tile_b[2 * SIZE]; /* [buffer][k][row], [buffer][k][column] */
    const int x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x;
    const int top = get_group_id(1) * TILE, left = get_group_id(0) * TILE;
    const int copied = item / (DEPTH / 4), from = item * 4 % DEPTH; /* its row or column, and k, in the tiles */
    REALTYPE4 sum[4] = {(REALTYPE4)(0), (REALTYPE4)(0), (REALTYPE4)(0), (REALTYPE4)(0)};
    put(tile_a, copied, from, four(a, M, top + copied, from));
    put(tile_b, copied, from, four(b, N, left + copied, from));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int first = 0, now = 0; first < K; first += DEPTH, now = SIZE - now) {
        const REALTYPE4 next_a = four(a, M, top + copied, first + DEPTH + from);
        const REALTYPE4 next_b = four(b, N, left + copied, first + DEPTH + from);
        #pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            const REALTYPE4 of_a = tile_a[now + k * PITCH / 4 + y], of_b = tile_b[now + k * PITCH / 4 + x];
            sum[0] += of_a.s0 * of_b, sum[1] += of_a.s1 * of_b;
            sum[2] += of_a.s2 * of_b, sum[3] += of_a.s3 * of_b;
        }
        put(tile_a + SIZE - now, copied, from, next_a);
        put(tile_b + SIZE - now, copied, from, next_b);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    #pragma unroll
    for (int i = 0; i < 4; i++)
        store(c, top + 4 * y + i, left + 4 * x, sum[i]);
}
]]

local row = {
  number = 15, name = "matr_mul_two_buffers", beyond = true,
  change = "two buffers: the next tile is loaded while the current one is multiplied",
  expect = {
    cpu = {"faster", "at each barrier a thread goes on to the next work-item, and what this one has in registers goes "
      .. "to memory; here is one for each tile instead of two"},
    gpu = function(on)
      return "open", ("loads run beside the multiplications, but a group takes 17 KiB of local memory (it may have %d) "
        .. "instead of 8.5, and other groups on the unit fill the waiting as well"):format(
        math.floor(on.local_mem_size / 1024))
    end,
  },
  decides = {"local_mem_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = cl.context()
  walk.need(row, context, {type = p.type, group = SIDE * SIDE, local_memory = 4 * DEPTH * PITCH * p.a:bytes() / #p.a})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "matr_mul_two_buffers"
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
