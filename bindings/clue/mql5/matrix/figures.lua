--- Sums, extremes and comparisons of MQL5's matrices and vectors, for clue.mql5.matrix.methods.
--
-- state is what the object consists of. axis: nothing for all elements, 0 for a vector with a result for each column,
-- 1 for one with a result for each row.
local argument = require "clue.argument"
local arithmetic = require "clue.mql5.matrix.arithmetic"
local complex = require "clue.mql5.matrix.complex"
local matrices = require "clue.mql5.matrix.object"

local figures = {}

-- ---- one number of many -----------------------------------------------------------------------------------------

-- The result for count elements, from the first one on.
local function folded(state, combine, first, step, count)
  local result = matrices.get(state, first)
  for i = 1, count - 1 do result = combine(result, matrices.get(state, first + i * step)) end
  return result
end

-- The results along an axis. empty: the result for no elements; nil if there is none.
local function fold(state, axis, combine, empty, finish)
  local rows, columns = state.rows, state.columns or 1
  local function of(first, step, count)
    if count == 0 and not empty then argument.fail("the %s has no elements", state.class) end
    local result = count == 0 and empty or folded(state, combine, first, step, count)
    return finish and finish(result, count) or result
  end
  if axis == nil then return of(0, 1, rows * columns) end
  if not state.columns then argument.refuse("axis", "left out for a vector", axis) end
  if axis ~= 0 and axis ~= 1 then argument.refuse("axis", "0, for columns, or 1, for rows", axis) end
  local made, to = matrices.new(state.type, axis == 0 and columns or rows)
  for i = 0, to.rows - 1 do
    local value = axis == 0 and of(i, columns, rows) or axis == 1 and of(i * columns, 1, columns)
    matrices.set(to, i, value)
  end
  return made
end

local function add(a, b) return a + b end
local function least(a, b) return (b < a or a ~= a) and b or a end -- NaN does not count
local function greatest(a, b) return (b > a or a ~= a) and b or a end

local function check_order(state)
  if state.type == "complex" then argument.fail("complex numbers have no order") end
end

--- The sum of the elements. Sums are in double.
-- @tparam table state
-- @tparam[opt] number axis 0: a vector with the sum of each column; 1: of each row
-- @treturn number|complex|vector
function figures.Sum(state, axis)
  return (fold(state, axis, add, 0))
end

--- The product of the elements.
-- @tparam table state
-- @tparam[opt] number axis 0: a vector with the product of each column; 1: of each row
-- @treturn number|complex|vector
function figures.Prod(state, axis)
  return (fold(state, axis, function(a, b) return a * b end, 1))
end

--- The mean of the elements.
-- @tparam table state
-- @tparam[opt] number axis 0: a vector with the mean of each column; 1: of each row
-- @treturn number|complex|vector
function figures.Mean(state, axis)
  return (fold(state, axis, add, nil, function(sum, count) return sum / count end))
end

--- The least element. NaN does not count.
-- @tparam table state
-- @tparam[opt] number axis 0: a vector with the least of each column; 1: of each row
-- @treturn number|vector
function figures.Min(state, axis)
  check_order(state)
  return (fold(state, axis, least))
end

--- The greatest element. NaN does not count.
-- @tparam table state
-- @tparam[opt] number axis 0: a vector with the greatest of each column; 1: of each row
-- @treturn number|vector
function figures.Max(state, axis)
  check_order(state)
  return (fold(state, axis, greatest))
end

-- ---- two operands -----------------------------------------------------------------------------------------------

-- How many pairs of elements differ; differ(a, b) gets numbers that are not equal.
local function mismatches(state, other, differ)
  local right, count = arithmetic.alike(state, other), 0
  for i = 0, matrices.count(state) - 1 do
    local a, b = matrices.get(state, i), matrices.get(right, i)
    if a ~= b and differ(a, b) then count = count + 1 end
  end
  return count
end

local function distance(a, b)
  local real, imag = complex.parts(a - b)
  if imag == 0 then return math.abs(real) end
  return math.sqrt(real * real + imag * imag)
end

--- How many elements differ by more than epsilon from those of another operand. NaN differs from everything.
-- @tparam table state
-- @tparam matrix|vector other
-- @tparam number epsilon
-- @treturn number 0 if the operands are equal
function figures.Compare(state, other, epsilon)
  argument.typed(epsilon, "number", "epsilon")
  return (mismatches(state, other, function(a, b)
    local apart = distance(a, b)
    return apart > epsilon or apart ~= apart
  end))
end

local function digits_differ(a, b, digits)
  local largest = math.max(math.abs(a), math.abs(b))
  local exponent = ("%.17e"):format(largest):match "e(.*)$" -- nil for NaN and infinity
  if not exponent or (a > 0) ~= (b > 0) or a == 0 or b == 0 then return true end
  return math.abs(a - b) >= 10 ^ (tonumber(exponent) + 1 - digits)
end

--- How many elements differ from those of another operand in the given number of significant digits: by one or more in
-- the last of them. Numbers with different signs differ, and so do 0 and any other number.
-- @tparam table state
-- @tparam matrix|vector other
-- @tparam number digits
-- @treturn number 0 if the operands are equal
function figures.CompareByDigits(state, other, digits)
  argument.whole(digits, "digits", 1)
  return (mismatches(state, other, function(a, b)
    local real, imag = complex.parts(a)
    local other_real, other_imag = complex.parts(b)
    return real ~= other_real and digits_differ(real, other_real, digits)
      or imag ~= other_imag and digits_differ(imag, other_imag, digits)
  end))
end

return figures
