-- Step 1: a tree in local memory, whose neighbours are added first.
--
-- A device adds in parallel: each group copies its values to local memory and adds pairs, then pairs of pairs, until
-- one sum is left. The same kernel adds the groups' sums, until there is only one. Here work-item 2 adds item 3's value
-- to its own, then item 4 adds item 6's, and so on: the items that still work lie ever further apart. A GPU runs 32 or
-- 64 items in step, so all of its warps stay busy with branches that only a few of their items take, and the remainder
-- (%) takes many instructions. This limits the step: 27 % of the lanes work, and a value takes 88 instructions and 9
-- barriers, one addition among them (`clue count reduce --steps 1`).
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
    const uint size = get_local_size(0); /* PoCL 3.1 miscompiles it in the condition */
    own[here] = i < count ? from[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < size; step *= 2) {
        if (here % (2 * step) == 0)
            own[here] += own[here + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (here == 0)
        to[get_group_id(0)] = own[0];
}
]]

local row = {
  number = 1, name = "interleaved", study = "reduction",
  change = "a tree in local memory: neighbours first, so that working items lie apart",
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
