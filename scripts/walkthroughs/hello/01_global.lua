-- Step 1: one work-item for each x; each reads all of B from global memory.
--
-- Step 0 computes one sum at a time. The sums do not depend on each other, so here X work-items compute them side by
-- side. All work-items of a group read the same element of B at the same time: one read serves them all if the hardware
-- can broadcast (1 sector a request by the count), and caches hold what is read again. Still each multiply-add needs a
-- read of B, and that limits the step now.
--
-- Groups have 1024 work-items, and the global size is rounded up to whole groups, so the items beyond X have nothing to
-- do. The kernel declares the size of its groups, so that the compiler uses no more registers than a whole group can
-- have.
--
-- The least of the author's gains, 8 times, is in reach of a CPU, too: it has several cores, and vectors of 4 to 16
-- floats, which the serial loop does not use. PoCL does not use them for this kernel either: its loop adds one element
-- after the other, each to the sum before it.
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
    const int x = get_global_id(0);
    if (x >= x_count)
        return;
    float sum = 0;
    for (int y = 0; y < y_count; y++)
        sum += a[x] * b[y];
    c[x] = sum;
}
]]

local row = {
  number = 1, name = "global", change = "one work-item for each x, B read from global memory",
  published = {{on = "cards", text = "8x to 600x over serial, by card"}},
  expect = {
    cpu = function(on)
      local units = on.max_compute_units
      if units >= 4 then return "faster", ("%d compute units share what one core did"):format(units) end
      return "open", ("%d compute units share the work; more than that takes a compiler that computes several "
        .. "work-items side by side in vectors"):format(units)
    end,
    gpu = function(on)
      return "faster", ("%d compute units run many thousands of sums at once, the host loop one"):format(
        on.max_compute_units)
    end,
  },
  decides = {"global_mem_cache_size", "max_work_group_size"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary}
  local context = cl.context()
  local queue = context:queue()
  local kernel, group = s:kernel(context, KERNEL, s:group(context, _t))
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
