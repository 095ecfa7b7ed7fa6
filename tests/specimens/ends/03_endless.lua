-- A step whose kernel never ends.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "16")

local row = {number = 3, name = "endless", change = "never ends"}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local context = CLContextCreate(CL_USE_ANY)
  local program = CLProgramCreate(context, "kernel void spin(global volatile int *a) { while (true) a[0]++; }")
  local kernel = CLKernelCreate(program, "spin")
  CLSetKernelArgMem(kernel, 0, CLBufferCreate(context, 4, CL_MEM_READ_WRITE))
  CLExecute(kernel)
  require("clue").wait(kernel)
  walk.report(p:row(row, context))
end
