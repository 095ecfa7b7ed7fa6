--- What can be computed for each element: OpenCL C for each operation, and the type of its result.
--
-- An operation is a table: operands (how many), condition (true if the first one keeps its own type), type(common,
-- device) (the type in which it computes; the common type of its operands if there is none), result (the type of what
-- it gives, if that is another), and code(type, a, b, c): an expression of its operands, which are of that type and
-- have no side effects.
local types = require "clue.device_array.types"

local operations = {}

local function real(name, device)
  return types.real_for(name, device)
end

-- ---- arithmetic -------------------------------------------------------------------------------------------------

-- Whole numbers wrap around, as NumPy's do; in C that is defined for unsigned ones only.
local function arithmetic(operator)
  return {operands = 2, code = function(type, a, b)
    if types.is_real(type) then return ("(%s %s %s)"):format(a, operator, b) end
    local wide = types.bits(type) == 64 and "ulong" or "uint"
    return ("(%s)((%s)%s %s (%s)%s)"):format(type, wide, a, operator, wide, b)
  end}
end

operations.add, operations.subtract, operations.multiply = arithmetic "+", arithmetic "-", arithmetic "*"

operations.divide = {operands = 2, type = real, code = function(_, a, b) return ("(%s / %s)"):format(a, b) end}

-- fmod is exact, and a - floor(a / b) * b is not: a quotient of many digits is rounded.
local function real_modulo(a, b)
  local rest = ("fmod(%s, %s)"):format(a, b)
  return ("(%s != 0 && (%s < 0) != (%s < 0) ? %s + %s : %s)"):format(rest, rest, b, rest, b, rest)
end

-- Lua's modulo: the result has the sign of b. For whole numbers and b = 0 it is 0, as in NumPy.
operations.modulo = {operands = 2, code = function(type, a, b)
  if types.is_real(type) then return real_modulo(a, b) end
  if types.is_unsigned(type) then return ("(%s == 0 ? (%s)0 : (%s)(%s %% %s))"):format(b, type, type, a, b) end
  local rest = ("(%s %% %s)"):format(a, b)
  local signed = ("(%s)(%s + (%s != 0 && (%s ^ %s) < 0 ? %s : 0))"):format(type, rest, rest, rest, b, b)
  return ("(%s == 0 || %s == -1 ? (%s)0 : %s)"):format(b, b, type, signed)
end}

operations.power = {operands = 2, type = real, code = function(_, a, b) return ("pow(%s, %s)"):format(a, b) end}

operations.negate = {operands = 1, code = function(type, a)
  if types.is_real(type) then return ("(-%s)"):format(a) end
  return ("(%s)(0 - (%s)%s)"):format(type, types.bits(type) == 64 and "ulong" or "uint", a)
end}

-- ---- functions --------------------------------------------------------------------------------------------------

for _, name in ipairs {"sqrt", "exp", "log", "sin", "cos", "tan", "tanh"} do
  operations[name] = {operands = 1, type = real, code = function(_, a) return ("%s(%s)"):format(name, a) end}
end

-- Whole numbers stay as they are.
for name, call in pairs {floor = "floor", ceil = "ceil", round = "rint"} do
  operations[name] = {operands = 1, code = function(type, a)
    return types.is_real(type) and ("%s(%s)"):format(call, a) or a
  end}
end

operations.abs = {operands = 1, code = function(type, a)
  if types.is_real(type) then return ("fabs(%s)"):format(a) end
  return types.is_unsigned(type) and a or ("(%s)abs(%s)"):format(type, a)
end}

operations.sign = {operands = 1, code = function(type, a)
  local code = ("(%s)((%s > 0) - (%s < 0))"):format(type, a, a)
  return types.is_real(type) and ("(%s != %s ? %s : %s)"):format(a, a, a, code) or code
end}

-- NaN wins.
local function extreme(operator)
  return {operands = 2, code = function(type, a, b)
    local unordered = types.is_real(type) and (" || %s != %s"):format(b, b) or ""
    return ("(%s %s %s%s ? %s : %s)"):format(b, operator, a, unordered, b, a)
  end}
end

operations.minimum, operations.maximum = extreme "<", extreme ">"

-- ---- comparisons ------------------------------------------------------------------------------------------------

for name, operator in pairs {lt = "<", le = "<=", gt = ">", ge = ">=", eq = "==", ne = "!="} do
  operations[name] = {operands = 2, result = "uchar", code = function(_, a, b)
    return ("(uchar)(%s %s %s)"):format(a, operator, b)
  end}
end

operations.where = {operands = 3, condition = true, code = function(_, a, b, c)
  return ("(%s != 0 ? %s : %s)"):format(a, b, c)
end}

-- ---- for other files --------------------------------------------------------------------------------------------

operations.copy = {operands = 1, code = function(_, a) return a end}

return operations
