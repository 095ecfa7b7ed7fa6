--- Images: memory of a device that kernels read and write by pixels. Made by context:image(); a queue writes and reads
-- them, a kernel takes them for image2d_t and image3d_t arguments.
--
-- Fields: type ("2d" or "3d"), width, height, depth (1 in two dimensions), order ("rgba"), channel ("float"), size
-- (bytes of all pixels), context.
-- @module clue.image
local binding = require "clue.binding"
local buffers = require "clue.buffer"
local error_object = require "clue.error"
local object = require "clue.object"

local image = {}

local _, adopt = object.class("image", function(self)
  local extent = self.type == "3d" and "%.0f x %.0f x %.0f" or "%.0f x %.0f"
  return ("%s of %s, " .. extent):format(self.order, self.channel, self.width, self.height, self.depth)
end)

-- CL_R and its kin, CL_SNORM_INT8 and its kin, in lower case.
local orders = {r = 0x10B0, a = 0x10B1, rg = 0x10B2, ra = 0x10B3, rgb = 0x10B4, rgba = 0x10B5, bgra = 0x10B6,
  argb = 0x10B7, intensity = 0x10B8, luminance = 0x10B9, depth = 0x10BD, srgba = 0x10C1, abgr = 0x10C3}
local channels = {snorm_int8 = 0x10D0, snorm_int16 = 0x10D1, unorm_int8 = 0x10D2, unorm_int16 = 0x10D3,
  signed_int8 = 0x10D7, signed_int16 = 0x10D8, signed_int32 = 0x10D9, unsigned_int8 = 0x10DA,
  unsigned_int16 = 0x10DB, unsigned_int32 = 0x10DC, half_float = 0x10DD, float = 0x10DE}
local options = {type = true, width = true, height = true, depth = true, order = true, channel = true, flags = true}

local function refuse(message, ...)
  error(error_object.new {text = ("context:image: " .. message):format(...)}, 0)
end

local function known(words, name, what)
  if words[name] then return words[name] end
  local list = {}
  for word in pairs(words) do list[#list + 1] = word end
  table.sort(list)
  return refuse("there is no %s '%s'; there are %s", what, tostring(name), table.concat(list, ", "))
end

local function extent(wanted, name)
  local size = wanted[name]
  if type(size) == "number" and size % 1 == 0 and math.abs(size) < 2 ^ 53 then return size end
  return refuse("%s is a number of pixels, not %s", name, tostring(size))
end

local function depth_of(wanted)
  if wanted.type ~= nil and wanted.type ~= "2d" and wanted.type ~= "3d" then
    refuse("type is \"2d\" or \"3d\", not %s", tostring(wanted.type))
  end
  local solid = wanted.type == "3d" or wanted.type == nil and wanted.depth ~= nil
  if not solid and wanted.depth ~= nil then refuse("a 2-D image has no depth") end
  if not solid then return 0 end
  local depth = extent(wanted, "depth")
  return depth >= 1 and depth or refuse("depth is a number of pixels, 1 at least, not %.14g", depth)
end

--- Makes an image; raises an error object that lists what there is where the device does not have such images.
-- @tparam context context
-- @tparam table wanted width, height, and depth for three dimensions; type: "2d" or "3d" (told by depth otherwise);
--   order: "rgba" unless given; channel: "float" unless given; flags: as a buffer's
-- @treturn image
function image.new(context, wanted)
  local on = object.handle(context, "context", "context:image")
  if type(wanted) ~= "table" or object.kind(wanted) then
    refuse("{width = , height = , depth = , order = , channel = } expected, got %s",
      object.kind(wanted) or type(wanted))
  end
  for name in pairs(wanted) do
    if not options[name] then
      refuse("there is no option '%s'; there are type, width, height, depth, order, channel, flags", tostring(name))
    end
  end
  local order, channel = wanted.order or "rgba", wanted.channel or "float"
  local width, height, depth = extent(wanted, "width"), extent(wanted, "height"), depth_of(wanted)
  local handle = buffers.create(binding.image_create, on, buffers.bits_of(wanted.flags or "read_write", "an image"),
    known(orders, order, "order of channels"), known(channels, channel, "type of channels"), width, height, depth)
  return adopt(handle, {context = context, type = depth == 0 and "2d" or "3d", width = width, height = height,
    depth = math.max(depth, 1), order = order, channel = channel,
    size = error_object.check(binding.image_size(handle))})
end

return image
