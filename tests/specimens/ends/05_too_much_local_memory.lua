-- A step that needs more local memory than any device has.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "16")

local row = {number = 5, name = "too_much_local_memory", change = "needs too much local memory"}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local context = CLContextCreate(CL_USE_ANY)
  walk.need(row, context, {local_memory = 2 ^ 40})
  walk.report(p:row(row, context))
end
