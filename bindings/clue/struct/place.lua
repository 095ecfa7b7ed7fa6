--- The memory behind structs and arrays of structs, for all that transfers them: a part of an array of uchar. The
-- metatables of these objects have a function that gives it, place.
-- @module clue.struct.place
local argument = require "clue.argument"
local binding = require "clue.binding"
local layout = require "clue.struct.layout"
local shown = require "clue.shown"

local place = {}

-- The binding's functions would name themselves.
local function check(memory, at, size)
  if shown.is_unmapped(memory) then argument.fail("this memory was released by queue:unmap: map it again") end
  if at + size > #memory then argument.fail("%s", argument.TAKEN_AWAY) end
end

--- The memory of a struct or an array of structs.
-- @param given anything
-- @treturn ?array of uchar; nil if it is neither
-- @treturn ?number where it begins there
-- @treturn ?number the bytes of an element
-- @treturn ?number how many elements
-- @treturn ?table the type of an element
-- @treturn ?boolean whether it is an array that can have another length
function place.of(given)
  local kind = type(given)
  local meta = (kind == "table" or kind == "userdata") and getmetatable(given)
  local found = type(meta) == "table" and rawget(meta, "place")
  if not found then return nil end
  local memory, at, size, count, element, is_owner = found(given)
  if not shown.is_unmapped(memory) then check(memory, at, size * count) end
  return memory, at, size, count, element, is_owner
end

--- Bytes of memory.
-- @tparam array memory of uchar
-- @tparam number at the first
-- @tparam number size how many
-- @treturn string
function place.get(memory, at, size)
  check(memory, at, size)
  return (binding.array_bytes(memory, at, size))
end

--- Sets bytes of memory.
-- @tparam array memory of uchar
-- @tparam number at the first
-- @tparam string bytes
function place.put(memory, at, bytes)
  check(memory, at, #bytes)
  binding.array_set_bytes(memory, at, bytes)
end

--- The bytes of a struct or an array of structs.
-- @param given
-- @treturn ?string nil if it is neither
-- @treturn ?number how many of them there are without the padding at the end
function place.bytes(given)
  local memory, at, size, count, type = place.of(given)
  if not memory then return nil end
  return place.get(memory, at, size * count), (count - 1) * size + layout.used(type)
end

--- An array, or the memory of a struct or an array of structs as one. A part of a larger memory is copied.
-- @param given anything
-- @return given, or that array
-- @treturn ?boolean whether it is a copy
function place.array(given)
  local memory, at, size, count = place.of(given)
  if not memory then return given end
  if at == 0 and size * count == #memory then return memory end
  return memory:copy(at, size * count), true
end

return place
