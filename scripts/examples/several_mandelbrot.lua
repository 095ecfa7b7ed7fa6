-- The Mandelbrot set by several devices: an item of the work is a row, and rows cost very differently.
--
-- So items are dealt out like cards: item i is the row i * stride % height, and each chunk has rows from everywhere.
-- The kernel forbids fused multiply-adds; then each device gives the same pixels. The check repeats it in other
-- chunks.
local cl = require "clue"

input.int("_width", 960, "width of the picture in pixels", 16, 16384)
input.int("_iterations", 1000, "steps after which a point counts as inside", 100, 65535)
input.string("_devices", "all", "the devices, as --device names them")

local KERNEL = [[
#pragma OPENCL FP_CONTRACT OFF
kernel void mandelbrot(global ushort *steps, const uint first, const uint stride, const float pixel, const uint most)
{
    const uint width = get_global_size(0), height = width * 3 / 4;
    const uint x = get_global_id(0), y = (first + get_global_id(1)) * stride % height;
    const float cx = x * pixel - 2.25f, cy = 1.125f - y * pixel;
    float zx = 0, zy = 0;
    uint n = 0;
    for (; n < most && zx * zx + zy * zy <= 4; n++) {
        const float next = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = next;
    }
    steps[(size_t)y * width + x] = n;
}
]]

-- A number near the golden part of the height that has no divisor in common with it.
local function stride_of(height)
  local function divisor(a, b) return b == 0 and a or divisor(b, a % b) end
  local stride = math.max(1, math.floor(height * 0.618))
  while divisor(stride, height) > 1 do stride = stride + 1 end
  return stride
end

-- Workers that compute rows of the picture. Rows of a chunk lie far apart, so each is read by itself.
local function painters(steps, width, height)
  local stride = stride_of(height)
  return cl.workers(_devices, function(worker)
    local kernel = worker.context:program(KERNEL):kernel "mandelbrot"
    local memory = worker.context:buffer(steps:bytes())
    return function(first, count)
      kernel(worker.queue, {width, count}, nil, memory, first, stride, 3 / width, _iterations)
      for item = first, first + count - 1 do
        local at = item * stride % height * width
        worker.queue:read_buffer(memory, steps, {offset = 2 * at, first = at, count = width, blocking = false})
      end
    end
  end)
end

function OnStart()
  local width, height = _width, math.floor(_width * 3 / 4)
  local steps = cl.array.ushort(width * height)
  local workers = painters(steps, width, height)
  local done = workers:run(height)
  local before = steps:copy()
  steps:fill(0)
  workers:run(height, {most = math.max(1, math.floor(height / 7))})
  for i = 0, #steps - 1 do
    assert(steps[i] == before[i], ("pixel %d: %d steps, in other chunks %d"):format(i, before[i], steps[i]))
  end
  local inside = 0
  for i = 0, #steps - 1 do inside = inside + (steps[i] == _iterations and 1 or 0) end
  local area = inside * (3 / width) ^ 2
  assert(math.abs(area - 1.5066) < 0.05 + 8 * 3 / width, ("its area is %.4g"):format(area))
  print(("%d x %d pixels, the same in other chunks; area %.4f; %s"):format(width, height, area, tostring(done)))
end
