--- Images and samplers, through clue.h.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local range = require "clue.ffi.range"
local result = require "clue.ffi.result"
local transfer = require "clue.ffi.transfer"

local int, long = argument.int, argument.long
local int_out, long_out, int_result = result.int_out, result.long_out, result.int

local binding = {}

local memory_out = ffi.new("int32_t[1]")
local shape = ffi.new("clue_image_shape")

-- Type, order, channel and sizes, from the third argument on; raises for the caller of the binding's function.
local function set_shape(call, type, order, channel, width, height, depth, array_size)
  local codes, sizes = {type, order, channel}, {width, height, depth, array_size}
  for i = 1, 3 do
    local problem = argument.whole_problem(codes[i], 32)
    if problem then argument.refuse(2 + i, call, problem, 1) end
  end
  for i = 1, 4 do
    local problem = argument.whole_problem(sizes[i], 64)
    if problem then argument.refuse(5 + i, call, problem, 1) end
  end
  shape.type, shape.order, shape.channel = type, order, channel
  shape.width, shape.height, shape.depth, shape.array_size = width, height, depth, array_size
  shape.buffer, shape.row_pitch = 0, 0
end

--- Makes an image. Sizes that its type does not have are 0.
-- @tparam number context
-- @tparam number flags CL_MEM_*, added up
-- @tparam number type CL_MEM_OBJECT_IMAGE1D or one of its kin
-- @tparam number order of the channels, CL_RGBA
-- @tparam number channel the channels' type, CL_FLOAT
-- @tparam number width in pixels
-- @tparam number height in pixels
-- @tparam number depth in pixels
-- @tparam number array_size in layers
-- @tparam number buffer where the pixels lie; 0: in none
-- @tparam number row_pitch bytes from row to row there; 0: side by side
-- @treturn ?number the image's handle
function binding.image_create(context, flags, type, order, channel, width, height, depth, array_size, buffer, row_pitch)
  int(context, 1, "image_create")
  long(flags, 2, "image_create")
  set_shape("image_create", type, order, channel, width, height, depth, array_size)
  shape.buffer = int(buffer, 10, "image_create")
  shape.row_pitch = long(row_pitch, 11, "image_create")
  if C.clue_image_create(int_out, context, flags, shape) ~= 0 then return nil end
  return int_out[0]
end

--- Makes an image with the pixels of an array.
-- @tparam number context
-- @tparam number flags CL_MEM_*, added up, beside CL_MEM_COPY_HOST_PTR
-- @tparam number type as for image_create, and so on
-- @tparam number order
-- @tparam number channel
-- @tparam number width
-- @tparam number height
-- @tparam number depth
-- @tparam number array_size
-- @tparam array array all pixels, side by side
-- @treturn ?number the image's handle
function binding.image_create_from(context, flags, type, order, channel, width, height, depth, array_size, array)
  int(context, 1, "image_create_from")
  long(flags, 2, "image_create_from")
  set_shape("image_create_from", type, order, channel, width, height, depth, array_size)
  local size = element.size_of(argument.array(array, 10, "image_create_from"))
  if C.clue_image_create_from(int_out, context, array._data, array._count * size, flags, shape) ~= 0 then return nil end
  return int_out[0]
end

--- Makes an image that lies in the memory of an array, which keeps its size from here on.
-- @tparam number context
-- @tparam number flags CL_MEM_*, added up, beside CL_MEM_USE_HOST_PTR
-- @tparam number type as for image_create, and so on
-- @tparam number order
-- @tparam number channel
-- @tparam number width
-- @tparam number height
-- @tparam number depth
-- @tparam number array_size
-- @tparam array array all pixels, side by side
-- @treturn ?number the image's handle
function binding.image_create_in(context, flags, type, order, channel, width, height, depth, array_size, array)
  int(context, 1, "image_create_in")
  long(flags, 2, "image_create_in")
  set_shape("image_create_in", type, order, channel, width, height, depth, array_size)
  local size = element.size_of(argument.array(array, 10, "image_create_in"))
  memory_out[0] = array._mapping
  if C.clue_image_create_in(int_out, memory_out, context, array._data, array._count * size, flags, shape) ~= 0 then
    return nil
  end
  array._mapping = memory_out[0]
  return int_out[0]
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

