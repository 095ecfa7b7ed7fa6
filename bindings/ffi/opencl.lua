--- Functions on OpenCL objects that binding.def cannot describe, because of their results.
-- Plain functions. Results are Lua values; a failure is nil (see binding.error()).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local shape = require("clue.ffi.structs").shape

local int, long, typed = argument.int, argument.long, argument.typed

local binding = {}

-- Where C writes its results. They are copied before the next call.
local int_out, text_out = ffi.new("int32_t[1]"), ffi.new("const char *[1]")

--- Divides a device.
-- @tparam number id an ordinal, or the handle of a part
-- @tparam number property CL_DEVICE_PARTITION_*
-- @tparam table values numbers, by property: the compute units of each part; those of the first, the second, ...; or
-- a domain
-- @treturn ?table handles of its parts
function binding.device_partition(id, property, values)
  int(id, 1, "device_partition")
  int(property, 2, "device_partition")
  typed(values, "table", 3, "device_partition")
  local count = #values
  local cells = ffi.new("int64_t[?]", math.max(count, 1))
  for i = 1, count do cells[i - 1] = long(values[i], 3, "device_partition") end
  if C.clue_device_partition(nil, int_out, 0, id, property, cells, count) ~= 0 then return nil end
  local made = int_out[0]
  local handles = ffi.new("int32_t[?]", math.max(made, 1))
  if C.clue_device_partition(handles, int_out, made, id, property, cells, count) ~= 0 then return nil end
  local parts = {}
  for i = 1, int_out[0] do parts[i] = handles[i - 1] end
  return parts
end

--- The kernel that was enqueued last, by any function.
-- @treturn number how many executions there were
-- @treturn ?number its handle, nil if there was none
-- @treturn ?string its name, nil if it was freed
function binding.kernel_newest()
  local executions = tonumber(C.clue_kernel_newest(int_out, text_out))
  return executions, int_out[0] ~= 0 and int_out[0] or nil, text_out[0] ~= nil and ffi.string(text_out[0]) or nil
end

--- The properties of an image.
-- @tparam number image
-- @treturn ?table type, order, channel, width, height, depth, array_size, buffer, row_pitch as for image_create
function binding.image_shape(image)
  int(image, 1, "image_shape")
  if C.clue_image_shape_of(shape, image) ~= 0 then return nil end
  return {
    type = shape.type, order = shape.order, channel = shape.channel, buffer = shape.buffer,
    width = tonumber(shape.width), height = tonumber(shape.height), depth = tonumber(shape.depth),
    array_size = tonumber(shape.array_size), row_pitch = tonumber(shape.row_pitch),
  }
end

return binding
