-- Prefix sums: element i becomes the sum of all elements up to i. Sorting, compacting and histograms are built from
-- them.
--
-- A group scans its block in local memory: in step s each element adds the one 2^s before it (Hillis and Steele), so
-- log2(group) steps are enough. The totals of the blocks are scanned in the same way, in blocks of blocks if necessary,
-- and added to the blocks that follow.
local cl = require "clue"

input.int("_count", 1000003, "numbers", 1, 2^31 - 1)
input.int("_group", 128, "work-items in a group, at least 2", 2, 1024)

local KERNEL = [[
kernel void scan_blocks(global int *values, const uint count, global int *totals, local int *block)
{
    const uint i = get_global_id(0), here = get_local_id(0), size = get_local_size(0);
    block[here] = i < count ? values[i] : 0;
    for (uint distance = 1; distance < size; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int before = here >= distance ? block[here - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        block[here] += before;
    }
    if (i < count)
        values[i] = block[here];
    if (here == size - 1)
        totals[get_group_id(0)] = block[here];
}

kernel void add_totals(global int *values, const uint count, global const int *totals)
{
    const uint i = get_global_id(0), block = get_group_id(0);
    if (i < count && block > 0)
        values[i] += totals[block - 1];
}
]]

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local program = context:program(KERNEL)
  local scan_blocks, add_totals = program:kernel "scan_blocks", program:kernel "add_totals"
  local launches, seconds = 0, 0

  local function launch(kernel, blocks, ...)
    seconds = seconds + kernel(queue, blocks * _group, _group, ...):time()
    launches = launches + 1
  end

  local function scan(values, count)
    local blocks = math.ceil(count / _group)
    local totals = context:buffer(blocks * 4)
    launch(scan_blocks, blocks, values, count, totals, cl.local_memory(_group * 4))
    if blocks == 1 then return end
    scan(totals, blocks)
    launch(add_totals, blocks, values, count, totals)
  end

  local numbers = cl.array.int(_count):random(-9, 9, 1)
  local sums = cl.array.int(_count)
  local on_device = context:buffer(numbers)
  scan(on_device, _count)
  queue:read_buffer(on_device, sums)

  local right = 0
  for i = 0, _count - 1 do
    right = right + numbers[i]
    if sums[i] ~= right then error(("sum %d is %d, should be %d"):format(i, sums[i], right)) end
  end
  print(("%d prefix sums right: %d launches, %.3f ms together"):format(_count, launches, seconds * 1e3))
end
