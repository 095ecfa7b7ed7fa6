-- Gives a program's expressions defined behaviour: whatever an operand is, no sum of signed numbers overflows, nothing
-- is divided by 0, no float needs rounding. The result is another tree, which text.lua writes and reckon.lua computes.
--
-- What can happen is found from the ranges of the operands: a guard stands only where it is needed. Floats are
-- multiples of 2^-step and at most `most` in size; they are exact while most * 2^step <= 2^24. Variables have multiples
-- of 1/8 up to 1024.
local types = require "kernel.types"

local guard = {}

local with = types.with
local MOST, STEP, EXACT = 1024, 3, 2 ^ 24

local lower -- calls itself

-- ---- ranges: of integers least and greatest, of floats size and step ----

local range

local function fits(t, low, high)
  if t.bits == 64 then
    return high <= 2 ^ 62 and low >= (t.signed and -2 ^ 62 or 0)
  end
  local least, greatest = types.range(t)
  return low >= least and high <= greatest
end

local function range_in(t, node) -- of an operand, converted to t
  local low, high = range(node)
  if fits(t, low, high) then return low, high end
  return types.range(t)
end

local function size(low, high) return math.max(math.abs(low), math.abs(high)) end

local sums = {
  ["+"] = function(a, b, c, d) return a + c, b + d end,
  ["-"] = function(a, b, c, d) return a - d, b - c end,
  ["*"] = function(a, b, c, d)
    return math.min(a * c, a * d, b * c, b * d), math.max(a * c, a * d, b * c, b * d)
  end,
}

local integer_ranges = {
  ["&"] = function(t, a, b, c, d)
    if a >= 0 and c >= 0 then return 0, math.min(b, d) end
    if a >= 0 then return 0, b end
    if c >= 0 then return 0, d end
    return types.range(t)
  end,
  ["/"] = function(_, a, b)
    if a >= 0 then return 0, b end
    return -size(a, b), size(a, b)
  end,
  ["%"] = function(_, a, b, _, d) return a < 0 and -d or 0, math.min(size(a, b), d) end,
  [">>"] = function(_, a, b) return math.min(a, 0), math.max(b, 0) end,
}

local function binary_range(node)
  local t, a, b = node.t, range_in(node.t, node[1])
  local c, d = range_in(t, node[2])
  local how = sums[node.fn]
  if how then
    local low, high = how(a, b, c, d)
    if fits(t, low, high) then return low, high end
    return types.range(t)
  end
  if integer_ranges[node.fn] and (t.bits < 64 or node.fn == "&") then return integer_ranges[node.fn](t, a, b, c, d) end
  return types.range(t)
end

local function hull(node, first)
  local low, high = range(node[first])
  for i = first + 1, #node do
    local c, d = range(node[i])
    low, high = math.min(low, c), math.max(high, d)
  end
  return low, high
end

local function largest(node, first)
  local most, step = 0, 0
  for i = first or 1, #node do
    local m, s = range(node[i])
    most, step = math.max(most, m), math.max(step, s)
  end
  return most, step
end

local function literal_range(node)
  if not node.t.float then return tonumber(node.value), tonumber(node.value) end
  local step = 0
  while node.value * 2 ^ step % 1 ~= 0 do step = step + 1 end
  return math.abs(node.value), step
end

local whole = {floor = true, ceil = true, trunc = true, rint = true, round = true}

local function float_call_range(node)
  if node.fn == "sign" or node.fn == "step" then return 1, 0 end
  local most, step = largest(node)
  if whole[node.fn] then return math.ceil(most), 0 end
  if node.fn == "fdim" then return 2 * most, step end
  if node.fn == "fma" then
    local a, s = range(node[1])
    local b, r = range(node[2])
    local c, q = range(node[3])
    return a * b + c, math.max(s + r, q)
  end
  return most, step
end

