--- MQL5's Math functions, by their long and by C's short names, and their constants: M_PI and the like, and the limits
-- of the number types.
-- MathSwap is missing: it depends on a static type, which Lua does not have.
local check = require "clue.mql5.check"

local math_names = {}

local floor, exp, log, sqrt, abs = math.floor, math.exp, math.log, math.sqrt, math.abs

local function round(x)
  return x < 0 and math.ceil(x - 0.5) or floor(x + 0.5)
end

-- Rounds halves away from zero. Adding 0.5 would round 0.49999999999999994 up and change large whole numbers.
local function math_round(x)
  if x ~= x or abs(x) >= 2 ^ 52 then return x end
  if abs(x) == 0.49999999999999994 then return 0 end
  return round(x)
end

-- ln(1 + x) and e^x - 1, exact also near 0, where computing 1 + x or e^x first would lose digits.
local function log1p(x)
  local u = 1 + x
  if u == 1 then return x end
  if u == math.huge then return x end
  return log(u) * x / (u - 1)
end

local function expm1(x)
  local u = exp(x)
  if u == 1 then return x end
  if u == math.huge then return u end
  if u - 1 == -1 then return -1 end
  return (u - 1) * x / log(u)
end

local function sinh(x)
  if abs(x) > 20 then return x < 0 and -exp(-x - log(2)) or exp(x - log(2)) end
  local e = expm1(abs(x))
  local result = (e + e / (e + 1)) / 2
  return x < 0 and -result or result
end

local function cosh(x)
  local far = abs(x)
  return far > 20 and exp(far - log(2)) or (exp(x) + exp(-x)) / 2
end

local function tanh(x)
  if abs(x) > 20 then return x < 0 and -1 or 1 end
  local e = expm1(2 * x)
  return e / (e + 2)
end

local function arcsinh(x)
  local far = abs(x)
  local result = far > 1e8 and log(far) + log(2) or log1p(far + far * far / (1 + sqrt(far * far + 1)))
  return x < 0 and -result or result
end

local function arccosh(x)
  local above = x - 1
  return x > 1e8 and log(x) + log(2) or log1p(above + sqrt(2 * above + above * above))
end

local function arctanh(x)
  return log1p(2 * x / (1 - x)) / 2
end

-- Lua 5.4 has neither: its log takes a base, its atan two arguments.
local log10 = rawget(math, "log10") or function(x) return log(x, 10) end
local arctan2 = rawget(math, "atan2") or math.atan

--- What computes each function of one number.
-- @table unary
local unary = {
  MathAbs = abs, -- the absolute value
  MathArccos = math.acos, -- the angle of a cosine, in radians
  MathArcsin = math.asin, -- the angle of a sine, in radians
  MathArctan = math.atan, -- the angle of a tangent, in radians
  MathCeil = math.ceil, -- the least whole number that is not less
  MathCos = math.cos, -- the cosine of an angle in radians
  MathExp = exp, -- the exponential: e to the power of x
  MathFloor = floor, -- the greatest whole number that is not greater
  MathLog = function(x) return log(x) end, -- the natural logarithm
  MathLog10 = log10, -- the logarithm to base 10
  MathRound = math_round, -- the nearest whole number; halves away from zero
  MathSin = math.sin, -- the sine of an angle in radians
  MathSqrt = sqrt, -- the square root
  MathTan = math.tan, -- the tangent of an angle in radians
  MathExpm1 = expm1, -- the exponential of x, less 1; exact near 0
  MathLog1p = log1p, -- the natural logarithm of 1 + x; exact near 0
  MathCosh = cosh, -- the hyperbolic cosine
  MathSinh = sinh, -- the hyperbolic sine
  MathTanh = tanh, -- the hyperbolic tangent
  MathArccosh = arccosh, -- the inverse hyperbolic cosine
  MathArcsinh = arcsinh, -- the inverse hyperbolic sine
  MathArctanh = arctanh, -- the inverse hyperbolic tangent
}

--- What computes each function of two numbers.
-- @table binary
local binary = {
  MathArctan2 = arctan2, -- the angle of the point (y, x), in radians
  MathMax = function(a, b) return (a > b or b ~= b) and a or b end, -- the greater of two numbers; NaN does not count
  MathMin = function(a, b) return (a < b or b ~= b) and a or b end, -- the smaller of two numbers; NaN does not count
  MathMod = function(x, y) return math.fmod(x + 0.0, y) end, -- the remainder of x / y, with the sign of x
  MathPow = function(x, y) return x ^ y end, -- the power of x to y
}

local function define_unary(name, compute)
  --- The function of this name in MQL5 and C.
  -- @function math_names.NAME
  -- @tparam number x
  -- @treturn number
  math_names[name] = function(x)
    if type(x) ~= "number" then check.number(name, 1, x) end
    return compute(x)
  end
end

local function define_binary(name, compute)
  --- The function of this name in MQL5 and C, of two numbers.
  -- @function math_names.NAME_OF_TWO
  -- @tparam number x
  -- @tparam number y
  -- @param ... nothing
  -- @treturn number
  math_names[name] = function(x, y, ...)
    if type(x) ~= "number" then check.number(name, 1, x) end
    if type(y) ~= "number" then check.number(name, 2, y) end
    if ... ~= nil then check.refuse(name, 3, "nothing", (...), "the function takes two numbers") end
    return compute(x, y)
  end
end

