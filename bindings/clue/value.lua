--- Typed numbers: value.float(1), value.int(3), ... for kernel arguments whose type a plain number does not tell.
-- One function per type (char, uchar, short, ushort, int, uint, long, ulong, half, float, double); each takes a
-- number that the type holds, the 64-bit ones also decimal text. Values do not change.
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local public = require "clue.public"

local value = {}

local contents = setmetatable({}, {__mode = "k"}) -- of every value: it is empty itself, so that it cannot change

local kind = {__metatable = "typed value"}

function kind.__newindex()
  error("a typed value does not change: make another one", 2)
end

function kind.__tostring(self)
  return ("%s(%s)"):format(contents[self].type, contents[self].text)
end

function kind.__eq(left, right)
  local one, other = contents[left], contents[right] -- Lua 5.4 asks for what is no value, too
  return one ~= nil and other ~= nil and one.type == other.type and one.bytes == other.bytes
end

for name in pairs(binding.type_codes) do
  local cell -- one element, made at first use: it knows what the type holds
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

--- Its type.
-- @tparam value self
-- @treturn string "float"
function value.type(self)
  return contents_of(self).type
end

--- Its type, as the binding counts types.
-- @tparam value self
-- @treturn number
function value.type_code(self)
  return binding.type_codes[contents_of(self).type]
end

--- What it was made of.
-- @tparam value self
-- @treturn number|string the number, or the decimal text
function value.number(self)
  return contents_of(self).number
end

--- Its memory.
-- @tparam value self
-- @treturn string the bytes, as a kernel argument takes them
function value.bytes(self)
  return contents_of(self).bytes
end

public.add("value.", {is = value.is, type = value.type, type_code = value.type_code, number = value.number,
  bytes = value.bytes})
public.add("", value) -- float(1): scripts of MQL5 have the types as globals

return value