local function float_range(node)
  local a, s = range(node[1])
  if node.op == "negate" or node.op == "splat" or node.op == "swizzle" or node.op == "shuffle" then return a, s end
  if node.op == "ternary" then return largest(node, 2) end
  if node.op == "select" then
    local b, r = range(node[2])
    return math.max(a, b), math.max(s, r)
  end
  if node.op == "build" or node.op == "shuffle2" then
    if node.op == "build" then return largest(node) end
    local b, r = range(node[2])
    return math.max(a, b), math.max(s, r)
  end
  local b, r = range(node[2])
  if node.op == "dot" then return node[1].t.n * a * b, s + r end
  if node.fn == "*" then return a * b, s + r end
  return a + b, math.max(s, r)
end

local float_kinds = {negate = true, splat = true, swizzle = true, shuffle = true, ternary = true, select = true,
  build = true, shuffle2 = true, dot = true, float = true}

local function find_float(node)
  if node.op == "literal" then return literal_range(node) end
  if float_kinds[node.op] then return float_range(node) end
  if node.op == "call" then return float_call_range(node) end
  if node.op == "convert" or node.op == "cast" then
    local a, b = range(node[1])
    if node[1].t.float then return a, b end
    return size(a, b) * 1.001, 0
  end
  return MOST, STEP
end

local small_counts = {popcount = true, clz = true}

local function find_integer(node)
  local t = node.t
  if node.op == "literal" then return literal_range(node) end
  if node.op == "variable" and node.most then return 0, node.most end
  if node.op == "binary" then return binary_range(node) end
  if node.op == "compare" or node.op == "logic" or node.op == "not" or node.op == "any" then
    if t.n > 1 then return -1, 0 end
    return 0, 1
  end
  if node.op == "splat" or node.op == "cast" and not node[1].t.float then return range_in(t, node[1]) end
  if node.op == "call" and small_counts[node.fn] then return 0, t.bits end
  if node.op == "call" and (node.fn == "min" or node.fn == "max" or node.fn == "clamp") then return hull(node, 1) end
  return types.range(t)
end

function range(node)
  if not node.low then node.low, node.high = (node.t.float and find_float or find_integer)(node) end
  return node.low, node.high
end

-- ---- guards: their operands are guarded already ----

local function literal(t, value)
  if t.n > 1 then return {op = "splat", t = t, literal(with(t, nil, 1), value)} end
  return {op = "literal", t = t, value = t.float and value or ("%.0f"):format(value)}
end

local function call(fn, t, ...) return {op = "call", t = t, fn = fn, ...} end

-- The float, made so small, and a multiple of 2^-step.
local function fit(node, most, step)
  local m, s = range(node)
  local t = node.t
  if s > step then node = call("rint", t, node) end
  if m > most then node = call("clamp", t, node, literal(t, -most), literal(t, most)) end
  if m > most or s > step then node.low, node.high = math.min(m, most), s > step and 0 or s end
  return node
end

local function fit_all(node, step)
  local made = {op = node.op, t = node.t, fn = node.fn}
  for i = 1, #node do made[i] = fit(node[i], MOST, step) end
  return made
end

local function exact_or_fitted(node, step)
  local most, found = range(node)
  if most * 2 ^ found <= EXACT then return node end
  return fit_all(node, step)
end

local function binary(fn, t, a, b) return {op = "binary", t = t, fn = fn, a, b} end

-- Signed arithmetic that may overflow is done in the unsigned type.
local function unsigned_arithmetic(node)
  return {op = "wrapped", t = node.t, fn = node.fn, node[1], node[2]}
end

local function scalar_of(node) return types.promoted(node.t) end

local function divisor_of(t, node)
  local low, high = range_in(t, node)
  if low > 0 or high < -1 then return node end
  local own = scalar_of(node)
  if not own.signed then return binary("|", own, node, literal(own, 1)) end
  local masked = binary("&", own, node, literal(own, 127))
  local made = binary("|", own, masked, literal(own, 1))
  made.low, made.high = 1, 127
  return made
end

local function guard_binary(node)
  local t = node.t
  if node.fn == "/" or node.fn == "%" then
    local by = divisor_of(t, node[2])
    if t.n > 1 and by.t.n == 1 and by.t.base ~= t.base then by = {op = "cast", t = with(t, nil, 1), by} end
    return binary(node.fn, t, node[1], by)
  end
  if not t.signed then return node end
  if node.fn == "<<" then return unsigned_arithmetic(node) end
  local how = sums[node.fn]
  if not how then return node end
  local a, b = range_in(t, node[1])
  local c, d = range_in(t, node[2])
  if fits(t, how(a, b, c, d)) then return node end
  return unsigned_arithmetic(node)
