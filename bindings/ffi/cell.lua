--- Numbers of any type anywhere in an array of uchar: the fields of structs, aligned or not.
-- On LuaJIT an access compiles to a load or a store.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"

local floor = math.floor

local binding = {}

-- ---- one function for each type, with code of its own: shared code would branch for every access ----

local READ = [[
local cast, pointer = ...
return function(at) return cast(pointer, at)[0] end]]

-- Large and textual numbers, and what must be rounded, go through C.
local WRITE = [[
local cast, pointer, low, high, is_whole, slowly, floor = ...
return function(at, value)
  if type(value) == "number" and value >= low and value <= high and (not is_whole or floor(value) == value) then
    cast(pointer, at)[0] = value
    return true
  end
  return slowly(at, value)
end]]

local scratch = ffi.new("union { int64_t whole; double align; }")

local function slow_writer(layout)
  local is_wide = layout.code == C.CLUE_LONG or layout.code == C.CLUE_ULONG
  local size = ffi.sizeof(layout.ctype)
  return function(at, value)
    local stored
    if type(value) == "number" then
      stored = C.clue_element_store(scratch, layout.code, value) == 1
    else
      stored = is_wide and type(value) == "string" and not value:find("\0", 1, true)
        and C.clue_element_parse(scratch, layout.code, value) == 1
    end
    if stored then ffi.copy(at, scratch, size) end
    return stored
  end
end

-- 64-bit numbers are read only if a double can hold them.
local function wide_reader(read)
  return function(at)
    local value = read(at)
    if element.is_exact(value, tonumber(value)) then return tonumber(value) end
    return nil
  end
end

local function read_float(at) return (element.read_float(at, 0)) end
local function read_double(at) return (element.read_double(at, 0)) end

local function read_half(at)
  ffi.copy(scratch, at, 2)
  return (C.clue_element_load(scratch, C.CLUE_HALF))
end

local special = {float = read_float, double = read_double, half = read_half}
local readers, writers, sizes = {}, {}, {}
for _, layout in ipairs(element.layouts) do
  local pointer = ffi.typeof(layout.ctype .. " *")
  local read = special[layout.reader] or assert(loadstring(READ, "=cell"))(ffi.cast, pointer)
  if layout.reader == "long" or layout.reader == "ulong" then read = wide_reader(read) end
  local low, high = layout.low, layout.high
  if layout.writer == "double" then low, high = -math.huge, math.huge end
  readers[layout.code] = read
  writers[layout.code] = assert(loadstring(WRITE, "=cell"))(ffi.cast, pointer, low, high, not layout.writer,
    slow_writer(layout), floor)
  sizes[layout.code] = ffi.sizeof(layout.ctype)
end

-- Raises for what cell_load and cell_store cannot take.
local function refuse(self, offset, code, call)
  local found = argument.array_problem(self)
  if found then argument.refuse(1, call, found, 1) end
  found = argument.whole_problem(offset, 64)
  if found then argument.refuse(2, call, found, 1) end
  found = argument.whole_problem(code, 32)
  if found then argument.refuse(3, call, found, 1) end
  if element.code_of(self) ~= C.CLUE_UCHAR then argument.refuse(1, call, "array of uchar expected", 1) end
  if not sizes[code] then argument.refuse(3, call, "no type has code " .. code, 1) end
  argument.refuse(2, call, ("%.0f elements from %.0f on are not all in an array of %.0f"):format(sizes[code], offset,
    #self), 1)
end

-- The type of these arrays is known once there is one.
local function is_bytes(self)
  return element.bytes ~= nil and ffi.istype(element.bytes, self) and self._data ~= nil
end

local function is_inside(self, offset, size)
  return type(offset) == "number" and offset >= 0 and floor(offset) == offset and size and offset + size <= self._count
end

--- Reads a number.
-- @tparam array self of uchar
-- @tparam number offset bytes
-- @tparam number code of the number's type
-- @treturn ?number nil if a double cannot hold it
function binding.cell_load(self, offset, code)
  if not (is_bytes(self) and is_inside(self, offset, sizes[code])) then refuse(self, offset, code, "cell_load") end
  return (readers[code](self._data + offset))
end

--- Writes a number.
-- @tparam array self of uchar
-- @tparam number offset bytes
-- @tparam number code of the number's type
-- @param value a number, or the decimal text of a 64-bit one
-- @treturn boolean false if the type cannot hold it
function binding.cell_store(self, offset, code, value)
  if not (is_bytes(self) and is_inside(self, offset, sizes[code])) then refuse(self, offset, code, "cell_store") end
  return (writers[code](self._data + offset, value))
end

return binding
