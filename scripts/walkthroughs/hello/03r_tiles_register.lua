-- Step 3r, beyond the author: step 3 with A[x] read once, into a register, and a loop of fixed length over each tile.
--
-- Half of what step 3's text accesses in its loop is A[x], the same element each time. Read once, before the loop, that
-- leaves 0.032 accesses of global memory an operation by the count, instead of 0.52. A compiler may take the read out
-- of the loop by itself, as nothing is stored there, and then only the count changes. The tile is filled with zeros
-- past the end of B, so the loop over it needs no test.
--
-- On PoCL the code changes: inside the loop over a tile, whose length is fixed, is one over the group's work-items,
-- which computes four of them side by side. Steps 2, 2b and 3, whose loops have no fixed length, compute one after the
-- other.
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
    const int x = get_global_id(0), mine = get_local_id(0);
    const float own = x < x_count ? a[x] : 0;
    float sum = 0;
    for (int first = 0; first < y_count; first += TPB) {
        tile[mine] = first + mine < y_count ? b[first + mine] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TPB; i++)
            sum += own * tile[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < x_count)
        c[x] = sum;
}
]]

local row = {
  number = "3r", name = "tiles_register", beyond = true,
  change = "step 3 with A[x] read once, into a register",
  expect = {
    cpu = {"same", "a[x] is in the nearest cache each time, if the compiler reads it again at all"},
    gpu = {"same", "nothing is stored in the loop, so a compiler may keep a[x] in a register by itself"},
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
  walk.report(s:row(row, context))
end
