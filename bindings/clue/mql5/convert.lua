--- MQL5's conversions between texts, numbers, arrays of characters and names of constants. Texts are UTF-8, whatever
-- the code page.
local argument = require "clue.argument"
local binding = require "clue.binding"
local characters = require "clue.characters"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local errors = require "clue.mql5.errors"
local math_round = require("clue.mql5.math").names.MathRound
local numbers = require "clue.number"
local properties = require "clue.mql5.properties"

local WHOLE_ARRAY = constants.names.WHOLE_ARRAY

local convert = {}

-- ---- numbers ----------------------------------------------------------------------------------------------------

--- The whole number with which a text begins, after spaces.
-- @tparam string text
-- @treturn number 0 if it begins with none; raises for one that a Lua number (beyond 2^53) or a long does not hold
function convert.StringToInteger(text)
  local digits = check.string("StringToInteger", 1, text):match "^%s*([+-]?%d+)"
  if not digits then return 0 end
  local number = tonumber((digits:gsub("^%+", "")))
  if not check.holds(number, digits) then argument.fail("a Lua number does not hold %s exactly", digits) end
  if number < -2 ^ 63 or number >= 2 ^ 63 then argument.fail("a long does not hold %s", digits) end
  return number + 0 -- of "-0", too
end

--- The number with which a text begins, after spaces: 1, -.5, 1.5e-3.
-- @tparam string text
-- @treturn number 0 if it begins with none
function convert.StringToDouble(text)
  local sign, digits, rest = check.string("StringToDouble", 1, text):match "^%s*([+-]?)(%d*%.?%d*)(.*)$"
  local number = numbers.read(digits .. (rest:match "^[eE][+-]?%d+" or ""))
  if not number then return 0 end
  return (sign == "-" and -number or number) + 0.0
end

--- Rounds a number; halves away from zero.
-- @tparam number value
-- @tparam number digits after the point, 0 to 8
-- @treturn number
function convert.NormalizeDouble(value, digits)
  check.number("NormalizeDouble", 1, value)
  if type(digits) ~= "number" or digits % 1 ~= 0 or digits < 0 or digits > 8 then
    check.refuse("NormalizeDouble", 2, "whole number from 0 to 8", digits)
  end
  local scale = 10 ^ digits
  local scaled = value * scale
  if scaled ~= scaled or math.abs(scaled) >= 2 ^ 52 then return value end -- it has no such digits
  return math_round(scaled) / scale
end

-- ---- characters -------------------------------------------------------------------------------------------------

local function code(name, given, most)
  if type(given) == "number" and given % 1 == 0 and given >= 0 and given <= most then return given end
  check.refuse(name, 1, ("whole number from 0 to %d"):format(most), given)
end

--- The character of a code.
-- @tparam number char_code 0 to 127; ShortToString takes all
-- @treturn string
function convert.CharToString(char_code)
  return characters.of(code("CharToString", char_code, 127))
end

--- The character of a code.
-- @tparam number symbol_code 0 to 65535
-- @treturn string
function convert.ShortToString(symbol_code)
  return characters.of(code("ShortToString", symbol_code, 65535))
end

local function check_codepage(name, position, given)
  if given == nil or given == constants.names.CP_ACP or given == constants.names.CP_UTF8 then return end
  check.refuse(name, position, "code page, CP_ACP or CP_UTF8 (both are UTF-8)", given)
end

-- The arguments that both directions have: array, start, count, codepage; the array is argument number `first`.
local function check_characters(name, first, array, start, count, codepage)
  if check.array(name, first, array):type() ~= "uchar" then check.refuse(name, first, "uchar array", array) end
  start, count = start == nil and 0 or start, count == nil and WHOLE_ARRAY or count
  if check.whole(name, first + 1, start, "start") or start < 0 then
    check.refuse(name, first + 1, "whole number of 0 or more", start)
  elseif check.whole(name, first + 2, count, "count") then
    check.refuse(name, first + 2, "whole number", count)
  end
  check_codepage(name, first + 3, codepage)
  return start, count
end

