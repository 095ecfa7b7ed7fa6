-- Step 20, beyond the article: the fastest product that clue has for this device, context:gemm.
--
-- Steps 16b and 19 compute blocks of one size, whatever the device and the matrices. Here their size is chosen by
-- device and size, from forms that were measured. One work-item computes a block of C in registers, from tiles that a
-- group shares in local memory (GPUs), or from panels that caches hold (CPUs). kernels/gemm.cl and kernels/gemm_cpu.cl
-- explain how. B is stored by columns, as in the article's steps. No idea is new, so little is to be gained where the
-- fixed blocks suit the device.
local cl = require "clue"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local row = {
  number = 20, name = "best_here", beyond = true, best = true,
  change = "the fastest product that clue has for this device, context:gemm",
  expect = {
    cpu = {"open", "the ideas are those of steps 18 and 19; what differs is the size of the blocks, and how the work "
      .. "is divided among the cores"},
    gpu = {"open", "the ideas are those of step 16b; what differs is the size of the blocks"},
  },
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local gemm = context:gemm(p.type)
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
  walk.report(p:row(row, context))
end
