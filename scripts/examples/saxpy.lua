-- y = a x + y, the first kernel of many courses: two reads, a multiplication, an addition and a write per element.
--
-- It computes so little that memory determines its speed, which is therefore printed in GB/s. x and y are small whole
-- numbers, so no sum is rounded and every element must be exactly right.
local cl = require "clue"

input.int("_count", 2^22, "elements", 1)
input.float("_a", 3, "a whole number is checked exactly")

local KERNEL = [[
kernel void saxpy(const float a, global const float *x, global float *y)
{
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
]]

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local saxpy = context:program(KERNEL):kernel "saxpy"
  local x, y = cl.array.float(_count), cl.array.float(_count)
  for i = 0, _count - 1 do x[i], y[i] = i % 1000, i % 777 end
  local on_device_x, on_device_y = context:buffer(x, "read_only"), context:buffer(y)

  saxpy(queue, _count, nil, _a, on_device_x, on_device_y) -- the first launch may compile, so it is not timed
  queue:write_buffer(on_device_y, y)
  local seconds = saxpy(queue, _count, nil, _a, on_device_x, on_device_y):time()
  queue:read_buffer(on_device_y, y)

  for i = 0, _count - 1 do
    local right = _a * (i % 1000) + i % 777
    if math.abs(y[i] - right) > math.abs(right) * 2^-22 then
      error(("element %d is %.9g, should be %.9g"):format(i, y[i], right))
    end
  end
  print(("%d elements right; %.3f ms, %.3g GB/s"):format(_count, seconds * 1e3, _count * 12 / seconds * 1e-9))
end