--- The formats that a context's device has.
-- @tparam number context
-- @tparam number flags CL_MEM_*, added up
-- @tparam number type CL_MEM_OBJECT_IMAGE1D or one of its kin
-- @treturn ?string pairs of uint32_t: order and channel
function binding.image_format_bytes(context, flags, type)
  int(context, 1, "image_format_bytes")
  long(flags, 2, "image_format_bytes")
  int(type, 3, "image_format_bytes")
  if C.clue_image_formats(long_out, context, flags, type, nil, 0) ~= 0 then return nil end
  local size = tonumber(long_out[0])
  local bytes = ffi.new("char[?]", math.max(size, 1))
  if C.clue_image_formats(long_out, context, flags, type, bytes, size) ~= 0 then return nil end
  return (ffi.string(bytes, tonumber(long_out[0])))
end

--- The size of an image.
-- @tparam number image
-- @treturn ?number bytes of all its pixels
function binding.image_size(image)
  int(image, 1, "image_size")
  if C.clue_image_size(long_out, image) ~= 0 then return nil end
  return tonumber(long_out[0])
end

-- ---- transfers --------------------------------------------------------------------------------------------------

local part = ffi.new("clue_image_part")

local function set_part(from, over)
  for d = 0, 2 do part.origin[d], part.region[d] = from and from[d] or 0, over[d] end
end

--- Writes elements of an array to a part of an image.
-- @tparam number queue
-- @tparam number image
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @tparam ?table origin three numbers, in pixels
-- @tparam table region three numbers, in pixels
-- @tparam number row_pitch bytes from row to row in the array; 0: side by side
-- @tparam number slice_pitch bytes from slice to slice in the array; 0: side by side
-- @tparam ?boolean blocking false: does not wait
-- @treturn ?boolean|number true, or the event's handle; nil on failure
function binding.queue_write_image(queue, image, array, first, count, origin, region, row_pitch, slice_pitch, blocking)
  int(queue, 1, "queue_write_image")
  int(image, 2, "queue_write_image")
  local size = element.size_of(argument.array(array, 3, "queue_write_image"))
  argument.range(array, first, count, 4, "queue_write_image")
  set_part(range(3, origin, region, nil, 6, "queue_write_image"))
  part.row_pitch = long(row_pitch, 8, "queue_write_image")
  part.slice_pitch = long(slice_pitch, 9, "queue_write_image")
  local out = transfer.event_out(blocking)
  local data = array._data + first
  return transfer.result(C.clue_queue_write_image(out, queue, image, data, count * size, part), out)
end

--- Reads a part of an image into elements of an array.
-- @tparam number queue
-- @tparam number image
-- @tparam array array
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @tparam ?table origin three numbers, in pixels
-- @tparam table region three numbers, in pixels
-- @tparam number row_pitch bytes from row to row in the array; 0: side by side
-- @tparam number slice_pitch bytes from slice to slice in the array; 0: side by side
-- @tparam ?boolean blocking false: does not wait
-- @treturn ?boolean|number true, or the event's handle; nil on failure
function binding.queue_read_image(queue, image, array, first, count, origin, region, row_pitch, slice_pitch, blocking)
  int(queue, 1, "queue_read_image")
  int(image, 2, "queue_read_image")
  local size = element.size_of(argument.array(array, 3, "queue_read_image"))
  argument.range(array, first, count, 4, "queue_read_image")
  set_part(range(3, origin, region, nil, 6, "queue_read_image"))
  part.row_pitch = long(row_pitch, 8, "queue_read_image")
  part.slice_pitch = long(slice_pitch, 9, "queue_read_image")
  local out = transfer.event_out(blocking)
  local data = array._data + first
  return transfer.result(C.clue_queue_read_image(out, data, queue, image, count * size, part), out)
end

