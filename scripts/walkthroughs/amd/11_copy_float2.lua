-- Vectors, step 11: the same copy by float2.
--
-- Step 10 takes 9.2 instructions for each float, and an item has 4 bytes in progress. A float2 makes that 6.0 and 8,
-- and halves the number of groups, each of which takes time to start. The bytes stay the same, so where memory's speed
-- was the limit, nothing is gained. A warp's request touches 8 sectors in 2 lines, and uses them all. The last
-- work-item copies the rest, fewer than 2 floats, one by one. The kernel is kernels/copy_vectors.cl; the width reaches
-- it as -D WIDTH.
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local paths = require "clue.paths"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "4000003", "how many floats")

local WIDTH = 2 -- floats in a vector

local row = {
  number = 11, name = "copy_float2", study = "vectors",
  change = "a float2 per work-item, what is left over one by one",
  expect = {
    cpu = {"faster", "half as many items and groups to start, for the same bytes"},
    gpu = {"faster", "an item has 8 bytes in progress instead of 4, by fewer instructions"},
  },
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local list = move.list{size = sizes.of_study(_size, "vectors", "4000003"), repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local program = context:program(cl.read_file(paths.kernels .. "/copy_vectors.cl"), {defines = {WIDTH = WIDTH}})
  local copy = program:kernel "copy"
  local size = group.size(copy, 256)
  local items = group.round_up(math.ceil(list.width / WIDTH), size)
  local from, to = context:buffer(list.from, "read_only"), context:buffer(list.to)
  local parts = {
    bytes = list.traffic, rate = "GB/s", repeats = list.repeats,
    upload = function() queue:write_buffer(from, list.from) end,
    reset = function() list:forget(queue, to) end,
    execute = function() copy(queue, items, size, from, to, cl.ulong(list.width)) end,
    read = function() queue:read_buffer(to, list.to) end,
  }
  row.check = walk.verify(parts, list:passes())
  row.times = walk.run(parts)
  row.notes = {("%d work-items in groups of %d, %s left over; preferred vector width here: %d"):format(
    items, size, counted(list.width % WIDTH, "float"), context.device.preferred_vector_width_float)}
  walk.report(list:row(row, context))
end
