-- Step 17, beyond the article, for CPUs: as step 10, in blocks of 4 x 4 elements, with vectors as long as the
-- registers.
--
-- Step 10 loads at least one vector for each multiplication of vectors, adds up each product's elements, and has one
-- sum, whose additions wait for each other. Here, eight loads serve 16 multiplications. Each sum is a vector, too,
-- whose elements are added up once at the end. A processor starts one or two fma() in every cycle, but each takes four
-- or so: 16 independent sums keep it busy. With vectors of 16, PoCL's loop has 27 instructions for 256 multiply-adds;
-- that of step 10 has 14 for eight.
--
-- On a CPU device, a work-group is a loop in one thread, and what the thread needs again is in its core's cache. So a
-- group has one work-item, which uses neither local memory nor a private copy of the row. It goes along four rows of C
-- by four columns at a time.
--
-- The sums, and what is multiplied, fit into the 32 registers of AVX-512. The width of the vectors is the device's
-- CL_DEVICE_NATIVE_VECTOR_WIDTH. Loops over the block are unrolled, so that each sum has a register of its own.
local cl = require "clue"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
#define SIDE 4 /* rows and columns of a block of C */

static REALTYPE total(const VECTOR v)
{
    REALTYPE part[WIDTH], sum = 0;
    STORE(v, 0, part);
    for (int i = 0; i < WIDTH; i++)
        sum += part[i];
    return sum;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void matr_mul_vector_blocks(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int top = get_global_id(0) * SIDE, whole = K / WIDTH;
    for (int left = 0; left < N; left += SIDE) {
        __global const REALTYPE *row[SIDE], *column[SIDE];
        VECTOR sum[SIDE][SIDE];
        #pragma unroll
        for (int i = 0; i < SIDE; i++) {
            row[i] = a + min(top + i, M - 1) * K; /* beyond the last one: the last one again */
            column[i] = b + min(left + i, N - 1) * K;
            #pragma unroll
            for (int j = 0; j < SIDE; j++)
                sum[i][j] = (VECTOR)(0);
        }
        for (int k = 0; k < whole; k++)
            #pragma unroll
            for (int i = 0; i < SIDE; i++)
                #pragma unroll
                for (int j = 0; j < SIDE; j++)
                    sum[i][j] = fma(LOAD(k, row[i]), LOAD(k, column[j]), sum[i][j]);
        #pragma unroll
        for (int i = 0; i < SIDE; i++)
            #pragma unroll
            for (int j = 0; j < SIDE; j++) {
                REALTYPE value = total(sum[i][j]);
                for (int k = whole * WIDTH; k < K; k++)
                    value += row[i][k] * column[j][k];
                if (top + i < M && left + j < N)
                    c[(top + i) * N + left + j] = value;
            }
    }
}
]]

local row = {
  number = 17, name = "matr_mul_vector_blocks", beyond = true,
  change = "for CPUs: step 10 in blocks of 4 x 4 elements, with fma() of full vectors",
  expect = {
    cpu = function(on)
      return "faster", ("native width %d: 16 independent sums of whole vectors instead of one sum of single "
        .. "floats"):format(on.native_vector_width_float)
    end,
    gpu = {"open", "each load serves more multiply-adds than in step 10, but with one work-item a group, one lane of a "
      .. "warp works, and there is a quarter of the work-items"},
  },
  decides = {"native_vector_width_float", "max_compute_units"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local width = math.max(4, math.min(16, context.device["native_vector_width_" .. p.type]))
  local vectors = ("#define WIDTH %d\n#define VECTOR %s%d\n#define LOAD vload%d\n#define STORE vstore%d\n"):format(
    width, p.type, width, width, width)
  local multiply = context:program(p.defines .. vectors .. KERNEL):kernel "matr_mul_vector_blocks"
  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function() multiply(queue, math.ceil(p.m / 4), 1, a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_columns"
  walk.report(p:row(row, context))
end