--- Copies pixels from one image to another or within one.
-- @tparam number queue
-- @tparam number from an image
-- @tparam number to an image
-- @tparam ?table from_origin three numbers, in pixels
-- @tparam table region three numbers, in pixels
-- @tparam ?table to_origin three numbers, in pixels
-- @treturn ?number the event's handle
function binding.queue_copy_image(queue, from, to, from_origin, region, to_origin)
  int(queue, 1, "queue_copy_image")
  int(from, 2, "queue_copy_image")
  int(to, 3, "queue_copy_image")
  local source, over, target = range(3, from_origin, region, to_origin, 4, "queue_copy_image")
  return int_result(C.clue_queue_copy_image(int_out, queue, from, to, source, target, over))
end

--- Copies pixels to a buffer, side by side.
-- @tparam number queue
-- @tparam number image
-- @tparam number buffer
-- @tparam number offset in the buffer, in bytes
-- @tparam ?table origin three numbers, in pixels
-- @tparam table region three numbers, in pixels
-- @treturn ?number the event's handle
function binding.queue_copy_image_to_buffer(queue, image, buffer, offset, origin, region)
  int(queue, 1, "queue_copy_image_to_buffer")
  int(image, 2, "queue_copy_image_to_buffer")
  int(buffer, 3, "queue_copy_image_to_buffer")
  long(offset, 4, "queue_copy_image_to_buffer")
  local from, over = range(3, origin, region, nil, 5, "queue_copy_image_to_buffer")
  return int_result(C.clue_queue_copy_image_to_buffer(int_out, queue, image, buffer, from, over, offset))
end

--- Copies pixels from a buffer, where they lie side by side.
-- @tparam number queue
-- @tparam number buffer
-- @tparam number image
-- @tparam number offset in the buffer, in bytes
-- @tparam ?table origin three numbers, in pixels
-- @tparam table region three numbers, in pixels
-- @treturn ?number the event's handle
function binding.queue_copy_buffer_to_image(queue, buffer, image, offset, origin, region)
  int(queue, 1, "queue_copy_buffer_to_image")
  int(buffer, 2, "queue_copy_buffer_to_image")
  int(image, 3, "queue_copy_buffer_to_image")
  long(offset, 4, "queue_copy_buffer_to_image")
  local from, over = range(3, origin, region, nil, 5, "queue_copy_buffer_to_image")
  return int_result(C.clue_queue_copy_buffer_to_image(int_out, queue, buffer, image, offset, from, over))
end

local colour_cells = ffi.new("double[4]")

--- Fills a part of an image with a colour.
-- @tparam number queue
-- @tparam number image
-- @tparam table colour four numbers
-- @tparam ?table origin three numbers, in pixels
-- @tparam table region three numbers, in pixels
-- @treturn ?number the event's handle
function binding.queue_fill_image(queue, image, colour, origin, region)
  int(queue, 1, "queue_fill_image")
  int(image, 2, "queue_fill_image")
  argument.typed(colour, "table", 3, "queue_fill_image")
  for i = 1, 4 do colour_cells[i - 1] = argument.typed(colour[i], "number", 3, "queue_fill_image") end
  local from, over = range(3, origin, region, nil, 4, "queue_fill_image")
  return int_result(C.clue_queue_fill_image(int_out, queue, image, colour_cells, from, over))
end

-- ---- samplers ---------------------------------------------------------------------------------------------------

--- Makes a sampler.
-- @tparam number context
-- @tparam number normalized 1: coordinates run from 0 to 1; 0: they are pixels
-- @tparam number addressing CL_ADDRESS_*
-- @tparam number filter CL_FILTER_*
-- @treturn ?number the sampler's handle
function binding.sampler_create(context, normalized, addressing, filter)
  int(context, 1, "sampler_create")
  int(normalized, 2, "sampler_create")
  int(addressing, 3, "sampler_create")
  int(filter, 4, "sampler_create")
  return int_result(C.clue_sampler_create(int_out, context, normalized, addressing, filter))
end

--- Sets an argument to a sampler.
-- @tparam number kernel
-- @tparam number index from 0
-- @tparam number sampler
-- @treturn ?boolean true; nil on failure
function binding.kernel_set_sampler(kernel, index, sampler)
  int(kernel, 1, "kernel_set_sampler")
  int(index, 2, "kernel_set_sampler")
  int(sampler, 3, "kernel_set_sampler")
  if C.clue_kernel_set_sampler(kernel, index, sampler) ~= 0 then return nil end
  return true
end

return binding
