-- Counts how often each of 256 values occurs. Many work-items add to the same counter, so they use atomics.
--
-- Each work-group counts in local memory, where atomics are fast and few work-items meet, and adds its 256 counts to
-- the result once. With --global every work-item counts in global memory: see what that costs on this device.
local cl = require "clue"

input.int("_count", 2^22, "values", 1)
input.int("_group", 128, "work-items in a group", 1, 1024)
input.bool("_global", false, "count directly in global memory")

local KERNEL = [[
kernel void count_locally(global const uchar *values, const uint count, global uint *bins)
{
    local uint own[256];
    for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
        own[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(own + values[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
        atomic_add(bins + k, own[k]);
}

kernel void count_globally(global const uchar *values, const uint count, global uint *bins)
{
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(bins + values[i]);
}
]]

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local count = context:program(KERNEL):kernel(_global and "count_globally" or "count_locally")
  local values = cl.array.uchar(_count):random(0, 255, 1)
  local bins = cl.array.uint(256)
  local on_device, found = context:buffer(values, "read_only"), context:buffer(bins:bytes())

  local groups = math.min(math.ceil(_count / _group), 16 * context.device.max_compute_units)
  local seconds
  for _ = 1, 2 do -- the first launch may compile
    queue:fill_buffer(found, 0, "uint")
    seconds = count(queue, groups * _group, _group, on_device, _count, found):time()
  end
  queue:read_buffer(found, bins)

  local right = cl.array.uint(256)
  for i = 0, _count - 1 do right[values[i]] = right[values[i]] + 1 end
  local wrong = bins:compare(right)
  if wrong then error(("value %d: counted %d times, occurs %d times"):format(wrong, bins[wrong], right[wrong])) end
  print(("%d values counted %s: %.3f ms, %.3g GB/s"):format(_count, _global and "in global memory"
    or "in local memory first", seconds * 1e3, _count / seconds * 1e-9))
end
