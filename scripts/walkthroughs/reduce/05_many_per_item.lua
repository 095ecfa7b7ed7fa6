-- Step 5: a fixed number of groups, each of whose items adds many values.
--
-- In step 4 a group lives for two values an item: most of its 30 instructions for a value, and all 9 barriers, are for
-- its start, its tree and its end. Now as many groups are started as keep the device busy, and each item walks through
-- the values in strides of the whole range, so that neighbours still read neighbouring values. Almost all additions
-- need neither local memory nor barriers: a round of the loop has about 10 instructions, a third, and the tree's share
-- falls with the number of values. Two kernels are enough for any number of values: the second one adds the groups'
-- sums. What limits now: an item waits for each float before it asks for the next.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local counted = require("clue.text").count
local reduce = require "clue.walk.reduce"
local walk = require "clue.walk"

reduce.inputs(input, 256)

local KERNEL = [[
/* The sum of each group's values. SIZE, the work-items of a group, is a power of two. */
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void add(__global const float *from, __global float *to, uint count)
{
    __local float own[SIZE];
    const uint here = get_local_id(0);
    float sum = 0;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        sum += from[i];
    own[here] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint step = SIZE / 2; step > 0; step /= 2) {
        if (here < step)
            own[here] += own[here + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (here == 0)
        to[get_group_id(0)] = own[0];
}
]]

local row = {
  number = 5, name = "many_per_item", study = "reduction",
  change = "as many groups as keep the device busy; each item adds many values",
  expect = {
    cpu = function(on)
      return "open", ("a tree for many values instead of two for each item; but an item's values lie %d KiB apart, "
        .. "each in another cache line"):format(16 * on.max_compute_units)
    end,
    gpu = function(on)
      return "faster", ("%d groups with a tree, instead of one for 512 values"):format(16 * on.max_compute_units)
    end,
  },
  decides = {"max_compute_units", "max_work_group_size"},
}

function OnStart()
  local sum = reduce.new{size = _size, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {group = 2})
  local queue = context:queue()
  local add, size = sum:kernel(context, KERNEL, _group)
  local most = 16 * (context.device.max_compute_units or 1) -- groups
  local groups = math.min(most, math.ceil(sum.count / size))
  local from = context:buffer(sum.values:bytes(), "read_only")
  local parts, total = context:buffer(4 * groups), context:buffer(4)
  local run = {
    bytes = sum.traffic, rate = "GB/s", repeats = sum.repeats,
    upload = function() queue:write_buffer(from, sum.values) end,
    reset = function() sum:forget(queue, parts, total) end,
    execute = function()
      add(queue, groups * size, size, from, parts, sum.count)
      add(queue, size, size, parts, total, groups)
    end,
    read = function() queue:read_buffer(total, sum.found) end,
  }
  row.check = walk.verify(run, sum:passes(math.ceil(sum.count / (groups * size)) + sum:tree_depth(groups)))
  row.times = walk.run(run)
  row.host = sum:host()
  row.notes = {("%s of %d work-items"):format(counted(groups, "group"), size), ceiling.reading(context, run)}
  walk.report(sum:row(row, context))
end
