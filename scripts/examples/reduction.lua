-- The sum of many numbers: each work-item adds up its share, and each work-group adds up the sums of its work-items, as
-- a tree in local memory. The host adds the few sums of the groups.
--
-- After every barrier half as many work-items continue. The numbers are whole, so the sum is exact in any order.
local cl = require "clue"

input.int("_count", 2^22, "numbers", 1, 2^31 - 1)
input.int("_group", 64, "work-items in a group, a power of two", 1, 1024)

local KERNEL = [[
kernel void sum(global const int *numbers, const uint count, global int *sums, local int *own)
{
    const uint here = get_local_id(0);
    int mine = 0;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        mine += numbers[i];
    own[here] = mine;
    for (uint half_of = get_local_size(0) / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (here < half_of)
            own[here] += own[here + half_of];
    }
    if (here == 0)
        sums[get_group_id(0)] = own[0];
}
]]

function OnStart()
  assert(math.log(_group) / math.log(2) % 1 == 0, ("--group %d: the tree needs a power of two"):format(_group))
  local context = cl.context()
  local queue = context:queue()
  local sum = context:program(KERNEL):kernel "sum"
  local numbers = cl.array.int(_count):random(-9, 9, 1)
  local groups = math.min(math.ceil(_count / _group), 16 * context.device.max_compute_units)
  local sums = cl.array.int(groups)
  local on_device, of_groups = context:buffer(numbers, "read_only"), context:buffer(sums:bytes(), "write_only")

  local seconds
  for _ = 1, 2 do -- the first launch may compile
    seconds = sum(queue, groups * _group, _group, on_device, _count, of_groups, cl.local_memory(_group * 4)):time()
  end
  queue:read_buffer(of_groups, sums)

  local found, right = sums:sum(), numbers:sum()
  assert(found == right, ("the sum is %d, should be %d"):format(found, right))
  print(("%d numbers from %d groups of %d: %d, %.3f ms, %.3g GB/s"):format(_count, groups, _group, found,
    seconds * 1e3, _count * 4 / seconds * 1e-9))
end
