--- MQL5's complex numbers: complex(real, imag), the elements of matrixc and vectorc. z.real and z.imag are doubles;
-- +, -, *, / and == work, also with plain numbers. Values cannot be changed: MQL5's `z.real = 1` is
-- `z = complex(1, z.imag)`.
local argument = require "clue.argument"
local numbers = require "clue.number"
local public = require "clue.public"
local shown = require "clue.shown"

local complex = {}

local parts = setmetatable({}, {__mode = "k"}) -- by value: the value itself is empty, so it cannot be changed

local class = {kind = "complex number"}

local function new(real, imag)
  local self = setmetatable({}, class)
  parts[self] = {real = real + 0.0, imag = imag + 0.0}
  return self
end

complex.new = new

--- The parts of a complex or a plain number.
-- @param given
-- @treturn ?number the real part; nil if it is neither
-- @treturn ?number the imaginary part
function complex.parts(given)
  if type(given) == "number" then return given, 0 end
  local found = type(given) == "table" and parts[given]
  if found then return found.real, found.imag end
  return nil
end

local function operand(given)
  local real, imag = complex.parts(given)
  if not real then argument.refuse("an operand", "a number or a complex number", given) end
  return real, imag
end

local function operator(compute)
  return function(left, right)
    local a, b = operand(left)
    return new(compute(a, b, operand(right)))
  end
end

class.__add = operator(function(a, b, c, d) return a + c, b + d end)
class.__sub = operator(function(a, b, c, d) return a - c, b - d end)
class.__mul = operator(function(a, b, c, d) return a * c - b * d, a * d + b * c end)

-- Divides by the larger part first, so that no square overflows.
class.__div = operator(function(a, b, c, d)
  if math.abs(c) >= math.abs(d) then
    local ratio = d / c
    local scale = c + d * ratio
    return (a + b * ratio) / scale, (b - a * ratio) / scale
  end
  local ratio = c / d
  local scale = c * ratio + d
  return (a * ratio + b) / scale, (b * ratio - a) / scale
end)

function class.__unm(self)
  return new(-parts[self].real, -parts[self].imag)
end

function class.__eq(left, right)
  local one, other = parts[left], parts[right]
  return one ~= nil and other ~= nil and one.real == other.real and one.imag == other.imag
end

function class.__index(self, key)
  local found = parts[self][key]
  if found then return found end
  argument.fail("a complex number has the fields real and imag, not %s", shown.of(key))
end

function class.__newindex()
  argument.fail("a complex number cannot be changed: make another one, complex(real, imag)")
end

-- As MQL5 prints it: "(-3,4)".
function class.__tostring(self)
  local texts = {parts[self].real, parts[self].imag}
  for i, part in ipairs(texts) do texts[i] = (numbers.text("%.16g", part):gsub("^%-0$", "0")) end
  return ("(%s,%s)"):format(texts[1], texts[2])
end

local names = {}

--- Makes a complex number.
-- @tparam number real
-- @tparam[opt=0] number imag
-- @treturn complex
function names.complex(real, imag)
  argument.typed(real, "number", "real")
  return (new(real, argument.typed(imag == nil and 0 or imag, "number", "imag")))
end

public.add("", names)

complex.names = names

return complex
