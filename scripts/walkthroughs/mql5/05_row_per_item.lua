-- Step 5, matr_mul_row_calc: one work-item computes a whole row of C, in a 1-D range.
--
-- Step 4 reads a row of A again for each of its N elements. A work-item that computes the whole row could keep it; this
-- step prepares that, and step 6 does it. So far nothing is saved: the accesses are those of step 4 by the count, 1.01
-- an operation and 16.6 sectors a request. There are fewer work-items, each with more work, which costs parallelism: M
-- work-items instead of M * N. The step can only lose, and the fewer items a device can do without, the less.
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
  expect = {
    cpu = function(on)
      return "open", ("the work is the same; for %d compute units it counts how evenly M rows divide among them, and "
        .. "how many groups the driver makes of them"):format(on.max_compute_units)
    end,
    gpu = function(on)
      return "slower", ("a work-item for each row is few for %d compute units, each of which holds a thousand or more "
        .. "to hide the memory's latency"):format(on.max_compute_units)
    end,
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
