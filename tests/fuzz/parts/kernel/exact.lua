-- The arithmetic of the reference: what OpenCL C's operators and functions give for single numbers. It is LuaJIT's own
-- 64-bit arithmetic, and shares nothing with a compiler of OpenCL C.
--
-- An integer is an int64_t, or a uint64_t for ulong; a float is a Lua number that a float can hold. Results are reduced
-- to their type after each operation. Sums and products of two floats in double, rounded to float, are those of float.
local bit = require "bit"
local ffi = require "ffi"

local i64, u64 = ffi.typeof "int64_t", ffi.typeof "uint64_t"
local cells = {char = ffi.new "int8_t[1]", uchar = ffi.new "uint8_t[1]", short = ffi.new "int16_t[1]",
  ushort = ffi.new "uint16_t[1]", int = ffi.new "int32_t[1]", uint = ffi.new "uint32_t[1]",
  long = ffi.new "int64_t[1]", ulong = ffi.new "uint64_t[1]", float = ffi.new "float[1]"}

-- LuaJIT 2.1's compiler makes wrong code of 64-bit integers here now and then; its interpreter computes them right.
jit.off(true, true)

local exact = {}

--- Reduces a number to a type: an integer modulo 2^bits, a float to the nearest.
function exact.wrap(t, value)
  local cell = cells[t.base]
  cell[0] = value
  if t.float or t.base == "ulong" then return cell[0] end
  return i64(cell[0])
end

local wrap = exact.wrap

local function least(t)
  return t.signed and wrap(t, bit.lshift(i64(1), t.bits - 1)) or wrap(t, i64(0))
end

local function greatest(t)
  return wrap(t, bit.bnot(least(t)))
end

local function whole(value) -- an int64_t or uint64_t as a small Lua number
  return tonumber(value)
end

-- ---- conversions ----

local function round_even(x)
  local low = math.floor(x)
  local rest = x - low
  if rest < 0.5 or rest == 0.5 and low % 2 == 0 then return low end
  return low + 1
end

local roundings = {
  rte = round_even, rtp = math.ceil, rtn = math.floor,
  rtz = function(x) return x < 0 and math.ceil(x) or math.floor(x) end,
}

local function saturated_float(to, x)
  if x >= 2 ^ (to.bits - (to.signed and 1 or 0)) then return greatest(to) end
  if x < (to.signed and -2 ^ (to.bits - 1) or 0) then return least(to) end
  return wrap(to, (to.signed and i64 or u64)(x))
end

local function saturated(to, from, value)
  if from.base == "ulong" then
    return value > u64(greatest(to)) and greatest(to) or wrap(to, value)
  end
  if value < (to.signed and least(to) or i64(0)) then return least(to) end
  if to.base ~= "ulong" and value > greatest(to) then return greatest(to) end
  return wrap(to, value)
end

--- convert_TO(value), with _sat and a rounding ("rte" and so on).
function exact.convert(to, from, value, sat, rounding)
  if to.float then return from.float and value or wrap(to, tonumber(value)) end
  if from.float then
    local x = roundings[rounding or "rtz"](value)
    if sat then return saturated_float(to, x) end
    return wrap(to, (x < 0 and i64 or u64)(x))
  end
  return sat and saturated(to, from, value) or wrap(to, value)
end

-- ---- operators: of integers in type t, to which both are converted ----

local function amount(t, b) return whole(bit.band(b, t.bits - 1)) end

local operators = {
  ["+"] = function(_, a, b) return a + b end,
  ["-"] = function(_, a, b) return a - b end,
  ["*"] = function(_, a, b) return a * b end,
  ["/"] = function(_, a, b) return a / b end,
  ["%"] = function(_, a, b) return a % b end,
  ["&"] = function(_, a, b) return bit.band(a, b) end,
  ["|"] = function(_, a, b) return bit.bor(a, b) end,
  ["^"] = function(_, a, b) return bit.bxor(a, b) end,
  ["<<"] = function(t, a, b) return bit.lshift(a, amount(t, b)) end,
  [">>"] = function(t, a, b) return (t.signed and bit.arshift or bit.rshift)(a, amount(t, b)) end,
}

--- a OP b in type t.
function exact.binary(op, t, a, b)
  return wrap(t, operators[op](t, a, b))
end

local comparisons = {
  ["=="] = function(a, b) return a == b end, ["!="] = function(a, b) return a ~= b end,
  ["<"] = function(a, b) return a < b end, ["<="] = function(a, b) return a <= b end,
  [">"] = function(a, b) return a > b end, [">="] = function(a, b) return a >= b end,
}

--- Whether a OP b; both of one type.
function exact.compare(op, a, b)
  return comparisons[op](a, b)
end

function exact.is_true(value)
  return value ~= 0
end

function exact.is_negative(t, value) -- its most significant bit
  return bit.band(bit.rshift(value, t.bits - 1), 1) ~= 0
end

-- ---- functions of integers: (t, ...) where t is the type of the first argument ----

local function high_of_64(a, b) -- of unsigned numbers
  local mask = u64(0xffffffff)
  local a0, a1, b0, b1 = bit.band(a, mask), bit.rshift(a, 32), bit.band(b, mask), bit.rshift(b, 32)
  local middle = a1 * b0 + bit.rshift(a0 * b0, 32)
  local other = a0 * b1 + bit.band(middle, mask)
  return a1 * b1 + bit.rshift(middle, 32) + bit.rshift(other, 32)
end

