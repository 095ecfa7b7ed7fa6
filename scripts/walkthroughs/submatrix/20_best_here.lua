-- Step 20, beyond the author: the fastest product of int matrices that clue has for this device, context:gemm.
--
-- Step 6 reads local memory more than once for each multiply-add, and its groups do not fill a warp. Here a work-item
-- computes a block of C in both directions, in registers, from tiles that a group shares in local memory (GPUs), or
-- from panels that caches hold (CPUs): with 8 x 8 elements, 16 reads serve 64 multiply-adds. kernels/gemm.cl and
-- kernels/gemm_cpu.cl explain how.
local cl = require "clue"
local int_product = require "clue.walk.int_product"
local walk = require "clue.walk"

int_product.inputs(input)

local row = {
  number = 20, name = "best_here", beyond = true, best = true,
  change = "device: the fastest product that clue has for it, context:gemm",
  expect = {
    cpu = function(on)
      return "faster", ("native width %d: whole vectors of neighbouring elements of C, sums in registers, and no local "
        .. "memory"):format(on.native_vector_width_int)
    end,
    gpu = {"faster", "a quarter of a read for each multiply-add instead of more than one, in groups of whole warps"},
  },
}

function OnStart()
  local p = int_product.new{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local gemm = context:gemm "int"
  local a, b, c = context:buffer(p.a), context:buffer(p.b), context:buffer(p.c:bytes())

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(-1) queue:write_buffer(c, p.c) end,
    execute = function() gemm(queue, p.m, p.n, p.k, a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "naive"
  walk.report(p:row(row, context))
end
