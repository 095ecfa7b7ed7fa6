-- Step 4, matr_mul_sum_local: the sum is kept in a private variable and stored once at the end.
--
-- In step 3, half of the accesses read and write the sum. K stores and K more loads of global memory per element become
-- one store: by the count, 1.01 accesses an operation instead of 2.00. A compiler may keep the sum in a register in
-- step 3, too, but must store it in each round, since C could be the memory of A or B: NVIDIA's PTX has that store, and
-- no load of C. So of the 65 sectors that a warp asks for in each round (32 of A, 32 of C, 1 of B), 33 are left, and a
-- gain of two is to be expected if sectors decide. The author's GPU gained 9.8, the most of all steps, and an H200
-- 8.48: sectors do not explain that, and what a scattered store costs beyond them was not measured. What limits it now
-- are the 32 sectors of A.
--
-- The article's advice is to save bandwidth first, and to care for latency then. It counts 600 to 800 cycles for an
-- access to global memory against 20 on the chip; other work-items can compute meanwhile, but nothing replaces
-- bandwidth.
--
-- sum += a * b is one instruction on most devices, a multiply-add. OpenCL C lets the compiler fuse it; mad() asks for
-- the fastest form, whatever its rounding, and fma() for the fused one, which rounds once. (PoCL makes two instructions
-- of mad(), so step 17 has fma().)
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_sum_local(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0), column = get_global_id(1);
    REALTYPE sum = 0;
    for (int k = 0; k < K; k++)
        sum += a[row * K + k] * b[column * K + k];
    c[row * N + column] = sum;
}
]]

local row = {
  number = 4, name = "matr_mul_sum_local",
  change = "the sum is kept in a private variable, one store at the end",
  published = {
    {on = "CPU", seconds = 3.759, rate = 4.257, ratio = 24.863},
    {on = "GPU", seconds = 1.326, rate = 12.066, ratio = 69.541},
  },
  expect = {
    cpu = {"open", "the store that each round saves goes to the nearest cache; each multiply-add must wait for the one "
      .. "before, some four cycles, in either step, and only a slower store shows"},
    gpu = {"faster", "the store of C in each round goes, and with it half of the sectors that a warp asks for"},
  },
  decides = {"global_mem_cache_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {type = p.type})
  local program = CLProgramCreate(context, p.defines .. KERNEL)
  local kernel = CLKernelCreate(program, "matr_mul_sum_local")

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
