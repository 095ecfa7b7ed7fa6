--- Typed arrays: zero-based, contiguous memory of one OpenCL type, from which kernels' buffers are written and into
-- which they are read. Each type has a function: array.float(n) makes n zeros, array.float(n, 5) n fives,
-- array.float{1, 2, 3} takes a Lua table's elements. Types are char, uchar, short, ushort, int, uint, long, ulong,
-- half, float and double. array.char "text" and array.uchar "text" take the bytes of a text, without a zero after them.
--
--     local a = array.float(1000):random(-0.5, 0.5, 7)
--     a[0] = 2 * a[999]
--     for i, element in a do print(i, element) end
--
-- Options may follow the length, the table or the text, as in array.float(n, {alignment = 2^16}): `alignment` of the
-- memory in bytes, a power of two (a page, 4096, which is also the least); and `huge_pages = true`, which makes the
-- memory begin with a huge page and takes all of them at once. Without it, large arrays ask the system for huge pages
-- where they fit, and take them when they are used. a:huge_pages() says what the system gave.
--
-- a[i] runs from 0 to #a - 1. An index outside, a fraction, and a value that the type cannot hold raise an error.
-- 64-bit elements are read as Lua numbers. Reading one that a double cannot hold (2^53 + 1) raises on every Lua; the
-- error names a:decimal(i), its decimal text. Such a value is stored from text: a[i] = "9007199254740993". The
-- collector frees the memory. On LuaJIT element access compiles to a load or store, elsewhere it is a call; bulk work
-- is done in C.
local argument = require "clue.argument"
local binding = require "clue.binding"
local bytes = require "clue.array.bytes"
local foreign = require "clue.foreign"
local placement = require "clue.array.placement"
local public = require "clue.public"
local seeds = require "clue.array.seed"
local shapes = require "clue.shape"
local shown = require "clue.shown"
local text = require "clue.array.text"
local typed = require "clue.typed"

local floor = math.floor
local type_of = shown.type_of

local array, methods = {}, {}

for _, part in ipairs {require "clue.array.matrix", require "clue.array.figures", require "clue.array.compare",
                       bytes.methods, placement.methods} do
  for name, method in pairs(part) do methods[name] = method end
end

--- What a type holds, in words.
-- @tparam string name "uchar"
-- @treturn string "uchar holds whole numbers from 0 to 255"
function array.holds(name)
  argument.word(name, binding.type_codes, "type")
  return text.holds(name)
end

array.seed = seeds.seed

-- ---- making arrays ----------------------------------------------------------------------------------------------

-- A table that counts from 0, or has holes or names, would silently lose elements.
local function check_keys(elements)
  local count = #elements
  for key in pairs(elements) do
    if type(key) ~= "number" or key < 1 or key > count or floor(key) ~= key then
      argument.fail("the table has an element %s: elements must be 1 to #t without holes", shown.of(key))
    end
  end
  for i = 1, count do
    if elements[i] == nil then
      argument.fail("the table has no element %d: elements must be 1 to #t without holes", i)
    end
  end
end

-- The binding stores numbers that fit. Everything else is stored here, or refused.
local function store_all(self, elements)
  local stop = binding.array_load_table(self, elements, 1)
  if not stop and binding.table_keys(elements) == #self then return end
  check_keys(elements)
  while stop do
    local stored, problem = pcall(function() self[stop - 1] = elements[stop] end)
    if not stored then argument.fail("%s", (problem:gsub("^.-:%d+: ", ""))) end -- without clue's own line
    stop = stop < #self and binding.array_load_table(self, elements, stop + 1) or nil
  end
end

local function make(name, elements, options)
  local listed, chars = argument.is_plain(elements), bytes.is_text(name, elements)
  local count = (listed or chars) and #elements or elements
  if not text.is_count(count) then
    argument.refuse("elements", "a length, a whole number of 0 or more, or a table of numbers", count)
  end
  local self = binding.array_create(binding.type_codes[name], count, options.alignment, options.huge_pages)
  if not self then argument.fail("%s", text.no_memory(name, count)) end
  if listed then store_all(self, elements) end
  if chars then binding.array_set_bytes(self, 0, elements) end
  return self
end

-- What follows the length or the elements: the value for all elements, or options. Refuses everything else, which
-- would be ignored.
local function rest(elements, count, given)
  if count <= 1 and argument.is_plain(given) then return nil, placement.options(given) end
  if count > 1 or (given ~= nil and type(elements) ~= "number") then
    argument.fail("give a length and a value, or only a table of numbers")
  end
  if given ~= nil then argument.typed(given, "number", "the value for all elements", "a number") end
  return given, {}
