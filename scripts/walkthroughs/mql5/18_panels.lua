-- Step 18, beyond the article, for CPUs: A and B are copied into panels first, and a tile of C fills the registers.
--
-- In step 17, each of a block's 16 vectors of sums ends in slow additions of its single elements: with vectors of 16,
-- 240 additions, where K = 480 takes 480 multiplications of vectors. Here, a vector holds neighbouring elements of C:
-- one element of A, repeated in a vector, times neighbouring elements of a row of B. A tile of 12 x 32 floats is 24
-- vectors of sums; for each k, two loads of B and 12 of A serve 24 multiplications, and no vector is added up at the
-- end. (Processors with shorter vectors have 16 registers, and tiles of 6 rows.)
--
-- B is stored by columns, so its rows must be gathered. That is done once, by a kernel of its own: it copies 32 columns
-- side by side, and 12 rows of A as well, so that the multiplications read both from the first to the last byte. The
-- copies are K (M + N) elements for M N K multiplications, and their time counts. Zeros fill the last panels.
local cl = require "clue"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
#define COLUMNS (2 * WIDTH) /* of a tile of C; it has ROWS rows */

/* Copies rows, or columns of B, into panels: `count` of them side by side for each k; 0 beyond the last one. */
__kernel void pack(__global const REALTYPE *from, const int rows, __global REALTYPE *to, const int count)
{
    const int k = get_global_id(0), panel = get_global_id(1);
    for (int i = 0; i < count; i++) {
        const int row = panel * count + i;
        to[(panel * K + k) * count + i] = row < rows ? from[row * K + k] : 0;
    }
}

/* Stores a row of a tile, as far as it is in C. */
static void store(const VECTOR left, const VECTOR right, __global REALTYPE *c, const int count)
{
    if (count >= COLUMNS) {
        STORE(left, 0, c);
        STORE(right, 1, c);
        return;
    }
    REALTYPE part[COLUMNS];
    STORE(left, 0, part);
    STORE(right, 1, part);
    for (int j = 0; j < count; j++)
        c[j] = part[j];
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void matr_mul_panels(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int top = get_global_id(1) * ROWS, left = get_global_id(0) * COLUMNS;
    VECTOR sum[ROWS][2];
    #pragma unroll
    for (int i = 0; i < ROWS; i++)
        sum[i][0] = sum[i][1] = (VECTOR)(0);
    a += top * K, b += left * K;
    for (int k = 0; k < K; k++, a += ROWS, b += COLUMNS)
        #pragma unroll
        for (int i = 0; i < ROWS; i++) {
            sum[i][0] = fma((VECTOR)(a[i]), LOAD(0, b), sum[i][0]);
            sum[i][1] = fma((VECTOR)(a[i]), LOAD(1, b), sum[i][1]);
        }
    #pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (top + i < M)
            store(sum[i][0], sum[i][1], c + (top + i) * N + left, N - left);
}
]]

local row = {
  number = 18, name = "matr_mul_panels", beyond = true,
  change = "for CPUs: A and B are copied into panels; 12 rows of C by 2 vectors fill the registers",
  expect = {
    cpu = {"faster", "no vector is added up at the end, and both panels are read from the first to the last byte; an "
      .. "element is copied once for N / 2 multiply-adds"},
    gpu = {"faster", "there is a work-item for each tile of C instead of one for four rows: dozens of times as many"},
  },
  decides = {"native_vector_width_float"},
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
  local pack, multiply = program:kernel "pack", program:kernel "matr_mul_panels"
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
      multiply(queue, {across, down}, {1, 1}, packed_a, packed_b, c)
    end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_columns"
  walk.report(p:row(row, context))
end
