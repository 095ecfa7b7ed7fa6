-- Step 6: the items of a warp add without local memory and without barriers.
--
-- Step 5's tree takes 8 rounds and 9 barriers, but a group now has it once for all of its values: with 500 values an
-- item, it takes about 50 of 5000 instructions. So there is 1 % to gain, and more only for few values.
--
-- A GPU runs the items of a warp (a wavefront, a sub-group) together, and they can read each other's registers.
-- Sub-groups (cl_khr_subgroups) have functions for that; NVIDIA's driver has no sub-groups, but its compiler takes the
-- instruction itself (shfl.sync, PTX). Local memory only carries one sum for each warp, and a group needs one barrier
-- instead of one for each level.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local counted = require("clue.text").count
local reduce = require "clue.walk.reduce"
local walk = require "clue.walk"

reduce.inputs(input, 256)

local KERNEL = [[
/* The sum of each group's values. SIZE, the work-items of a group, is a power of two. */
#if SHUFFLES
#define LANE (get_local_id(0) % 32)
#define WARP (get_local_id(0) / 32)
#define WARPS ((SIZE + 31) / 32)
#define WARP_SIZE 32
static float sum_of_warp(float value) /* a value is 0 for an item that does not exist */
{
#pragma unroll
    for (uint step = 16; step > 0; step /= 2) {
        float other;
        asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;" : "=f"(other) : "f"(value), "r"(step));
        value += other;
    }
    return value;
}
#else
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define LANE get_sub_group_local_id()
#define WARP get_sub_group_id()
#define WARPS get_num_sub_groups()
#define WARP_SIZE get_max_sub_group_size()
#define sum_of_warp(value) sub_group_reduce_add(value)
#endif

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void add(__global const float *from, __global float *to, uint count)
{
    __local float own[SIZE]; /* one for each warp */
    float sum = 0;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        sum += from[i];
    sum = sum_of_warp(sum);
    if (LANE == 0)
        own[WARP] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (WARP > 0)
        return;
    sum = 0;
    for (uint warp = LANE; warp < WARPS; warp += WARP_SIZE)
        sum += own[warp];
    sum = sum_of_warp(sum);
    if (LANE == 0)
        to[get_group_id(0)] = sum;
}
]]

local row = {
  number = 6, name = "warp_wide", study = "reduction",
  change = "the warp adds by sub-group functions or shuffles: one barrier a group",
  expect = {
    cpu = {"same", "the trees take little of the time; the loop over the values is step 5's"},
    gpu = {"same", "the trees take little of the time; the loop over the values is step 5's"},
  },
  decides = {"max_num_sub_groups"},
}

function OnStart()
  local sum = reduce.new{size = _size, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {group = 2})
  local queue = context:queue()
  local device = context.device
  local nvidia = device:has_extension "cl_nv_compiler_options"
  if not nvidia and not device:has_extension "cl_khr_subgroups" then
    walk.skip(row, "neither sub-groups (cl_khr_subgroups) nor NVIDIA's shuffles", context)
  end
  local add, size = sum:kernel(context, KERNEL, math.max(32, _group), {SHUFFLES = nvidia and 1 or 0})
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
  row.notes = {
    ("%s of %d work-items, %s"):format(counted(groups, "group"), size,
      nvidia and "NVIDIA's shuffles, by PTX" or "sub-groups"),
    ceiling.reading(context, run),
  }
  walk.report(sum:row(row, context))
end
