--- MQL5's matrix and vector types by name: matrix and vector of double, matrixf and vectorf of float, matrixc and
-- vectorc of complex, and complex itself. `matrix(rows, columns, [value])`, `vector(size, [value])`,
-- `matrix {{1, 2}, {3, 4}}`, `vector {1, 2}`, `matrix.Zeros(rows, columns)`.
local argument = require "clue.argument"
local check = require "clue.mql5.check"
local complex = require "clue.mql5.matrix.complex"
local matrices = require "clue.mql5.matrix.object"
local public = require "clue.public"
require "clue.mql5.matrix.methods"

local names = {complex = complex.names.complex}

local function extent(name, given)
  return argument.whole(given, name, 0)
end

-- matrix {{1, 2}, {3, 4}}
local function matrix_of(type, list)
  local rows, columns = #list, #list > 0 and argument.is_plain(list[1]) and #list[1] or 0
  for _, row in ipairs(list) do
    if not argument.is_plain(row) or #row ~= columns then argument.fail("a table must have rows of equal length") end
  end
  local made, state = matrices.new(type, rows, columns)
  for row = 1, rows do
    for column = 1, columns do matrices.set(state, (row - 1) * columns + column - 1, list[row][column]) end
  end
  return made
end

local function vector_of(type, list)
  local made, state = matrices.new(type, #list)
  for i, value in ipairs(list) do matrices.set(state, i - 1, value) end
  return made
end

local function initialise(name, state, value, ...)
  if value == nil then return end
  if type(value) ~= "function" and not (state.type == "complex" and complex.parts(value)) then
    check.number(name, "value", value)
  end
  matrices.initialise(state, value, ...)
end

local function matrix_maker(name, type)
  --- Makes a matrix of this type.
  -- @function names.MATRIX
  -- @tparam[opt=0] number|{table,...} rows how many, or a list of rows: {{1, 2}, {3, 4}}
  -- @tparam[opt=0] number columns
  -- @tparam[opt=0] number|complex|function value of all elements; or a function that gets the matrix and sets them
  -- @param ... more arguments of the function
  -- @treturn matrix
  return function(rows, columns, value, ...)
    if argument.is_plain(rows) and columns == nil then return (matrix_of(type, rows)) end
    rows, columns = rows == nil and 0 or rows, columns == nil and 0 or columns
    check.number(name, "rows", rows)
    check.number(name, "columns", columns)
    local made, state = matrices.new(type, extent("rows", rows), extent("columns", columns))
    initialise(name, state, value, ...)
    return made
  end
end

local function vector_maker(name, type)
  --- Makes a vector of this type.
  -- @function names.VECTOR
  -- @tparam[opt=0] number|{number,...} size how many elements, or a list of them
  -- @tparam[opt=0] number|complex|function value of all elements; or a function that gets the vector and sets them
  -- @param ... more arguments of the function
  -- @treturn vector
  return function(size, value, ...)
    if argument.is_plain(size) and value == nil then return (vector_of(type, size)) end
    size = size == nil and 0 or check.number(name, "size", size)
    local made, state = matrices.new(type, extent("size", size))
    initialise(name, state, value, ...)
    return made
  end
end

-- ---- MQL5's static methods: matrix::Zeros(2, 3) is matrix.Zeros(2, 3) --------------------------------------------

local function static_matrices(type)
  local static = {}

  local function zeros(rows, cols) return matrices.new(type, extent("rows", rows), extent("cols", cols)) end

  local function filled(rows, cols, value)
    local made, state = zeros(rows, cols)
    matrices.fill(state, value)
    return made
  end

  --- A new matrix whose elements are 0.
  -- @tparam number rows
  -- @tparam number cols
  -- @treturn matrix
  function static.Zeros(rows, cols) return (zeros(rows, cols)) end

  --- A new matrix whose elements are 1.
  -- @tparam number rows
  -- @tparam number cols
  -- @treturn matrix
  function static.Ones(rows, cols) return (filled(rows, cols, 1)) end

  --- A new matrix whose elements have one value.
  -- @tparam number rows
  -- @tparam number cols
  -- @tparam number|complex value
  -- @treturn matrix
  function static.Full(rows, cols, value) return (filled(rows, cols, value)) end

  --- A new matrix with 1 on a diagonal and 0 elsewhere.
  -- @tparam number rows
  -- @tparam number cols
  -- @tparam[opt=0] number ndiag the diagonal: 1 is the one to the right of the main diagonal, -1 to its left
  -- @treturn matrix
  function static.Eye(rows, cols, ndiag)
    local made, state = zeros(rows, cols)
    ndiag = ndiag == nil and 0 or argument.whole(ndiag, "ndiag")
    for row = math.max(0, -ndiag), math.min(rows, cols - ndiag) - 1 do
      matrices.set(state, row * cols + row + ndiag, 1)
    end
    return made
  end

  --- A new matrix with 1 on the main diagonal and 0 elsewhere.
  -- @tparam number rows
  -- @tparam number cols
  -- @treturn matrix
  function static.Identity(rows, cols) return (static.Eye(rows, cols)) end

  return static
end

local function static_vectors(type)
  local static = {}

  local function zeros(size) return matrices.new(type, extent("size", size)) end

  local function filled(size, value)
    local made, state = zeros(size)
    matrices.fill(state, value)
    return made
  end

  --- A new vector whose elements are 0.
  -- @tparam number size
  -- @treturn vector
  function static.Zeros(size) return (zeros(size)) end

  --- A new vector whose elements are 1.
  -- @tparam number size
  -- @treturn vector
  function static.Ones(size) return (filled(size, 1)) end

  --- A new vector whose elements have one value.
  -- @tparam number size
  -- @tparam number|complex value
  -- @treturn vector
  function static.Full(size, value) return (filled(size, value)) end

  return static
end

-- ---- the types --------------------------------------------------------------------------------------------------

-- A type that can be called, with its static methods. The call is no tail call, so that a message finds its name.
local function add_type(name, make, static)
  public.add("", {[name] = make})
  public.add(name .. ".", static)
  names[name] = setmetatable(static, {__call = function(_, ...)
    local made = make(...)
    return made
  end, __index = function(_, key)
    argument.fail("%s.%s: there is no such method of the type; an object of it may have one", name, tostring(key))
  end})
end

for type, suffix in pairs {double = "", float = "f", complex = "c"} do
  add_type("matrix" .. suffix, matrix_maker("matrix" .. suffix, type), static_matrices(type))
  add_type("vector" .. suffix, vector_maker("vector" .. suffix, type), static_vectors(type))
end

return {names = names}
