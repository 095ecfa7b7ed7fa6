-- Vectors, step 13: the same copy by float8.
--
-- Step 12 takes 3.3 instructions for each float; a float8 makes that 1.9 and puts 32 bytes in progress. But an
-- instruction of a GPU loads at most 16 bytes (the PTX of hello 5 has two ld.global.v4.f32 for a float8). If the copy
-- becomes two such loads, the lanes of each are 32 bytes apart: it touches 32 sectors in 8 lines, and uses half of each
-- sector. A vector that is wider than the device's costs more than it saves. The last work-item copies the rest, fewer
-- than 8 floats, one by one. The kernel is kernels/copy_vectors.cl; the width reaches it as -D WIDTH.
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local paths = require "clue.paths"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "4000003", "how many floats")

local WIDTH = 8 -- floats in a vector

local row = {
  number = 13, name = "copy_float8", study = "vectors",
  change = "a float8 per work-item, what is left over one by one",
  expect = {
    cpu = function(on)
      local width = on.preferred_vector_width_float
      if width < 8 then
        return "open", ("the preferred vector has %d floats, so a float8 takes several accesses"):format(width)
      end
      return "same", ("the preferred vector has %d floats, so a float8 is one access; but memory, not instructions, "
        .. "limits a copy"):format(width)
    end,
    gpu = {"slower", "a float8 is two loads of 16 bytes, whose neighbours are 32 bytes apart, so each load uses half "
      .. "of its sectors"},
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
