-- Step 16b, beyond the article: groups that run at the same time share more of A and B.
--
-- In step 16, global memory is read for the tiles alone, so what is left to gain there is which groups share them.
-- Groups start in the order of their numbers. In step 16 they go along a row of tiles: a hundred groups that run at the
-- same time in a C of 32 x 32 tiles need about three rows of tiles of A, and all 32 columns of B. Here, they go down
-- eight tiles, then to the next column: the hundred groups need 8 rows of A and 13 columns of B, 21 instead of 35. What
-- they share is read once, if the cache that all compute units share holds it. The order matters if the matrices are
-- larger than that cache, and if there are more tiles than groups at a time.
local cl = require "clue"
local product = require "clue.walk.product"
local walk = require "clue.walk"

local SIDE, DEPTH = 16, 8 -- as in the kernel
local TILE = SIDE * 8
local PITCH = TILE + 4

product.inputs(input, "480")

local KERNEL = [[
#define SIDE 16          /* of a group */
#define DEPTH 8          /* of a tile along K */
#define PIECE (SIDE * 4) /* rows and columns of C: 4 x 4 for each work-item */
#define TILE (2 * PIECE) /* 2 x 2 such pieces */
#define BAND 8           /* tiles that groups go down before they go to the next column */
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
void matr_mul_bands(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    __local REALTYPE4 tile_a[2 * SIZE], tile_b[2 * SIZE]; /* [buffer][k][row], [buffer][k][column] */
    const int x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x;
    const int across = get_num_groups(0), group = get_group_id(1) * across + get_group_id(0);
    const int band = group / (BAND * across), inside = group - band * BAND * across;
    const int high = min(BAND, (int)get_num_groups(1) - band * BAND); /* the last band may be lower */
    const int column = inside / high, row = band * BAND + inside - column * high;
    const int top = row * TILE, left = column * TILE;
    const int copied = item / (DEPTH / 4), from = item * 4 % DEPTH; /* its row or column, and k, in the tiles */
    REALTYPE4 sum[8][2]; /* 0 to 3 in the upper pieces, 4 to 7 in the lower ones */
    #pragma unroll
    for (int i = 0; i < 8; i++)
        sum[i][0] = sum[i][1] = (REALTYPE4)(0);
    put(tile_a, copied, from, four(a, M, top + copied, from));
    put(tile_b, copied, from, four(b, N, left + copied, from));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int first = 0, now = 0; first < K; first += DEPTH, now = SIZE - now) {
        const REALTYPE4 next_a = four(a, M, top + copied, first + DEPTH + from);
        const REALTYPE4 next_b = four(b, N, left + copied, first + DEPTH + from);
        #pragma unroll
        for (int k = 0; k < DEPTH; k++)
            #pragma unroll
            for (int down = 0; down < 2; down++)
                #pragma unroll
                for (int right = 0; right < 2; right++) {
                    const REALTYPE4 of_a = tile_a[now + (k * PITCH + down * PIECE) / 4 + y];
                    const REALTYPE4 of_b = tile_b[now + (k * PITCH + right * PIECE) / 4 + x];
                    sum[4 * down][right] += of_a.s0 * of_b, sum[4 * down + 1][right] += of_a.s1 * of_b;
                    sum[4 * down + 2][right] += of_a.s2 * of_b, sum[4 * down + 3][right] += of_a.s3 * of_b;
                }
        put(tile_a + SIZE - now, copied, from, next_a);
        put(tile_b + SIZE - now, copied, from, next_b);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    #pragma unroll
    for (int i = 0; i < 8; i++)
        #pragma unroll
        for (int right = 0; right < 2; right++)
            store(c, top + i / 4 * PIECE + 4 * y + i % 4, left + right * PIECE + 4 * x, sum[i][right]);
}
]]

local row = {
  number = "16b", name = "matr_mul_bands", beyond = true,
  change = "groups go down 8 tiles before they go to the next column, and share more of A and B",
  expect = {
    cpu = function(on)
      return "same", ("only %d groups run at a time, so there is little to share"):format(on.max_compute_units)
    end,
    gpu = {"open", "groups at a time read 0.6 times as many tiles, which counts only if A and B are larger than the "
      .. "cache that all units share (CL_DEVICE_GLOBAL_MEM_CACHE_SIZE may be that of another cache)"},
  },
  decides = {"global_mem_cache_size", "max_compute_units"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = cl.context()
  walk.need(row, context, {type = p.type, group = SIDE * SIDE, local_memory = 4 * DEPTH * PITCH * p.a:bytes() / #p.a})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "matr_mul_bands"
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
