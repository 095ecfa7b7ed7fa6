--- What the OpenCL objects have that no table says: results of a shape of their own, and a device that may be left out.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local result = require "clue.ffi.result"
local shape = require("clue.ffi.structs").shape

local int, long, typed = argument.int, argument.long, argument.typed
local int_out, long_out, text_out = result.int_out, result.long_out, result.text_out
local int_result, text_result, bytes_of = result.int, result.text, result.bytes

local binding = {}

--- Divides a device.
-- @tparam number id an ordinal, or the handle of a part
-- @tparam number property CL_DEVICE_PARTITION_*
-- @tparam table values numbers: compute units of each part; of the first, the second, ...; or a domain
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

--- Makes a queue.
-- @tparam number context
-- @tparam number properties 1: out of order, and 2: profiling where the device can, added up
-- @tparam ?number device an ordinal or a part; nil: the context's first
-- @treturn ?number the queue's handle
function binding.queue_create(context, properties, device)
  int(context, 1, "queue_create")
  long(properties, 2, "queue_create")
  if device ~= nil then
    int(device, 3, "queue_create")
    return int_result(C.clue_queue_create_on(int_out, context, device, properties))
  end
  return int_result(C.clue_queue_create(int_out, context, properties))
end

local function binary_of(program, device, bytes, size)
  if device == nil then return C.clue_program_binary(long_out, program, bytes, size) end
  return C.clue_program_binary_on(long_out, program, device, bytes, size)
end

--- What the driver made of a program.
-- @tparam number program
-- @tparam ?number device an ordinal or a part; nil: the context's first
-- @treturn ?string bytes
function binding.program_binary(program, device)
  int(program, 1, "program_binary")
  if device ~= nil then int(device, 2, "program_binary") end
  if binary_of(program, device, nil, 0) ~= 0 then return nil end
  local size = tonumber(long_out[0])
  local bytes = ffi.new("char[?]", size)
  if binary_of(program, device, bytes, size) ~= 0 then return nil end
  return (ffi.string(bytes, size))
end

--- The build log.
-- @tparam number program
-- @tparam ?number device an ordinal or a part; nil: the one whose build failed, or the context's first
-- @treturn ?string what the driver said, "" if nothing
function binding.program_log(program, device)
  int(program, 1, "program_log")
  if device ~= nil then
    int(device, 2, "program_log")
    return text_result(C.clue_program_log_on(text_out, program, device))
  end
  return text_result(C.clue_program_log(text_out, program))
end

--- The kernel that was enqueued last, by whichever function.
-- @treturn number how many executions there were so far
-- @treturn ?number its handle; nil before the first
-- @treturn ?string its name; nil where it was freed since
function binding.kernel_newest()
  local executions = tonumber(C.clue_kernel_newest(int_out, text_out))
  return executions, int_out[0] ~= 0 and int_out[0] or nil, text_out[0] ~= nil and ffi.string(text_out[0]) or nil
end

local group_device -- of the question under way

local function group_info_on(size_out, kernel, property, value, capacity)
  return C.clue_kernel_group_info_on(size_out, kernel, group_device, property, value, capacity)
end

--- What a device tells of a kernel.
-- @tparam number kernel
-- @tparam number property one that clGetKernelWorkGroupInfo knows
-- @tparam ?number device an ordinal or a part; nil: the context's first
-- @treturn ?string the property's raw bytes
function binding.kernel_group_bytes(kernel, property, device)
  int(kernel, 1, "kernel_group_bytes")
  int(property, 2, "kernel_group_bytes")
  if device ~= nil then
    group_device = int(device, 3, "kernel_group_bytes")
    return bytes_of(group_info_on, kernel, property)
  end
  return bytes_of(C.clue_kernel_group_info, kernel, property)
end

--- What an image is like.
-- @tparam number image
-- @treturn ?table type, order, channel, width, height, depth, array_size, buffer, row_pitch as image_create takes them
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
