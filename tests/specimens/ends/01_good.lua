-- A step that ends as it should.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "16")

local row = {number = 1, name = "good", change = "as it should"}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local function multiply() p:on_host() end
  local parts = {flops = p.flops, repeats = p.repeats, execute = multiply}
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  walk.report(p:row(row))
end
