--- Products and operators of MQL5's matrices and vectors, for clue.mql5.matrix.
local argument = require "clue.argument"
local complex = require "clue.mql5.matrix.complex"
local matrices = require "clue.mql5.matrix.object"

local arithmetic = {}

--- The state of an operand of the same type. Raises for anything else.
-- @tparam table state of the left operand
-- @param other the right one
-- @tparam ?string class "matrix" or "vector"; nil: either
-- @treturn table
function arithmetic.operand(state, other, class)
  local found = matrices.state(other)
  if not found or found.type ~= state.type or class and found.class ~= class then
    local suffix = state.name:match "[fc]$" or ""
    local either = ("a matrix%s or a vector%s"):format(suffix, suffix)
    local expected = class and "a " .. class .. suffix or either
    if not found then argument.refuse("the operand", expected, other) end
    local is_like = found.type ~= "complex" and (class == nil or found.class == class)
    argument.fail("the operand must be %s, got a %s%s", expected, found.name,
      is_like and "; m.Assign(n) converts double and float" or "")
  end
  return found
end

local function extents(state)
  return state.columns and ("%.0f x %.0f"):format(state.rows, state.columns) or ("%.0f"):format(state.rows)
end

local operand = arithmetic.operand

-- ---- products ---------------------------------------------------------------------------------------------------

-- The sums of one row of the product, in double. a and b are Lua tables, whose elements every Lua reads quickly.
local function product_row(a, b, sums, row, inner, columns)
  for j = 1, columns do sums[j] = 0 end
  for k = 0, inner - 1 do
    local factor, before = a[row * inner + k + 1], k * columns
    for j = 1, columns do sums[j] = sums[j] + factor * b[before + j] end
  end
end

local function multiply(to, a, b, rows, inner, columns)
  local left, right, sums = a:table(), b:table(), {}
  for row = 0, rows - 1 do
    product_row(left, right, sums, row, inner, columns)
    for j = 1, columns do to[row * columns + j - 1] = sums[j] end
  end
end

local function multiply_complex(to, left_array, right_array, rows, inner, columns)
  local a, b = left_array:table(), right_array:table()
  for at = 0, rows * columns - 1 do
    local row, column, real, imag = math.floor(at / columns), at % columns, 0, 0
    for k = 0, inner - 1 do
      local left, right = 2 * (row * inner + k) + 1, 2 * (k * columns + column) + 1
      local a_real, a_imag, b_real, b_imag = a[left], a[left + 1], b[right], b[right + 1]
      real, imag = real + a_real * b_real - a_imag * b_imag, imag + a_real * b_imag + a_imag * b_real
    end
    to[2 * at], to[2 * at + 1] = real, imag
  end
end

--- A product. A vector is a row on the left and a column on the right; a product with one is a vector.
-- @tparam table state of the left operand
-- @tparam matrix|vector other
-- @treturn matrix|vector
function arithmetic.product(state, other)
  local right = operand(state, other, state.class == "vector" and "matrix" or nil)
  local rows, inner = state.columns and state.rows or 1, state.columns or state.rows
  local columns = right.columns or 1
  if inner ~= right.rows then
    argument.fail("%s times %s: the left one must have as many columns as the right one has rows", extents(state),
      extents(right))
  end
  local is_matrix = state.columns and right.columns
  local made, to = matrices.new(state.type, is_matrix and rows or rows * columns, is_matrix and columns or nil)
  local compute = state.type == "complex" and multiply_complex or multiply
  compute(to.array, state.array, right.array, rows, inner, columns)
  return made
end

-- ---- operators --------------------------------------------------------------------------------------------------

--- The state of an operand of the same class, type and size. Raises for anything else.
-- @tparam table state of the left operand
-- @param given the right one
-- @treturn table
function arithmetic.alike(state, given)
  local other = operand(state, given, state.class)
  if other.rows ~= state.rows or other.columns ~= state.columns then
    argument.fail("sizes differ: %s and %s", extents(state), extents(other))
  end
  return other
end

-- The elements of an operand: a function of the index.
local function elements(state, given)
  if complex.parts(given) then return function() return given end end
  local other = arithmetic.alike(state, given)
  return function(index) return matrices.get(other, index) end
end

local function operator(compute)
  return function(left, right)
    local state = matrices.state(left) or matrices.state(right)
    local one, two = elements(state, left), elements(state, right)
    local made, to = matrices.new(state.type, state.rows, state.columns)
    for i = 0, matrices.count(state) - 1 do matrices.set(to, i, compute(one(i), two(i))) end
    return made
  end
end

local operators = {
  __add = operator(function(a, b) return a + b end),
  __sub = operator(function(a, b) return a - b end),
  __mul = operator(function(a, b) return a * b end),
  __div = operator(function(a, b) return a / b end),
}
for name, compute in pairs(operators) do matrices.set_operator(name, compute) end

return arithmetic
