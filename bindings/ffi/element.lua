--- Array types for LuaJIT: one struct type per element type, whose element access compiles to a load or a store.
-- Owns the struct types and their indexing; clue.ffi.array owns the memory behind them. A field of a cdata hides a
-- method of the same name, hence the underscores. _few is the length as an int32_t, which compares with an index
-- without conversion, and 0 for arrays too long for that; _count is always the length, and a double, since a 64-bit
-- field would be boxed. _low > _high sends every store through C, for elements that Lua cannot store itself.
local ffi = require "ffi"
local C = require "clue.ffi.library"

local abs, floor, type = math.abs, math.floor, type
local band, cast = bit.band, ffi.cast

local element = {}

--- The value of _mapping once the memory was unmapped: the array then has no memory, and cannot be used.
element.UNMAPPED = -1
local UNMAPPED = element.UNMAPPED

--- Every type: OpenCL's name, C's code, the element's type in memory, and how it is read and written. Lua stores
-- values between low and high itself; C does the rest. If the bounds are int32_t, whole numbers compare without
-- conversion.
element.layouts = {
  {name = "char", code = C.CLUE_CHAR, ctype = "int8_t", bound = "int32_t", low = -2 ^ 7, high = 2 ^ 7 - 1},
  {name = "uchar", code = C.CLUE_UCHAR, ctype = "uint8_t", bound = "int32_t", low = 0, high = 2 ^ 8 - 1},
  {name = "short", code = C.CLUE_SHORT, ctype = "int16_t", bound = "int32_t", low = -2 ^ 15, high = 2 ^ 15 - 1},
  {name = "ushort", code = C.CLUE_USHORT, ctype = "uint16_t", bound = "int32_t", low = 0, high = 2 ^ 16 - 1},
  {name = "int", code = C.CLUE_INT, ctype = "int32_t", bound = "int32_t", low = -2 ^ 31, high = 2 ^ 31 - 1},
  {name = "uint", code = C.CLUE_UINT, ctype = "uint32_t", low = 0, high = 2 ^ 32 - 1},
  {name = "long", code = C.CLUE_LONG, ctype = "int64_t", low = -2 ^ 53, high = 2 ^ 53, reader = "long"},
  {name = "ulong", code = C.CLUE_ULONG, ctype = "uint64_t", low = 0, high = 2 ^ 53, reader = "ulong"},
  {name = "half", code = C.CLUE_HALF, ctype = "uint16_t", low = 1, high = 0, reader = "half"},
  {name = "float", code = C.CLUE_FLOAT, ctype = "float", low = -3.4e38, high = 3.4e38, reader = "float",
   writer = "float"},
  {name = "double", code = C.CLUE_DOUBLE, ctype = "double", low = 0, high = 0, reader = "double",
   writer = "double"},
}

local code_of_ctype = {} -- by the number of the array's ctype

--- The type of an array.
-- @param value anything
-- @treturn ?number the code of an array's element type, nil for anything that is not an array
function element.code_of(value)
  return type(value) == "cdata" and code_of_ctype[tonumber(ffi.typeof(value))] or nil
end

local sizes = {}
for _, layout in ipairs(element.layouts) do sizes[layout.code] = ffi.sizeof(layout.ctype) end

--- The size of an element.
-- @tparam number code of the type
-- @treturn number bytes
function element.size_of(code)
  return sizes[code]
end

-- ---- floats and doubles ----

-- LuaJIT keeps the types of values in the bits of NaNs, and loads a number without looking at its bits: a NaN with bits
-- of its own would become nil, or a pointer to nothing. So every float and double that is read through the FFI is read
-- by these two.

local floats, doubles = ffi.typeof "float *", ffi.typeof "double *"
local bits, words = ffi.typeof "uint32_t *", ffi.typeof "struct { uint32_t low, high; } *"
local nan = 0 / 0

