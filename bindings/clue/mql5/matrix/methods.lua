--- The methods of MQL5's matrices and vectors, for clue.mql5.matrix.
--
-- Parameters with one meaning everywhere: state, what the object consists of. value is a complex number only for
-- matrixc and vectorc.
local argument = require "clue.argument"
local arithmetic = require "clue.mql5.matrix.arithmetic"
local figures = require "clue.mql5.matrix.figures"
local matrices = require "clue.mql5.matrix.object"
local public = require "clue.public"

local operand = arithmetic.operand
local common, matrix, vector = {}, {}, {}

local function extent(name, given)
  return argument.whole(given, name, 0)
end

local fill = matrices.fill

-- ---- both -------------------------------------------------------------------------------------------------------

--- Sets every element to one value.
-- @tparam table state
-- @tparam number|complex value
function common.Fill(state, value)
  fill(state, value)
end

--- Takes over size and elements of a matrix or vector of any type. In Lua, m = other is the same object, not a copy.
-- @tparam table state
-- @tparam matrix|vector other
-- @treturn boolean true
function common.Assign(state, other)
  local from = matrices.state(other)
  if not from or from.class ~= state.class or from.type == "complex" and state.type ~= "complex" then
    argument.refuse("the operand", "a " .. state.class .. (state.type ~= "complex" and " of numbers" or ""), other)
  end
  local copy = {}
  for i = 0, matrices.count(from) - 1 do copy[i] = matrices.get(from, i) end -- it may be the same object
  matrices.resize(state, from.rows, from.columns)
  for i = 0, matrices.count(state) - 1 do matrices.set(state, i, copy[i]) end
  return true
end

--- The same as Assign, for an operand of the same type.
-- @tparam table state
-- @tparam matrix|vector other
-- @treturn boolean true
function common.Copy(state, other)
  operand(state, other, state.class)
  return (common.Assign(state, other))
end

--- @treturn array the typed array that holds the elements, row after row; not a copy
function common.array(state)
  return state.array
end

--- @treturn string "double", "float" or "complex"
function common.type(state)
  return state.type
end

-- ---- matrices ---------------------------------------------------------------------------------------------------

--- @treturn number how many rows
function matrix.Rows(state)
  return state.rows
end

--- @treturn number how many columns
function matrix.Cols(state)
  return state.columns
end

--- Changes the size. Elements keep their row and column; new ones are 0 (MQL5: undefined).
-- @tparam table state
-- @tparam number rows
-- @tparam number cols
-- @treturn boolean true
function matrix.Resize(state, rows, cols)
  matrices.resize(state, extent("rows", rows), extent("cols", cols))
  return true
end

--- Changes the size. The elements keep their order, row after row; new ones are 0 (MQL5: undefined).
-- @tparam table state
-- @tparam number rows
-- @tparam number cols
function matrix.Reshape(state, rows, cols)
  extent("rows", rows)
  local kept = math.min(matrices.count(state), rows * extent("cols", cols))
  local elements = {}
  for i = 0, kept - 1 do elements[i] = matrices.get(state, i) end
  matrix.Init(state, rows, cols)
  for i = 0, kept - 1 do matrices.set(state, i, elements[i]) end
end

--- Gives it a new size; all elements become 0, or the value, or what a function makes of the matrix.
-- @tparam table state
-- @tparam number rows
-- @tparam number cols
-- @tparam[opt] number|complex|function value
-- @param ... more arguments of the function
function matrix.Init(state, rows, cols, value, ...)
  extent("rows", rows)
  extent("cols", cols)
  matrices.resize(state, 0, 0)
  matrices.resize(state, rows, cols)
  if value ~= nil then matrices.initialise(state, value, ...) end
end

local function line(state, given, first, step, count)
  local from = given ~= nil and operand(state, given, "vector")
  if from and from.rows ~= count then
    argument.fail("a vector of %.0f elements is needed, not %.0f", count, from.rows)
  end
  local made, to
  if not from then made, to = matrices.new(state.type, count) end
  for i = 0, count - 1 do
    if from then
      matrices.set(state, first + i * step, matrices.get(from, i))
    else
      matrices.set(to, i, matrices.get(state, first + i * step))
    end
  end
  if from then return true end
  return made
