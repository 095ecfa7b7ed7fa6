-- pi as the integral of 4 / (1 + x^2) from 0 to 1, by the midpoint rule, in float and, if the device has it, in double.
-- Both use the same source; REAL is the type.
--
-- Each work-item adds up every n-th strip; the host adds the partial sums. The output shows how accurate float is.
local cl = require "clue"

input.int("_strips", 2^22, "how many strips the interval is cut into", 1, 2^31 - 1)
input.int("_items", 2^14, "how many work-items share them", 1)

local KERNEL = [[
kernel void integrate(global REAL *sums, const uint strips)
{
    REAL sum = 0;
    for (uint strip = get_global_id(0); strip < strips; strip += get_global_size(0)) {
        const REAL x = ((REAL)strip + (REAL)0.5) / strips;
        sum += 4 / (1 + x * x);
    }
    sums[get_global_id(0)] = sum / strips;
}
]]

-- The rule's error is 1 / (12 strips^2). Each partial sum rounds once per strip. Sixteen units are for the arithmetic.
local function tolerance(unit)
  return 1 / (12 * _strips^2) + math.pi * (math.ceil(_strips / _items) + 16) * unit
end

local function integrate(context, type, unit)
  local queue = context:queue()
  local kernel = context:program(KERNEL, {defines = {REAL = type}}):kernel "integrate"
  local sums = cl.array[type](_items)
  local on_device = context:buffer(sums:bytes(), "write_only")
  local seconds
  for _ = 1, 2 do seconds = kernel(queue, _items, nil, on_device, _strips):time() end -- the first launch may compile
  queue:read_buffer(on_device, sums)

  local pi = sums:sum()
  assert(math.abs(pi - math.pi) <= tolerance(unit), ("%s: %.17g is further from pi than rounding explains"):format(type,
    pi))
  print(("%-6s %.15f, off by %.1e, %.3f ms"):format(type, pi, math.abs(pi - math.pi), seconds * 1e3))
end

function OnStart()
  local context = cl.context()
  integrate(context, "float", 2^-24)
  if context.device.double_fp_config ~= 0 and context.device:has_extension "cl_khr_fp64" then
    integrate(context, "double", 2^-53)
  else
    print(("double: %s does not support it"):format(context.device.name))
  end
end
