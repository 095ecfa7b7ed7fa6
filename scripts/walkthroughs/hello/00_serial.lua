-- Step 0: the host alone. Two nested loops in C, on one core.
--
-- All later steps are compared with this one, so it stays as simple as the author's: the compiler must not vectorise
-- it. Its limits are the one core, and that each addition to a sum waits for the one before. The row also shows the
-- same loops on all cores.
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input, nil, true)

local row = {
  number = 0, name = "serial", change = "host only: two nested loops, one core",
  published = {},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat}
  -- The check uses a size at which it is quick: more elements of C would add nothing new.
  local checked = outer_sum.new{size = ("%dx%d"):format(math.min(s.x, 64), s.y)}
  row.check = checked:verify_host(1)
  row.host = s:host()
  row.times = s:times_of(row.host)
  row.beside = {s:host(true)}
  row.notes = {("checked for the first %d x"):format(checked.x)}
  walk.report(s:row(row))
end