end

local function place(what, given, count)
  if argument.whole(given, what, 0) < count then return given end
  argument.fail("%s %.0f is outside 0 to %.0f", what, given, count - 1)
end

-- v = m.Row(i) and m.Row(v, i): the vector may come first.
local function with_vector(first, second)
  if matrices.state(first) then return first, second end
  return nil, first
end

--- A row as a vector, `v = m.Row(i)`; or sets it, `m.Row(v, i)`.
-- @tparam table state
-- @tparam vector|number vector_or_row
-- @tparam ?number row from 0
-- @treturn vector|boolean
function matrix.Row(state, vector_or_row, row)
  local given, at = with_vector(vector_or_row, row)
  return (line(state, given, place("row", at, state.rows) * state.columns, 1, state.columns))
end

--- A column as a vector, `v = m.Col(i)`; or sets it, `m.Col(v, i)`.
-- @tparam table state
-- @tparam vector|number vector_or_column
-- @tparam ?number column from 0
-- @treturn vector|boolean
function matrix.Col(state, vector_or_column, column)
  local given, at = with_vector(vector_or_column, column)
  return (line(state, given, place("column", at, state.columns), state.columns, state.rows))
end

--- @treturn matrix the transposed matrix
function matrix.Transpose(state)
  local made, to = matrices.new(state.type, state.columns, state.rows)
  for row = 0, state.rows - 1 do
    for column = 0, state.columns - 1 do
      matrices.set(to, column * state.rows + row, matrices.get(state, row * state.columns + column))
    end
  end
  return made
end

--- The product of matrices, or of a matrix and a vector. Sums are in double.
-- @tparam table state
-- @tparam matrix|vector other
-- @treturn matrix|vector
function matrix.MatMul(state, other)
  return (arithmetic.product(state, other))
end

-- ---- vectors ----------------------------------------------------------------------------------------------------

--- The product of this vector, as a row, and a matrix.
-- @tparam table state
-- @tparam matrix other
-- @treturn vector
function vector.MatMul(state, other)
  return (arithmetic.product(state, other))
end

--- The sum of the products of the elements.
-- @tparam table state
-- @tparam vector other
-- @treturn number|complex
function vector.Dot(state, other)
  local right = operand(state, other, "vector")
  if right.rows ~= state.rows then argument.fail("vectors of %.0f and %.0f elements", state.rows, right.rows) end
  local sum = 0
  for i = 0, state.rows - 1 do sum = sum + matrices.get(state, i) * matrices.get(right, i) end
  return sum
end

--- @treturn number how many elements
function vector.Size(state)
  return state.rows
end

--- Changes the size. New elements are 0 (MQL5: undefined).
-- @tparam table state
-- @tparam number size
-- @treturn boolean true
function vector.Resize(state, size)
  matrices.resize(state, extent("size", size))
  return true
end

--- Gives it a new size; all elements become 0, or the value, or what a function makes of the vector.
-- @tparam table state
-- @tparam number size
-- @tparam[opt] number|complex|function value
-- @param ... more arguments of the function
function vector.Init(state, size, value, ...)
  extent("size", size)
  matrices.resize(state, 0)
  matrices.resize(state, size)
  if value ~= nil then matrices.initialise(state, value, ...) end
end

-- ---- for the objects --------------------------------------------------------------------------------------------

-- How many arguments a method needs: an object called with a colon comes before them.
local least = {Copy = 1, Assign = 1, MatMul = 1, Dot = 1, Compare = 2, CompareByDigits = 2}

local function with_counts(...)
  local counted = {}
  for _, list in ipairs {...} do
    for name, method in pairs(list) do counted[name] = {least[name] or 0, method} end
  end
  return counted
end

matrices.set_methods {matrix = with_counts(common, figures, matrix), vector = with_counts(common, figures, vector)}
public.add("matrix.", matrix)
public.add("vector.", vector)
for _, list in ipairs {common, figures} do
  public.add("matrix.", list)
  public.add("vector.", list)
end
