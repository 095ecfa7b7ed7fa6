-- Step 13, beyond the article: each work-item computes a block of 4 x 4 elements of C, and keeps their sums in
-- registers.
--
-- In step 12, each multiplication reads two elements from local memory. Four elements of A and four of B are enough for
-- the 16 multiplications of a block: a quarter of the reading for each one, and 16 sums that do not wait for each
-- other. The tiles are four times as wide and high, so global memory is read a quarter as often, too: 0.023 accesses an
-- operation instead of 0.070. The rows of a block are 16 apart, and so are its columns: neighbouring work-items then
-- read neighbouring elements of local memory, and write neighbouring elements of C.
--
-- The loops over a block are unrolled: a sum whose place is known only when the kernel runs cannot be in a register.
-- The price is registers, and that there are fewer work-items: a small C keeps few compute units busy.
local cl = require "clue"
local product = require "clue.walk.product"
local walk = require "clue.walk"

local SIDE, P = 16, 4 -- as in the kernel
local TILE = SIDE * P

product.inputs(input, "480")

local KERNEL = [[
#define SIDE 16          /* of a group, and of a tile along K */
#define P 4              /* each work-item computes P x P elements of C */
#define TILE (SIDE * P)  /* rows and columns of C */

/* An element of A, or of B, whose columns are stored as rows; 0 outside of it. */
static REALTYPE element(__global const REALTYPE *matrix, const int rows, const int row, const int k)
{
    return row < rows && k < K ? matrix[row * K + k] : 0;
}

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void matr_mul_block_per_item(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    __local REALTYPE tile_a[TILE][SIDE], tile_b[SIDE][TILE]; /* [row][k], [k][column] */
    const int x = get_local_id(0), y = get_local_id(1);
    const int top = get_group_id(1) * TILE, left = get_group_id(0) * TILE;
    REALTYPE sum[P][P] = {{0}};
    for (int first = 0; first < K; first += SIDE) {
        for (int i = y; i < TILE; i += SIDE) {
            tile_a[i][x] = element(a, M, top + i, first + x);
            tile_b[x][i] = element(b, N, left + i, first + x);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < SIDE; k++)
            #pragma unroll
            for (int i = 0; i < P; i++)
                #pragma unroll
                for (int j = 0; j < P; j++)
                    sum[i][j] += tile_a[y + i * SIDE][k] * tile_b[k][x + j * SIDE];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    #pragma unroll
    for (int i = 0; i < P; i++)
        #pragma unroll
        for (int j = 0; j < P; j++) {
            const int row = top + y + i * SIDE, column = left + x + j * SIDE;
            if (row < M && column < N)
                c[row * N + column] = sum[i][j];
        }
}
]]

local row = {
  number = 13, name = "matr_mul_block_per_item", beyond = true,
  change = "each work-item computes 4 x 4 elements in registers",
  expect = {
    cpu = {"faster", "an element that was loaded serves four multiply-adds instead of one, on any device"},
    gpu = {"faster", "half a read of local memory for each multiply-add instead of two; enough work-items are left if "
      .. "C is large"},
  },
  decides = {"local_mem_size", "max_compute_units"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = cl.context()
  walk.need(row, context, {type = p.type, group = SIDE * SIDE, local_memory = 2 * TILE * SIDE * p.a:bytes() / #p.a})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "matr_mul_block_per_item"
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
