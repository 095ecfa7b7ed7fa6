-- Step 10, matr_mul_vect_v3: as step 9, but with float8, whose dot product is written by hand.
--
-- Step 9 adds to its sum once for four elements, and its vectors fill four places of a unit that may have more. Here
-- the sum gets one addition for eight elements, and the loop has half as many rounds. OpenCL's dot() takes four
-- elements at most, so the author's dot8 multiplies all eight at once, adds the two halves, and lets dot() with a
-- vector of ones add up the four sums. Where vectors of eight are one register, that is as many instructions for eight
-- elements as step 9 has for four: PoCL makes 14 of either, here with 256 bits. So up to two is to be expected there,
-- and the author's CPU gained 1.72. Step 10d shows what a simpler dot8 makes of it.
--
-- The author's explanation why this gained on the CPU and lost on the GPU is the preferred vector width, 4 on that
-- card. Where the width is 1, the products are no part of the sums' multiply-adds, and ones are multiplied for nothing.
--
-- The kernel is the author's but for the last K mod 8 terms, and for two faults: his dot8 is inline without static,
-- which C99 lets a compiler leave out, so that the kernel does not link; and his kernels have literals of double. Both
-- build on PoCL, but not everywhere.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
/* published: inline, not static, with literals of double */
static REALTYPE dot8(REALTYPE8 x, REALTYPE8 y)
{
    const REALTYPE8 products = x * y;
    return dot(products.lo + products.hi, (REALTYPE4)(1));
}

__kernel void matr_mul_vect_v3(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0), whole = K / 8;
    __global const REALTYPE *from = a + row * K;
    REALTYPE8 own[K / 8 + 1];
    for (int i = 0; i < whole; i++)
        own[i] = (REALTYPE8)(from[8 * i], from[8 * i + 1], from[8 * i + 2], from[8 * i + 3],
                             from[8 * i + 4], from[8 * i + 5], from[8 * i + 6], from[8 * i + 7]);
    for (int column = 0; column < N; column++) {
        __global const REALTYPE *other = b + column * K;
        REALTYPE sum = 0;
        for (int i = 0; i < whole; i++)
            sum += dot8(own[i], (REALTYPE8)(other[8 * i], other[8 * i + 1], other[8 * i + 2], other[8 * i + 3],
                                            other[8 * i + 4], other[8 * i + 5], other[8 * i + 6], other[8 * i + 7]));
        for (int k = whole * 8; k < K; k++)
            sum += from[k] * other[k]; /* published: none */
        c[row * N + column] = sum;
    }
}
]]

local row = {
  number = 10, name = "matr_mul_vect_v3",
  change = "as step 9 with 8-vectors and a dot product made by hand",
  published = {
    {on = "CPU", seconds = 2.2, rate = 7.273, ratio = 45.226, computed = true},
    {on = "GPU", seconds = 0.546, rate = 29.304, ratio = 170.115, computed = true},
  },
  expect = {
    cpu = function(on)
      local width = on.preferred_vector_width_float
      if width < 8 then
        return "open", ("preferred width %d: a multiplication of eight takes two instructions, as two of four do; but "
          .. "only one sum across the vector for eight elements is left"):format(width)
      end
      return "faster", ("preferred width %d: eight elements are one multiplication, as four were, and one addition to "
        .. "the sum"):format(width)
    end,
    gpu = function(on)
      local width = on.preferred_vector_width_float
      if width >= 8 then return "open", ("preferred width %d: float8 may fill more of it than float4"):format(width) end
      return "slower", ("preferred width %d: a float8 takes as many instructions as two float4, and dot8() multiplies "
        .. "by ones besides"):format(width)
    end,
  },
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type, private_memory = p.a:bytes() / p.m})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_vect_v3")

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
  row.notes = {walk.beside(context, "preferred_vector_width_float", "4", "the HD 4870")}
  walk.report(p:row(row, context))

  CLBufferFree(a) CLBufferFree(b) CLBufferFree(c)
  CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
end
