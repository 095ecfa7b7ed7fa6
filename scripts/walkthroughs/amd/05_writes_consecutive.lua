-- Transposition, step 5: scattered reads, consecutive writes.
--
-- Step 4 is limited by its writes, 16 sectors a request. This is the reverse: dimension 0 runs along the rows of the
-- result, so reads take the 16 sectors and writes 4. The sum is as before, and so are the bytes that requests ask for,
-- 2.5 times those used: the counts expect no gain. Which of the two is faster depends on whether the device waits
-- longer for reads or for writes, and on its caches: scattered reads can come from a cache, where the neighbours in
-- dimension 1 use the rest of each line. A group of 16 x 16 uses nearly all of what it touches, so such a cache needs
-- only 1 or 2 KiB for a group.
local cl = require "clue"
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "2003x1501", "N, or WxH: the plane has H rows of W floats")

local KERNEL = [[
__kernel void transpose(__global const float *from, __global float *to, ulong width, ulong height)
{
    const size_t y = get_global_id(0), x = get_global_id(1);
    if (x < width && y < height)
        to[x * height + y] = from[y * width + x];
}
]]

local row = {
  number = 5, name = "writes_consecutive", study = "transpose",
  change = "the reverse: scattered reads and consecutive writes",
  note_of_author = "charted on an HD 5870; the figures cannot be read off",
  expect = {
    cpu = {"open", "both steps touch the same number of cache lines in part; no fact here says whether the processor "
      .. "waits longer for those it reads or for those it writes"},
    gpu = function(on)
      if (on.global_mem_cache_size or 0) == 0 then
        return "open", "requests touch as many sectors as before, and no cache serves those that are scattered"
      end
      return "faster", "a unit's cache can serve the scattered reads, since a group uses nearly every sector whole; "
        .. "scattered writes are 16 separate pieces for the memory behind it"
    end,
  },
  decides = {"global_mem_cacheline_size"},
}

function OnStart()
  local plane = move.plane{size = sizes.of_study(_size, "transpose", "2003x1501"), repeats = _repeat,
                           transposed = true}
  local context = cl.context()
  local queue = context:queue()
  local move_all = context:program(KERNEL):kernel "transpose"
  local side = group.side(move_all, 16)
  local items_x, items_y = group.round_up(plane.height, side), group.round_up(plane.width, side)
  local from, to = context:buffer(plane.from, "read_only"), context:buffer(plane.to)
  local parts = {
    bytes = plane.traffic, rate = "GB/s", repeats = plane.repeats,
    upload = function() queue:write_buffer(from, plane.from) end,
    reset = function() plane:forget(queue, to) end,
    execute = function()
      move_all(queue, {items_x, items_y}, {side, side}, from, to, cl.ulong(plane.width), cl.ulong(plane.height))
    end,
    read = function() queue:read_buffer(to, plane.to) end,
  }
  row.check = walk.verify(parts, plane:passes())
  row.times = walk.run(parts)
  row.notes = {("groups of %d x %d work-items"):format(side, side)}
  walk.report(plane:row(row, context))
end
