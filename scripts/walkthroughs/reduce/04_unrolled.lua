-- Step 4: the tree is unrolled: the size of a group is known when the kernel is built.
--
-- In each of its 8 rounds, step 3's loop counts, compares and computes addresses, so a value takes 49 instructions.
-- With SIZE as a macro the loop has a known number of rounds, so the compiler can write them one after the other, with
-- constants for the steps, and knows how much local memory a group needs: 30 instructions, a gain of 1.7 where they are
-- the limit.
--
-- The often published form also drops the barriers of the last rounds, because one warp runs in step. That is wrong in
-- OpenCL: nothing promises it, and no current compiler does. All 9 barriers stay here; step 6 has what replaces them.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local reduce = require "clue.walk.reduce"
local walk = require "clue.walk"

reduce.inputs(input, 256)

local KERNEL = [[
/* The sum of each group's values. SIZE, the work-items of a group, is a power of two. */
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void add(__global const float *from, __global float *to, uint count)
{
    __local float own[SIZE];
    const uint here = get_local_id(0), i = get_group_id(0) * 2 * SIZE + here;
    own[here] = i < count ? from[i] : 0;
    if (i + SIZE < count)
        own[here] += from[i + SIZE];
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
  number = 4, name = "unrolled", study = "reduction",
  change = "the size of a group is a macro, and the tree is unrolled",
  expect = {
    cpu = {"faster", "30 instructions for a value instead of 49, and the same barriers"},
    gpu = {"faster", "30 instructions for a value instead of 49; less is gained where the 9 barriers or memory take "
      .. "the time"},
  },
  decides = {"max_work_group_size"},
}

function OnStart()
  local sum = reduce.new{size = _size, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {group = 2})
  local queue = context:queue()
  local add, size = sum:kernel(context, KERNEL, _group)
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
        add(queue, groups * size, size, source, parts[turn], count)
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
