-- Step 10d, beyond the article: step 10 with two dot() of four elements instead of the author's dot8().
--
-- It looks simpler, and has no multiplications by 1. But each dot() is a multiplication of four elements and a sum
-- across the vector, so there are two of each where step 10 has one multiplication of eight and one sum across. PoCL
-- does not join them: 25 instructions for eight elements instead of 14. On two cores of an EPYC it reached 0.62 of step
-- 10's speed. On a GPU that computes with single floats, this form saves the ones, and its products can be
-- multiply-adds.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
static REALTYPE dot8(REALTYPE8 x, REALTYPE8 y)
{
    return dot(x.lo, y.lo) + dot(x.hi, y.hi);
}

__kernel void matr_mul_two_dots(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
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
            sum += from[k] * other[k];
        c[row * N + column] = sum;
    }
}
]]

local row = {
  number = "10d", name = "matr_mul_two_dots", beyond = true,
  change = "step 10 with two dot() of four instead of the author's dot8()",
  expect = {
    cpu = function(on)
      local width = on.preferred_vector_width_float
      if width < 8 then
        return "open", ("preferred width %d: either form takes two multiplications of four; two dot() have a second "
          .. "sum across the vector"):format(width)
      end
      return "slower", ("preferred width %d: two multiplications of four instead of one of eight, and a second sum "
        .. "across the vector"):format(width)
    end,
    gpu = {"faster", "no multiplications by 1, and each dot() can be multiply-adds, which the author's products in "
      .. "between do not allow"},
  },
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type, private_memory = p.a:bytes() / p.m})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_two_dots")

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
