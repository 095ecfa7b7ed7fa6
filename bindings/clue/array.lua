--- Typed arrays: zero-based, contiguous memory of one OpenCL type, which kernels' buffers are written from and read
-- into. One function per type: array.float(n) makes n zeros, array.float(n, 5) n fives, array.float{1, 2, 3} takes a
-- Lua table's elements; types are char, uchar, short, ushort, int, uint, long, ulong, half, float and double.
--
--     local a = array.float(1000):random(-0.5, 0.5, 7)
--     a[0] = 2 * a[999]
--
-- a[i] runs from 0 to #a - 1. An index outside, a fraction, and a value that the type cannot hold raise an error.
-- 64-bit elements read as Lua numbers; one that a double does not hold (2^53 + 1) raises on every Lua and names
-- a:decimal(i), its decimal text. Such a value is stored from text: a[i] = "9007199254740993". Memory is freed by the
-- collector. On LuaJIT element access compiles to a load or store, elsewhere it is a call; the bulk work is done in C.
local binding = require "clue.binding"
local shapes = require "clue.shape"
local text = require "clue.array_text"

local floor = math.floor

local names = {}
for name, code in pairs(binding.type_codes) do names[code] = name end

local array, methods = {}, {}

for name, method in pairs(require "clue.array_matrix") do methods[name] = method end

array.holds = text.holds

-- ---- making arrays ----------------------------------------------------------------------------------------------

local function store_all(self, elements, count)
  for i = 1, count do self[i - 1] = elements[i] end
end

-- A table that counts from 0, has holes or names would lose elements without a word.
local function check_keys(name, elements)
  local count = #elements
  for key in pairs(elements) do
    if type(key) ~= "number" or key < 1 or key > count or floor(key) ~= key then
      local told = type(key) == "number" and text.number(key) or '"' .. tostring(key) .. '"'
      error(("array.%s: the table has an element %s: it takes elements 1 to #t without holes"):format(name, told), 4)
    end
  end
  for i = 1, count do
    if elements[i] == nil then
      error(("array.%s: the table has no element %d: it takes elements 1 to #t without holes"):format(name, i), 4)
    end
  end
end

local function make(name, elements)
  if type(elements) == "table" then check_keys(name, elements) end
  local count = type(elements) == "table" and #elements or elements
  if not text.is_count(count) then
    error(("array.%s takes a length, 0 or more, or a table of numbers, not %s"):format(name, text.shown(count)), 3)
  end
  local self = binding.array_create(binding.type_codes[name], count)
  if not self then error(text.no_memory(name, count), 3) end
  if type(elements) == "table" then
    local stored, problem = pcall(store_all, self, elements, count)
    if not stored then error((problem:gsub("^.-:%d+: ", "")), 3) end -- the text, with the caller's line before it
  end
  return self
end

-- What stands behind the length: every element's value. A table gives each its own, and nothing goes unread.
local function check_rest(name, elements, count, value)
  if count > 1 or (value ~= nil and type(elements) == "table") then
    error(("array.%s takes a length and a value, or a table of numbers: what follows it is not read"):format(name), 3)
  elseif value ~= nil and type(value) ~= "number" then
    error(("array.%s: a value for all elements is a number, not %s"):format(name, text.shown(value)), 3)
  end
end

for name in pairs(binding.type_codes) do
  array[name] = function(elements, ...)
    local value = ...
    check_rest(name, elements, select("#", ...), value)
    local self = make(name, elements)
    if value ~= nil and #self > 0 and not binding.array_fill(self, value, 0, #self) then
      error(text.bad_value(self, 0, value), 2)
    end
    return self
  end
end

--- Recognises an array.
-- @param value anything
-- @treturn boolean
function array.is(value)
  return binding.array_code(value) ~= nil
end

--- What can be asked of an array: for whoever lists it, as a prompt does.
-- @treturn table functions by name
function array.methods()
  local copy = {}
  for name, method in pairs(methods) do copy[name] = method end
  return copy
end

-- ---- methods ----------------------------------------------------------------------------------------------------

