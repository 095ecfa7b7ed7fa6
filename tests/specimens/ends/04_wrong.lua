-- A step whose last element is off by one.
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "16")

local row = {number = 4, name = "wrong", change = "one wrong element"}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat}
  local parts = {
    flops = p.flops, repeats = p.repeats,
    execute = function() p:on_host() end,
    read = function() p.c[#p.c - 1] = p.c[#p.c - 1] + 1 end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  walk.report(p:row(row))
end
