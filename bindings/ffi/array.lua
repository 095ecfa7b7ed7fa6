--- Typed memory for LuaJIT: makes, resizes and frees arrays, and passes bulk work on them to C.
-- Only clue.array uses it; it adds methods and error texts (array_setup) and documents what users see.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local memory = require "clue.ffi.memory"

local binding = {}

--- Codes by type name, as C counts them, and the bytes of one element.
binding.type_codes, binding.type_sizes = {}, {}
for _, layout in ipairs(element.layouts) do
  binding.type_codes[layout.name] = layout.code
  binding.type_sizes[layout.name] = element.size_of(layout.code)
end

--- @treturn ?number the code of an array's element type, nil for anything that is not an array
binding.array_code = element.code_of

--- Where the elements of an array are, for C modules that work on them. The address is valid until the array is
-- resized, unmapped or collected.
-- @param value
-- @treturn ?number the address, 0 if there are no elements; nil for what is not a usable array
-- @treturn number|string how many elements; after nil: why not
-- @treturn ?number the code of their type
function binding.array_view(value)
  local problem = argument.array_problem(value)
  if problem then return nil, problem.text end
  return tonumber(ffi.cast("intptr_t", value._data)), value._count, value._code
end

--- Makes the array types.
-- @tparam table hooks for clue.ffi.element
function binding.array_setup(hooks)
  memory.setup(hooks)
end

--- A zeroed array.
-- @tparam number code of the element type
-- @tparam number count how many elements
-- @tparam[opt] number alignment of their memory in bytes, a power of two
-- @tparam[opt] boolean huge_pages whether to ask the system for them
-- @treturn ?array nil when memory is exhausted
function binding.array_create(code, count, alignment, huge_pages)
  if not memory.has_type(argument.int(code, 1, "array_create")) then
    argument.refuse(1, "array_create", "no type has code " .. code)
  end
  argument.long(count, 2, "array_create")
  if count < 0 then argument.refuse(2, "array_create", "count below 0") end
  if alignment ~= nil then argument.long(alignment, 3, "array_create") end
  local self = memory.empty(code)
  if count == 0 then return self end
  local bytes = count * element.size_of(code)
  for attempt = 1, 2 do
    memory.make_room(bytes, attempt)
    local data = C.clue_array_allocate_aligned(bytes, alignment or 1, huge_pages and 1 or 0)
    if data ~= nil then
      memory.set(self, data, count)
      return self
    end
  end
  return nil
end

--- A copy of elements of an array.
-- @tparam array self
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn ?array nil when memory is exhausted
function binding.array_copy(self, first, count)
  local code = argument.array(self, 1, "array_copy")
  argument.range(self, first, count, 2, "array_copy")
  local copy = memory.empty(code)
  if count == 0 then return copy end
  local bytes = count * element.size_of(code)
  for attempt = 1, 2 do
    memory.make_room(bytes, attempt)
    argument.array(self, 1, "array_copy")
    argument.range(self, first, count, 2, "array_copy")
    local data = C.clue_array_copy(self._data + first, bytes)
    if data ~= nil then
      memory.set(copy, data, count)
      return copy
    end
  end
  return nil
end

--- Changes the length in place; new elements are 0. Memory that there was keeps its alignment and its huge pages.
-- @tparam array self
-- @tparam number count how many elements
-- @treturn ?boolean true; false if a transfer needs the memory for an unlimited time (see binding.error()), nil if
--   memory is exhausted: then the array is unchanged
function binding.array_resize(self, count)
  local code = argument.array(self, 1, "array_resize")
  argument.long(count, 2, "array_resize")
  if count < 0 then argument.refuse(2, "array_resize", "count below 0") end
  local bytes = count * element.size_of(code)
  for attempt = 1, 2 do
    if count > 0 then memory.make_room(bytes, attempt) end
    argument.array(self, 1, "array_resize")
    if self._mapping ~= 0 then
      argument.refuse(1, "array_resize", "an array in memory that is not its own keeps its size")
    end
    local held = self._count > 0
    if held and C.clue_array_settle(self._data, self._count * element.size_of(code)) ~= 0 then return false end
    local data
    if count > 0 then data = held and C.clue_array_resized(self._data, bytes) or C.clue_array_allocate(bytes) end
    if count == 0 or data ~= nil then
      C.clue_array_free(self._data)
      memory.set(self, data, count)
      return true
    end
  end
  return nil
