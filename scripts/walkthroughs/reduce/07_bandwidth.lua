-- Step 7: as fast as the device reads memory.
--
-- Reading one float at a time, each item of steps 5 and 6 waits for each value: it has 4 bytes in progress, and about
-- 10 instructions for each. Here it reads vectors, and adds several of them to sums of their own, so that many reads
-- are in progress at once and no addition waits for another: four float4 on a GPU, 64 bytes. Each group adds one
-- contiguous piece. A CPU's group is one item, which walks through its piece: its vectors fill the processor's
-- registers (with AVX-512, 10 instructions for 64 floats), and there is no tree and no barrier. Now only memory's speed
-- should limit the step. How many groups, sums and lanes are best depends on the device, so some forms take turns, and
-- the fastest is the row.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local counted = require("clue.text").count
local reduce = require "clue.walk.reduce"
local walk = require "clue.walk"

reduce.inputs(input)

local KERNEL = [[
#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)
#define VECTOR NAME(float, WIDTH)
#define STORE NAME(vstore, WIDTH)

/* The sum of each group's piece of the values. SIZE, the work-items of a group, is a power of two. An item adds vectors
 * of WIDTH floats to SUMS sums. The first group also adds the last values, fewer than a vector. */
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void add(__global const float *from, __global float *to, uint count)
{
    __global const VECTOR *vectors = (__global const VECTOR *)from;
    const uint here = get_local_id(0), whole = count / WIDTH, strides = whole / (SIZE * SUMS) + 1;
    const uint piece = (strides / get_num_groups(0) + 1) * (SIZE * SUMS);
    const uint first = min(whole, (uint)get_group_id(0) * piece), end = min(whole, first + piece);
    VECTOR sums[SUMS];
    uint i = first + here;
#pragma unroll
    for (uint k = 0; k < SUMS; k++)
        sums[k] = 0;
    for (; i + (SUMS - 1) * SIZE < end; i += SUMS * SIZE) {
#pragma unroll
        for (uint k = 0; k < SUMS; k++)
            sums[k] += vectors[i + k * SIZE];
    }
    for (; i < end; i += SIZE)
        sums[0] += vectors[i];
#pragma unroll
    for (uint k = 1; k < SUMS; k++)
        sums[0] += sums[k];
    float lanes[WIDTH], sum = 0;
    STORE(sums[0], 0, lanes);
#pragma unroll
    for (uint k = 0; k < WIDTH; k++)
        sum += lanes[k];
    if (get_group_id(0) == 0)
        for (uint rest = whole * WIDTH + here; rest < count; rest += SIZE)
            sum += from[rest];
#if SIZE > 1
    __local float own[SIZE];
    own[here] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint step = SIZE / 2; step > 0; step /= 2) {
        if (here < step)
            own[here] += own[here + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = own[0];
#endif
    if (here == 0)
        to[get_group_id(0)] = sum;
}
]]

-- size: work-items of a group, width: floats of a vector, sums: of an item, groups: for each compute unit.
local FORMS = {
  cpu = {
    {size = 1, width = 16, sums = 4, groups = 1},
    {size = 1, width = 16, sums = 8, groups = 1},
    {size = 1, width = 16, sums = 4, groups = 16},
    {size = 1, width = 16, sums = 8, groups = 4},
  },
  gpu = {
    {size = 256, width = 4, sums = 4, groups = 8},
    {size = 256, width = 4, sums = 4, groups = 64},
    {size = 256, width = 4, sums = 4, groups = 256},
    {size = 512, width = 4, sums = 4, groups = 16},
    {size = 256, width = 2, sums = 8, groups = 32},
  },
}

local row = {
  number = 7, name = "bandwidth", study = "reduction",
  change = "vectors, several sums an item, contiguous pieces",
  expect = {
    cpu = function(on)
      return "faster", ("an addition takes a whole vector (native width %d), of values that lie side by side, without "
        .. "barriers"):format(on.native_vector_width_float)
    end,
    gpu = {"faster", "an item has 64 bytes in progress instead of 4"},
  },
  decides = {"max_compute_units", "native_vector_width_float"},
}

local function log2(number)
  return math.ceil(math.log(number) / math.log(2))
end

-- Makes the parts of one form, like those of the previous steps, with the depth of its additions.
local function parts_of(form, context, queue, sum, from)
  local add, size = sum:kernel(context, KERNEL, form.size, {WIDTH = form.width, SUMS = form.sums})
  local each = size * form.sums * form.width
  local groups = math.max(1, math.min(form.groups * (context.device.max_compute_units or 1),
    math.floor(sum.count / each)))
  local parts, total = context:buffer(4 * groups), context:buffer(4)
  local function depth_of(count, pieces)
    return 2 * math.ceil(count / (pieces * each)) + form.sums + form.width + log2(size) + 2
  end
  return {
    label = ("%s of %d, float%d, %d sums"):format(counted(groups, "group"), size, form.width, form.sums),
    value = groups,
    depth = depth_of(sum.count, groups) + depth_of(groups, 1),
    bytes = sum.traffic, rate = "GB/s", repeats = sum.repeats,
    upload = function() queue:write_buffer(from, sum.values) end,
    reset = function() sum:forget(queue, parts, total) end,
    execute = function()
      add(queue, groups * size, size, from, parts, sum.count)
      if groups > 1 then add(queue, size, size, parts, total, groups) end
    end,
    read = function() queue:read_buffer(groups > 1 and total or parts, sum.found) end,
  }
end

function OnStart()
  local sum = reduce.new{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local from = context:buffer(sum.values:bytes(), "read_only")
  local variants = {}
  for i, form in ipairs(context.device.kind == "cpu" and FORMS.cpu or FORMS.gpu) do
    variants[i] = parts_of(form, context, queue, sum, from)
  end
  row.check = walk.verify_sweep(variants, function(variant) return sum:passes(variant.depth) end)
  local fastest
  row.times, row.sweep, fastest = walk.sweep(variants)
  row.host = sum:host()
  row.notes = {ceiling.reading(context, fastest)}
  walk.report(sum:row(row, context))
end
