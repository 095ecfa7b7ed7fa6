-- Step 19, beyond the article, for CPUs: blocks of A and B stay in the caches until they are no longer needed.
--
-- In step 18, each row of tiles goes through all of B, from whichever cache or memory holds it. Here, a work-item
-- computes 16 x 8 tiles, and goes through K by 384 at a time. So much of eight panels of B is 384 KiB: it stays in the
-- core's second cache for 16 rows of tiles. So much of 12 rows of A is 18 KiB: it stays in the first cache for the
-- eight tiles beside each other. B comes from afar a sixteenth as often. The price is that C is read and written for
-- each 384 of K, not once, and that there is one work-item where step 18 has 128.
--
-- There is nothing to gain while the last cache holds all of B. With 32 MiB of it, that is so up to K = N = 2800.
local cl = require "clue"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
#define COLUMNS (2 * WIDTH)  /* of a tile of C; it has ROWS rows */
#define DEPTH 384            /* of a block along K */
#define HIGH (16 * ROWS)     /* rows of a block of C */
#define WIDE (8 * COLUMNS)   /* its columns */

/* Copies rows, or columns of B, into panels: `count` of them side by side for each k; 0 beyond the last one. */
__kernel void pack(__global const REALTYPE *from, const int rows, __global REALTYPE *to, const int count)
{
    const int k = get_global_id(0), panel = get_global_id(1);
    for (int i = 0; i < count; i++) {
        const int row = panel * count + i;
        to[(panel * K + k) * count + i] = row < rows ? from[row * K + k] : 0;
    }
}

/* Stores a row of a tile, as far as it is in C; adds it to what is there, except for the first block. */
static void store(VECTOR left, VECTOR right, __global REALTYPE *c, const int count, const int is_first)
{
    if (count >= COLUMNS) {
        STORE(is_first ? left : left + LOAD(0, c), 0, c);
        STORE(is_first ? right : right + LOAD(1, c), 1, c);
        return;
    }
    REALTYPE part[COLUMNS];
    STORE(left, 0, part);
    STORE(right, 1, part);
    for (int j = 0; j < count; j++)
        c[j] = is_first ? part[j] : part[j] + c[j];
}

/* A tile of C, from `count` elements along K. */
static void tile(__global const REALTYPE *a, __global const REALTYPE *b, const int count, __global REALTYPE *c,
                 const int top, const int left, const int is_first)
{
    VECTOR sum[ROWS][2];
    #pragma unroll
    for (int i = 0; i < ROWS; i++)
        sum[i][0] = sum[i][1] = (VECTOR)(0);
    for (int k = 0; k < count; k++, a += ROWS, b += COLUMNS)
        #pragma unroll
        for (int i = 0; i < ROWS; i++) {
            sum[i][0] = fma((VECTOR)(a[i]), LOAD(0, b), sum[i][0]);
            sum[i][1] = fma((VECTOR)(a[i]), LOAD(1, b), sum[i][1]);
        }
    #pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (top + i < M)
            store(sum[i][0], sum[i][1], c + (top + i) * N + left, N - left, is_first);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void matr_mul_blocks(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int high = get_global_id(1) * HIGH, wide = get_global_id(0) * WIDE;
    for (int k = 0; k < K; k += DEPTH)
        for (int top = high; top < min(M, high + HIGH); top += ROWS)
            for (int left = wide; left < min(N, wide + WIDE); left += COLUMNS)
                tile(a + top * K + k * ROWS, b + left * K + k * COLUMNS, min(DEPTH, K - k), c, top, left, k == 0);
}
]]

local row = {
  number = 19, name = "matr_mul_blocks", beyond = true,
  change = "for CPUs: 384 along K at a time, so that the caches hold what is needed again",
  expect = {
    cpu = function(on)
      local cache = on.global_mem_cache_size
      return "open", ("B comes from afar a sixteenth as often, which pays if it is too large for a cache of %.3g MiB, "
        .. "from K = N = %.0f on; below, more passes over C come on top"):format(cache / 2 ^ 20, math.sqrt(cache / 4))
    end,
    gpu = {"slower", "one work-item computes 128 tiles, where step 18 has one for each, so most of the device is idle"},
  },
  decides = {"global_mem_cache_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local width = math.max(4, math.min(16, context.device["native_vector_width_" .. p.type]))
  local element = p.a:bytes() / #p.a
  local rows, columns = width * element < 64 and 6 or 12, 2 * width
  local vectors = ("#define WIDTH %d\n#define VECTOR %s%d\n#define LOAD vload%d\n#define STORE vstore%d\n"
    .. "#define ROWS %d\n"):format(width, p.type, width, width, width, rows)
  local program = context:program(p.defines .. vectors .. KERNEL)
  local pack, multiply = program:kernel "pack", program:kernel "matr_mul_blocks"
  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)
  local down, across = math.ceil(p.m / rows), math.ceil(p.n / columns)
  local packed_a = context:buffer(down * rows * p.k * element)
  local packed_b = context:buffer(across * columns * p.k * element)

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function()
      pack(queue, {p.k, down}, nil, a, cl.int(p.m), packed_a, cl.int(rows))
      pack(queue, {p.k, across}, nil, b, cl.int(p.n), packed_b, cl.int(columns))
      multiply(queue, {math.ceil(across / 8), math.ceil(down / 16)}, {1, 1}, packed_a, packed_b, c)
    end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_columns"
  walk.report(p:row(row, context))
end
