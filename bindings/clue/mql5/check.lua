--- Checks what scripts pass to MQL5 names. A wrong Lua type is a mistake in the script and raises, in the words of
-- clue.argument. A wrong value gives a reason, which the caller reports in MQL5's way.
--
-- Parameters with one meaning everywhere: name, of the function called; position, of the argument, from 1, or its name;
-- given, the argument; what, how the argument is called in a reason.
local argument = require "clue.argument"
local array = require "clue.array"
local numbers = require "clue.number"
local public = require "clue.public"
local shown = require "clue.shown"

local floor = math.floor

local check = {}

--- Raises "CLBufferWrite: data must be an array, got nil" at the script's line.
-- @tparam string name
-- @tparam number|string position
-- @tparam string expected
-- @param given
-- @tparam[opt] string remedy what to do about it
function check.refuse(name, position, expected, given, remedy)
  if expected == "nothing" then argument.refuse(("argument #%d"):format(position), "left out", given, remedy) end
  local parameter = type(position) == "string" and position or public.parameter(position, name)
  if expected == "handle" and array.is(given) then
    argument.fail("%s is %s on the host, not the handle of a buffer: CLBufferCreate makes a buffer, and CLBufferWrite "
      .. "writes the array to it", parameter, shown.of(given))
  end
  argument.refuse(parameter, shown.with_article(expected), given, remedy)
end

--- Raises if something is passed for one of MQL5's reference parameters: a variable there would silently keep its
-- value.
-- @tparam string name
-- @tparam number position of the parameter, from 1
-- @tparam string remedy where to find the value instead
-- @param ... what was passed
function check.output(name, position, remedy, ...)
  if select("#", ...) > 0 then check.refuse(name, position, "nothing", (...), remedy) end
end

local function type_checker(wanted)
  return function(name, position, given, expected)
    if type(given) ~= wanted then check.refuse(name, position, expected or wanted, given) end
    return given
  end
end

--- Each raises unless the argument has its type, and returns the argument: (name, position, given, [what is expected]).
check.number = type_checker("number")
check.string = type_checker("string")

-- What to do about a Lua table, which may hold texts: the parts that StringSplit gives, for example.
local for_table = {
  ArraySize = "#t is the length of a Lua table",
  ArrayResize = "array.float(0) makes one that grows, and a Lua table needs no ArrayResize",
}

--- Raises unless the argument is a typed array whose memory is not unmapped.
-- @treturn array the argument
function check.array(name, position, given)
  local kind = shown.kind_of(given)
  local is_plain = type(given) == "table" and not kind
  local remedy = is_plain and (for_table[name] or "array.float{...} makes one of a Lua table") or nil
  if kind == "matrix" or kind == "vector" then
    remedy = name:find "^CLBuffer" and ("a %s comes after the offset: %s(buffer, 0, m)"):format(kind, name)
      or "m:array() has its elements"
  end
  if array.is(given) then
    if not shown.is_unmapped(given) then return given end
    remedy = "queue:unmap released its memory; map it again"
  end
  check.refuse(name, position, "array", given, remedy)
end

local number_type = rawget(math, "type") -- only Lua 5.3 and later distinguish integers from floats

--- Whether a number is one of Lua 5.4's integers, which can be more exact than a double.
-- @treturn boolean
function check.is_integer(given)
  return number_type ~= nil and number_type(given) == "integer"
end

--- Shows a number as a user would write it: no exponent and no ".0" for whole numbers, no sign for nan and -0.
-- @tparam number given
-- @treturn string
function check.show(given)
  if given ~= given then return "nan" end
  if check.is_integer(given) then return ("%d"):format(given) end
  given = given + 0 -- -0 is 0
  return numbers.text(given == floor(given) and given >= -2 ^ 63 and given < 2 ^ 63 and "%.0f" or "%.17g", given)
end

--- Whether a number is exactly the one that digits say. Lua reads digits that it cannot hold as a number nearby.
-- @tparam number given
-- @tparam string digits with or without a sign and leading zeros
-- @treturn boolean
function check.holds(given, digits)
  local text = (check.is_integer(given) and "%d" or "%.0f"):format(given)
  return text:match "%d+" == digits:match "0*(%d+)$"
end

local function whole_reason(given, what, limit)
  if given ~= floor(given) then return ("%s %s is not a whole number"):format(what, check.show(given)) end
  if given < -limit or given >= limit then return ("%s %s is out of range"):format(what, check.show(given)) end
  return nil
end

--- Raises unless the argument is a number.
-- @treturn ?string why a call cannot take it, nil if it is a whole number in range
function check.whole(name, position, given, what)
  check.number(name, position, given)
  return whole_reason(given, what, 2 ^ 53)
end

--- Raises unless the argument is a whole number, and returns it.
-- @tparam[opt] int default what stands for an argument that was not passed
-- @treturn int
function check.whole_number(name, position, given, default)
  if given == nil and default then return default end
  if check.whole(name, position, given, "argument") then check.refuse(name, position, "whole number", given) end
  return given
end

--- Raises unless the argument is a whole number that a long holds.
function check.long(name, position, given)
  check.number(name, position, given)
  if given ~= floor(given) then check.refuse(name, position, "whole number", given) end
  if given < -2 ^ 63 or given >= 2 ^ 63 then check.refuse(name, position, "whole number of 64 bits", given) end
end

--- Like check.whole, for numbers that must be small: handles, indexes, ordinals.
-- @treturn ?string why a call cannot take it, nil if it can
function check.small(name, position, given, what)
  check.number(name, position, given, what == "handle" and "handle" or "number")
  return whole_reason(given, what, 2 ^ 31)
end

return check
