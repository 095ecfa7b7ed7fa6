-- Step 3, matr_mul_1dim_coalesced: B is stored by columns, so that both inputs are read consecutively.
--
-- In step 2, a work-item reads a column of B, and each element is a row away from the one before, in another cache
-- line. Of the line's 64 bytes, 4 are used before the next line. Stored by columns, one line serves 16 multiply-adds.
-- If these lines are the limit, the gain is large; the author's CPU had 1.61.
--
-- They are consecutive within ONE work-item, which suits a CPU's cache lines. On a GPU it counts what neighbouring
-- work-items read at the same time. Neighbours in dimension 0 have different rows and the same column: they share each
-- element of B in either layout (1 sector a request), while their elements of A and C are a whole row apart (32
-- sectors, where 4 would do). So the layout of B changes nothing there, and the author's card gained nothing. (By the
-- count, the loop has one integer operation less for each multiply-add, since the place in B needs no multiplication.
-- An H200 gains 1.015; whether by that was not shown.) Steps 1 and 2 of amd show what the mapping of dimension 0 does.
--
-- The article explains coalescing by blocks of 32 bytes, the least that memory delivers. If 16 work-items read one
-- float each from 16 different blocks, 512 bytes travel and 64 are used. If the 16 floats are adjacent, two blocks
-- would do, or three if they begin within one: 16 requests become 3. An address that all of them read is requested
-- once, and the value is broadcast.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_1dim_coalesced(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0), column = get_global_id(1);
    for (int k = 0; k < K; k++)
        c[row * N + column] += a[row * K + k] * b[column * K + k];
}
]]

local row = {
  number = 3, name = "matr_mul_1dim_coalesced",
  change = "B stored by columns: each work-item reads both inputs consecutively",
  published = {
    {on = "CPU", seconds = 5.756, rate = 2.78, ratio = 16.207},
    {on = "GPU", seconds = 12.979, rate = 1.233, ratio = 7.176},
  },
  expect = {
    cpu = function(on)
      return "open", ("each line of B now serves %d multiply-adds instead of one, which counts if B is read from far "
        .. "away; if a near cache holds it, each addition's wait for the one before hides the rest"):format(
        on.global_mem_cacheline_size / 4)
    end,
    gpu = {"same", "neighbours share each element of B in either layout, and what is strided, A and C, stays so"},
  },
  decides = {"global_mem_cache_size", "global_mem_cacheline_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_1dim_coalesced")

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
  row.host = p:host "linear_columns"
  walk.report(p:row(row, context))

  CLBufferFree(a) CLBufferFree(b) CLBufferFree(c)
  CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
end
