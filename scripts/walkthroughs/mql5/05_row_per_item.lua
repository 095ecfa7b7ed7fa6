-- Step 5, matr_mul_row_calc: one work-item computes a whole row of C, in a 1-D range.
--
-- There are fewer work-items, each with more work. This prepares the next steps, but costs parallelism: M work-items
-- instead of M * N.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_row_calc(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0);
    for (int column = 0; column < N; column++) {
        REALTYPE sum = 0;
        for (int k = 0; k < K; k++)
            sum += a[row * K + k] * b[column * K + k];
        c[row * N + column] = sum;
    }
}
]]

local row = {
  number = 5, name = "matr_mul_row_calc",
  change = "one work-item per row of C, in a 1-D range",
  published = {
    {on = "CPU", seconds = 5.366, rate = 2.982, ratio = 17.385},
    {on = "GPU", seconds = 1.669, rate = 9.587, ratio = 55.119},
  },
  decides = {"max_compute_units"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_row_calc")

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
