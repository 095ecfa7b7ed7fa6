-- Scan, step 12: first the sums alone.
--
-- Step 11 writes all numbers, and later reads and writes them again to add what lies before their group: memory moves
-- each number four times. Here the first kernel only adds up each group's numbers and writes one sum. When the sums
-- have been scanned, the last kernel scans the numbers and adds what lies before in one go. The numbers are read twice
-- and written once, three times in all: a gain of 1.3 where memory is the limit. The instructions become a little more,
-- 104 for a number instead of 97. The first kernel is a reduction; the order of its additions does not matter, so its
-- items need no runs.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local group = require "clue.walk.group"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input, 256)

local EACH = 8 -- numbers of an item

local KERNEL = [[
#define TILE (SIZE * EACH)
#define AT(k) ((k) + (k) / 32) /* where a tile's k-th number is */

/* Scans the values of a group's items. Item k works on the k-th block of a round. */
static void scan_values(__local uint *values)
{
    const uint here = get_local_id(0);
    for (uint reach = 1; reach < SIZE; reach *= 2) { /* up: both parts of a block, at its end */
        const uint end = (here + 1) * 2 * reach - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (end < SIZE)
            values[end] += values[end - reach];
    }
    for (uint reach = SIZE / 4; reach > 0; reach /= 2) { /* down: the sum at its end, to the middle of the next */
        const uint end = (here + 1) * 2 * reach - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (end + reach < SIZE)
            values[end + reach] += values[end];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void add_groups(__global const uint *from, uint count, __global uint *sums)
{
    __local uint values[SIZE];
    const uint here = get_local_id(0), first = get_group_id(0) * TILE;
    uint sum = 0;
    for (uint k = here; k < TILE; k += SIZE)
        sum += first + k < count ? from[first + k] : 0;
    values[here] = sum;
    for (uint step = SIZE / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (here < step)
            values[here] += values[here + step];
    }
    if (here == 0)
        sums[get_group_id(0)] = values[0];
}

/* The sums of the groups were scanned. A single group needs none. */
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void scan_groups(__global const uint *from, __global uint *to, uint count, __global const uint *sums)
{
    __local uint tile[AT(TILE)], values[SIZE];
    const uint here = get_local_id(0), first = get_group_id(0) * TILE;
    uint own[EACH], before = first > 0 ? sums[get_group_id(0) - 1] : 0;
    for (uint k = here; k < TILE; k += SIZE)
        tile[AT(k)] = first + k < count ? from[first + k] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    own[0] = tile[AT(here * EACH)];
    for (uint k = 1; k < EACH; k++)
        own[k] = own[k - 1] + tile[AT(here * EACH + k)];
    values[here] = own[EACH - 1];
    scan_values(values);
    before += here > 0 ? values[here - 1] : 0;
    for (uint k = 0; k < EACH; k++)
        tile[AT(here * EACH + k)] = before + own[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = here; k < TILE; k += SIZE)
        if (first + k < count)
            to[first + k] = tile[AT(k)];
}
]]

local row = {
  number = 12, name = "scan_sums_first", study = "scan",
  change = "the groups' sums first: the numbers are read twice, but written once",
  expect = {
    cpu = {"slower", "instructions, not memory, are the limit of these trees on a CPU, and 104 for a number replace "
      .. "97"},
    gpu = {"faster", "each number goes through memory three times instead of four"},
  },
  decides = {"local_mem_size", "max_work_group_size"},
}

function OnStart()
  local scan = numbers.scan{size = _size, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {group = 2})
  local queue = context:queue()
  local program, size = group.program(context, KERNEL, {
    kernel = "scan_groups", size = _group, defines = {EACH = EACH},
    bytes = function(items) return 4 * (EACH * items * 33 / 32 + items) end,
    idle = function(none) return none, none, 0, none end,
  })
  local scan_groups, add_groups = program:kernel "scan_groups", program:kernel "add_groups"
  local each = EACH * size -- numbers of a group
  local from, to = context:buffer(scan.values:bytes(), "read_only"), context:buffer(scan.found:bytes())
  local sums = scan:levels(context, each)
  local function scan_all(source, target, count, level)
    local groups = math.ceil(count / each)
    if groups > 1 then
      add_groups(queue, groups * size, size, source, count, sums[level])
      scan_all(sums[level], sums[level], groups, level + 1)
    end
    scan_groups(queue, groups * size, size, source, target, count, sums[level])
  end
  local run = {
    bytes = scan.traffic, rate = "GB/s", repeats = scan.repeats,
    upload = function() queue:write_buffer(from, scan.values) end,
    reset = function() scan:forget(queue, to) end,
    execute = function() scan_all(from, to, scan.count, 1) end,
    read = function() queue:read_buffer(to, scan.found) end,
  }
  row.check = walk.verify(run, scan:passes())
  row.times = walk.run(run)
  row.host = scan:host()
  row.notes = {("groups of %d work-items, %d numbers an item"):format(size, EACH), ceiling.copying(context, run)}
  walk.report(scan:row(row, context))
end
