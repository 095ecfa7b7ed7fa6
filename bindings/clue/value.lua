--- Typed numbers: value.float(1), value.int(3), ... for kernel arguments whose type cannot be found out. There is a
-- function for each type (char, uchar, short, ushort, int, uint, long, ulong, half, float, double). Each takes a
-- number that the type can hold; the 64-bit ones also take decimal text. Values cannot be changed. @{clue.vector} makes
-- values of several numbers, float4(1, 2, 3, 4).
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local public = require "clue.public"
local shown = require "clue.shown"
local typed = require "clue.typed"

local value = {}

local function read(cell)
  return cell[0]
end

for name in pairs(binding.type_codes) do
  local cell -- one element, made at first use: it checks what the type can hold
  --- A number of the type of this name, for arguments of kernels.
  -- @function value.TYPE
  -- @tparam number|string|value given decimal text for 64 bits
  -- @treturn value
  value[name] = function(given)
    cell = cell or array[name](1)
    local contents = typed.contents(given)
    if contents then given = contents.stored or given end
    if not pcall(function() cell[0] = given end) then
      argument.fail("the value cannot be %s: %s", shown.of(given), array.holds(name))
    end
    local decimal = cell:decimal(0)
    local is_exact, stored = pcall(read, cell)
    return (typed.new {type = name, number = given, stored = is_exact and stored or decimal,
                       text = function() return decimal end, bytes = binding.array_bytes(cell, 0, 1)})
  end
end

local function contents_of(self)
  return typed.contents(self) or argument.refuse("self", "a typed value", self)
end

--- Recognises a typed value.
-- @param thing anything
-- @treturn boolean
function value.is(thing)
  return typed.contents(thing) ~= nil
end

--- The type of a value.
-- @tparam value self
-- @treturn string "float", "float4"
function value.type(self)
  return contents_of(self).type
end

--- The binding's code for the type of a value.
-- @tparam value self
-- @treturn ?number nil for a vector
function value.type_code(self)
  return binding.type_codes[contents_of(self).type]
end

--- The number or text that a value was made from.
-- @tparam value self
-- @treturn ?number|string the number, or the decimal text; nil for a vector
function value.number(self)
  return contents_of(self).number
end

--- The bytes of a value.
-- @tparam value self
-- @treturn string as a kernel argument takes them
function value.bytes(self)
  return contents_of(self).bytes
end

public.add("value.", {is = value.is, type = value.type, type_code = value.type_code, number = value.number,
  bytes = value.bytes})
public.add("", value) -- messages call cl.float float

return value
