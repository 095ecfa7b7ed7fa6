-- Step 1: the host alone, the triple loop on one core.
--
-- The innermost loop walks down a column of B: each element is a whole row away from the previous one, in another cache
-- line, and of the line's 64 bytes 4 are used. That is its limit from the start, more than the one core. If the size is
-- a power of two, the lines even compete for a few sets of the cache.
local int_product = require "clue.walk.int_product"
local walk = require "clue.walk"

int_product.inputs(input)

local row = {
  number = 1, name = "host_naive", change = "host only: the triple loop, one core",
  published = {{on = "CPU", seconds = 3, text = "3 s at 1024"}},
}

function OnStart()
  local p = int_product.new{size = _size, repeats = _repeat}
  -- The check uses a size at which it is quick; the measured size differs only in the loops' ends.
  local function small(extent) return math.min(extent, 200) end
  local checked = int_product.new{size = ("%dx%dx%d"):format(small(p.m), small(p.k), small(p.n))}
  row.check = checked:verify_host("naive", 1)
  row.host = p:host "naive"
  row.times = p:times_of(row.host)
  row.notes = {("checked at %dx%dx%d"):format(checked.m, checked.k, checked.n)}
  walk.report(p:row(row))
end
