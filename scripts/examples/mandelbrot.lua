-- The Mandelbrot set as a PNG file: a work-item for each pixel, a range of two dimensions.
--
-- The number of steps z = z^2 + c before |z| > 2 gives the colour; a point that never gets there is black. The check
-- uses two known facts about the set: it is its own mirror image, and its area is 1.5066.
local cl = require "clue"

input.int("_width", 960, "width of the picture in pixels", 16, 16384)
input.int("_iterations", 1000, "steps after which a point counts as inside", 100, 1e6)
input.string("_output", "mandelbrot.png", "the picture: .png, or .ppm")

local LEFT, RIGHT, TOP = -2.25, 0.75, 1.125 -- this makes the picture four to three

local KERNEL = [[
kernel void mandelbrot(global uchar *rgb, const float left, const float pixel, const int most)
{
    const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
    const float cx = left + (x + 0.5f) * pixel, cy = (get_global_size(1) * 0.5f - 0.5f - y) * pixel;
    float zx = 0, zy = 0;
    int n = 0;
    while (n < most && zx * zx + zy * zy <= 4) {
        const float next = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = next;
        n++;
    }
    const float glow = n < most ? sqrt((float)n / most) : 0;
    const float3 colour = clamp((float3)(8 * glow, 3 * glow, 0.3f + 2 * glow), 0.0f, 1.0f);
    vstore3(n < most ? convert_uchar3_rte(255 * colour) : (uchar3)(0), y * width + x, rgb);
}
]]

-- Counts black pixels, and checks that the lower half is the mirror image of the upper half.
local function count_inside(rgb, width, height)
  local inside = 0
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local here, mirrored = 3 * (y * width + x), 3 * ((height - 1 - y) * width + x)
      assert(rgb[here] == rgb[mirrored], ("pixel (%d, %d) is not that of its mirror image"):format(x, y))
      if rgb[here] + rgb[here + 1] + rgb[here + 2] == 0 then inside = inside + 1 end
    end
  end
  return inside
end

function OnStart()
  local width, height = _width, math.floor(_width * 3 / 8) * 2
  local pixel = 2 * TOP / height
  local context = cl.context()
  local queue = context:queue()
  local kernel = context:program(KERNEL):kernel "mandelbrot"
  local rgb = cl.array.uchar(3 * width * height)
  local on_device = context:buffer(rgb:bytes(), "write_only")

  local seconds
  for _ = 1, 2 do -- the first launch may compile
    seconds = kernel(queue, {width, height}, nil, on_device, LEFT, pixel, _iterations):time()
  end
  queue:read_buffer(on_device, rgb)
  cl.image_file.save(_output, rgb, width, height)

  local area = count_inside(rgb, width, height) * pixel^2
  assert(math.abs(area - 1.5066) < 0.01 + 8 * pixel + 4 / _iterations, ("its area is %.4g"):format(area))
  print(("%s: %d x %d pixels, x from %g to %g, in %.3f ms; area %.4f"):format(_output, width, height, LEFT, RIGHT,
    seconds * 1e3, area))
end
