-- Step 20, beyond the series: the fastest product that clue has for this device, context:gemm.
--
-- Two things limit step 7: it reads an element from local memory for each multiply-add, and its 16 groups keep 16
-- compute units busy at most. Here a work-item computes a larger block of C in registers, from tiles that a group
-- shares in local memory (GPUs), or from panels that caches hold (CPUs), and there is a group for each tile of C.
-- kernels/gemm.cl and kernels/gemm_cpu.cl explain how. Nothing is padded.
local cl = require "clue"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "100x200x300")

local row = {
  number = 20, name = "best_here", beyond = true, best = true,
  change = "the fastest product that clue has for this device, context:gemm",
  expect = {
    cpu = {"faster", "vectors of neighbouring elements, sums in registers, no local memory, and no host copies"},
    gpu = function(on)
      return "faster", ("larger blocks in registers, and groups for all %d compute units instead of 16"):format(
        on.max_compute_units)
    end,
  },
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, range = {0, 1}}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local gemm = context:gemm(p.type)
  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)

  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function() gemm(queue, p.m, p.n, p.k, a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  walk.report(p:row(row, context))
end
