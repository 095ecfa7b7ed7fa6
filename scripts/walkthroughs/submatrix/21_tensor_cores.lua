-- Step 21, beyond the author: the product on tensor cores, context:gemm with elements of 8 bits.
--
-- In step 20 an instruction of a warp does 32 multiply-adds of int, one in each lane, and on a GPU these are its limit.
-- Tensor cores multiply small matrices in one instruction of a warp, mma.sync: 16 x 32 elements of A by 32 x 8 of B,
-- 4096 multiply-adds. Loads of factors from local memory (ldmatrix) grow less: where a warp has 64 x 64 elements of C,
-- 8 of them serve 32 products. kernels/gemm_tensor.cl explains how.
--
-- What differs from the author's problem: the elements of A and B are stored as char, so they must be from -128 to
-- 127, and take a quarter of the bytes; his are ints of any size. The measured ones, 0 to 99, are those of the other
-- steps. C and the sums are int, and exact, as there. The check's large ints are replaced by all that 8 bits can hold.
--
-- Oclgrind cannot run the instruction, so `clue count` knows nothing of it. The row's notes have the numbers of
-- products and loads by the kernel's own loops; a test counts them in an emulation.
local cl = require "clue"
local int_product = require "clue.walk.int_product"
local tensor = require "clue.walk.tensor"
local walk = require "clue.walk"

int_product.inputs(input)

local row = {
  number = 21, name = "tensor_cores", beyond = true, best = true,
  change = "device: tensor cores multiply elements of 8 bits",
  expect = {
    cpu = {"open", "clue uses no tensor cores of CPUs, so the step is left out there"},
    gpu = {"faster", "an instruction of a warp does 4096 multiply-adds instead of 32, and A and B have a quarter of "
      .. "the bytes"},
  },
}

function OnStart()
  local p = int_product.new{size = _size, repeats = _repeat, narrow = true}
  local context = cl.context()
  tensor.need(row, context, "char")
  local queue = context:queue()
  local gemm = context:gemm "char"
  local a, b, c = context:buffer(p.narrow_a), context:buffer(p.narrow_b), context:buffer(p.c:bytes())

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.narrow_a) queue:write_buffer(b, p.narrow_b) end,
    reset = function() p.c:fill(-1) queue:write_buffer(c, p.c) end,
    execute = function() gemm(queue, p.m, p.n, p.k, a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "naive"
  tensor.describe(row, gemm, "char")
  walk.report(p:row(row, context))
end
