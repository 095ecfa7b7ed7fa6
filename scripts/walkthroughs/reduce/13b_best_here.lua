-- Scan, step 13b: the prefix sums that clue has for this device, context:scan.
--
-- Step 13 moves each number the least possible, twice, so what is left is how long groups wait for one another. On
-- GPUs whose groups are known to go on once they have started (NVIDIA's), this is step 13's idea with more to do
-- meanwhile: a tile fills registers as well as local memory, and one warp looks back by shuffles. On other GPUs it is
-- step 12's. On CPUs, each work-item adds up a piece of its own, and then scans it. Where the driver is PoCL, it does
-- so while the piece is in its core's cache, by vectors, so that memory is read once; elsewhere it reads the numbers
-- twice, but needs no atomics. bindings/clue/compute/scan.lua chooses.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input)

local row = {
  number = "13b", name = "best_here", study = "scan", best = true,
  change = "the prefix sums that clue has for this device, context:scan",
  expect = {
    cpu = {"open", "with PoCL, it adds by vectors, and writes past the caches; elsewhere it reads the numbers twice, "
      .. "where step 13 may find them in a core's cache"},
    gpu = {"open", "where it is step 13's idea, more numbers are under way while a group waits; elsewhere it is step "
      .. "12's, with three moves of each number"},
  },
}

function OnStart()
  local scan = numbers.scan{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue, sum = context:queue(), context:scan("uint", "sum")
  local from, to = context:buffer(scan.values:bytes(), "read_only"), context:buffer(scan.found:bytes())
  local run = {
    bytes = scan.traffic, rate = "GB/s", repeats = scan.repeats,
    upload = function() queue:write_buffer(from, scan.values) end,
    reset = function() scan:forget(queue, to) end,
    execute = function() sum(queue, from, to) end,
    read = function() queue:read_buffer(to, scan.found) end,
  }
  row.check = walk.verify(run, scan:passes())
  row.times = walk.run(run)
  row.host = scan:host()
  row.notes = {ceiling.copying(context, run)}
  walk.report(scan:row(row, context))
end
