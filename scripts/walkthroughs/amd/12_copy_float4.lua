-- Vectors, step 12: the same copy by float4.
--
-- Step 11 takes 6.0 instructions for each float, and an item has 8 bytes in progress; a float4 makes that 3.3 and 16.
-- The first doubling saved 35 % of step 10's 9.2 instructions, this one 46 % of what was left; it gains ever less time,
-- since the bytes remain. 16 bytes are the most that one instruction of a current GPU loads, and a warp's request
-- touches 16 sectors in 4 lines, all used. The last work-item copies the rest, fewer than 4 floats, one by one. The
-- kernel is kernels/copy_vectors.cl; the width reaches it as -D WIDTH.
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local paths = require "clue.paths"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "4000003", "how many floats")

local WIDTH = 4 -- floats in a vector

local row = {
  number = 12, name = "copy_float4", study = "vectors",
  change = "a float4 per work-item, what is left over one by one",
  expect = {
    cpu = {"open", "again half as many items and groups, but the bytes are the same, so nothing is gained if step 11 "
      .. "is as fast as memory"},
    gpu = {"faster", "16 bytes an item in one access, the widest there is, instead of 8"},
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
