-- Step 8, matr_mul_vect: as step 6, but the inner loop takes four terms at a time, by dot() of float4s built from
-- scalars.
--
-- Step 6 multiplies one element at a time, and each of the K additions to its sum waits for the one before. Here a unit
-- that processes vectors does four multiplications at once, and the sum gets one addition for four elements: a quarter
-- of the chain. The accesses stay as they were (0.52 an operation), so the gain is up to four where the chain is the
-- limit, and none where memory is. The author's CPU gained nothing (4.961 to 4.945 s).
--
-- The gain is over step 6, which this step changes, as the author compares them; step 7's local memory is gone again.
-- Where the preferred width is 1, dot() is a multiplication, three multiply-adds, and an addition to the sum: five
-- instructions for four multiply-adds. The last K mod 4 terms are added one by one; the published kernel needs K
-- divisible by 4.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_vect(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0), whole = K / 4 * 4;
    REALTYPE own[K];
    for (int k = 0; k < K; k++)
        own[k] = a[row * K + k];
    for (int column = 0; column < N; column++) {
        __global const REALTYPE *other = b + column * K;
        REALTYPE sum = 0;
        for (int k = 0; k < whole; k += 4)
            sum += dot((REALTYPE4)(own[k], own[k + 1], own[k + 2], own[k + 3]),
                       (REALTYPE4)(other[k], other[k + 1], other[k + 2], other[k + 3]));
        for (int k = whole; k < K; k++)
            sum += own[k] * other[k];
        c[row * N + column] = sum;
    }
}
]]

local row = {
  number = 8, name = "matr_mul_vect",
  change = "as step 6, four terms at a time: dot() of vectors built from scalars",
  published = {
    {on = "CPU", seconds = 4.945, rate = 3.236, ratio = 18.657, computed = true},
    {on = "GPU", seconds = 1.186, rate = 13.491, ratio = 78.079, computed = true},
  },
  expect = {
    cpu = {"faster", "each of the sum's additions waits for the one before, and there is one for four elements instead "
      .. "of one for each"},
    gpu = function(on)
      local width = on.preferred_vector_width_float
      if width < 4 then
        return "slower", ("preferred width %d: dot() takes five instructions where step 6 has four "
          .. "multiply-adds"):format(width)
      end
      return "faster", ("preferred width %d: a unit does four multiplications at once"):format(width)
    end,
  },
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type, private_memory = p.a:bytes() / p.m})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_vect")

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
