--- MQL5's matrix and vector types by name: matrix and vector of double, matrixf and vectorf of float, matrixc and
-- vectorc of complex, and complex itself. `matrix(rows, columns, [value])`, `vector(size, [value])`,
-- `matrix {{1, 2}, {3, 4}}`, `vector {1, 2}`.
local argument = require "clue.argument"
local check = require "clue.mql5.check"
local complex = require "clue.mql5.matrix.complex"
local matrices = require "clue.mql5.matrix.object"
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

local function fill(name, state, value)
  if not complex.parts(value) or state.type ~= "complex" then check.number(name, "value", value) end
  for i = 0, matrices.count(state) - 1 do matrices.set(state, i, value) end
end

local function matrix_maker(name, type)
  --- Makes a matrix of this type.
  -- @function names.MATRIX
  -- @tparam[opt=0] number|{table,...} rows how many, or a list of rows: {{1, 2}, {3, 4}}
  -- @tparam[opt=0] number columns
  -- @tparam[opt=0] number|complex value of all elements
  -- @treturn matrix
  return function(rows, columns, value)
    if argument.is_plain(rows) and columns == nil then return (matrix_of(type, rows)) end
    rows, columns = rows == nil and 0 or rows, columns == nil and 0 or columns
    check.number(name, "rows", rows)
    check.number(name, "columns", columns)
    local made, state = matrices.new(type, extent("rows", rows), extent("columns", columns))
    if value ~= nil then fill(name, state, value) end
    return made
  end
end

local function vector_maker(name, type)
  --- Makes a vector of this type.
  -- @function names.VECTOR
  -- @tparam[opt=0] number|{number,...} size how many elements, or a list of them
  -- @tparam[opt=0] number|complex value of all elements
  -- @treturn vector
  return function(size, value)
    if argument.is_plain(size) and value == nil then return (vector_of(type, size)) end
    size = size == nil and 0 or check.number(name, "size", size)
    local made, state = matrices.new(type, extent("size", size))
    if value ~= nil then fill(name, state, value) end
    return made
  end
end

for type, suffix in pairs {double = "", float = "f", complex = "c"} do
  names["matrix" .. suffix] = matrix_maker("matrix" .. suffix, type)
  names["vector" .. suffix] = vector_maker("vector" .. suffix, type)
end

return {names = names}
