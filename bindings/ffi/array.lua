--- Typed memory for LuaJIT: makes, resizes and frees arrays, and hands bulk work on them to C.
-- Used by clue.array alone, which brings methods and error texts (array_setup) and says what users see.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local range = require "clue.ffi.range"

local binding = {}

--- Codes by type name, as C counts them, and the bytes of one element.
binding.type_codes, binding.type_sizes = {}, {}
for _, layout in ipairs(element.layouts) do
  binding.type_codes[layout.name] = layout.code
  binding.type_sizes[layout.name] = element.size_of(layout.code)
end

--- @treturn ?number the code of an array's element type, nil for anything that is no array
binding.array_code = element.code_of

local types -- by code, once array_setup was called

local function collect()
  collectgarbage()
  C.clue_array_collected()
end

local function allocate(bytes)
  if C.clue_array_crowded(bytes) == 1 then collect() end
  local data = C.clue_array_allocate(bytes)
  if data ~= nil then return data end
  collect()
  data = C.clue_array_allocate(bytes)
  if data ~= nil then return data end
  return nil
end

local function set_memory(self, data, count)
  self._data, self._count = data, count
  self._few = count < 2 ^ 31 and count or 0
end

-- Kinds of what memory belongs to that is not the array's own.
local owners = { [C.CLUE_MAPPING] = "mapping", [C.CLUE_HOST_MEMORY] = "host_memory" }

-- Memory that belongs to a driver is not freed but unmapped, if that was not done yet; that in which a buffer lies goes
-- with the last of its buffers. What a driver may still write to later than anybody can wait for is lost.
local function release(self)
  local size = self._count * element.size_of(self._code)
  if size > 0 and C.clue_memory_settle(self._data, size) == 0 then
    if self._mapping == 0 then
      C.clue_array_free(self._data)
    elseif owners[C.clue_handle_kind(self._mapping)] then
      C.clue_handle_free(self._mapping, C.CLUE_NONE)
    end
  end
  self._data = nil
end

--- Makes the array types.
-- @tparam table hooks as clue.ffi.element takes them
function binding.array_setup(hooks)
  types = element.make_types(hooks, release)
end

local function empty(made, code)
  local self = made.type()
  self._low, self._high, self._code = made.layout.low, made.layout.high, code
  return self
end

--- A zeroed array.
-- @tparam number code of the element type
-- @tparam number count how many elements
-- @treturn ?array nil when memory is exhausted
function binding.array_create(code, count)
  local made = types[argument.int(code, 1, "array_create")]
  if not made then argument.refuse(1, "array_create", "no type has code " .. code) end
  argument.long(count, 2, "array_create")
  if count < 0 then argument.refuse(2, "array_create", "count below 0") end
  local self = empty(made, code)
  if count > 0 then
    local data = allocate(count * element.size_of(code))
    if data == nil then return nil end
    set_memory(self, data, count)
  end
  return self
end

--- Changes the length in place; new elements are 0.
-- @tparam array self
-- @tparam number count how many elements
-- @treturn ?boolean true; false where a transfer needs the memory for longer than anybody can wait (binding.error()
--   then tells), nil when memory is exhausted: the array is as it was
function binding.array_resize(self, count)
  local code = argument.array(self, 1, "array_resize")
  argument.long(count, 2, "array_resize")
  if count < 0 then argument.refuse(2, "array_resize", "count below 0") end
  if self._mapping ~= 0 then
    argument.refuse(1, "array_resize", "an array in memory that is not its own keeps its size")
  end
  if self._count > 0 and C.clue_memory_settle(self._data, self._count * element.size_of(code)) ~= 0 then
    return false
  end
  local data
  if count > 0 then
    data = allocate(count * element.size_of(code))
    if data == nil then return nil end
    ffi.copy(data, self._data, math.min(count, self._count) * element.size_of(code))
  end
  release(self)
  set_memory(self, data, count)
  return true
end