--- Reads a float; the address need not be aligned.
-- @tparam cdata data a pointer
-- @tparam number index in floats
-- @treturn number every NaN is the same one
function element.read_float(data, index)
  if band(cast(bits, data)[index], 0x7fffffff) > 0x7f800000 then return nan end
  return cast(floats, data)[index]
end

--- Reads a double; the address need not be aligned.
-- @tparam cdata data a pointer
-- @tparam number index in doubles
-- @treturn number every NaN is the same one
function element.read_double(data, index)
  local high = band(cast(words, data)[index].high, 0x7fffffff)
  if high >= 0x7ff00000 and (high > 0x7ff00000 or cast(words, data)[index].low > 0) then return nan end
  return cast(doubles, data)[index]
end

-- ---- reading and writing ----

-- Stores what the fast way cannot: NaN, infinities, packed types, large and textual 64-bit values. Returns true if it
-- stored the value.
local function store_slowly(self, index, value)
  if type(value) == "number" then
    return C.clue_element_store(self._data + index, self._code, value) == 1
  end
  local wide = self._code == C.CLUE_LONG or self._code == C.CLUE_ULONG
  return wide and type(value) == "string" and not value:find("\0", 1, true)
    and C.clue_element_parse(self._data + index, self._code, value) == 1
end

-- Decides about an index that the fast test rejects: outside, a fraction, or in an array of 2^31 elements or more.
local function is_inside(self, key)
  return type(key) == "number" and key >= 0 and key < self._count and floor(key) == key
end

-- Each way to read and write is written out, since shared code would branch for every element.
local readers, writers = {}, {}

function readers.direct(hooks)
  local methods, bad_index = hooks.methods, hooks.bad_index
  return function(self, key)
    if type(key) == "number" and key >= 0 and key < self._few and floor(key) == key or is_inside(self, key) then
      return self._data[key]
    end
    if type(key) == "string" then return methods[key] end
    error(bad_index(self, key), 2)
  end
end

-- The JIT compiles a call of these two into the code that calls it.
local read_float, read_double = element.read_float, element.read_double

function readers.float(hooks)
  local methods, bad_index = hooks.methods, hooks.bad_index
  return function(self, key)
    if type(key) == "number" and key >= 0 and key < self._few and floor(key) == key or is_inside(self, key) then
      return (read_float(self._data, key))
    end
    if type(key) == "string" then return methods[key] end
    error(bad_index(self, key), 2)
  end
end

function readers.double(hooks)
  local methods, bad_index = hooks.methods, hooks.bad_index
  return function(self, key)
    if type(key) == "number" and key >= 0 and key < self._few and floor(key) == key or is_inside(self, key) then
      return (read_double(self._data, key))
    end
    if type(key) == "string" then return methods[key] end
    error(bad_index(self, key), 2)
  end
end

function readers.half(hooks)
  local methods, bad_index = hooks.methods, hooks.bad_index
  return function(self, key)
    if is_inside(self, key) then return (C.clue_element_load(self._data + key, self._code)) end
    if type(key) == "string" then return methods[key] end
    error(bad_index(self, key), 2)
  end
end

--- Whether a number is exactly a 64-bit value (2^53 + 1 reads as 2^53): converting back shows it. 2^63 and 2^64 cannot
-- be converted back.
-- @tparam cdata value int64_t or uint64_t
-- @tparam number number
-- @treturn boolean
function element.is_exact(value, number)
  local signed = ffi.istype("int64_t", value)
  return number < (signed and 2 ^ 63 or 2 ^ 64) and ffi.cast(signed and "int64_t" or "uint64_t", number) == value
end

local is_exact = element.is_exact

