--- Arrays that lie in a buffer's or an image's memory, and buffers that lie in an array's, through clue.h.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local memory = require "clue.ffi.memory"
local range = require "clue.ffi.range"

local binding = {}

-- Where C writes its results; copied out before the next call.
local data_out, mapping_out = ffi.new("void *[1]"), ffi.new("int32_t[1]")
local part, size_out = ffi.new("clue_image_part"), ffi.new("int64_t[1]")

--- Maps elements of a buffer, and waits until they are there.
-- @tparam number queue
-- @tparam number buffer
-- @tparam number flags CL_MAP_*, added up
-- @tparam number code of the element type
-- @tparam number offset in the buffer, in bytes
-- @tparam number count how many elements
-- @treturn ?array that lies in the buffer's memory, until queue_unmap
function binding.queue_map(queue, buffer, flags, code, offset, count)
  argument.int(queue, 1, "queue_map")
  argument.int(buffer, 2, "queue_map")
  argument.long(flags, 3, "queue_map")
  local size = memory.elements(code, offset, count, 4, "queue_map")
  return (memory.mapped(code, count, C.clue_queue_map, queue, buffer, flags, offset, size))
end

--- Maps a part of an image, and waits until it is there.
-- @tparam number queue
-- @tparam number image
-- @tparam number flags CL_MAP_*, added up
-- @tparam number code of the element type
-- @tparam ?table origin three numbers, in pixels
-- @tparam table region three numbers, in pixels
-- @treturn ?array that lies in the image's memory, until queue_unmap
-- @treturn ?number bytes from row to row
-- @treturn ?number bytes from slice to slice
function binding.queue_map_image(queue, image, flags, code, origin, region)
  argument.int(queue, 1, "queue_map_image")
  argument.int(image, 2, "queue_map_image")
  argument.long(flags, 3, "queue_map_image")
  if not memory.has_type(argument.int(code, 4, "queue_map_image")) then
    argument.refuse(4, "queue_map_image", "no type has code " .. code)
  end
  local from, over = range(3, origin, region, nil, 5, "queue_map_image")
  for d = 0, 2 do part.origin[d], part.region[d] = from and from[d] or 0, over[d] end
  local self = memory.empty(code)
  if C.clue_queue_map_image(data_out, size_out, mapping_out, queue, image, flags, part) ~= 0 then return nil end
  memory.set(self, data_out[0], math.floor(tonumber(size_out[0]) / element.size_of(code)))
  self._mapping = mapping_out[0]
  return self, tonumber(part.row_pitch), tonumber(part.slice_pitch)
end

--- Whose the memory of an array is.
-- @tparam array self
-- @treturn ?string "mapping": a buffer's, until it is unmapped; "unmapped": nobody's, it has none any more;
--   "host_memory": its own, with buffers in it; nil: its own
function binding.array_owner(self)
  if not element.code_of(self) then argument.array(self, 1, "array_owner") end
  if self._mapping == 0 then return nil end
  return self._mapping == element.UNMAPPED and "unmapped" or memory.owner(self) or "mapping"
end

local buffer_out = ffi.new("int32_t[1]")

--- Makes a buffer with the contents of an array.
-- @tparam number context
-- @tparam array array
-- @tparam number flags CL_MEM_*, added up, beside CL_MEM_COPY_HOST_PTR
-- @treturn ?number the buffer's handle
function binding.buffer_create_from(context, array, flags)
  argument.int(context, 1, "buffer_create_from")
  local size = element.size_of(argument.array(array, 2, "buffer_create_from"))
  argument.long(flags, 3, "buffer_create_from")
  if C.clue_buffer_create_from(buffer_out, context, array._data, array._count * size, flags) ~= 0 then return nil end
  return buffer_out[0]
end

--- Makes a buffer that lies in the memory of an array, which keeps its size from here on.
-- @tparam number context
-- @tparam array array
-- @tparam number flags CL_MEM_*, added up, beside CL_MEM_USE_HOST_PTR
-- @treturn ?number the buffer's handle
function binding.buffer_create_in(context, array, flags)
  argument.int(context, 1, "buffer_create_in")
  local size = element.size_of(argument.array(array, 2, "buffer_create_in"))
  argument.long(flags, 3, "buffer_create_in")
  mapping_out[0] = array._mapping
  if C.clue_buffer_create_in(buffer_out, mapping_out, context, array._data, array._count * size, flags) ~= 0 then
    return nil
  end
  array._mapping = mapping_out[0]
  return buffer_out[0]
end

--- Gives mapped elements back; the array is refused everywhere from then on.
-- @tparam number queue
-- @tparam array self what queue_map gave
-- @treturn ?boolean true; nil on failure
function binding.queue_unmap(queue, self)
  argument.int(queue, 1, "queue_unmap")
  argument.array(self, 2, "queue_unmap")
  if self._mapping == 0 then argument.refuse(2, "queue_unmap", "the array is not mapped") end
  if C.clue_queue_unmap(queue, self._mapping) ~= 0 then return nil end
  memory.set(self, nil, 0)
  self._mapping = element.UNMAPPED
  return true
end

return binding
