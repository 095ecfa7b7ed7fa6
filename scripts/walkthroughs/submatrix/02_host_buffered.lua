-- Step 2: the host, one core; each column of B is copied to a buffer first.
--
-- Step 1 walks down each column of B once for each of the M rows of A, a cache line for each element. The copy walks
-- down the column once. Then all M rows of A are multiplied with the buffer, which stays in the nearest cache and, like
-- A, is read consecutively: up to 16 ints from each line instead of one. The author gained 8.2. What is left is one
-- core and one sum. The row also shows the same loops compiled for vectors.
local int_product = require "clue.walk.int_product"
local walk = require "clue.walk"

int_product.inputs(input)

local row = {
  number = 2, name = "host_buffered", change = "host, one core: each column of B is copied to a buffer first",
  published = {{on = "CPU", seconds = 0.367, text = "0.367 s at 1024"}},
}

function OnStart()
  local p = int_product.new{size = _size, repeats = _repeat}
  local function small(extent) return math.min(extent, 1024) end
  local checked = int_product.new{size = ("%dx%dx%d"):format(small(p.m), small(p.k), small(p.n))}
  row.check = checked:verify_host("buffered", 1)
  row.host = p:host "naive"
  row.times = p:times_of(p:host "buffered")
  row.beside = {p:host "vector"}
  row.notes = {("checked at %dx%dx%d"):format(checked.m, checked.k, checked.n)}
  walk.report(p:row(row))
end
