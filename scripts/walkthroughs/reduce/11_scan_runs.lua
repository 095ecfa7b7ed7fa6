-- Scan, step 11: each item adds a run of eight numbers in its registers.
--
-- In step 10 each number has a place in the tree: 190 instructions of an item for one number, and 19 to add what lies
-- before its group. Here each item adds a run of eight numbers in its registers, and the tree has one value for them:
-- 82 and 15 instructions for a number, 2.2 times fewer, and an eighth of the barriers. Items that read runs of their
-- own would read words that lie far apart, so the group brings its tile to local memory in strides, where neighbours
-- read neighbours, and each item takes its run from there. A gap after every 32 words puts the runs of neighbouring
-- items into different banks.
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
void scan_groups(__global const uint *from, __global uint *to, uint count, __global uint *sums)
{
    __local uint tile[AT(TILE)], values[SIZE];
    const uint here = get_local_id(0), first = get_group_id(0) * TILE;
    uint own[EACH], before;
    for (uint k = here; k < TILE; k += SIZE)
        tile[AT(k)] = first + k < count ? from[first + k] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    own[0] = tile[AT(here * EACH)];
    for (uint k = 1; k < EACH; k++)
        own[k] = own[k - 1] + tile[AT(here * EACH + k)];
    values[here] = own[EACH - 1];
    scan_values(values);
    before = here > 0 ? values[here - 1] : 0;
    for (uint k = 0; k < EACH; k++)
        tile[AT(here * EACH + k)] = before + own[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = here; k < TILE; k += SIZE)
        if (first + k < count)
            to[first + k] = tile[AT(k)];
    if (here == SIZE - 1)
        sums[get_group_id(0)] = values[here];
}

/* Adds what lies before a group to its numbers. The sums were scanned. */
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void add_sums(__global uint *to, uint count, __global const uint *sums)
{
    const uint first = get_group_id(0) * TILE, group = get_group_id(0);
    for (uint k = get_local_id(0); k < TILE; k += SIZE)
        if (first + k < count && group > 0)
            to[first + k] += sums[group - 1];
}
]]

local row = {
  number = 11, name = "scan_runs", study = "scan",
  change = "each item adds a run of eight numbers: a tree for an eighth of them",
  expect = {
    cpu = {"faster", "97 instructions for a number instead of 209, and an eighth of the barriers"},
    gpu = {"faster", "97 instructions for a number instead of 209, an eighth of the barriers, and 1.62 passes of local "
      .. "memory instead of 3.35"},
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
  local scan_groups, add_sums = program:kernel "scan_groups", program:kernel "add_sums"
  local each = EACH * size -- numbers of a group
  local from, to = context:buffer(scan.values:bytes(), "read_only"), context:buffer(scan.found:bytes())
  local sums = scan:levels(context, each)
  local function scan_all(source, target, count, level)
    local groups = math.ceil(count / each)
    scan_groups(queue, groups * size, size, source, target, count, sums[level])
    if groups == 1 then return end
    scan_all(sums[level], sums[level], groups, level + 1)
    add_sums(queue, groups * size, size, target, count, sums[level])
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
