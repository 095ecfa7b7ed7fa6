-- A step whose kernel does not compile.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "16")

local row = {number = 6, name = "does_not_compile", change = "does not compile"}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local context = CLContextCreate(CL_USE_ANY)
  CLProgramCreate(context, "kernel void f(global int *a) { a[0] = nothing; }")
  walk.report(p:row(row, context))
end
