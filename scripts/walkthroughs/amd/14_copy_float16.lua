-- Vectors, step 14: the same copy by float16.
--
-- Step 13's loads leave half of each sector to the next instruction, where it takes two of 16 bytes for a vector. A
-- float16 saves instructions again, 1.2 instead of 1.9 for each float, but takes four such loads, 64 bytes apart: 32
-- sectors in 16 lines for each, instead of 8 lines. So on a GPU the step should lose. On a CPU a float16 is one cache
-- line of 64 bytes. The last work-item copies the rest, fewer than 16 floats, one by one. The kernel is
-- kernels/copy_vectors.cl; the width reaches it as -D WIDTH.
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local paths = require "clue.paths"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "4000003", "how many floats")

local WIDTH = 16 -- floats in a vector

local row = {
  number = 14, name = "copy_float16", study = "vectors",
  change = "a float16 per work-item, what is left over one by one",
  expect = {
    cpu = {"same", "a float16 is a whole cache line, but memory limited the copy before"},
    gpu = {"slower", "four loads of 16 bytes, 64 bytes apart, each of which touches 16 lines instead of 8, and uses "
      .. "half of its sectors"},
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
