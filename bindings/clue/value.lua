--- Typed numbers: value.float(1), value.int(3), ... for kernel arguments whose type cannot be found out. There is a
-- function for each type (char, uchar, short, ushort, int, uint, long, ulong, half, float, double). Each takes a
-- number that the type can hold; the 64-bit ones also take decimal text. Values cannot be changed.
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local public = require "clue.public"

local value = {}

local contents = setmetatable({}, {__mode = "k"}) -- by value: the value itself is empty, so it cannot be changed

local kind = {__metatable = "typed value"}

function kind.__newindex()
  error("a typed value cannot be changed: make another one", 2)
end

function kind.__tostring(self)
  return ("%s(%s)"):format(contents[self].type, contents[self].text)
end

function kind.__eq(left, right)
  local one, other = contents[left], contents[right] -- Lua 5.4 also compares with other things
  return one ~= nil and other ~= nil and one.type == other.type and one.bytes == other.bytes
end

for name in pairs(binding.type_codes) do
  local cell -- one element, made at first use: it checks what the type can hold
  value[name] = function(given)
    cell = cell or array[name](1)
    if not pcall(function() cell[0] = given end) then
      argument.fail("the value cannot be %s: %s", argument.shown(given), array.holds(name))
    end
    local self = setmetatable({}, kind)
    contents[self] = {
      type = name,
      number = given,
      text = cell:decimal(0),
      bytes = binding.array_bytes(cell, 0, 1),
    }
    return self
  end
end

local function contents_of(self)
  return self ~= nil and contents[self] or argument.refuse("self", "a typed value", self)
end

--- Recognises a typed value.
-- @param thing anything
-- @treturn boolean
function value.is(thing)
  return thing ~= nil and contents[thing] ~= nil
end

--- The type of a value.
-- @tparam value self
-- @treturn string "float"
function value.type(self)
  return contents_of(self).type
end

--- The binding's code for the type of a value.
-- @tparam value self
-- @treturn number
function value.type_code(self)
  return binding.type_codes[contents_of(self).type]
end

--- The number or text that a value was made from.
-- @tparam value self
-- @treturn number|string the number, or the decimal text
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
public.add("", value) -- float(1): scripts of MQL5 have the types as globals

return value