end

for name in pairs(binding.type_codes) do
  --- Makes an array of the type of this name.
  -- @function array.TYPE
  -- @tparam number|table|string elements how many, all 0; or the elements, from 1; for char and uchar also a text
  -- @param ... the value of all elements, or options: alignment in bytes, huge_pages
  -- @treturn array
  array[name] = function(elements, ...)
    local value, options = rest(elements, select("#", ...), (...))
    local self = make(name, elements, options)
    if value ~= nil and #self > 0 and not binding.array_fill(self, value, 0, #self) then
      argument.fail("%s", text.bad_value(self, 0, value))
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

--- The methods of arrays, for completion at the prompt.
-- @treturn table functions by name
function array.methods()
  local copy = {}
  for name, method in pairs(methods) do copy[name] = method end
  return copy
end

-- ---- methods ----------------------------------------------------------------------------------------------------

-- Fills in first and count (default: from first to the end), and refuses a range that is not inside.
local function range(self, first, count)
  first = first == nil and 0 or first
  count = count == nil and type(first) == "number" and math.max(#self - first, 0) or count
  if text.is_count(first) and text.is_count(count) and first + count <= #self then return first, count end
  if type(first) ~= "number" then argument.refuse("first", "a whole number of 0 or more", first) end
  if type(count) ~= "number" then argument.refuse("count", "a whole number of 0 or more", count) end
  argument.fail("%s", text.outside(self, first, count))
end

--- @treturn string the element type's name, "float"
function methods:type()
  text.check_self(self)
  return type_of(self)
end

--- @treturn number the size in bytes
function methods:bytes()
  text.check_self(self)
  return #self * binding.type_sizes[type_of(self)]
end

--- Sets elements to one value.
-- @tparam number value
-- @tparam ?number first the first element (0)
-- @tparam ?number count how many elements (to the end)
-- @treturn array itself
function methods:fill(value, first, count)
  text.check_self(self)
  argument.typed(value, "number", "value")
  first, count = range(self, first, count)
  if not binding.array_fill(self, value, first, count) then argument.fail("%s", text.bad_value(self, first, value)) end
  return self
end

--- Fills with uniform random numbers from low up to, not including, high; for integer types whole numbers, including
-- high. One seed gives the same numbers on every machine. Without a seed every call gets other numbers;
-- array.seed() returns the seed to repeat them. The generator is Philox4x32-10; clue_array_random in clue.h says how
-- its words become numbers, and how unequal the probabilities of integers are: by a factor of at most
-- 1 + (high - low + 1) / 2^32.
-- @tparam ?number low (0)
-- @tparam ?number high (1)
-- @tparam ?number seed any number (a new one at every call)
-- @treturn array itself
function methods:random(low, high, seed)
  text.check_self(self)
  low, high, seed = low == nil and 0 or low, high == nil and 1 or high, seed == nil and seeds.take() or seed
  argument.typed(low, "number", "low")
  argument.typed(high, "number", "high")
  argument.typed(seed, "number", "seed")
  for _, given in ipairs {low, high, seed} do
    if text.is_inexact(given) then argument.fail("a double cannot hold %s exactly", shown.number(given)) end
  end
  if not binding.array_random(self, low, high, seed) then
    argument.fail("%s has no random numbers from %s to %s", text.shape(self), shown.number(low),
      shown.number(high))
  end
  return self
end

--- Makes an array with elements of this one. Only the collector frees it, so in a loop copying into one array by
-- copy_from() is quicker: up to four times.
-- @tparam ?number first the first element (0)
-- @tparam ?number count how many elements (to the end)
-- @treturn array of the same type with these elements
function methods:copy(first, count)
  text.check_self(self)
  first, count = range(self, first, count)
  local twin = binding.array_copy(self, first, count)
  if not twin then argument.fail("%s", text.no_memory(type_of(self), count)) end
  return twin
end

--- Copies elements of another array into this one and converts types. If this type cannot hold an element, it raises;
-- the elements before it are then copied.
-- @param source an array
-- @tparam ?number source_first the first element of source (0)
-- @tparam ?number first the element of this array to start at (0)
-- @tparam ?number count how many elements (to source's end)
-- @treturn array itself
function methods:copy_from(source, source_first, first, count)
  text.check_self(self)
  argument.array(source, "source")
  source_first, count = range(source, source_first, count)
  first, count = range(self, first == nil and 0 or first, count)
  local stop = binding.array_convert(self, first, source, source_first, count)
  if stop then
    argument.fail("%s", text.not_held(self, first + stop, binding.array_print(source, source_first + stop)))
  end
  return self
end

--- @treturn table the elements, from 1; raises for a 64-bit element that a double cannot hold
function methods:table()
  text.check_self(self)
  local elements, inexact = binding.array_to_table(self)
  if not elements then argument.fail("%s", text.inexact(self, inexact)) end
  return elements
end

--- The same loop as `for i, element in a do`.
-- @treturn array
function methods:each()
  text.check_self(self)
  return self
end

--- Changes the length in place. Elements are kept as far as they fit; new ones are 0. Waits for transfers that use
-- the array. The memory keeps its alignment and its huge pages; without elements there is none to keep them.
-- @tparam number count
-- @treturn array itself
function methods:resize(count)
  text.check_self(self)
  argument.whole(count, "count", 0)
  local owner = binding.array_owner(self)
  if owner == "mapping" then argument.fail("%s is mapped: it keeps its size until queue:unmap", text.shape(self)) end
  if owner then
    argument.fail("%s is the memory of a buffer (use_host_ptr): it keeps its size", text.shape(self))
  end
  if shapes.owner(self) then argument.fail("%s belongs to %s", text.shape(self), shapes.owner(self)) end
  local done = binding.array_resize(self, count)
  if done == nil then argument.fail("%s", text.no_memory(type_of(self), count)) end
  if not done then argument.fail("%s keeps its size: %s", text.shape(self), binding.error().detail) end
  shapes.set(self, nil)
  return self
end

-- ---- files ------------------------------------------------------------------------------------------------------

--- Writes the array to a file in the format that its name ends in: .npy (NumPy's, with type and shape), .csv (a row
-- per line) or .json (a list; for a matrix a list of rows). Raises an error object on failure.
-- @tparam string path
-- @treturn array itself
function methods:save(path)
  text.check_self(self)
  argument.text(path, "path", "the path of a file")
  require("clue.array.file").save(self, path)
  return self
end

--- Reads an array from NumPy's .npy file: integers, booleans (as uchar) and floating-point numbers of one or two
-- dimensions, in either byte order, by rows or by columns. Raises an error object on failure.
-- @tparam string path
-- @treturn array a matrix if the file has two dimensions
function array.load(path)
  argument.text(path, "path", "the path of a file")
  return (require("clue.array.file").load(path, array))
end

-- ---- operators --------------------------------------------------------------------------------------------------

local operators = {}

-- What arrays do not do, reported before Lua reports a "struct 1106".
local function refuse_operator(list, problem, remedy)
  for name in list:gmatch "%S+" do
    operators["__" .. name] = function(left, right)
      local self = array.is(left) and left or right
      argument.fail("%s %s: %s", shown.of(self), problem, remedy)
    end
  end
end

refuse_operator("add sub mul div mod pow unm idiv band bor bxor shl shr bnot", "has no arithmetic",
  "queue:array(a) is one on the device, which has; a[i] is an element, a:fill(x) and a:sum() work on all of them")
refuse_operator("concat", "is not a text", "use tostring(a), or a:decimal(i) for an element")
refuse_operator("lt le", "is neither less nor greater", "compare elements (a[i]), or a:compare(b)")

-- for i, element in a do: the loop calls the array for each element, with nil and the index before, which is checked
-- since scripts can call an array too.
local function refuse_call(self)
  argument.fail("%s cannot be called: a[i] is an element, a:fill(x) calls a method", shown.of(self))
end

function operators.__call(self, ...)
  local state, index = ...
  if select("#", ...) ~= 2 or state ~= nil then refuse_call(self) end
  if index ~= nil and (type(index) ~= "number" or index < 0 or index % 1 ~= 0) then refuse_call(self) end
  index = index and index + 1 or 0
  if index < #self then return index, self[index] end
  return nil
end

local function store(self, index, number)
  self[index] = number
end

-- What the binding does not store as an element: a typed value (clue.value) is stored here, all else refused.
local function store_typed(self, index, given)
  local contents = typed.contents(given)
  if contents and contents.stored and pcall(store, self, index, contents.stored) then return nil end
  return text.bad_value(self, index, given)
end

setmetatable(methods, {__index = foreign "array"})

binding.array_setup {
  methods = methods, operators = operators, bad_index = text.bad_index, bad_value = store_typed,
  inexact = text.inexact, unmapped = text.unmapped,
}

public.add("array.", array)
public.add("array:", methods)

return array
