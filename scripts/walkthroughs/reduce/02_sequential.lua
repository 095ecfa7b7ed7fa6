-- Step 2: the tree from its other end: the working items are always the first of the group.
--
-- In step 1 only 27 % of a warp's lanes work. So the tree begins at its other end: item i adds the value that lies half
-- a group away, then a quarter, and so on. The items that work are contiguous: whole warps have nothing more to do and
-- end early, the others do not diverge, and neighbours read neighbouring words of local memory, in different banks. Now
-- 95 % of the lanes work, so a GPU may gain up to 95 / 27 = 3.5. An item's own instructions hardly change (87, not 88);
-- that there are so many for one value is the limit now.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local reduce = require "clue.walk.reduce"
local walk = require "clue.walk"

reduce.inputs(input, 256)

local KERNEL = [[
/* The sum of each group's values. The size of a group is a power of two. */
__kernel void add(__global const float *from, __global float *to, uint count, __local float *own)
{
    const uint here = get_local_id(0), i = get_global_id(0);
    own[here] = i < count ? from[i] : 0;
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
  number = 2, name = "sequential", study = "reduction",
  change = "the working items are contiguous: warps do not diverge, no remainder",
  expect = {
    cpu = {"open", "a CPU has no warps whose lanes stand idle, and an item has as many instructions as before, 87 "
      .. "instead of 88"},
    gpu = {"faster", "95 % of a warp's lanes work, instead of 27 %"},
  },
  decides = {"local_mem_type", "max_work_group_size"},
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
  local each = size -- values of a group
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
