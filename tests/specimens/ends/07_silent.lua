-- A step that ends without a result.
local product = require "clue.walk.product"

product.inputs(input, "16")

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  assert(p.flops > 0)
end
