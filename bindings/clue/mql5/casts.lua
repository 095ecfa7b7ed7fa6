--- MQL5's casts: int(3.7) is 3, uchar(300) is 44. They give plain numbers, so int(3) == 3, and the result goes wherever
-- a number goes. A kernel's argument needs no cast: a plain number takes the type that the kernel declares. Only a long
-- or ulong that a double cannot hold is a typed value (clue.value), for arguments and elements of arrays.
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local check = require "clue.mql5.check"
local numbers = require "clue.number"
local shown = require "clue.shown"
local typed = require "clue.typed"
local value = require "clue.value"

local ceil, floor = math.ceil, math.floor

local casts = {}

local BITS = ", whole numbers of up to 64 bits"

local function refuse(name, given, more)
  argument.fail("the value cannot be %s: %s converts numbers, booleans and decimal text%s", shown.of(given), name,
    more or "")
end

-- A text as a number, or as its digits if a double cannot hold them; nil if it is neither.
local function read(text)
  local number = text:find "^%s*[+-]?%.?%d" and numbers.read(text)
  local digits = text:match "^%s*([+-]?%d+)%s*$"
  if number and digits and not check.holds(number + 0.0, digits) then return digits end
  return number
end

-- What is no number, as one, or as decimal digits if a double cannot hold it.
local function operand(name, given)
  if type(given) == "boolean" then return given and 1 or 0 end
  local contents, number = typed.contents(given), nil
  if contents then number = contents.stored end
  if type(given) == "string" then number = read(given) end
  return number or refuse(name, given)
end

-- ---- whole numbers: fractions are dropped, higher bits too ----

-- The whole part of a number of 64 bits.
local function truncated(name, number)
  local whole = (number < 0 and ceil(number) or floor(number)) + 0 -- not -0
  if not (whole >= -2 ^ 63 and whole < 2 ^ 64) then refuse(name, number, BITS) end -- NaN, too
  return whole
end

local function first(elements)
  return elements[0]
end

-- The low bits of a number or of decimal digits, as a type has them.
local function reinterpreted(name, number)
  local digits = type(number) == "number" and (number < 0 and check.show(number) or ("%.0f"):format(number)) or number
  local source, target = array[digits:find "-" and "long" or "ulong"](1), array[name](1)
  if not pcall(function() source[0] = digits end) then refuse(name, number, BITS) end
  binding.array_set_bytes(target, 0, binding.array_bytes(source, 0, 1):sub(1, binding.type_sizes[name]))
  local is_exact, result = pcall(first, target)
  return is_exact and result or value[name](target:decimal(0))
end

local function narrow(name, limit, greatest)
  return function(given)
    local number = given
    if type(number) ~= "number" then number = operand(name, number) end
    if type(number) == "string" then return (reinterpreted(name, number)) end
    local rest = truncated(name, number) % limit
    return rest > greatest and rest - limit or rest
  end
end

local function wide(name, least, limit)
  return function(given)
    local number = given
    if type(number) ~= "number" then number = operand(name, number) end
    if type(number) == "number" then
      number = truncated(name, number)
      if number >= least and number < limit then return number end
    end
    return (reinterpreted(name, number))
  end
end

-- ---- numbers with a fraction ----

local function rounded(name)
  local cell -- one element, made at first use
  return function(given)
    local number = given
    if type(number) ~= "number" then number = operand(name, number) end
    cell = cell or array[name](1)
    number = (tonumber(number) or numbers.read(number)) + 0.0
    if not pcall(function() cell[0] = number end) then
      argument.fail("the value cannot be %s: %s", shown.of(given), array.holds(name))
    end
    return cell[0]
  end
end

local made = {
  char = narrow("char", 256, 127), uchar = narrow("uchar", 256, 255),
  short = narrow("short", 65536, 32767), ushort = narrow("ushort", 65536, 65535),
  int = narrow("int", 4294967296, 2147483647), uint = narrow("uint", 4294967296, 4294967295),
  long = wide("long", -2 ^ 63, 2 ^ 63), ulong = wide("ulong", 0, 2 ^ 64),
  half = rounded "half", float = rounded "float", double = rounded "double",
}

for name, convert in pairs(made) do
  --- Converts a number to the type of this name, as MQL5's cast does.
  -- @function casts.TYPE
  -- @tparam number|boolean|string|value given whole types drop its fraction and wrap, float and half round; raises for
  -- NaN and for what has more than 64 bits, or is beyond a float
  -- @treturn number a long or ulong that a double cannot hold is a typed value
  casts[name] = function(given)
    return (convert(given))
  end
end

return {names = casts}
