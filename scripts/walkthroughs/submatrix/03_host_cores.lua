-- Step 3: as step 2, the columns of B divided among all cores.
--
-- Step 2 uses one core. The columns of C do not depend on each other: each core has its own buffer and writes its own
-- columns, so no core waits for another, and the gain to expect is the number of cores, as far as they do not share a
-- limit, such as the memory.
--
-- By the author's figures, reading memory in order (step 2) gains 8.2, and all eight cores together gain another 2.3:
-- how memory is read decides more than how many cores there are.
local int_product = require "clue.walk.int_product"
local walk = require "clue.walk"

int_product.inputs(input)

local row = {
  number = 3, name = "host_cores", change = "host: as step 2 on all cores",
  published = {
    {on = "CPU", seconds = 0.163, ratio = 18.7, text = "0.163 s at 1024, 2.3x over step 2; 3.040 s at 4096"},
  },
}

function OnStart()
  local p = int_product.new{size = _size, repeats = _repeat}
  local function small(extent) return math.min(extent, 1024) end
  local checked = int_product.new{size = ("%dx%dx%d"):format(small(p.m), small(p.k), small(p.n))}
  row.check = checked:verify_host("buffered", 0)
  row.host = p:host "naive"
  row.times = p:times_of(p:host("buffered", true))
  row.beside = {p:host("vector", true)}
  row.notes = {
    "finding: the published loops use M as the row stride of A and C, right only for square matrices; fixed here",
    ("checked at %dx%dx%d"):format(checked.m, checked.k, checked.n),
  }
  walk.report(p:row(row))
end