local data_out, mapping_out = ffi.new("void *[1]"), ffi.new("int32_t[1]")

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
  local made = types[argument.int(code, 4, "queue_map")]
  if not made then argument.refuse(4, "queue_map", "no type has code " .. code) end
  argument.long(offset, 5, "queue_map")
  argument.long(count, 6, "queue_map")
  local size = element.size_of(code)
  if offset % size ~= 0 then
    argument.refuse(5, "queue_map", ("%.0f is no multiple of the %d bytes of an element"):format(offset, size))
  end
  local self = empty(made, code)
  if C.clue_queue_map(data_out, mapping_out, queue, buffer, flags, offset, count * size) ~= 0 then return nil end
  set_memory(self, data_out[0], count)
  self._mapping = mapping_out[0]
  return self
end

local part, size_out = ffi.new("clue_image_part"), ffi.new("int64_t[1]")

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
  local made = types[argument.int(code, 4, "queue_map_image")]
  if not made then argument.refuse(4, "queue_map_image", "no type has code " .. code) end
  local from, over = range(3, origin, region, nil, 5, "queue_map_image")
  for d = 0, 2 do part.origin[d], part.region[d] = from and from[d] or 0, over[d] end
  local self = empty(made, code)
  if C.clue_queue_map_image(data_out, size_out, mapping_out, queue, image, flags, part) ~= 0 then return nil end
  set_memory(self, data_out[0], math.floor(tonumber(size_out[0]) / element.size_of(code)))
  self._mapping = mapping_out[0]
  return self, tonumber(part.row_pitch), tonumber(part.slice_pitch)
end

--- Whose the memory of an array is.
-- @tparam array self
-- @treturn ?string "mapping": a buffer's, until it is unmapped; "host_memory": its own, with buffers in it; nil: its
--   own
function binding.array_owner(self)
  argument.array(self, 1, "array_owner")
  if self._mapping == 0 then return nil end
  return owners[C.clue_handle_kind(self._mapping)] or "mapping"
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

--- Gives mapped elements back; the array is empty then.
-- @tparam number queue
-- @tparam array self what queue_map gave
-- @treturn ?boolean true; nil on failure
function binding.queue_unmap(queue, self)
  argument.int(queue, 1, "queue_unmap")
  argument.array(self, 2, "queue_unmap")
  if self._mapping == 0 then argument.refuse(2, "queue_unmap", "the array is not mapped") end
  if C.clue_queue_unmap(queue, self._mapping) ~= 0 then return nil end
  set_memory(self, nil, 0)
  self._mapping = 0
  return true
end

--- Sets elements to one value.
-- @tparam array self
-- @tparam number value
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn boolean false where the type cannot hold the value
function binding.array_fill(self, value, first, count)
  local code = argument.array(self, 1, "array_fill")
  argument.typed(value, "number", 2, "array_fill")
  argument.range(self, first, count, 3, "array_fill")
  return C.clue_array_fill(self._data + first, code, count, value) == 1
end

--- Fills with uniform random numbers: from low up to, not including, high; integer types: high included.
-- @tparam array self
-- @tparam number low
-- @tparam number high
-- @tparam number seed one seed gives the same numbers everywhere
-- @treturn boolean false where the type cannot hold a bound, or high lies below low
function binding.array_random(self, low, high, seed)
  local code = argument.array(self, 1, "array_random")
  argument.typed(low, "number", 2, "array_random")
  argument.typed(high, "number", 3, "array_random")
  argument.typed(seed, "number", 4, "array_random")
  return C.clue_array_random(self._data, code, self._count, low, high, seed) == 1
end

--- Copies elements of one array into another and converts them.
-- @tparam array self
-- @tparam number first the first element to write, from 0
-- @tparam array source
-- @tparam number source_first the first element to read, from 0
-- @tparam number count how many elements
-- @treturn ?number how many were copied before one that the type cannot hold; nil: all
function binding.array_convert(self, first, source, source_first, count)
  local code = argument.array(self, 1, "array_convert")
  argument.range(self, first, count, 2, "array_convert")
  local source_code = argument.array(source, 3, "array_convert")
  argument.range(source, source_first, count, 4, "array_convert")
  local stop = C.clue_array_convert(self._data + first, code, source._data + source_first, source_code, count)
  if stop < 0 then return nil end
  return tonumber(stop)
end