local function mul_hi(t, a, b)
  if t.bits < 64 then
    if t.signed then return wrap(t, bit.arshift(a * b, t.bits)) end
    return wrap(t, bit.rshift(u64(a) * u64(b), t.bits))
  end
  local high = high_of_64(u64(a), u64(b))
  if t.signed and a < 0 then high = high - u64(b) end
  if t.signed and b < 0 then high = high - u64(a) end
  return wrap(t, high)
end

local function between(t, value) -- of types below 64 bits
  if value < least(t) then return least(t) end
  return value > greatest(t) and greatest(t) or value
end

local function add_sat(t, a, b)
  if t.bits < 64 then return between(t, a + b) end
  local sum = a + b
  if not t.signed then return sum < a and greatest(t) or sum end
  if a < 0 and b < 0 and sum >= 0 then return least(t) end
  return a >= 0 and b >= 0 and sum < 0 and greatest(t) or sum
end

local function sub_sat(t, a, b)
  if t.bits < 64 then return between(t, a - b) end
  if not t.signed then return a < b and u64(0) or a - b end
  local rest = a - b
  if a < 0 and b >= 0 and rest >= 0 then return least(t) end
  return a >= 0 and b < 0 and rest < 0 and greatest(t) or rest
end

local function mad_sat(t, a, b, c) -- of types below 64 bits
  if t.signed then return between(t, a * b + c) end
  local sum = u64(a) * u64(b) + u64(c)
  return sum > u64(greatest(t)) and greatest(t) or wrap(t, sum)
end

local function half(t, a) return (t.signed and bit.arshift or bit.rshift)(a, 1) end

local function count_bits(t, a)
  local count = 0
  for i = 0, t.bits - 1 do count = count + whole(bit.band(bit.rshift(a, i), 1)) end
  return wrap(t, i64(count))
end

local function leading_zeros(t, a)
  local count = 0
  while count < t.bits and bit.band(bit.rshift(a, t.bits - 1 - count), 1) == 0 do count = count + 1 end
  return wrap(t, i64(count))
end

local function rotate(t, a, by)
  local n, mask = amount(t, by), bit.bnot(u64(0))
  if t.bits < 64 then mask = bit.lshift(u64(1), t.bits) - 1 end
  local bits = bit.band(u64(a), mask)
  if n == 0 then return a end
  return wrap(t, bit.bor(bit.lshift(bits, n), bit.rshift(bits, t.bits - n)))
end

exact.functions = {
  min = function(_, a, b) return b < a and b or a end,
  max = function(_, a, b) return a < b and b or a end,
  clamp = function(_, x, low, high) x = x < low and low or x; return x > high and high or x end,
  abs = function(t, a) return a < 0 and t.signed and -a or a end,
  abs_diff = function(_, a, b) return a > b and a - b or b - a end,
  add_sat = add_sat, sub_sat = sub_sat, mul_hi = mul_hi, rotate = rotate,
  mad_hi = function(t, a, b, c) return wrap(t, mul_hi(t, a, b) + c) end,
  mad_sat = mad_sat,
  mul24 = function(t, a, b) return wrap(t, a * b) end,
  mad24 = function(t, a, b, c) return wrap(t, a * b + c) end,
  hadd = function(t, a, b) return half(t, a) + half(t, b) + bit.band(bit.band(a, b), 1) end,
  rhadd = function(t, a, b) return half(t, a) + half(t, b) + bit.band(bit.bor(a, b), 1) end,
  popcount = count_bits, clz = leading_zeros,
  bitselect = function(t, a, b, c) return wrap(t, bit.bor(bit.band(a, bit.bnot(c)), bit.band(b, c))) end,
  upsample = function(t, high, low)
    return bit.bor(bit.lshift(high, t.bits), bit.band(low, bit.lshift(i64(1), t.bits) - 1))
  end,
}

-- ---- functions of floats, whose results are exact for the numbers that kernels have ----

local function sign(_, x) return x > 0 and 1 or x < 0 and -1 or 0 end

exact.float_functions = {
  fmin = exact.functions.min, fmax = exact.functions.max, min = exact.functions.min, max = exact.functions.max,
  clamp = exact.functions.clamp, sign = sign, fabs = function(_, x) return math.abs(x) end,
  floor = function(_, x) return math.floor(x) end, ceil = function(_, x) return math.ceil(x) end,
  trunc = function(_, x) return roundings.rtz(x) end, rint = function(_, x) return round_even(x) end,
  round = function(_, x) return sign(nil, x) * math.floor(math.abs(x) + 0.5) end,
  step = function(_, edge, x) return x < edge and 0 or 1 end,
  fdim = function(_, x, y) return x > y and x - y or 0 end,
  fmod = function(_, x, y) return math.fmod(x, y) end,
  fma = function(_, a, b, c) return a * b + c end,
}

-- ---- bytes ----

--- The bits of a number as an unsigned integer.
function exact.bits(t, value)
  if t.float then
    cells.float[0] = value
    return u64(ffi.cast("uint32_t *", cells.float)[0])
  end
  local mask = t.bits == 64 and bit.bnot(u64(0)) or bit.lshift(u64(1), t.bits) - 1
  return bit.band(u64(value), mask)
end

--- The number with these bits; only integers.
function exact.from_bits(t, bits)
  return wrap(t, bits)
end

--- The number of a literal: decimal text, or a Lua number for a float.
function exact.number(t, value)
  if t.float then return value end
  local sum = u64(0)
  for digit in value:gmatch "%d" do sum = sum * 10 + (digit:byte() - 48) end
  return wrap(t, value:sub(1, 1) == "-" and -i64(sum) or sum)
end

--- The opposite: decimal text of an integer, the number itself of a float.
function exact.text(t, value)
  if t.float then return value end
  return (tostring(value):gsub("[UL]+$", ""))
end

exact.zero = u64(0)

return exact