end

--- Sets elements to one value.
-- @tparam array self
-- @tparam number value
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn boolean false if the type cannot hold the value
function binding.array_fill(self, value, first, count)
  local code = argument.array(self, 1, "array_fill")
  argument.typed(value, "number", 2, "array_fill")
  argument.range(self, first, count, 3, "array_fill")
  return C.clue_array_fill(self._data + first, code, count, value) == 1
end

--- Fills with uniform random numbers: from low up to, not including, high; for integer types including high.
-- @tparam array self
-- @tparam number low
-- @tparam number high
-- @tparam number seed one seed gives the same numbers everywhere
-- @treturn boolean false if the type cannot hold a bound, or high is less than low
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
-- @treturn ?number how many were copied before one that the type cannot hold; nil if all
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
-- @tparam number tolerance the greatest difference that counts as equal; NaN equals NaN
-- @treturn ?number the first index below count where they differ by more, nil if there is none
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

--- Compares the first elements of two arrays: the first index at which they differ by more than
-- absolute + relative * |other's element|.
-- @tparam array self
-- @tparam array other may be of another type
-- @tparam number count how many elements
-- @tparam number relative
-- @tparam number absolute
-- @tparam boolean equal_nan whether NaN equals NaN
-- @treturn ?number the index, nil if there is none
function binding.array_allclose(self, other, count, relative, absolute, equal_nan)
  local code = argument.array(self, 1, "array_allclose")
  local other_code = argument.array(other, 2, "array_allclose")
  argument.long(count, 3, "array_allclose")
  argument.typed(relative, "number", 4, "array_allclose")
  argument.typed(absolute, "number", 5, "array_allclose")
  argument.range(self, 0, count, 3, "array_allclose")
  argument.range(other, 0, count, 3, "array_allclose")
  local index = C.clue_array_allclose(self._data, code, other._data, other_code, count, relative, absolute,
    equal_nan and 1 or 0)
  if index < 0 then return nil end
  return tonumber(index)
end

--- A norm of all elements.
-- @tparam array self
-- @tparam number order 1, 2 or infinity
-- @treturn number NaN for another order
function binding.array_norm(self, order)
  local code = argument.array(self, 1, "array_norm")
  argument.typed(order, "number", 2, "array_norm")
  return (C.clue_array_norm(self._data, code, self._count, order))
end

--- How much of an array's memory lies in huge pages now.
-- @tparam array self
-- @treturn number bytes
function binding.array_huge_bytes(self)
  local code = argument.array(self, 1, "array_huge_bytes")
  return tonumber(C.clue_array_huge_bytes(self._data, self._count * element.size_of(code)))
end

--- Adds all elements.
-- @tparam array self
-- @treturn number the sum, as a double
function binding.array_sum(self)
  local code = argument.array(self, 1, "array_sum")
  return (C.clue_array_sum(self._data, code, self._count))
end

local least, greatest = ffi.new("int64_t[1]"), ffi.new("int64_t[1]")

--- Finds the least and the greatest element; ignoring NaN.
-- @tparam array self
-- @treturn ?number the index of the least, the first of equal ones; nil if there is none
-- @treturn ?number the index of the greatest
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

--- The bytes of elements as they are in memory.
-- @tparam array self
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn string their bytes
function binding.array_bytes(self, first, count)
  local code = argument.array(self, 1, "array_bytes")
  argument.range(self, first, count, 2, "array_bytes")
  return (ffi.string(self._data + first, count * element.size_of(code)))
end

--- Sets the bytes of elements as they are in memory.
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

--- Reverses the bytes of each element.
-- @tparam array self
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
function binding.array_swap(self, first, count)
  local code = argument.array(self, 1, "array_swap")
  argument.range(self, first, count, 2, "array_swap")
  C.clue_array_swap(self._data + first, code, count)
end

--- Writes the elements of a matrix in column order.
-- @tparam array self as long as source
-- @tparam array source another array of the same type
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
