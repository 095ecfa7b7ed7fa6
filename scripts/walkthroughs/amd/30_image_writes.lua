-- Extensions, step 30: writing to 3-D images (cl_khr_3d_image_writes).
--
-- In every version kernels can read 3-D images, but they can write one only with this extension, or from OpenCL 2.0 on.
-- Here each work-item stores its own coordinates as a pixel of four floats. Without the extension a program writes a
-- buffer and copies it into the image.
local amd = require "clue.walk.amd"
local cl = require "clue"
local walk = require "clue.walk"

amd.inputs(input)

local KERNEL = amd.pragma "cl_khr_3d_image_writes" .. [[
__kernel void place(__write_only image3d_t to)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    write_imagef(to, (int4)(x, y, z, 0), (float4)(x, y, z, x + 1000 * y + 1000000 * z));
}
]]

local row = {
  number = 30, name = "image_writes", study = "extensions", change = "a kernel that writes a 3-D image",
  decides = {"image_support", "image3d_max_width", "image3d_max_height", "image3d_max_depth"},
}

-- Gives three different extents, at most 200, for about that many pixels: the pixel's last number is then exact in
-- float.
local function extents(count)
  local side = math.max(2, math.min(199, math.floor(count ^ (1 / 3))))
  return side + 1, side, math.min(15, side - 1)
end

local function check(found, width, height, depth)
  local at = 0
  for z = 0, depth - 1 do
    for y = 0, height - 1 do
      for x = 0, width - 1 do
        local last = x + 1000 * y + 1000000 * z
        if found[at] ~= x or found[at + 1] ~= y or found[at + 2] ~= z or found[at + 3] ~= last then
          return false, ("pixel %d, %d, %d is %.9g, %.9g, %.9g, %.9g, the last should be %d"):format(x, y, z, found[at],
            found[at + 1], found[at + 2], found[at + 3], last)
        end
        at = at + 4
      end
    end
  end
  return true
end

function OnStart()
  local context = cl.context()
  if not context.device.image_support then walk.skip(row, "the device has no images", context) end
  amd.need(row, context, "cl_khr_3d_image_writes")
  local queue = context:queue()
  local width, height, depth = extents(amd.elements(_size))
  local found = cl.array.float(4 * width * height * depth)
  local image = context:image{type = "3d", width = width, height = height, depth = depth, order = "rgba",
                              channel = "float"}
  local place = context:program(KERNEL):kernel "place"
  local parts = {
    bytes = found:bytes(), rate = "GB/s", repeats = amd.repeats(_repeat),
    reset = function() found:fill(-1) queue:write_image(image, found) end,
    execute = function() place(queue, {width, height, depth}, nil, image) end,
    read = function() queue:read_image(image, found) end,
  }
  row.check = walk.verify(parts, {{
    name = "every pixel", prepare = function() end,
    check = function() return check(found, width, height, depth) end,
  }})
  row.times = walk.run(parts)
  row.problem, row.context = ("%d x %d x %d pixels of four floats"):format(width, height, depth), context
  walk.report(row)
end