--- Text in an array of uchar, such as CLGetDeviceInfo fills.
-- @tparam array array
-- @tparam[opt=0] number start the first element
-- @tparam[opt=-1] number count the most elements to read; WHOLE_ARRAY: all that follow. The text ends at a zero
-- @tparam[opt] number codepage CP_ACP or CP_UTF8
-- @treturn string
function convert.CharArrayToString(array, start, count, codepage)
  start, count = check_characters("CharArrayToString", 1, array, start, count, codepage)
  local rest = math.max(0, #array - start)
  if count < 0 or count > rest then count = rest end
  if count == 0 then return "" end
  return (binding.array_bytes(array, start, count):gsub("%z.*", ""))
end

--- Writes the bytes of a text into an array of uchar, which grows if they need more room.
-- @tparam string text
-- @tparam array array
-- @tparam[opt=0] number start the first element to write
-- @tparam[opt=-1] number count the most elements to write; WHOLE_ARRAY: the text and a zero
-- @tparam[opt] number codepage CP_ACP or CP_UTF8
-- @treturn number how many elements were written
function convert.StringToCharArray(text, array, start, count, codepage)
  check.string("StringToCharArray", 1, text)
  start, count = check_characters("StringToCharArray", 2, array, start, count, codepage)
  if count < 0 or count > #text + 1 then count = #text + 1 end
  if start + count > #array then array:resize(start + count) end
  for i = 1, count do array[start + i - 1] = text:byte(i) or 0 end
  return count
end

-- ---- enumerations -----------------------------------------------------------------------------------------------

local function enumeration(list)
  local members = {}
  for name in list:gmatch "%S+" do members[name] = constants.names[name] end
  return members
end

--- MQL5's enumerations as tables, for EnumToString: numbers by name.
-- @table enumerations
-- @tfield table ENUM_OPENCL_HANDLE_TYPE what CLHandleType gives
-- @tfield table ENUM_CL_DEVICE_TYPE what CLGetInfoInteger gives for CL_DEVICE_TYPE
-- @tfield table ENUM_OPENCL_PROPERTY_INTEGER what CLGetInfoInteger takes
-- @tfield table ENUM_OPENCL_PROPERTY_STRING what CLGetInfoString takes
convert.ENUM_OPENCL_HANDLE_TYPE =
  enumeration "OPENCL_INVALID OPENCL_CONTEXT OPENCL_PROGRAM OPENCL_KERNEL OPENCL_BUFFER"
convert.ENUM_CL_DEVICE_TYPE =
  enumeration "CL_DEVICE_DEFAULT CL_DEVICE_CPU CL_DEVICE_GPU CL_DEVICE_ACCELERATOR CL_DEVICE_CUSTOM"
convert.ENUM_OPENCL_PROPERTY_INTEGER = properties.read_by "CLGetInfoInteger"
convert.ENUM_OPENCL_PROPERTY_STRING = properties.read_by "CLGetInfoString"

--- The name of a constant. A number of Lua does not know its enumeration, so that is the second argument, a table of
-- numbers by name: `EnumToString(CLHandleType(h), ENUM_OPENCL_HANDLE_TYPE)`.
-- @tparam number|string value the value of an input.choice is its own name
-- @tparam table enumeration_ numbers by name, for a number
-- @treturn string "" and the message if the enumeration has no such number
function convert.EnumToString(value, enumeration_)
  if type(value) == "string" then return value end
  check.number("EnumToString", 1, value)
  if not argument.is_plain(enumeration_) then
    check.refuse("EnumToString", 2, "table of numbers by name", enumeration_,
      "for example EnumToString(kind, {KIND_FAST = 0, KIND_EXACT = 1}) or EnumToString(type, ENUM_OPENCL_HANDLE_TYPE)")
  end
  local found
  for name, number in pairs(enumeration_) do
    local is_name = number == value and type(name) == "string" -- a list has numbers in their place
    if is_name and (not found or name < found) then found = name end
  end
  if found then return found end
  return "", errors.fail("EnumToString", constants.errors.ERR_INVALID_PARAMETER,
    ("the enumeration has no %s"):format(check.show(value)))
end

return {names = convert}
