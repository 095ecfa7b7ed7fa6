--- Images: memory of a device that kernels read and write as pixels. Made by context:image(). Queues write, read,
-- copy and fill them; kernels take them for arguments of types such as image2d_t.
-- @module clue.image
local argument = require "clue.argument"
local binding = require "clue.binding"
local buffers = require "clue.buffer"
local each = require("clue.bytes").each
local error_object = require "clue.error"
local object = require "clue.object"

--- The fields of an image.
-- @table image
-- @tfield string type "2d", "2d_array" and so on
-- @tfield number width in pixels
-- @tfield number height in pixels, 1 if the type has none
-- @tfield number depth in pixels, 1 if the type has none
-- @tfield number array_size how many images, 1 if the type is no array
-- @tfield string order of the channels, "rgba"
-- @tfield string channel the type of a channel, "float"
-- @tfield number size of all pixels, in bytes
-- @tfield context context
-- @tfield ?buffer buffer of an image in a buffer

local image = {}

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

-- CL_MEM_OBJECT_IMAGE1D and the like, by the names that kernels use, with the sizes that each has.
local types = {
  ["1d"] = {code = 0x10F4, "width"}, ["1d_buffer"] = {code = 0x10F6, "width"},
  ["1d_array"] = {code = 0x10F5, "width", "array_size"}, ["2d"] = {code = 0x10F1, "width", "height"},
  ["2d_array"] = {code = 0x10F3, "width", "height", "array_size"},
  ["3d"] = {code = 0x10F2, "width", "height", "depth"},
}

local _, adopt, meta = object.class("image", function(self)
  local sizes = {}
  for i, name in ipairs(types[self.type]) do sizes[i] = ("%.0f"):format(self[name]) end
  return ("%s of %s, %s"):format(self.order, self.channel, table.concat(sizes, " x "))
end)

meta.of_handle = function(handle, parent_of)
  local parent = parent_of(handle)
  local made = image.described(handle)
  if object.kind(parent) == "buffer" then
    made.buffer, made.context = parent, parent.context
  else
    made.context = parent
  end
  return made
end

-- CL_R and so on, CL_SNORM_INT8 and so on, in lower case.
local orders = {r = 0x10B0, a = 0x10B1, rg = 0x10B2, ra = 0x10B3, rgb = 0x10B4, rgba = 0x10B5, bgra = 0x10B6,
  argb = 0x10B7, intensity = 0x10B8, luminance = 0x10B9, rx = 0x10BA, rgx = 0x10BB, rgbx = 0x10BC, depth = 0x10BD,
  depth_stencil = 0x10BE, srgb = 0x10BF, srgbx = 0x10C0, srgba = 0x10C1, sbgra = 0x10C2, abgr = 0x10C3}
local channels = {snorm_int8 = 0x10D0, snorm_int16 = 0x10D1, unorm_int8 = 0x10D2, unorm_int16 = 0x10D3,
  unorm_short_565 = 0x10D4, unorm_short_555 = 0x10D5, unorm_int_101010 = 0x10D6, signed_int8 = 0x10D7,
  signed_int16 = 0x10D8, signed_int32 = 0x10D9, unsigned_int8 = 0x10DA, unsigned_int16 = 0x10DB,
  unsigned_int32 = 0x10DC, half_float = 0x10DD, float = 0x10DE, unorm_int24 = 0x10DF, unorm_int_101010_2 = 0x10E0}
local names_of_orders, names_of_channels = {}, {}
local names_of_types = {}
for name, known in pairs(types) do names_of_types[known.code] = name end
for name, code in pairs(orders) do names_of_orders[code] = name end
for name, code in pairs(channels) do names_of_channels[code] = name end

local sizes = {"width", "height", "depth", "array_size"}
local options = {type = "text", width = "checked", height = "checked", depth = "checked", array_size = "checked",
  order = "text", channel = "text", flags = "checked", buffer = "checked", row_pitch = "whole", host_ptr = "checked"}

-- ---- making ----

-- The type that the sizes and the buffer imply.
local function implied_type(wanted)
  if wanted.buffer and not wanted.height then return "1d_buffer" end
  if wanted.depth then return "3d" end
  return (wanted.height and "2d" or "1d") .. (wanted.array_size and "_array" or "")
end

local function size_of(wanted, name)
  return argument.whole(wanted[name], name, 1)
end

-- Width, height, depth and array size; 0 for what the type does not have.
local function sizes_of(wanted, type_name)
  local found, has = {}, {}
  for _, name in ipairs(types[type_name]) do has[name] = true end
  for i, name in ipairs(sizes) do
    if not has[name] and wanted[name] ~= nil then
      argument.fail("a %s image has no %s", type_name, name)
    end
    found[i] = has[name] and size_of(wanted, name) or 0
  end
  return found
end

-- An image in a buffer has the buffer's flags unless others are given.
local function bits_of(wanted)
  if wanted.flags == nil and wanted.buffer then return 0 end
  return buffers.bits_of(wanted.flags)
