-- Step 20, beyond the series: the fastest product that clue has for this device, context:gemm.
--
-- One work-item computes a block of C in registers, from tiles that a group shares in local memory (GPUs), or from
-- panels that caches hold (CPUs). kernels/gemm.cl and kernels/gemm_cpu.cl explain how. Nothing is padded.
local cl = require "clue"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "100x200x300")

local row = {
  number = 20, name = "best_here", beyond = true, best = true,
  change = "the fastest product that clue has for this device, context:gemm",
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
