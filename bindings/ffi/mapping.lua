--- Arrays in the memory of a buffer, of an image or of shared virtual memory, through clue.h.
-- Plain functions. Results are Lua values; a failure is nil (see binding.error()).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local memory = require "clue.ffi.memory"
local range = require "clue.ffi.range"
local structs = require "clue.ffi.structs"

local part = structs.image_part

local binding = {}

-- Where C writes its results. They are copied before the next call.
local data_out, mapping_out = ffi.new("void *[1]"), ffi.new("int32_t[1]")
local size_out = ffi.new("int64_t[1]")

--- Maps elements of memory, and waits until it is done.
-- @tparam number queue
-- @tparam number memory_handle of a buffer or of shared virtual memory
-- @tparam number flags CL_MAP_*, added up
-- @tparam number code of the element type
-- @tparam number offset in the memory, in bytes
-- @tparam number count how many elements
-- @treturn ?array in this memory, until queue_unmap
function binding.queue_map(queue, memory_handle, flags, code, offset, count)
  argument.int(queue, 1, "queue_map")
  argument.int(memory_handle, 2, "queue_map")
  argument.long(flags, 3, "queue_map")
  local size = memory.elements(code, offset, count, 4, "queue_map")
  return (memory.mapped(code, count, C.clue_queue_map, queue, memory_handle, flags, offset, size))
end

--- Maps a part of an image, and waits until it is done.
-- @tparam number queue
-- @tparam number image
-- @tparam number flags CL_MAP_*, added up
-- @tparam number code of the element type
-- @tparam ?table origin three numbers, in pixels
-- @tparam table region three numbers, in pixels
-- @treturn ?array in the image's memory, until queue_unmap
-- @treturn ?number bytes from row to row
-- @treturn ?number bytes from slice to slice
function binding.queue_map_image(queue, image, flags, code, origin, region)
  argument.int(queue, 1, "queue_map_image")
  argument.int(image, 2, "queue_map_image")
  argument.long(flags, 3, "queue_map_image")
  if not memory.has_type(argument.int(code, 4, "queue_map_image")) then
    argument.refuse(4, "queue_map_image", "no type has code " .. code)
  end
  structs.set_image_part(range(3, origin, region, nil, 5, "queue_map_image"))
  local self = memory.empty(code)
  if C.clue_queue_map_image(data_out, size_out, mapping_out, queue, image, flags, part) ~= 0 then return nil end
  memory.set(self, data_out[0], math.floor(tonumber(size_out[0]) / element.size_of(code)))
  self._mapping = mapping_out[0]
  return self, tonumber(part.row_pitch), tonumber(part.slice_pitch)
end

--- The owner of an array's memory.
-- @tparam array self
-- @treturn ?string "mapping": a buffer, until it is unmapped; "unmapped": the array has no memory any more;
--   "host_memory": the array, with buffers in it; nil: the array
function binding.array_owner(self)
  if not element.code_of(self) then argument.array(self, 1, "array_owner") end
  if self._mapping == 0 then return nil end
  return self._mapping == element.UNMAPPED and "unmapped" or memory.owner(self) or "mapping"
end

--- Elements of fine-grained memory, for the host to read and write at any time.
-- @tparam number svm
-- @tparam number code of the element type
-- @tparam number offset in the memory, in bytes
-- @tparam number count how many elements
-- @treturn ?array in this memory
function binding.svm_view(svm, code, offset, count)
  argument.int(svm, 1, "svm_view")
  local size = memory.elements(code, offset, count, 2, "svm_view")
  return (memory.mapped(code, count, C.clue_svm_view, svm, offset, size))
end

--- Unmaps elements. From then on the array is refused everywhere.
-- @tparam number queue
-- @tparam array self an array from queue_map
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
