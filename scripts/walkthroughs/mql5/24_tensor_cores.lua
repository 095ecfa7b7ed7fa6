-- Step 24, beyond the article: the product on tensor cores, context:gemm with TF32's precision.
--
-- In step 20 an instruction of a warp does 32 multiply-adds, one in each lane, and on a GPU these are its limit. Tensor
-- cores multiply small matrices in one instruction of a warp, mma.sync: 16 x 8 elements of A by 8 x 8 of B, 1024
-- multiply-adds. Loads of factors from local memory (ldmatrix) grow less: where a warp has 64 x 64 elements of C, 8 of
-- them serve 32 products. kernels/gemm_tensor.cl explains how.
--
-- Large products take wgmma where there is one (Hopper): four warps' instruction, which reads its factors from local
-- memory. A and B are first copied, rounded to TF32; the copies count as part of the product's time.
--
-- There is no such instruction for float. TF32 rounds A's and B's elements to 11 bits, to nearest, and adds up in
-- float. So this is not step 20's result: the check allows six standard deviations of TF32's own rounding, which step
-- 20 would not be allowed. With --type double the instruction rounds as multiply-adds do, and step 20 uses it, too.
--
-- Oclgrind cannot run the instruction, so `clue count` knows nothing of it. The row's notes have the numbers of
-- products and loads by the kernel's own loops; a test counts them in an emulation.
local cl = require "clue"
local product = require "clue.walk.product"
local tensor = require "clue.walk.tensor"
local walk = require "clue.walk"

product.inputs(input, "480")

local row = {
  number = 24, name = "tensor_cores", beyond = true, best = true,
  change = "the product on tensor cores, floats as TF32",
  expect = {
    cpu = {"open", "clue uses no tensor cores of CPUs, so the step is left out there"},
    gpu = {"faster", "an instruction of a warp does 1024 multiply-adds instead of 32"},
  },
}

function OnStart()
  local precision = _type == "float" and "tf32" or nil
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns", precision = precision}
  local context = cl.context()
  tensor.need(row, context, p.type, precision)
  local queue = context:queue()
  local gemm = context:gemm(p.type, {precision = precision})
  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function() gemm(queue, {transpose_b = true}, p.m, p.n, p.k, a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_columns"
  tensor.describe(row, gemm, precision and "TF32")
  walk.report(p:row(row, context))
end