--- Whether a number is neither infinite nor NaN.
-- @tparam number x
-- @treturn boolean
function math_names.MathIsValidNumber(x)
  if type(x) ~= "number" then check.number("MathIsValidNumber", 1, x) end
  return x == x and abs(x) ~= math.huge
end

for name, compute in pairs(unary) do define_unary(name, compute) end
for name, compute in pairs(binary) do define_binary(name, compute) end

-- MQL5's other names for the same functions, which are C's.
local short_unary = {
  fabs = "MathAbs", acos = "MathArccos", asin = "MathArcsin", atan = "MathArctan", ceil = "MathCeil", cos = "MathCos",
  exp = "MathExp", floor = "MathFloor", log = "MathLog", log10 = "MathLog10", round = "MathRound", sin = "MathSin",
  sqrt = "MathSqrt", tan = "MathTan", expm1 = "MathExpm1", log1p = "MathLog1p", cosh = "MathCosh", sinh = "MathSinh",
  tanh = "MathTanh", acosh = "MathArccosh", asinh = "MathArcsinh", atanh = "MathArctanh",
}
local short_binary = {
  atan2 = "MathArctan2", fmax = "MathMax", fmin = "MathMin", fmod = "MathMod", pow = "MathPow",
}
for name, full in pairs(short_unary) do define_unary(name, unary[full]) end
for name, full in pairs(short_binary) do define_binary(name, binary[full]) end

-- A linear congruential generator modulo 2^32; the product stays below 2^53. Only the upper half is used, since the
-- lower bits soon repeat.
local seed = 1

local function next_random()
  seed = (seed * 214013 + 2531011) % 4294967296
  return floor(seed / 65536) % 32768
end

local function start_random(name, start)
  check.long(name, 1, start)
  seed = start % 4294967296
end

--- @treturn number a whole number from 0 to 32767; without MathSrand every run gets the same sequence
function math_names.MathRand()
  return next_random()
end

--- Starts the sequence of a seed.
-- @tparam number start a whole number; only its lowest 32 bits are used
function math_names.MathSrand(start)
  start_random("MathSrand", start)
end

--- The same as MathRand.
-- @treturn number a whole number from 0 to 32767
function math_names.rand()
  return next_random()
end

--- The same as MathSrand.
-- @tparam number start a whole number
function math_names.srand(start)
  start_random("srand", start)
end

-- ---- constants --------------------------------------------------------------------------------------------------

--- Numbers, and the limits of the types of numbers.
-- @table numbers
local constants = {
  M_E = 2.71828182845904523536, -- e
  M_LOG2E = 1.44269504088896340736, -- the logarithm of e to base 2
  M_LOG10E = 0.434294481903251827651, -- the logarithm of e to base 10
  M_LN2 = 0.693147180559945309417, -- the natural logarithm of 2
  M_LN10 = 2.30258509299404568402, -- the natural logarithm of 10
  M_PI = 3.14159265358979323846, -- pi
  M_PI_2 = 1.57079632679489661923, -- pi / 2
  M_PI_4 = 0.785398163397448309616, -- pi / 4
  M_1_PI = 0.318309886183790671538, -- 1 / pi
  M_2_PI = 0.636619772367581343076, -- 2 / pi
  M_2_SQRTPI = 1.12837916709551257390, -- 2 / the square root of pi
  M_SQRT2 = 1.41421356237309504880, -- the square root of 2
  M_SQRT1_2 = 0.707106781186547524401, -- the square root of 1/2

  CHAR_MIN = -128, -- the least char
  CHAR_MAX = 127, -- the greatest char
  UCHAR_MAX = 255, -- the greatest uchar
  SHORT_MIN = -32768, -- the least short
  SHORT_MAX = 32767, -- the greatest short
  USHORT_MAX = 65535, -- the greatest ushort
  INT_MIN = -2147483648, -- the least int
  INT_MAX = 2147483647, -- the greatest int
  UINT_MAX = 4294967295, -- the greatest uint
  LONG_MIN = -2 ^ 63, -- the least long
  FLT_MAX = 3.4028234663852886e38, -- the greatest float
  FLT_MIN = 1.1754943508222875e-38, -- the least positive normal float
  FLT_EPSILON = 2 ^ -23, -- the least float that changes 1 when it is added
  FLT_DIG = 6, -- decimal digits that a float keeps
  FLT_MANT_DIG = 24, -- bits of a float's mantissa
  FLT_MAX_10_EXP = 38, -- the greatest power of 10 that is a float
  FLT_MIN_10_EXP = -37, -- the least that is a normal one
  FLT_MAX_EXP = 128, -- the least power of 2 that no float holds
  FLT_MIN_EXP = -125, -- one more than that of the least normal float
  DBL_MAX = 1.7976931348623157e308, -- the greatest double
  DBL_MIN = 2.2250738585072014e-308, -- the least positive normal double
  DBL_EPSILON = 2 ^ -52, -- the least double that changes 1 when it is added
  DBL_DIG = 15, -- decimal digits that a double keeps
  DBL_MANT_DIG = 53, -- bits of a double's mantissa
  DBL_MAX_10_EXP = 308, -- the greatest power of 10 that is a double
  DBL_MIN_10_EXP = -307, -- the least that is a normal one
  DBL_MAX_EXP = 1024, -- the least power of 2 that no double holds
  DBL_MIN_EXP = -1021, -- one more than that of the least normal double
  WRONG_VALUE = -1, -- no value, of an enumeration
  EMPTY_VALUE = 1.7976931348623157e308, -- no value, in an indicator's buffer
}

for name, constant in pairs(constants) do math_names[name] = constant end

return {names = math_names}