--- Compares the first elements of two arrays of one type.
-- @tparam array self
-- @tparam array other
-- @tparam number count how many elements
-- @tparam number tolerance differences up to this are none; NaN equals NaN
-- @treturn ?number the first index below count where they differ by more; nil: none
function binding.array_compare(self, other, count, tolerance)
  local code = argument.array(self, 1, "array_compare")
  argument.range(self, 0, count, 3, "array_compare")
  if argument.array(other, 2, "array_compare") ~= code then
    argument.refuse(2, "array_compare", "array of the same type expected")
  end
  argument.range(other, 0, count, 3, "array_compare")
  argument.typed(tolerance, "number", 4, "array_compare")
  local index = C.clue_array_compare(self._data, other._data, code, count, tolerance)
  if index < 0 then return nil end
  return tonumber(index)
end

--- Adds all elements.
-- @tparam array self
-- @treturn number the sum, as a double
function binding.array_sum(self)
  local code = argument.array(self, 1, "array_sum")
  return (C.clue_array_sum(self._data, code, self._count))
end

local least, greatest = ffi.new("int64_t[1]"), ffi.new("int64_t[1]")

--- Finds the least and the greatest element; NaN is neither.
-- @tparam array self
-- @treturn ?number the index of the least, the first of equal ones; nil where there is none
-- @treturn ?number that of the greatest
-- @treturn number how many elements are NaN
function binding.array_extremes(self)
  local code = argument.array(self, 1, "array_extremes")
  local unordered = tonumber(C.clue_array_extremes(least, greatest, self._data, code, self._count))
  if least[0] < 0 then return nil, nil, unordered end
  return tonumber(least[0]), tonumber(greatest[0]), unordered
end

local text = ffi.new("char[32]")

--- An element as text.
-- @tparam array self
-- @tparam number index from 0
-- @treturn string the element as decimal text, exact for every 64-bit value
function binding.array_print(self, index)
  local code = argument.array(self, 1, "array_print")
  argument.range(self, index, 1, 2, "array_print")
  C.clue_element_print(text, self._data + index, code)
  return (ffi.string(text))
end

--- Elements as they lie in memory.
-- @tparam array self
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn string their bytes
function binding.array_bytes(self, first, count)
  local code = argument.array(self, 1, "array_bytes")
  argument.range(self, first, count, 2, "array_bytes")
  return (ffi.string(self._data + first, count * element.size_of(code)))
end

--- Writes elements as they lie in memory.
-- @tparam array self
-- @tparam number first the first element, from 0
-- @tparam string bytes of whole elements
-- @treturn number how many elements they are
function binding.array_set_bytes(self, first, bytes)
  local code = argument.array(self, 1, "array_set_bytes")
  argument.long(first, 2, "array_set_bytes")
  argument.typed(bytes, "string", 3, "array_set_bytes")
  local size = element.size_of(code)
  if #bytes % size ~= 0 then
    argument.refuse(3, "array_set_bytes", ("%d bytes are not elements of %d bytes each"):format(#bytes, size))
  end
  argument.range(self, first, #bytes / size, 2, "array_set_bytes")
  ffi.copy(self._data + first, bytes, #bytes)
  return #bytes / size
end

--- Turns the bytes of each element round.
-- @tparam array self
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
function binding.array_swap(self, first, count)
  local code = argument.array(self, 1, "array_swap")
  argument.range(self, first, count, 2, "array_swap")
  C.clue_array_swap(self._data + first, code, count)
end

--- Writes the elements of a matrix by columns.
-- @tparam array self of as many elements
-- @tparam array source of the same type, another one
-- @tparam number rows of source
-- @tparam number columns of source
function binding.array_transpose(self, source, rows, columns)
  local code = argument.array(self, 1, "array_transpose")
  if argument.array(source, 2, "array_transpose") ~= code or source == self then
    argument.refuse(2, "array_transpose", "another array of the same type expected")
  end
  argument.long(rows, 3, "array_transpose")
  argument.long(columns, 4, "array_transpose")
  if rows < 0 or columns < 0 or rows * columns ~= #self or rows * columns ~= #source then
    argument.refuse(3, "array_transpose", ("%.0f x %.0f is not the size of arrays of %.0f and %.0f"):format(rows,
      columns, #self, #source))
  end
  C.clue_array_transpose(self._data, source._data, code, rows, columns)
end

return binding