-- Completes first and count (default: from first to the end) and refuses what is not inside.
local function range(self, first, count)
  first = first == nil and 0 or first
  count = count == nil and type(first) == "number" and #self - first or count
  if text.is_count(first) and text.is_count(count) and first + count <= #self then return first, count end
  error(("%s elements from %s on are not all inside %s"):format(text.shown(count), text.shown(first),
    text.shape(self)), 3)
end

--- @treturn string the element type's name, "float"
function methods.type(self)
  text.check_self(self, "type")
  return names[binding.array_code(self)]
end

--- @treturn number the size in bytes
function methods.bytes(self)
  text.check_self(self, "bytes")
  return #self * binding.type_sizes[names[binding.array_code(self)]]
end

--- Sets elements to one value.
-- @tparam number value
-- @tparam ?number first from this element on (0)
-- @tparam ?number count so many (to the end)
-- @return the array
function methods.fill(self, value, first, count)
  text.check_self(self, "fill")
  if type(value) ~= "number" then error(("a fill value is a number, not a %s"):format(type(value)), 2) end
  first, count = range(self, first, count)
  if not binding.array_fill(self, value, first, count) then error(text.bad_value(self, first, value), 2) end
  return self
end

--- Fills with uniform random numbers: from low up to, not including, high; integer types: whole numbers, high
-- included. One seed gives the same numbers on every machine.
-- @tparam ?number low (0)
-- @tparam ?number high (1)
-- @tparam ?number seed (0)
-- @return the array
function methods.random(self, low, high, seed)
  text.check_self(self, "random")
  low, high, seed = low == nil and 0 or low, high == nil and 1 or high, seed == nil and 0 or seed
  for _, given in ipairs { low, high, seed } do
    if type(given) ~= "number" then error(("low, high and seed are numbers, not a %s"):format(type(given)), 2) end
    if text.is_inexact(given) then error(("a double does not hold %s exactly"):format(text.number(given)), 2) end
  end
  if not binding.array_random(self, low, high, seed) then
    error(("%s has no random numbers from %s to %s"):format(text.shape(self), text.number(low), text.number(high)), 2)
  end
  return self
end

local function copy_part(self, first, count)
  local name = names[binding.array_code(self)]
  local twin = binding.array_create(binding.type_codes[name], count)
  if not twin then error(text.no_memory(name, count), 3) end
  binding.array_convert(twin, 0, self, first, count)
  return twin
end

--- @tparam ?number first from this element on (0)
-- @tparam ?number count so many (to the end)
-- @return an array of the same type with these elements
function methods.copy(self, first, count)
  text.check_self(self, "copy")
  first, count = range(self, first, count)
  local twin = copy_part(self, first, count)
  return twin
end

