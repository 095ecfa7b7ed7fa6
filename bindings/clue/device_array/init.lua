--- Arrays on the device that compute. Made by queue:array(); operators and functions apply to each element.
--
--     local a, b = queue:array(array.float(1000):random()), queue:array(array.float(1000):random())
--     print((a - b):abs():max())
--     local c = (2 * a + b):sqrt()          -- not computed yet
--     c:read()                              -- computes it, in one kernel, and gives a host array
--
-- An operation gives a new array that is computed when its elements are needed: by a reduction, read(), assign(),
-- compute(), tostring. All operations up to there become one kernel. It is an error to need an array after an array
-- that it was made of was changed: compute() it before.
--
-- Operands may have different extents: they are aligned at the last dimension, and an extent of 1 stretches to the
-- other's. The type of the result is the smallest that holds the elements of both; a number takes the array's type. /
-- and ^ of whole numbers are real: float for up to 16 bits, else double; so are whole numbers with a fraction. Whole
-- numbers wrap around.
--
-- A part, a:slice("1:-1"), shares the array's memory, and so do reshape() and transpose() of an array that is computed.
-- @module clue.device_array
local argument = require "clue.argument"
local arrays = require "clue.array"
local binding = require "clue.binding"
local class = require "clue.device_array.class"
local enqueue = require "clue.enqueue"
local expression = require "clue.device_array.expression"
local extents = require "clue.device_array.extents"
local object = require "clue.object"
local public = require "clue.public"
local text = require "clue.text"

require "clue.device_array.memory"
require "clue.device_array.reduce"

local unpack = unpack or table.unpack -- luacheck: ignore

local device_array = {}
local methods, meta = class.methods, class.meta

-- ---- making -----------------------------------------------------------------------------------------------------

local function check_queue(queue)
  object.handle(queue, "queue")
  if queue.out_of_order then
    argument.fail("arrays need a queue that keeps the order of its commands, and this one is out of order")
  end
  return rawget(queue, "queue") or queue -- a view's
end

