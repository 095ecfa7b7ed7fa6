-- Step 2, matr_mul_1dim: the first kernel, with one work-item per element of C. All matrices are linear, stored by
-- rows.
--
-- Step 1 is limited by its one core. The elements of C do not depend on each other, so M N work-items can compute them
-- in any order: the gain to expect is the device's number of units, and what each of them does at once. The sum grows
-- in the output itself, so each of the K additions goes to global memory, and C must be zero before each run. (The
-- author's listing is wrong from the second run on; here the reset is outside the timed part.) That makes four accesses
-- for each multiply-add: A, B, and C twice.
--
-- OpenCL knows four kinds of memory. Global memory is large and far, and all work-items see it. Local memory belongs to
-- a work-group, private memory (registers, if it fits) to one work-item. Constant memory is small, the same for all,
-- and only read: GPUs have a cache for it that serves all items of a warp at once if they read the same address, and
-- one after the other if they do not (CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE says how much fits, often 64 KiB). So it is
-- for coefficients and tables, not for matrices. This step uses global memory alone; 4, 6 and 7 bring in the others.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_1dim(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0), column = get_global_id(1);
    for (int k = 0; k < K; k++)
        c[row * N + column] += a[row * K + k] * b[k * N + column];
}
]]

local row = {
  number = 2, name = "matr_mul_1dim",
  change = "one work-item per element, linear matrices by rows, the sum grows in global memory",
  published = {
    {on = "CPU", seconds = 9.266, rate = 1.727, ratio = 12.479},
    {on = "GPU", seconds = 12.729, rate = 1.257, ratio = 9.002},
  },
  expect = {
    cpu = function(on)
      local units = on.max_compute_units
      if units >= 16 then return "faster", ("%d compute units share what one core did"):format(units) end
      return "open", ("%d compute units share the work, but each addition to a sum waits for the one before, while the "
        .. "host's best order adds to another sum each time"):format(units)
    end,
    gpu = function(on)
      return "faster", ("%d compute units run many thousands of work-items at once, the host loop one"):format(
        on.max_compute_units)
    end,
  },
  decides = {"global_mem_cache_size", "global_mem_cacheline_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "rows"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_1dim")

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
    execute = function() CLExecute(kernel, 2, {0, 0}, {p.m, p.n}) end,
    read = function() CLBufferRead(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  walk.report(p:row(row, context))

  CLBufferFree(a) CLBufferFree(b) CLBufferFree(c)
  CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
end
