-- Step 2: the work-items of a group together copy all of B to local memory.
--
-- In step 1, each work-item reads all of B from global memory. Local memory is near and shared by the group, so B comes
-- from global memory once per group instead of once per item: a 1024th. The accesses of global memory that the count
-- still shows, 0.52 an operation, are those of A, which stays the same in the loop. Each multiply-add still needs one
-- read of B, now of local memory.
--
-- The size of the stage is fixed when the kernel is built, as in the author's code: 12000 floats are the 48 KB that
-- NVIDIA's cards give a group. A barrier comes between filling the stage and using it. A group that takes all of a
-- unit's local memory has the unit to itself, so nothing else runs there while it fills its stage.
--
-- A longer B takes several launches, each of which adds to what the one before it left in C. (The author's kernel drops
-- what does not fit.) Step 2b stages the pieces in one launch.
local cl = require "clue"
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input, 1024)

local KERNEL = [[
__kernel __attribute__((reqd_work_group_size(TPB, 1, 1)))
void outer_sum(__global const float *a, __global const float *b, __global float *c, const int x_count,
               const int y_count, const int first)
{
    __local float stage[STAGE];
    const int x = get_global_id(0), count = min(STAGE, y_count - first);
    for (int i = get_local_id(0); i < count; i += get_local_size(0)) /* published: i += 1024, whatever the size */
        stage[i] = b[first + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= x_count)
        return;
    float sum = first > 0 ? c[x] : 0;
    for (int i = 0; i < count; i++)
        sum += a[x] * stage[i];
    c[x] = sum;
}
]]

local row = {
  number = 2, name = "staged", change = "all of B is copied to local memory by the group, 12000 floats at most",
  expect = {
    cpu = {"same", "B is in a near cache either way, and a copy of it serves 1024 work-items, so it costs little"},
    gpu = function(on)
      if on.local_mem_type ~= "local" then return "slower", "local memory is emulated in global memory here" end
      return "faster", ("%d KiB of local memory on the chip take B's reads, once per group from global memory; a card "
        .. "whose caches serve all of step 1's gains less"):format(math.floor(on.local_mem_size / 1024))
    end,
  },
  decides = {"local_mem_type", "local_mem_size"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary}
  local context = cl.context()
  local queue = context:queue()
  local stage = math.min(12000, math.floor(context.device.local_mem_size / 4))
  local kernel, group = s:kernel(context, KERNEL, s:group(context, _t), {STAGE = stage}, cl.int(0))
  local a, b, c = context:buffer(s.a), context:buffer(s.b), context:buffer(s.c:bytes())
  local global = groups.round_up(s.x, group)

  local parts = {
    flops = s.flops, bytes = s:bytes(), repeats = s.repeats,
    upload = function() queue:write_buffer(a, s.a) queue:write_buffer(b, s.b) end,
    reset = function() s.c:fill(0 / 0) queue:write_buffer(c, s.c) end,
    execute = function()
      for first = 0, s.y - 1, stage do
        kernel(queue, global, group, a, b, c, cl.int(s.x), cl.int(s.y), cl.int(first))
      end
    end,
    read = function() queue:read_buffer(c, s.c) end,
  }
  row.check = walk.verify(parts, s:passes())
  row.times = walk.run(parts)
  row.host = s:host()
  row.notes = {
    "finding: the published kernel drops all elements of B beyond 12000; here further launches add them",
    "finding: it copies with a stride of 1024, so groups of another size leave gaps or copy twice; fixed here",
  }
  if stage < 12000 then
    row.notes[3] = ("a stage of %d floats: the device has %d bytes of local memory"):format(stage,
      context.device.local_mem_size)
  end
  if s.y > stage then
    row.notes[#row.notes + 1] = ("B has %d elements: %d launches"):format(s.y, math.ceil(s.y / stage))
  end
  walk.report(s:row(row, context))
end