local function of_host(queue, given, wanted)
  local rows, columns = given:rows(), given:columns()
  if #given == 0 then argument.fail("source must be an array of at least one element: it is empty") end
  local made, count = extents.check(wanted or rows and {rows, columns} or #given)
  if count ~= #given then
    argument.fail("%s elements are asked for, but the array has %.0f", extents.text(made), #given)
  end
  local storage = class.storage(queue, given:type(), count)
  queue:write_buffer(storage.buffer, given)
  return class.over(queue, extents.whole(storage, made))
end

local function of_buffer(queue, given, type_name, wanted)
  argument.word(type_name, binding.type_codes, "type")
  local held = math.floor(enqueue.size_of(given) / binding.type_sizes[type_name])
  local made, count = extents.check(wanted or held)
  if count > held then
    argument.fail("%s elements are asked for, but the buffer holds %s of type %s", extents.text(made),
      text.count(held, "element"), type_name)
  end
  local storage = {buffer = given, version = 0, shared = true, type_name = type_name, count = held}
  return class.over(queue, extents.whole(storage, made))
end

local function of_type(queue, type_name, wanted)
  argument.word(type_name, binding.type_codes, "type")
  local made, count = extents.check(wanted)
  local storage = class.storage(queue, type_name, count)
  queue:fill_buffer(storage.buffer, 0, {type = "uchar"})
  return class.over(queue, extents.whole(storage, made))
end

-- Collects the numbers of a table of tables, and the length of the tables at each level.
local function collect(given, level, found)
  found.extents[level] = found.extents[level] or #given
  if #given ~= found.extents[level] or level > extents.MOST then
    argument.fail("a table of tables needs rows of equal length, and at most %d levels", extents.MOST)
  end
  for _, each in ipairs(given) do
    if argument.is_plain(each) then
      collect(each, level + 1, found)
    else
      found.depth = found.depth or level
      if level ~= found.depth then argument.fail("a table has either tables or numbers, not both") end
      found.numbers[#found.numbers + 1] = each
    end
  end
end

-- An array of the host of a table of numbers or of tables, {{1, 2}, {3, 4}}, and the extents of the latter.
local function of_table(given)
  if not argument.is_plain(given[1]) then return arrays.float(given), nil end
  local found = {extents = {}, numbers = {}}
  collect(given, 1, found)
  if #found.numbers == 0 then
    argument.fail("source must be an array of at least one element, got tables without numbers")
  end
  if #found.extents ~= found.depth then argument.fail("a table has either tables or numbers, not both") end
  return arrays.float(found.numbers), found.extents
end

--- Makes an array on the queue's device: queue:array(source, extents), or queue:array(buffer, type, extents).
-- @tparam queue queue in order
-- @tparam array|table|string|buffer source an array of the host or a table of numbers (float), which is copied;
--   tables of equal length in a table give the extents, {{1, 2}, {3, 4}}; a type's name: zeros; a buffer, whose memory
--   the array then shares: expressions of it are computed at once, since kernels may change it
-- @tparam[opt] number|table|string wanted the extents: a number, or a list of up to eight, the last one contiguous
--   (all elements; a matrix's rows and columns); for a buffer the type of its elements
-- @tparam[opt] number|table more a buffer's extents
-- @treturn device_array
function device_array.new(queue, source, wanted, more)
  queue = check_queue(queue)
  if type(source) == "string" then return (of_type(queue, source, wanted)) end
  if object.kind(source) == "buffer" then return (of_buffer(queue, source, wanted, more)) end
  if expression.is(source) then
    argument.refuse("source", "an array of the host, a table, a type or a buffer", source, "a:copy() copies it")
  end
  local nested
  if argument.is_plain(source) then source, nested = of_table(source) end
  return (of_host(queue, argument.array(source, "source"), wanted or nested))
end

-- ---- operators and functions ------------------------------------------------------------------------------------

for event, operator in pairs {__add = {"add", "+"}, __sub = {"subtract", "-"}, __mul = {"multiply", "*"},
                              __div = {"divide", "/"}, __mod = {"modulo", "%"}, __pow = {"power", "^"}} do
  --- Computes with each two elements; a number counts as an array of it. % has the sign of b.
  -- @function meta.OPERATOR
  -- @tparam device_array|number a
  -- @tparam device_array|number b
  -- @treturn device_array computed when it is needed
  meta[event] = function(a, b) return (expression.new(class, operator[1], {a, b})) end
  public.add("", {["device_array " .. operator[2]] = meta[event]})
end

function meta.__unm(a)
  return (expression.new(class, "negate", {a}))
end

-- a:sqrt()
for _, name in ipairs {"abs", "sign", "floor", "ceil", "round", "sqrt", "exp", "log", "sin", "cos", "tan", "tanh"} do
  --- The function of each element.
  -- @function methods.NAME
  -- @treturn device_array computed when it is needed
  methods[name] = function(self)
    class.check(self)
    return (expression.new(class, name, {self}))
  end
end

-- a:minimum(b), a:lt(b)
for _, name in ipairs {"minimum", "maximum", "lt", "le", "gt", "ge", "eq", "ne"} do
  --- The smaller, the greater (NaN wins), or whether a comparison holds, as uchar, 1 or 0, of each two elements.
  -- @function methods.COMPARISON
  -- @tparam device_array|number other
  -- @treturn device_array computed when it is needed
  methods[name] = function(self, other)
    class.check(self)
    return (expression.new(class, name, {self, other}))
  end
end

--- Chooses elements: of yes where this array's are not 0, else of no.
-- @tparam device_array|number yes
-- @tparam device_array|number no
-- @treturn device_array
function methods:where(yes, no)
  class.check(self)
  return (expression.new(class, "where", {self, yes, no}))
end

--- Converts the elements. For a type of whole numbers, fractions are cut off, as in C; what is out of range becomes
-- the nearest that the type holds, and NaN 0. For a type of real numbers they are rounded to the nearest.
-- @tparam string type_name "float"
-- @treturn device_array
function methods:to(type_name)
  class.check(self)
  argument.word(type_name, binding.type_codes, "type")
  if type_name == "double" and not self.queue.device:has_double() then argument.fail("the device has no double") end
  return (expression.new(class, "copy", {self}, type_name))
end

-- ---- what an array is -------------------------------------------------------------------------------------------

--- @treturn string the type of the elements, "float"
function methods:type()
  class.check(self)
  return self.type_name
end

--- @treturn {number,...} how many elements there are in each dimension
function methods:shape()
  class.check(self)
  return {unpack(self.extents)}
end

--- @treturn number how many elements there are
function methods:count()
  class.check(self)
  return extents.count(self.extents)
end

meta.__len = methods.count -- LuaJIT and Lua 5.1 do not call it

--- @treturn string "float[3 x 4]"
function methods:describe()
  class.check(self)
  return ("%s[%s]"):format(self.type_name, extents.text(self.extents))
end

--- Computes the array now.
-- @treturn device_array itself
function methods:compute()
  class.check(self)
  class.compute(self)
  return self
end

--- A copy of the array, in memory of its own.
-- @treturn device_array
function methods:copy()
  class.check(self)
  local copy = expression.new(class, "copy", {self})
  class.compute(copy)
  return copy
end

local SHOWN = 3 -- elements in tostring

function meta:__tostring()
  local host = self:reshape(self:count()):slice(":" .. SHOWN):read()
  local elements = {}
  for i = 0, #host - 1 do elements[i + 1] = host:decimal(i) end
  if self:count() > SHOWN then elements[#elements + 1] = "..." end
  return ("%s {%s} on the device"):format(self:describe(), table.concat(elements, ", "))
end

return device_array
