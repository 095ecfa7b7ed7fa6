-- Scan, step 9: in local memory, group by group.
--
-- Step 8 reads and writes all numbers log2(n) times, 20 times for a million. Here each group does the doubling for its
-- own numbers, in local memory, so these are read and written once. Each group also writes the sum of its numbers.
-- These sums are scanned in the same way, by as many levels as it takes, and then each group adds what lies before it.
-- So global memory is read and written twice, instead of log2(n) times: for a million numbers that is a tenth. Then
-- local memory is the limit: 17 barriers for the 256 numbers of a group, and 149 instructions for each.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local group = require "clue.walk.group"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input, 256)

local KERNEL = [[
/* Scans the values of a group's items. Each has two barriers in a round: all read before one writes. */
static void scan_values(__local uint *values)
{
    const uint here = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < SIZE; distance *= 2) {
        const uint before = here >= distance ? values[here - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        values[here] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
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
  number = 9, name = "scan_groups", study = "scan",
  change = "each group scans its numbers in local memory; the groups' sums are scanned likewise, and added",
  expect = {
    cpu = {"faster", "the numbers go through memory twice instead of log2(n) times, but 17 barriers divide the items' "
      .. "loop"},
    gpu = {"faster", "the numbers go through memory twice instead of log2(n) times"},
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