--- Copies elements of another array into this one, converting types; raises where this type cannot hold one, the
-- elements before it are copied then.
-- @param source an array
-- @tparam ?number source_first from this element of source on (0)
-- @tparam ?number first to this element on (0)
-- @tparam ?number count so many (to source's end)
-- @return the array
function methods.copy_from(self, source, source_first, first, count)
  text.check_self(self, "copy_from")
  if not array.is(source) then
    error(("copy_from takes an array, not a %s: array.%s(...) makes one of a table"):format(
      type(source), names[binding.array_code(self)]), 2)
  end
  if text.is_unmapped(source) then error(text.unmapped(source), 2) end
  source_first, count = range(source, source_first, count)
  first, count = range(self, first == nil and 0 or first, count)
  local stop = binding.array_convert(self, first, source, source_first, count)
  if stop then
    error(text.not_held(self, first + stop, binding.array_print(source, source_first + stop)), 2)
  end
  return self
end

--- Compares with an array of the same type.
-- @param other
-- @tparam ?number tolerance differences up to this are none (0); NaN equals NaN
-- @treturn ?number the first index where they differ (where one ends, too); nil: they are equal
function methods.compare(self, other, tolerance)
  text.check_self(self, "compare")
  if not array.is(other) or binding.array_code(other) ~= binding.array_code(self) then
    local what = array.is(other) and text.shape(other) or "a " .. type(other)
    error(("%s does not compare with %s: copy_from converts types"):format(text.shape(self), what), 2)
  end
  if text.is_unmapped(other) then error(text.unmapped(other), 2) end
  tolerance = tolerance == nil and 0 or tolerance
  if type(tolerance) ~= "number" then error(("a tolerance is a number, not a %s"):format(type(tolerance)), 2) end
  local count = math.min(#self, #other)
  local index = binding.array_compare(self, other, count, tolerance)
  if index then return index end
  if #self ~= #other then return count end
  return nil
end

--- @treturn table the elements, from 1; raises for a 64-bit one that a double does not hold
function methods.table(self)
  text.check_self(self, "table")
  local elements = {}
  for i = 0, #self - 1 do elements[i + 1] = self[i] end
  return elements
end

--- Changes the length in place: elements are kept as far as they fit, new ones are 0. Waits for transfers that use the
-- array.
-- @tparam number count
-- @return the array
function methods.resize(self, count)
  text.check_self(self, "resize")
  if not text.is_count(count) then
    error(("a length is a whole number, 0 or more, not %s"):format(text.shown(count)), 2)
  end
  local owner = binding.array_owner(self)
  if owner == "mapping" then error(text.shape(self) .. " is mapped: it keeps its size until queue:unmap", 2) end
  if owner then error(text.shape(self) .. " is the memory of a buffer (use_host_ptr): it keeps its size", 2) end
  local done = binding.array_resize(self, count)
  if done == nil then error(text.no_memory(names[binding.array_code(self)], count), 2) end
  if not done then error(("%s keeps its size: %s"):format(text.shape(self), binding.error().detail), 2) end
  shapes.set(self, nil)
  return self
end

-- ---- files ------------------------------------------------------------------------------------------------------

--- Writes the array to a file, as its name ends: .npy (NumPy's, with type and shape), .csv (a row a line) or .json (a
-- list, of a matrix a list of rows). Raises an error object where that is not possible.
-- @tparam string path
-- @return the array
function methods.save(self, path)
  text.check_self(self, "save")
  require("clue.array_file").save(self, path)
  return self
end

--- Reads an array from NumPy's .npy file: integers, booleans (as uchar) and floating-point numbers of one or two
-- dimensions, in either byte order, by rows or by columns. Raises an error object where that is not possible.
-- @tparam string path
-- @treturn array a matrix where the file has two dimensions
function array.load(path)
  return (require("clue.array_file").load(path))
end

--- @treturn number the sum of all elements, as a double
function methods.sum(self)
  text.check_self(self, "sum")
  return binding.array_sum(self)
end

--- Where the least and the greatest element are; NaN is neither.
-- @treturn ?number the index of the least, the first of equal ones; nil where there is none
-- @treturn ?number that of the greatest
-- @treturn number how many elements are NaN
function methods.extremes(self)
  text.check_self(self, "extremes")
  local least, greatest, unordered = binding.array_extremes(self)
  return least, greatest, unordered
end

--- @tparam number index
-- @treturn string the element as decimal text, exact for every 64-bit value
function methods.decimal(self, index)
  text.check_self(self, "decimal")
  if not text.is_count(index) or index >= #self then error(text.bad_number(self, index), 2) end
  return binding.array_print(self, index)
end

--- For loops: `for i, element in a:each() do`.
-- @treturn function the iterator, with its state and its start
function methods.each(self)
  text.check_self(self, "each")
  return function(of, index)
    index = index + 1
    if index < #of then return index, of[index] end
    return nil
  end, self, -1
end

--- @treturn string what tostring gives: "float[6] {0, 1, 2, ...}"; "float[unmapped]" of one that was unmapped
function methods.describe(self)
  if text.is_unmapped(self) then return text.shape(self) end
  local elements = {}
  for i = 0, math.min(#self, 3) - 1 do elements[i + 1] = binding.array_print(self, i) end
  if #self > 3 then elements[4] = "..." end
  return ("%s {%s}"):format(text.shape(self), table.concat(elements, ", "))
end

binding.array_setup {
  methods = methods, bad_index = text.bad_index, bad_value = text.bad_value, inexact = text.inexact,
  unmapped = text.unmapped,
}

return array
