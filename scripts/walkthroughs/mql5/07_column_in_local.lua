-- Step 7, matr_mul_col_local: each column of B is copied into local memory by the whole group, then used by all its
-- work-items.
--
-- What step 6 still reads from global memory is one element of B for each multiply-add, and all work-items of a group
-- read the same ones. Copied to local memory, a group reads B once: with groups of 64, the count falls from 0.52 to
-- 0.023 accesses an operation. The price is two barriers for each column, and a read of local memory for each
-- multiply-add.
--
-- There are two barriers: after the column is filled, and after it was used. The published listing lacks the second, so
-- a fast work-item overwrites the column while a slow one still reads it. This is a data race, and gives wrong results
-- unless a group's work-items run in lockstep.
--
-- On CPU devices local memory is ordinary memory, which the caches hold like any other. Intel therefore advises to use
-- none there: the copy and the barriers only cost. But a barrier also cuts the kernel into loops over the group's
-- work-items, and a compiler can make vectors of several items in such a loop: PoCL does, so its sums of four items
-- grow side by side, where in step 6 each waits for itself alone.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_col_local(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0);
    REALTYPE own[K];
    __local REALTYPE shared_column[K];
    for (int k = 0; k < K; k++)
        own[k] = a[row * K + k];
    for (int column = 0; column < N; column++) {
        for (int k = get_local_id(0); k < K; k += get_local_size(0))
            shared_column[k] = b[column * K + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        REALTYPE sum = 0;
        for (int k = 0; k < K; k++)
            sum += own[k] * shared_column[k];
        c[row * N + column] = sum;
        barrier(CLK_LOCAL_MEM_FENCE); /* missing in the published listing */
    }
}
]]

local row = {
  number = 7, name = "matr_mul_col_local",
  change = "each column of B is copied to local memory by the group, then used by all of it",
  published = {
    {on = "CPU", seconds = 5.227, rate = 3.061, ratio = 17.63},
    {on = "GPU", seconds = 1.592, rate = 10.05, ratio = 58.069},
  },
  expect = {
    cpu = {"open", "the copy and its barriers come on top, as local memory is ordinary memory; but between barriers "
      .. "the compiler may add up several work-items' sums at once (the inner loop shows it)"},
    gpu = function(on)
      if on.local_mem_type ~= "local" then return "slower", "local memory is emulated in global memory here" end
      return "faster", "a group reads each column of B once from global memory, instead of each of its work-items"
    end,
  },
  decides = {"local_mem_type", "local_mem_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  local length = p.b:bytes() / p.n
  walk.need(row, context, {type = p.type, local_memory = length, private_memory = length})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_col_local")

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
  row.notes = {
    "finding: the published kernel has no barrier after the column was used, a data race; fixed here",
    walk.beside(context, "local_mem_type", "GLOBAL", "the HD 4870"),
  }
  walk.report(p:row(row, context))

  CLBufferFree(a) CLBufferFree(b) CLBufferFree(c)
  CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
end
