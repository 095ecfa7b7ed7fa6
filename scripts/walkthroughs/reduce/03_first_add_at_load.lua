-- Step 3: each work-item adds two values while it loads them.
--
-- In step 2 half of the items never add anything: they only load, and yet come to all 9 barriers. A value takes 87
-- instructions. Here a group has twice as many values as items, each item adds two while it loads them, and the first
-- level of the tree needs neither local memory nor a barrier. That leaves 49 instructions for a value: a gain of 1.8
-- where they are the limit. The tree is still the most of them.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local reduce = require "clue.walk.reduce"
local walk = require "clue.walk"

reduce.inputs(input, 256)

local KERNEL = [[
/* The sum of each group's values. The size of a group is a power of two. */
__kernel void add(__global const float *from, __global float *to, uint count, __local float *own)
{
    const uint here = get_local_id(0),
               i = get_group_id(0) * 2 * get_local_size(0) + here;
    own[here] = i < count ? from[i] : 0;
    if (i + get_local_size(0) < count)
        own[here] += from[i + get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (here < step)
            own[here] += own[here + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (here == 0)
        to[get_group_id(0)] = own[0];
}
]]

local row = {
  number = 3, name = "first_add_at_load", study = "reduction",
  change = "two values are added while they are loaded: half as many groups",
  expect = {
    cpu = {"faster", "49 instructions for a value instead of 87, in half as many groups"},
    gpu = {"faster", "49 instructions for a value instead of 87, in half as many groups"},
  },
  decides = {"max_work_group_size"},
}

function OnStart()
  local sum = reduce.new{size = _size, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {group = 2})
  local queue = context:queue()
  local add = context:program(KERNEL):kernel "add"
  local size = sum:group(add, _group, {
    bytes = function(items) return 4 * items end,
    idle = function(none, items) return none, none, 0, cl.local_memory(4 * items) end,
  })
  local each = 2 * size -- values of a group
  local from = context:buffer(sum.values:bytes(), "read_only")
  local parts = {context:buffer(4 * math.ceil(sum.count / each)), context:buffer(4 * math.ceil(sum.count / each ^ 2))}
  local last -- where the sum is
  local run = {
    bytes = sum.traffic, rate = "GB/s", repeats = sum.repeats,
    upload = function() queue:write_buffer(from, sum.values) end,
    reset = function() sum:forget(queue, parts[1], parts[2]) end,
    execute = function()
      local source, count, turn = from, sum.count, 1
      repeat -- until one value is left
        local groups = math.ceil(count / each)
        add(queue, groups * size, size, source, parts[turn], count, cl.local_memory(4 * size))
        source, count, turn = parts[turn], groups, 3 - turn
      until count == 1
      last = source
    end,
    read = function() queue:read_buffer(last, sum.found) end,
  }
  row.check = walk.verify(run, sum:passes(sum:tree_depth(each)))
  row.times = walk.run(run)
  row.host = sum:host()
  row.notes = {("groups of %d work-items"):format(size), ceiling.reading(context, run)}
  walk.report(sum:row(row, context))
end
