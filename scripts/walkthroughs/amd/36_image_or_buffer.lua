-- Memory, step 36: the same neighbourhoods read from a buffer and from an image.
--
-- Each work-item adds the nine floats around its own; at the edge the nearest ones count again. From a buffer the
-- kernel computes each place and limits it to the plane. An image is read through a sampler, which limits coordinates
-- by itself, and on a GPU through the texture units, whose layout keeps floats together that are near in both
-- directions. A CPU driver computes all of that by instructions.
local cl = require "clue"
local group = require "clue.walk.group"
local amd = require "clue.walk.amd"
local walk = require "clue.walk"

amd.inputs(input, "4000003", "how many floats")

local KERNEL = [[
__kernel void from_buffer(__global const float *from, __global float *to, const int width, const int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += from[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
    to[y * width + x] = sum;
}

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void from_image(__read_only image2d_t from, __global float *to, const int width, const int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += read_imagef(from, nearest, (int2)(x + dx, y + dy)).x;
    to[y * width + x] = sum;
}
]]

local row = {
  number = 36, name = "image_or_buffer", study = "memory", beyond = true,
  change = "nine neighbours of each float added, read from a buffer and from an image",
  decides = {"image_support", "image2d_max_width", "image2d_max_height"},
}

-- A plane of about so many floats, a little wider than high.
local function extents(count, device)
  local width = math.min(math.ceil(math.sqrt(count)), device.image2d_max_width)
  return width, math.max(1, math.min(math.floor(count / width), device.image2d_max_height))
end

-- The sum of three neighbours in a row of the plane.
local function sum_of_three(from, row_start, x, last)
  return from[row_start + math.max(x - 1, 0)] + from[row_start + x] + from[row_start + math.min(x + 1, last)]
end

local function check(from, to, width, height)
  for y = 0, height - 1 do
    local above, here, below = math.max(y - 1, 0) * width, y * width, math.min(y + 1, height - 1) * width
    for x = 0, width - 1 do
      local expected = sum_of_three(from, above, x, width - 1) + sum_of_three(from, here, x, width - 1)
        + sum_of_three(from, below, x, width - 1)
      if to[here + x] ~= expected then
        return false, ("row %d, column %d is %.9g, should be %.9g"):format(y, x, to[here + x], expected)
      end
    end
  end
  return true
end

function OnStart()
  local context = cl.context()
  if not context.device.image_support then walk.skip(row, "the device has no images", context) end
  local width, height = extents(amd.count(_size, "memory", "4000003", 2 ^ 26), context.device)
  local function plane() return cl.array.float(width * height):reshape(height, width) end
  local from, to = plane(), plane()
  for i = 0, #from - 1 do from[i] = i * 7919 % 1009 end -- whole numbers, so that the sums are exact
  local made, image = pcall(context.image, context, {width = width, height = height, order = "r", channel = "float",
                                                     flags = "read_only"})
  if not made then walk.skip(row, "no image of single floats: " .. tostring(image.text), context) end
  local queue, program = context:queue(), context:program(KERNEL)
  local from_buffer, to_buffer = context:buffer(from, "read_only"), context:buffer(to)
  local variants = {}
  for i, each in ipairs {
    {"buffer", "from_buffer", from_buffer, function() queue:write_buffer(from_buffer, from) end},
    {"image", "from_image", image, function() queue:write_image(image, from) end},
  } do
    local kernel = program:kernel(each[2])
    local side = group.side(kernel, 16)
    local global = {group.round_up(width, side), group.round_up(height, side)}
    variants[i] = {
      label = each[1], bytes = from:bytes() + to:bytes(), rate = "GB/s", repeats = amd.repeats(_repeat),
      upload = each[4],
      reset = function() to:fill(-1) queue:write_buffer(to_buffer, to) end,
      execute = function()
        kernel(queue, global, {side, side}, each[3], to_buffer, width, height)
      end,
      read = function() queue:read_buffer(to_buffer, to) end,
    }
  end
  row.check = walk.verify_sweep(variants, {{
    name = "every sum", prepare = function() end, check = function() return check(from, to, width, height) end,
  }})
  row.times, row.sweep = walk.sweep(variants)
  row.notes = {("the image takes %s times as long as the buffer"):format(
    amd.times_as_long(row.sweep[2], row.sweep[1]))}
  row.problem, row.context = ("%d x %d sums of nine floats"):format(width, height), context
  walk.report(row)
end
