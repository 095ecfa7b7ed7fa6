-- The sum of many floats by several devices, the same to the last bit however they share the work.
--
-- An item of the work is a block of numbers, which one work-item adds up in its order. The host adds the sums of the
-- blocks, in their order. Sums of chunks would be rounded differently in each run, since chunks have the sizes that the
-- devices' rates give.
local cl = require "clue"

input.int("_count", 2^22, "numbers", 1, 2^31 - 1)
input.string("_devices", "all", "the devices, as --device names them")

local BLOCK = 1024

local KERNEL = [[
kernel void add(global const float *numbers, global float *sums, const uint first, const uint count)
{
    const uint block = first + get_global_id(0), end = min(count, (block + 1) * BLOCK);
    float sum = 0;
    for (uint i = block * BLOCK; i < end; i++)
        sum += numbers[i];
    sums[block] = sum;
}
]]

-- The sum of the blocks' sums, in double.
local function total(sums)
  local sum = 0
  for i = 0, #sums - 1 do sum = sum + sums[i] end
  return sum
end

function OnStart()
  local numbers, blocks = cl.array.float(_count):random(-1, 1, 1), math.ceil(_count / BLOCK)
  local sums = cl.array.float(blocks)
  local workers = cl.workers(_devices, function(worker)
    local context, queue = worker.context, worker.queue
    local add = context:program(KERNEL, {defines = {BLOCK = BLOCK}}):kernel "add"
    local from, to = context:buffer(numbers, "read_only"), context:buffer(sums:bytes())
    return function(first, count)
      add(queue, count, nil, from, to, first, _count)
      return queue:read_buffer(to, sums, {offset = 4 * first, first = first, count = count, blocking = false})
    end
  end)

  local done = workers:run(blocks)
  local found, right = total(sums), numbers:sum()
  assert(math.abs(found - right) <= 1e-6 * _count, ("the sum is %.9g, should be %.9g"):format(found, right))
  workers:run(blocks, {most = math.max(1, math.floor(blocks / 7))}) -- in other chunks
  assert(total(sums) == found, ("in other chunks the sum is %.17g, it was %.17g"):format(total(sums), found))
  print(("%d numbers: %.9g, the same in other chunks; %s"):format(_count, found, tostring(done)))
end
