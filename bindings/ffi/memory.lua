--- What lies behind arrays: their types, and the memory that they own or that is lent to them.
-- Used by clue.ffi.array, clue.ffi.mapping and clue.ffi.svm.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"

local memory = {}

local types -- by code, once setup was called

local function collect()
  collectgarbage()
  C.clue_array_collected()
end

--- Zeroed memory of an array's own.
-- @tparam number bytes
-- @treturn ?cdata nil when memory is exhausted
function memory.allocate(bytes)
  if C.clue_array_crowded(bytes) == 1 then collect() end
  local data = C.clue_array_allocate(bytes)
  if data ~= nil then return data end
  collect()
  data = C.clue_array_allocate(bytes)
  if data ~= nil then return data end
  return nil
end

--- Puts memory behind an array.
-- @tparam array self
-- @tparam ?cdata data
-- @tparam number count how many elements
function memory.set(self, data, count)
  self._data, self._count = data, count
  self._few = count < 2 ^ 31 and count or 0
end

-- Kinds of what memory belongs to that is not the array's own.
local owners = {[C.CLUE_MAPPING] = "mapping", [C.CLUE_HOST_MEMORY] = "host_memory"}

--- Whose the memory of an array is that has a handle.
-- @tparam array self
-- @treturn ?string "mapping" or "host_memory"; nil where it is neither, or neither any more
function memory.owner(self)
  return owners[C.clue_handle_kind(self._mapping)]
end

--- Lets an array's memory go. What belongs to a driver is not freed but unmapped, if that was not done yet; that in
-- which a buffer lies goes with the last of its buffers. What a driver may still write to later than anybody can wait
-- for is lost.
-- @tparam array self
function memory.release(self)
  local size = self._count * element.size_of(self._code)
  if size > 0 and C.clue_array_settle(self._data, size) == 0 then
    if self._mapping == 0 then
      C.clue_array_free(self._data)
    elseif memory.owner(self) then
      C.clue_handle_free(self._mapping, C.CLUE_NONE)
    end
  end
  self._data = nil
end

--- Makes the array types.
-- @tparam table hooks as clue.ffi.element takes them
function memory.setup(hooks)
  types = element.make_types(hooks, memory.release)
end

--- Whether there is a type of this code.
-- @tparam number code
-- @treturn boolean
function memory.has_type(code)
  return types[code] ~= nil
end

--- An array without elements.
-- @tparam number code of the element type
-- @treturn array
function memory.empty(code)
  local made = types[code]
  local self = made.type()
  self._low, self._high, self._code = made.layout.low, made.layout.high, code
  return self
end

local data_out, mapping_out = ffi.new("void *[1]"), ffi.new("int32_t[1]")

--- An array in memory that a function of C maps.
-- @tparam number code of the element type
-- @tparam number count how many elements
-- @tparam function map of C: (data_out, mapping_out, ...)
-- @param ... what it takes behind these
-- @treturn ?array nil on failure
function memory.mapped(code, count, map, ...)
  local self = memory.empty(code) -- before, since that may fail for want of memory
  if map(data_out, mapping_out, ...) ~= 0 then return nil end
  memory.set(self, data_out[0], count)
  self._mapping = mapping_out[0]
  return self
end

--- The bytes of so many elements in memory that OpenCL gives; raises for the caller of the binding's function where
-- type, offset and count, which stand at a position and behind it, cannot be.
-- @tparam number code of the element type
-- @tparam number offset bytes, a multiple of an element's
-- @tparam number count how many elements
-- @tparam number position of the code among the arguments
-- @tparam string call
-- @treturn number
function memory.elements(code, offset, count, position, call)
  local problem = argument.whole_problem(code, 32)
  if problem then argument.refuse(position, call, problem, 1) end
  if not memory.has_type(code) then argument.refuse(position, call, "no type has code " .. code, 1) end
  problem = argument.whole_problem(offset, 64)
  if problem then argument.refuse(position + 1, call, problem, 1) end
  problem = argument.whole_problem(count, 64)
  if problem then argument.refuse(position + 2, call, problem, 1) end
  local size = element.size_of(code)
  if offset % size ~= 0 then
    argument.refuse(position + 1, call, ("%.0f is no multiple of the %d bytes of an element"):format(offset, size), 1)
  end
  return count * size
end

return memory