function readers.long(hooks)
  local methods, bad_index, inexact = hooks.methods, hooks.bad_index, hooks.inexact
  local low, high = ffi.cast("int64_t", -2 ^ 53), ffi.cast("int64_t", 2 ^ 53)
  return function(self, key)
    if type(key) == "number" and key >= 0 and key < self._few and floor(key) == key or is_inside(self, key) then
      local value = self._data[key]
      if value > low and value < high or is_exact(value, tonumber(value)) then return tonumber(value) end
      error(inexact(self, key), 2)
    end
    if type(key) == "string" then return methods[key] end
    error(bad_index(self, key), 2)
  end
end

function readers.ulong(hooks)
  local methods, bad_index, inexact = hooks.methods, hooks.bad_index, hooks.inexact
  local high = ffi.cast("uint64_t", 2 ^ 53)
  return function(self, key)
    if type(key) == "number" and key >= 0 and key < self._few and floor(key) == key or is_inside(self, key) then
      local value = self._data[key]
      if value < high or is_exact(value, tonumber(value)) then return tonumber(value) end
      error(inexact(self, key), 2)
    end
    if type(key) == "string" then return methods[key] end
    error(bad_index(self, key), 2)
  end
end

function writers.double(hooks)
  local bad_index, bad_value = hooks.bad_index, hooks.bad_value
  return function(self, key, value)
    if type(key) == "number" and key >= 0 and key < self._few and floor(key) == key or is_inside(self, key) then
      if type(value) == "number" then
        self._data[key] = value
      else
        local problem = bad_value(self, key, value)
        if problem then error(problem, 2) end
      end
    else
      error(bad_index(self, key), 2)
    end
  end
end

function writers.float(hooks)
  local bad_index, bad_value = hooks.bad_index, hooks.bad_value
  return function(self, key, value)
    if type(key) == "number" and key >= 0 and key < self._few and floor(key) == key or is_inside(self, key) then
      if type(value) == "number" and abs(value) <= self._high then
        self._data[key] = value
      elseif not store_slowly(self, key, value) then
        local problem = bad_value(self, key, value)
        if problem then error(problem, 2) end
      end
    else
      error(bad_index(self, key), 2)
    end
  end
end

function writers.whole(hooks)
  local bad_index, bad_value = hooks.bad_index, hooks.bad_value
  return function(self, key, value)
    if type(key) == "number" and key >= 0 and key < self._few and floor(key) == key or is_inside(self, key) then
      if type(value) == "number" and value >= self._low and value <= self._high and floor(value) == value then
        self._data[key] = value
      elseif not store_slowly(self, key, value) then
        local problem = bad_value(self, key, value)
        if problem then error(problem, 2) end
      end
    else
      error(bad_index(self, key), 2)
    end
  end
end

--- Makes the array types.
-- @tparam table hooks methods and operators (metamethods) by name, and functions that return the text of an error:
-- bad_index(array, key), bad_value(array, index, value), inexact(array, index), unmapped(array); bad_value returns nil
-- if it has stored the value
-- @treturn table by code: {type = ctype, layout = layout}
function element.make_types(hooks)
  local made = {}
  for _, layout in ipairs(element.layouts) do
    local bound = layout.bound or "double"
    -- The name makes each text unique: busted remembers ffi.typeof's results by it. The first fields are clue_array's.
    local text = "struct /* %s */ { %s *_data; int32_t _few, _code; double _count; int32_t _mapping; %s _low, _high; }"
    local shape = ffi.typeof(text:format(layout.name, layout.ctype, bound))
    code_of_ctype[tonumber(shape)] = layout.code
    local meta = {
      __index = readers[layout.reader or "direct"](hooks),
      __newindex = writers[layout.writer or "whole"](hooks),
      __len = function(self)
        if self._mapping == UNMAPPED then error(hooks.unmapped(self), 2) end
        return self._count
      end,
      __tostring = hooks.methods.describe,
      __gc = C.clue_array_finalise,
    }
    for name, operator in pairs(hooks.operators) do meta[name] = operator end
    if layout.name == "uchar" then element.bytes = shape end
    made[layout.code] = {layout = layout, type = ffi.metatype(shape, meta)}
  end
  return made
end

return element
