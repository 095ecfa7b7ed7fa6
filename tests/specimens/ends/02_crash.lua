-- A step whose kernel writes 64 TiB past its buffer: on a CPU device the process dies.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "16")

local row = {number = 2, name = "crash", change = "writes out of bounds"}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local context = CLContextCreate(CL_USE_ANY)
  local program = CLProgramCreate(context, "kernel void far(global int *a) { a[1L << 44] = 1; }")
  local kernel = CLKernelCreate(program, "far")
  CLSetKernelArgMem(kernel, 0, CLBufferCreate(context, 4, CL_MEM_READ_WRITE))
  CLExecute(kernel)
  require("clue").wait(kernel)
  walk.report(p:row(row, context))
end
