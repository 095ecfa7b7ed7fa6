-- Step 6, matr_mul_row_in_private: the row of A is copied into a private array first.
--
-- In step 5, the row of A is read from global memory N times, and the 32 work-items of a warp read 32 rows: 32 sectors
-- a request. Copied to private memory, it comes from global memory once: by the count 0.52 instead of 1.01 accesses an
-- operation, and the requests ask for 10.7 instead of 179 times the bytes used. What is left for each multiply-add is
-- one element of B, the same for all items. (The article calls the copying of the row coherent. It is not: a work-item
-- goes along its row, but neighbours are a row apart, so each request of the copy touches 32 sectors. It is done once,
-- so that costs little.)
--
-- A private array of K elements is usually too large for registers. The gain depends on where it is: in a cache, or in
-- the off-chip memory that GPUs spill to. On an H200, CL_KERNEL_PRIVATE_MEM_SIZE is 8000 bytes for a row of 2000
-- floats: none of it is in registers. But there, memory is laid out so that the same element of neighbouring items is
-- side by side.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_row_in_private(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0);
    REALTYPE own[K];
    for (int k = 0; k < K; k++)
        own[k] = a[row * K + k];
    for (int column = 0; column < N; column++) {
        REALTYPE sum = 0;
        for (int k = 0; k < K; k++)
            sum += own[k] * b[column * K + k];
        c[row * N + column] = sum;
    }
}
]]

local row = {
  number = 6, name = "matr_mul_row_in_private",
  change = "the work-item's row of A is copied into a private array first",
  published = {
    {on = "CPU", seconds = 4.961, rate = 3.225, ratio = 18.587},
    {on = "GPU", seconds = 1.327, rate = 12.057, ratio = 69.242},
  },
  expect = {
    cpu = {"same", "the row is in the nearest cache either way, as global memory or as a private array"},
    gpu = {"faster", "a GPU lays out private arrays so that neighbours' elements are side by side: 4 sectors instead "
      .. "of the 32 that a warp asked for in A"},
  },
  decides = {"max_compute_units", "global_mem_cache_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type, private_memory = p.a:bytes() / p.m})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_row_in_private")

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