end

local function guard_negate(node)
  local t = node.t
  if t.float then return node end
  local low, high = range_in(t, node[1])
  if not t.signed or fits(t, -high, -low) then return node end
  return {op = "wrapped", t = t, fn = "-", literal(t, 0), node[1]}
end

-- The float, inside what the integer type holds; above -1 if it is unsigned.
local function inside(node, t)
  local most = range(node)
  if t.signed and most + 1 <= 2 ^ (t.bits - 1) - 1 then return node end
  local f = node.t
  local limit = math.min(t.bits == 8 and 100 or MOST, most)
  return call("clamp", f, node, literal(f, t.signed and -limit or 0), literal(f, limit))
end

local function guard_conversion(node)
  local from, t = node[1].t, node.t
  if from.float and not t.float and not node.sat then
    return {op = node.op, t = t, rounding = node.rounding, inside(node[1], t)}
  end
  if t.float and from.bits == 64 then -- rounding once, in double, needs fewer bits
    local via = with(from, from.signed and "int" or "uint")
    return {op = node.op, t = t, {op = node.op, t = via, node[1]}}
  end
  return node
end

-- Bits of a float: of one that is not 0, whose sign is open.
local function guard_as(node)
  local f = node[1].t
  if not f.float then return node end
  local positive = call("fabs", f, fit(node[1], MOST, STEP))
  return {op = "as", t = node.t, {op = "float", t = f, fn = "+", positive, literal(f, 1)}}
end

local function within(node, low, high) -- node is int or uint
  if not node.t.signed then return binary("&", node.t, node, literal(node.t, high)) end
  return call("clamp", node.t, node, literal(node.t, low), literal(node.t, high))
end

local guarded_calls = {
  clamp = function(node)
    local t = node.t
    return call("clamp", t, node[1], call("min", t, node[2], node[3]), call("max", t, node[2], node[3]))
  end,
  mul24 = function(node)
    return call("mul24", node.t, within(node[1], -8388608, 8388607), within(node[2], -128, 127))
  end,
  mad24 = function(node)
    local t = node.t
    return call("mad24", t, within(node[1], -8388608, 8388607), within(node[2], -128, 127),
      binary(">>", t, node[3], literal(t, 2)))
  end,
  fma = function(node) return exact_or_fitted(node, 0) end,
  fdim = function(node) return exact_or_fitted(node, STEP) end,
  fmod = function(node)
    local t = node.t
    local by = call("fabs", t, call("rint", t, fit(node[2], MOST, STEP)))
    return call("fmod", t, fit(node[1], MOST, STEP), {op = "float", t = t, fn = "+", by, literal(t, 1)})
  end,
}

local guards = {
  binary = guard_binary, negate = guard_negate, convert = guard_conversion, cast = guard_conversion, as = guard_as,
  float = function(node) return exact_or_fitted(node, node.fn == "*" and 0 or STEP) end,
  dot = function(node)
    local most, step = range(node)
    if most * 2 ^ step <= EXACT then return node end
    return fit_all(node, 0)
  end,
  call = function(node)
    local how = guarded_calls[node.fn]
    return how and how(node) or node
  end,
  user = function(node)
    local made = {op = "user", t = node.t, fn = node.fn}
    for i = 1, #node do made[i] = node[i].t.float and fit(node[i], MOST, STEP) or node[i] end
    return made
  end,
}

function lower(node)
  local made = {}
  for key, value in pairs(node) do
    if type(key) == "string" and key ~= "low" and key ~= "high" then made[key] = value end
  end
  for i, each in ipairs(node) do made[i] = lower(each) end
  return guards[node.op] and guards[node.op](made) or made
end

--- An expression with guards.
guard.expression = lower

--- An expression with guards that fits a variable: a float of at most 1024, a multiple of 1/8.
function guard.value(node)
  local made = lower(node)
  return made.t.float and fit(made, MOST, STEP) or made
end

return guard
