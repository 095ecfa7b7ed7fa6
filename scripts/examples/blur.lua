-- Blurs a picture: a kernel reads an image through a sampler, which also gives values for positions beyond the edge.
--
-- Without a picture (--input) the script makes one. An image of type unorm_int8 holds bytes and gives the kernel
-- numbers from 0 to 1; CLK_ADDRESS_CLAMP_TO_EDGE repeats the outermost pixels. Some pixels are computed again on the
-- host.
local cl = require "clue"

input.string("_input", "", "a picture: .png, .pgm or .ppm; without it, one is made")
input.string("_output", "blurred.png", "the blurred picture")
input.int("_radius", 3, "radius of the square over which each pixel is averaged", 0, 50)

local KERNEL = [[
kernel void blur(read_only image2d_t from, write_only image2d_t to, sampler_t edges, const int radius)
{
    const int2 here = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -radius; y <= radius; y++)
        for (int x = -radius; x <= radius; x++)
            sum += read_imagef(from, edges, here + (int2)(x, y));
    write_imagef(to, here, sum / ((2 * radius + 1) * (2 * radius + 1)));
}
]]

-- Four channels per pixel, which every device supports.
local function picture()
  if _input ~= "" then return cl.image_file.load(_input, {channels = 4}) end
  local width, height = 320, 200
  local pixels = cl.array.uchar(4 * width * height)
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local at, lit = 4 * (y * width + x), (math.floor(x / 20) + math.floor(y / 20)) % 2
      pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3] = 255 * lit, math.floor(255 * x / width), y, 255
    end
  end
  return pixels, width, height
end

-- Computes the mean of a channel on the host.
local function mean(pixels, width, height, x, y, channel)
  local sum = 0
  for dy = -_radius, _radius do
    for dx = -_radius, _radius do
      local column, line = math.min(math.max(x + dx, 0), width - 1), math.min(math.max(y + dy, 0), height - 1)
      sum = sum + pixels[4 * (line * width + column) + channel]
    end
  end
  return sum / (2 * _radius + 1)^2
end

function OnStart()
  local context = cl.context()
  assert(context.device.image_support, context.device.name .. " has no images")
  local queue = context:queue()
  local blur = context:program(KERNEL):kernel "blur"
  local pixels, width, height = picture()
  local size = {width = width, height = height, order = "rgba", channel = "unorm_int8"}
  local from, to = context:image(size), context:image(size)
  local edges = context:sampler {normalized_coords = false, addressing_mode = "clamp_to_edge", filter_mode = "nearest"}

  queue:write_image(from, pixels)
  local seconds
  for _ = 1, 2 do -- the first launch may compile
    seconds = blur(queue, {width, height}, nil, from, to, edges, _radius):time()
  end
  local blurred = cl.array.uchar(#pixels)
  queue:read_image(to, blurred)
  cl.image_file.save(_output, blurred, width, height)

  local checked = 0
  for y = 0, height - 1, math.max(1, math.floor(height / 16)) do
    for x = 0, width - 1, math.max(1, math.floor(width / 16)) do
      for channel = 0, 3 do
        local found, right = blurred[4 * (y * width + x) + channel], mean(pixels, width, height, x, y, channel)
        assert(math.abs(found - right) < 1, ("pixel (%d, %d), channel %d: %d, should be %.1f"):format(x, y, channel,
          found, right))
        checked = checked + 1
      end
    end
  end
  print(("%s: %d x %d pixels, radius %d, %.3f ms; %d values checked"):format(_output, width, height, _radius,
    seconds * 1e3, checked))
end
