-- Step 3: B is staged tile by tile. A tile is as long as the group: each work-item copies one element.
--
-- In step 1, each multiply-add reads global memory twice, A[x] and an element of B. B now comes from the tile. The text
-- of the author's kernel still reads A[x] each time, so accesses of global memory fall by half only, from 1.02 to 0.52
-- an operation by the count; step 3r reads it once. The tile takes little local memory, 4 KiB instead of step 2's 48,
-- so more groups fit on a compute unit, and B may have any length. There are two barriers per tile. The kernel tests
-- the bounds of X only at the store, so that every work-item reaches every barrier.
--
-- The author compares this step with B in global memory (step 1), and so does the gain here. His newer card has caches
-- that do as well as local memory, and gains nothing.
local cl = require "clue"
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input, 1024)

local KERNEL = [[
__kernel __attribute__((reqd_work_group_size(TPB, 1, 1)))
void outer_sum(__global const float *a, __global const float *b, __global float *c, const int x_count,
               const int y_count)
{
    __local float tile[TPB];
    const int x = get_global_id(0), mine = get_local_id(0), own = min(x, x_count - 1); /* published: x */
    float sum = 0;
    for (int first = 0; first < y_count; first += TPB) {
        tile[mine] = first + mine < y_count ? b[first + mine] : 0; /* published: b[first + mine] */
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TPB && first + i < y_count; i++)
            sum += a[own] * tile[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < x_count)
        c[x] = sum;
}
]]

local row = {
  number = 3, name = "tiles", change = "B is staged in tiles as long as the group",
  published = {{on = "GT 630", text = "2x over step 1"}, {on = "RTX 2080", text = "no gain over step 1"}},
  note_of_author = "an index outside local memory shows as CL_INVALID_COMMAND_QUEUE at clFinish only, and nothing says "
    .. "where",
  expect = {
    cpu = {"open", "the copies and barriers cost, as local memory is ordinary memory; but between barriers the "
      .. "compiler may compute several work-items side by side, which step 1 lacks"},
    gpu = function(on)
      if on.local_mem_type ~= "local" then return "slower", "local memory is emulated in global memory here" end
      return "faster", "B's reads come from local memory; as in step 2, a card whose caches serve all of step 1's "
        .. "gains less"
    end,
  },
  decides = {"local_mem_type", "local_mem_size"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary}
  local context = cl.context()
  local queue = context:queue()
  local kernel, group = s:kernel(context, KERNEL, s:group(context, _t, 4))
  local a, b, c = context:buffer(s.a), context:buffer(s.b), context:buffer(s.c:bytes())
  local global = groups.round_up(s.x, group)

  local parts = {
    flops = s.flops, bytes = s:bytes(), repeats = s.repeats,
    upload = function() queue:write_buffer(a, s.a) queue:write_buffer(b, s.b) end,
    reset = function() s.c:fill(0 / 0) queue:write_buffer(c, s.c) end,
    execute = function() kernel(queue, global, group, a, b, c, cl.int(s.x), cl.int(s.y)) end,
    read = function() queue:read_buffer(c, s.c) end,
  }
  row.check = walk.verify(parts, s:passes())
  row.times = walk.run(parts)
  row.host = s:host()
  row.notes = {
    "finding: the published kernel reads B past its end in the last tile, and A past X; fixed here",
    "to the author's complaint: on Oclgrind (--device oclgrind --size 40x50 -t 16) such an index is reported "
      .. "with its kernel, work-item and line",
  }
  walk.report(s:row(row, context))
end
