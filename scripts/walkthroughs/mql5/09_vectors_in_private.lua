-- Step 9, matr_mul_vect_v2: as step 8, but the private row consists of float4s from the start.
--
-- Step 8 puts both vectors of each dot() together from scalars: eight loads for four elements. The vectors of A are
-- built once instead of N times, so five loads are left: one of A's vector, four of B. By the count, the reads of
-- private memory fall to a quarter. A compiler that sees four adjacent scalars may have loaded them as one vector
-- already, B's too; then both steps are the same loop, as PoCL's machine code shows (14 instructions for four
-- elements). The author's compilers did not: he gained 1.30 on the CPU and 2.38 on the GPU.
--
-- The kernel is the author's, with its vectors built from scalars; new are the last K mod 4 terms, one by one. Step 9v
-- has vload4() instead.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_vect_v2(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0), whole = K / 4;
    __global const REALTYPE *from = a + row * K;
    REALTYPE4 own[K / 4 + 1];
    for (int i = 0; i < whole; i++)
        own[i] = (REALTYPE4)(from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]);
    for (int column = 0; column < N; column++) {
        __global const REALTYPE *other = b + column * K;
        REALTYPE sum = 0;
        for (int i = 0; i < whole; i++)
            sum += dot(own[i], (REALTYPE4)(other[4 * i], other[4 * i + 1], other[4 * i + 2], other[4 * i + 3]));
        for (int k = whole * 4; k < K; k++)
            sum += from[k] * other[k]; /* published: none */
        c[row * N + column] = sum;
    }
}
]]

local row = {
  number = 9, name = "matr_mul_vect_v2",
  change = "as step 8, the private row held as 4-vectors from the start",
  published = {
    {on = "CPU", seconds = 3.791, rate = 4.221, ratio = 24.48},
    {on = "GPU", seconds = 0.499, rate = 32.064, ratio = 185.605},
  },
  expect = {
    cpu = {"same", "the four scalars of step 8 are adjacent, so a compiler makes one load of them without being told"},
    gpu = function(on)
      local width = on.preferred_vector_width_float
      if width < 4 then
        return "same", ("preferred width %d: there are no vectors to compute with, and adjacent scalars are loaded "
          .. "together in step 8 already"):format(width)
      end
      return "faster", ("preferred width %d: a vector of A is one load instead of four scalars to put together"):format(
        width)
    end,
  },
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type, private_memory = p.a:bytes() / p.m})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_vect_v2")

  local a = CLBufferCreate(context, p.a:bytes(), CL_MEM_READ_ONLY)
  local b = CLBufferCreate(context, p.b:bytes(), CL_MEM_READ_ONLY)
  local c = CLBufferCreate(context, p.c:bytes(), CL_MEM_READ_WRITE)
  CLSetKernelArgMem(kernel, 0, a)
  CLSetKernelArgMem(kernel, 1, b)
  CLSetKernelArgMem(kernel, 2, c)

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() CLBufferWrite(a, p.a) CLBufferWrite(b, p.b) end,
    reset = function() p.c:fill(0) CLBufferWrite(c, p.c) end,
    execute = function() CLExecute(kernel, 1, {0}, {p.m}) end,
    read = function() CLBufferRead(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_columns"
  walk.report(p:row(row, context))

  CLBufferFree(a) CLBufferFree(b) CLBufferFree(c)
  CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
end
