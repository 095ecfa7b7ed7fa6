-- A script to change: it scales numbers on a device, checks every result, and prints the time.
--
--     clue NAME.lua --help           # its inputs, which are options
--     clue NAME.lua --count 1000
--     clue watch NAME.lua            # runs it again at each change
--     clue check NAME.lua --count 64 # finds races and accesses out of bounds
local cl = require "clue"

input.int("_count", 2^20, "numbers", 1, 2^28)
input.float("_factor", 3, "what each number is multiplied by")

local KERNEL = [[
kernel void scale(global float *x, const float factor)
{
    const size_t i = get_global_id(0);
    x[i] *= factor;
}
]]

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local scale = context:program(KERNEL):kernel "scale"
  local x = cl.array.float(_count)
  for i = 0, _count - 1 do x[i] = i % 1000 end
  local buffer = context:buffer(x)

  scale(queue, _count, nil, buffer, _factor) -- the first launch may compile, so it is not timed
  queue:write_buffer(buffer, x)
  local seconds = scale(queue, _count, nil, buffer, _factor):time()
  queue:read_buffer(buffer, x)

  for i = 0, _count - 1 do
    local right = i % 1000 * _factor
    if math.abs(x[i] - right) > math.abs(right) * 1e-6 then
      error(("number %d is %.9g, should be %.9g"):format(i, x[i], right))
    end
  end
  print(("%d numbers right; the kernel took %.3f ms"):format(_count, seconds * 1e3))
end