end

-- Makes an image with pixels from an array: in its memory if the flag says so, else copied by the driver.
local function create_of(on, wanted, bits, ...)
  local from = argument.array(wanted.host_ptr, "host_ptr")
  if wanted.buffer or wanted.row_pitch then
    argument.fail("%s cannot be given with host_ptr: the pixels lie in the array, without gaps",
      wanted.buffer and "buffer" or "row_pitch")
  end
  local way, rest = buffers.host_ptr(bits, from)
  local codes = {...}
  codes[#codes + 1] = from
  if way == "use" then return buffers.create(binding.image_create_in, on, rest, unpack(codes)) end
  return buffers.create(binding.image_create_from, on, rest, unpack(codes))
end

--- Makes an image. If the device does not have such images, raises an error object that lists what it has.
-- @tparam context context
-- @tparam table wanted width, height, depth and array_size, as far as the type has them; type: "1d", "1d_buffer",
--   "1d_array", "2d", "2d_array" or "3d" (by default implied by the sizes and the buffer); order: "rgba" by default;
--   channel: "float" by default; flags: as for a buffer; buffer: the buffer whose memory holds the pixels ("1d_buffer"
--   always, "2d" if the device can), with row_pitch: bytes from one row to the next (without gaps); host_ptr: an array
--   of all pixels, without gaps. The driver copies it, or, with the flag "use_host_ptr", the image lies in its memory.
--   The host may then use the array only while the image is mapped, as for a buffer (@{clue.buffer.new})
-- @treturn image
function image.new(context, wanted)
  local on = object.handle(context, "context")
  if wanted == nil then argument.refuse("wanted", "{width = , height = , order = , channel = }", wanted) end
  argument.options(wanted, "wanted", options)
  local type_name = wanted.type or implied_type(wanted)
  local code = argument.word(type_name, types, "type of images").code
  local order, channel = wanted.order or "rgba", wanted.channel or "float"
  local order_code = argument.word(order, orders, "order of channels")
  local channel_code = argument.word(channel, channels, "type of channels")
  local found = sizes_of(wanted, type_name)
  local handle
  if wanted.host_ptr ~= nil then
    handle = create_of(on, wanted, bits_of(wanted), code, order_code, channel_code, unpack(found))
  else
    local buffer = wanted.buffer ~= nil and object.handle(wanted.buffer, "buffer", "buffer") or 0
    handle = buffers.create(binding.image_create, on, bits_of(wanted), code, order_code, channel_code, found[1],
      found[2], found[3], found[4], buffer, wanted.row_pitch or 0)
  end
  return adopt(handle, {context = context, type = type_name, width = found[1], height = math.max(found[2], 1),
    depth = math.max(found[3], 1), array_size = math.max(found[4], 1), order = order, channel = channel,
    buffer = wanted.buffer, size = error_object.check(binding.memory_size(handle))})
end

--- The names of OpenCL's numbers, as context:image takes them; nil for unknown numbers.
-- @tparam number type_code CL_MEM_OBJECT_IMAGE1D and so on
-- @tparam number order CL_R and so on
-- @tparam number channel CL_SNORM_INT8 and so on
-- @treturn string
-- @treturn string
-- @treturn string
function image.names(type_code, order, channel)
  return names_of_types[type_code], names_of_orders[order], names_of_channels[channel]
end

--- The properties of an image, by its handle.
-- @tparam number handle
-- @treturn table the fields of its object, except context and buffer
function image.described(handle)
  local shape = error_object.check(binding.image_shape(handle))
  local type_name, order, channel = image.names(shape.type, shape.order, shape.channel)
  return {type = type_name, width = shape.width, height = math.max(shape.height, 1),
    depth = math.max(shape.depth, 1), array_size = math.max(shape.array_size, 1), order = order, channel = channel,
    size = error_object.check(binding.memory_size(handle))}
end

-- ---- formats ----

--- The formats that a context's device has for images. The list is empty if it has no images.
-- @tparam context context
-- @tparam[opt] table wanted type: "2d" by default; flags: what kernels do with it, "read_write" by default
-- @treturn {table,...} order and channel of each, as context:image{...} takes them ("0x10b0" if clue has no name for
-- it)
function image.formats(context, wanted)
  local on = object.handle(context, "context")
  wanted = argument.options(wanted, "wanted", {type = "text", flags = "checked"})
  local code = argument.word(wanted.type or "2d", types, "type of images").code
  local bytes = error_object.check(binding.image_format_bytes(on, buffers.bits_of(wanted.flags), code))
  local all, codes = {}, each(bytes, 4)
  for i = 1, #codes, 2 do
    local order, channel = codes[i], codes[i + 1]
    all[#all + 1] = {order = names_of_orders[order] or ("0x%x"):format(order),
      channel = names_of_channels[channel] or ("0x%x"):format(channel)}
  end
  return all
end

return image
