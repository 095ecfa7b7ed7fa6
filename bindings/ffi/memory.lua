--- The memory behind arrays, which they own or borrow, and their types.
-- Used by clue.ffi.array, clue.ffi.mapping and clue.ffi.svm.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"

local memory = {}

local types -- by code, after setup

local function collect()
  collectgarbage()
  C.clue_memory_collected(collectgarbage "count" * 1024)
end

--- Lets the collector run when much memory is held, since it does not see that behind arrays, and before memory is
-- reported as exhausted, which is after the first of two attempts. Finalizers may do anything with an array: look at it
-- after this.
-- @tparam number bytes that are wanted
-- @tparam number attempt 1 or 2
function memory.make_room(bytes, attempt)
  if attempt > 1 or C.clue_memory_crowded(bytes) == 1 then collect() end
end

--- Sets the memory of an array.
-- @tparam array self
-- @tparam ?cdata data
-- @tparam number count how many elements
function memory.set(self, data, count)
  self._data, self._count = data, count
  self._few = count < 2 ^ 31 and count or 0
end

-- Names of the owners of memory that does not belong to the array.
local owners = {[C.CLUE_MAPPING] = "mapping", [C.CLUE_HOST_MEMORY] = "host_memory"}

--- The owner of an array's memory, by its handle.
-- @tparam array self
-- @treturn ?string "mapping" or "host_memory"; nil if it is neither
function memory.owner(self)
  return owners[C.clue_handle_kind(self._mapping)]
end

--- Makes the array types.
-- @tparam table hooks for clue.ffi.element
function memory.setup(hooks)
  types = element.make_types(hooks)
end

--- Whether there is a type with a code.
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

--- Makes an array in memory that a C function maps.
-- @tparam number code of the element type
-- @tparam number count how many elements
-- @tparam function map a C function: (data_out, mapping_out, ...)
-- @param ... its arguments after these
-- @treturn ?array nil on failure
function memory.mapped(code, count, map, ...)
  local self = memory.empty(code) -- first, since there may be too little memory
  if map(data_out, mapping_out, ...) ~= 0 then return nil end
  memory.set(self, data_out[0], count)
  self._mapping = mapping_out[0]
  return self
end

--- The bytes of elements in OpenCL's memory. Raises for the caller of the binding's function if type, offset or count
-- are wrong; these arguments stand at a position and after it.
-- @tparam number code of the element type
-- @tparam number offset bytes, a multiple of an element's size
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
    local multiple = ("%.0f is not a multiple of the %d bytes of an element"):format(offset, size)
    argument.refuse(position + 1, call, multiple, 1)
  end
  return count * size
end

return memory
