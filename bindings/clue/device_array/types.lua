--- The types of expressions of device arrays: NumPy's rules, except that nothing becomes a type which cannot hold it.
local argument = require "clue.argument"
local array = require "clue.array"
local compute_types = require "clue.compute.types"
local shown = require "clue.shown"

local types = {}

local SMALL = 60000 -- every real type holds numbers up to here

local real_rank = {half = 1, float = 2, double = 3}
local bits = {char = 8, uchar = 8, short = 16, ushort = 16, int = 32, uint = 32, long = 64, ulong = 64}
local signed_of = {[8] = "char", [16] = "short", [32] = "int", [64] = "long"}

types.is_real = compute_types.is_real

--- @tparam string name
-- @treturn boolean whether it is a type of whole numbers from 0
function types.is_unsigned(name)
  return bits[name] ~= nil and name:find "^u" ~= nil
end

--- @tparam string name of a type of whole numbers
-- @treturn number
function types.bits(name)
  return bits[name]
end

--- The type in which a kernel computes: a half is stored as 16 bits, but computed as a float.
-- @tparam string name
-- @treturn string
function types.computed(name)
  return name == "half" and "float" or name
end

-- double, if the device has it.
local function double_for(device, what, remedy)
  if device:has_double() then return "double" end
  return argument.fail("%s need double, which this device does not have: %s", what, remedy)
end

--- The type of real numbers for the elements of a type.
-- @tparam string name
-- @tparam device device
-- @treturn string the type itself if it is real; float for whole numbers of up to 16 bits, else double
function types.real_for(name, device)
  if types.is_real(name) then return name end
  if bits[name] <= 16 then return "float" end
  return double_for(device, ("fractions of %s"):format(name), "a:to(\"float\") converts first")
end

local function of_whole_numbers(one, other)
  if types.is_unsigned(one) == types.is_unsigned(other) then return bits[one] >= bits[other] and one or other end
  local signed, unsigned = one, other
  if types.is_unsigned(one) then signed, unsigned = other, one end
  if bits[signed] > bits[unsigned] then return signed end
  return signed_of[bits[unsigned] * 2]
    or argument.fail("no whole numbers hold both %s and %s: convert one, a:to(\"long\")", one, other)
end

--- The type of an expression of two arrays: the smallest that holds the elements of both; float and double count as
-- holding the whole numbers of up to 16 and of all bits.
-- @tparam string one
-- @tparam string other
-- @tparam device device
-- @treturn string
function types.common(one, other, device)
  local first, second = real_rank[one], real_rank[other]
  if one == other then return one end
  if first and second then return first > second and one or other end
  if not first and not second then return of_whole_numbers(one, other) end
  local real, whole = first and one or other, first and other or one
  if real == "double" then return real end
  if bits[whole] <= 16 then return "float" end
  return double_for(device, ("%s and %s together"):format(whole, real), "a:to(\"float\") converts the whole numbers")
end

--- The type of an expression of an array and a number: the array's if it can hold the number; for a fraction beside
-- whole numbers a real type.
-- @tparam string name
-- @tparam number number
-- @tparam device device
-- @treturn string
function types.with_number(name, number, device)
  local real, size = types.is_real(name), math.abs(number)
  if real and (size < SMALL or size == math.huge or size ~= size) then return name end
  if not real and number ~= math.floor(number) then return types.real_for(name, device) end
  if pcall(array[name], {number}) then return name end
  return argument.fail("%s: a:to(\"%s\") converts the array, if %s is meant", array.holds(name),
    real and "double" or "long", shown.number(number))
end

--- A number as an expression of OpenCL C of another type. Of whole numbers: without its fraction, the nearest
-- that is in range, and 0 of NaN.
-- @tparam string code of the number
-- @tparam string from
-- @tparam string to
-- @treturn string
function types.converted(code, from, to)
  if from == to then return code end
  if types.is_real(to) then return ("convert_%s(%s)"):format(to, code) end
  if types.is_real(from) then
    from = bits[to] < 32 and "int" or to -- llvmpipe crashes in convert_char_sat(float)
    code = ("(%s != %s ? (%s)0 : convert_%s_sat(%s))"):format(code, code, from, from, code)
  end
  return from == to and code or ("convert_%s_sat(%s)"):format(to, code)
end

return types
