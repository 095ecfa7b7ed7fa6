-- Scan, step 10: by a tree, with no more additions than necessary (Blelloch; Brent and Kung).
--
-- Step 9's doubling adds n log2(n) times: 1793 additions for the 256 numbers of a group. A tree adds pairs, then pairs
-- of pairs, as a reduction does: that leaves the sums of blocks of 2, 4, 8, ... at their ends. Then it goes back down:
-- each block's sum is added to the middle of the block behind it. Both ways together are fewer than 2 n additions, 502.
--
-- If additions were the limit, this would gain 3.6. But they are not. The tree has twice as many rounds, of which most
-- keep few items busy: 16 barriers, since doubling takes two a round and has 17, and 190 instructions for each number
-- instead of 149. And the places that it adds lie ever further apart, so a request to local memory takes 3.35 passes
-- instead of 1, on 32 banks. The next step has fewer values for each tree.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local group = require "clue.walk.group"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input, 256)

local KERNEL = [[
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
    __local uint values[SIZE];
    const uint here = get_local_id(0), i = get_global_id(0);
    values[here] = i < count ? from[i] : 0;
    scan_values(values);
    if (i < count)
        to[i] = values[here];
    if (here == SIZE - 1)
        sums[get_group_id(0)] = values[here];
}

/* Adds what lies before a group to its numbers. The sums were scanned. */
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void add_sums(__global uint *to, uint count, __global const uint *sums)
{
    const uint i = get_global_id(0), group = get_group_id(0);
    if (i < count && group > 0)
        to[i] += sums[group - 1];
}
]]

local row = {
  number = 10, name = "scan_tree", study = "scan",
  change = "a tree up and down in local memory: fewer than 2 n additions instead of n log2(n)",
  expect = {
    cpu = {"slower", "a CPU goes through all items of a group between two barriers, whether they add or not; it does "
      .. "so 16 times, as before, with 190 instructions for a number instead of 149"},
    gpu = {"slower", "as many barriers, 190 instructions for a number instead of 149, and bank conflicts (3.35 passes "
      .. "instead of 1)"},
  },
  decides = {"local_mem_type", "max_work_group_size"},
}

function OnStart()
  local scan = numbers.scan{size = _size, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {group = 2})
  local queue = context:queue()
  local program, size = group.program(context, KERNEL, {
    kernel = "scan_groups", size = _group,
    idle = function(none) return none, none, 0, none end,
  })
  local scan_groups, add_sums = program:kernel "scan_groups", program:kernel "add_sums"
  local each = size -- numbers of a group
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
  row.notes = {("groups of %d work-items"):format(size), ceiling.copying(context, run)}
  walk.report(scan:row(row, context))
end
