-- Histogram, step 18: as fast as the device reads memory.
--
-- Steps 16 and 17 wait for each number before the next, 4 bytes in progress for an item, and then for its atomic. Here
-- an item reads several vectors before it counts their numbers, so that many reads are in progress at once (on a GPU, 2
-- or 4 of 16 bytes), and each group counts one contiguous piece. A CPU's group is one item. Nobody else adds to its
-- bins, so it needs no atomics at all: a count is a load, an addition and a store, without the lock that makes a core
-- finish them before it goes on. The speed of memory should be the limit now, or how often a core can store. How many
-- copies, groups and vectors are best depends on the device, so some forms take turns, and the fastest is the row.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input)

local KERNEL = [[
#if SIZE == 1
#define ADD(bin) ((bin)++)
#else
#define ADD(bin) atomic_inc(&(bin))
#endif
#define COUNT(number, copy) ADD(own[(number) % 256 * COPIES + (copy) % COPIES])
#if WIDTH == 4
#define VECTOR uint4
#define COUNT_ALL(v, copy) COUNT(v.x, copy); COUNT(v.y, copy); COUNT(v.z, copy); COUNT(v.w, copy)
#else
#define VECTOR uint
#define COUNT_ALL(v, copy) COUNT(v, copy)
#endif

/* Counts a group's piece of the numbers. An item reads READS vectors of WIDTH numbers, 1 or 4, in a round. The first
 * group also counts the last numbers, fewer than a vector. */
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void count(__global const uint *from, uint count, volatile __global uint *bins)
{
    __local uint own[256 * COPIES];
    __global const VECTOR *vectors = (__global const VECTOR *)from;
    const uint here = get_local_id(0), whole = count / WIDTH, strides = whole / (SIZE * READS) + 1;
    const uint piece = (strides / get_num_groups(0) + 1) * (SIZE * READS);
    const uint first = min(whole, (uint)get_group_id(0) * piece), end = min(whole, first + piece);
    uint i = first + here;
    for (uint k = here; k < 256 * COPIES; k += SIZE)
        own[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (; i + (READS - 1) * SIZE < end; i += READS * SIZE) {
        VECTOR read[READS];
#pragma unroll
        for (uint k = 0; k < READS; k++)
            read[k] = vectors[i + k * SIZE];
#pragma unroll
        for (uint k = 0; k < READS; k++) {
            COUNT_ALL(read[k], here + k);
        }
    }
    for (; i < end; i += SIZE) {
        COUNT_ALL(vectors[i], here);
    }
    if (get_group_id(0) == 0)
        for (uint rest = whole * WIDTH + here; rest < count; rest += SIZE)
            COUNT(from[rest], here);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = here; bin < 256; bin += SIZE) {
        uint sum = 0;
        for (uint k = 0; k < COPIES; k++)
            sum += own[bin * COPIES + k];
        atomic_add(&bins[bin], sum);
    }
}
]]

-- size: work-items of a group, copies: of its bins, width: numbers of a vector, reads: vectors that an item reads in a
-- round, groups: for each compute unit.
local FORMS = {
  cpu = {
    {size = 1, copies = 1, width = 1, reads = 8, groups = 1},
    {size = 1, copies = 1, width = 1, reads = 8, groups = 8},
    {size = 1, copies = 2, width = 1, reads = 8, groups = 8},
    {size = 1, copies = 4, width = 1, reads = 8, groups = 8},
  },
  gpu = {
    {size = 256, copies = 4, width = 4, reads = 4, groups = 8},
    {size = 256, copies = 8, width = 4, reads = 2, groups = 8},
    {size = 512, copies = 8, width = 4, reads = 4, groups = 4},
    {size = 1024, copies = 16, width = 4, reads = 2, groups = 2},
    {size = 256, copies = 1, width = 4, reads = 4, groups = 8},
  },
}

local row = {
  number = 18, name = "histogram_bandwidth", study = "histogram",
  change = "several vectors in progress, contiguous pieces; on CPUs one item a group, without atomics",
  expect = {
    cpu = {"faster", "a group is one item, so plain additions replace the locked ones"},
    gpu = {"faster", "an item has 32 or 64 bytes in progress instead of 4"},
  },
  decides = {"local_mem_size", "max_compute_units"},
}

-- Makes the parts of one form, like those of the previous steps.
local function parts_of(form, context, queue, counts, from, bins)
  local program, size = group.program(context, KERNEL, {
    kernel = "count", size = form.size, defines = {COPIES = form.copies, WIDTH = form.width, READS = form.reads},
    idle = function(none) return none, 0, none end,
  })
  local count, each = program:kernel "count", size * form.width * form.reads
  local most = form.groups * (context.device.max_compute_units or 1)
  local groups = math.max(1, math.min(most, math.floor(counts.count / each)))
  return {
    label = ("%s of %d, %s, %d x %d numbers a round"):format(counted(groups, "group"), size,
      form.copies == 1 and "1 copy" or form.copies .. " copies", form.reads, form.width), value = groups,
    bytes = counts.traffic, rate = "GB/s", repeats = counts.repeats,
    upload = function() queue:write_buffer(from, counts.values) end,
    reset = function() counts:empty(queue, bins) end,
    execute = function() count(queue, groups * size, size, from, counts.count, bins) end,
    read = function() queue:read_buffer(bins, counts.found) end,
  }
end

function OnStart()
  local counts = numbers.histogram{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local from, bins = context:buffer(counts.values:bytes(), "read_only"), context:buffer(counts.found:bytes())
  local variants = {}
  for _, form in ipairs(context.device.kind == "cpu" and FORMS.cpu or FORMS.gpu) do
    if 4 * numbers.BINS * form.copies <= context.device.local_mem_size then
      variants[#variants + 1] = parts_of(form, context, queue, counts, from, bins)
    end
  end
  if #variants == 0 then walk.skip(row, "too little local memory for a group's bins", context) end
  row.check = walk.verify_sweep(variants, counts:passes())
  local fastest
  row.times, row.sweep, fastest = walk.sweep(variants)
  row.host = counts:host()
  row.notes = {"fastest: " .. fastest.label, counts:crowded(fastest), ceiling.reading(context, fastest)}
  walk.report(counts:row(row, context))
end
