--- MQL5's matrix and vector types, as far as CLBufferWrite and CLBufferRead take them: matrix and vector of double,
-- matrixf and vectorf of float. They are typed arrays. A matrix also has m:rows(), m:columns(), m:get(row, column) and
-- m:set(row, column, value); m[i] counts all elements, row by row.
local array = require "clue.array"
local check = require "clue.mql5.check"

local matrices = {names = {}}

local function extent(name, position, given)
  local reason = check.whole(name, position, given, "number of elements")
  if reason or given < 0 then check.refuse(name, position, "whole number of 0 or more", given) end
  return given
end

local function filled(name, position, made, value)
  if value == nil then return made end
  return made:fill(check.number(name, position, value))
end

for suffix, type in pairs {[""] = "double", f = "float"} do
  local matrix, vector = "matrix" .. suffix, "vector" .. suffix

  matrices.names[matrix] = function(rows, columns, value)
    rows = rows == nil and 0 or extent(matrix, 1, rows)
    columns = columns == nil and 0 or extent(matrix, 2, columns)
    return (filled(matrix, 3, array[type](rows * columns):reshape(rows, columns), value))
  end

  matrices.names[vector] = function(size, value)
    size = size == nil and 0 or extent(vector, 1, size)
    return (filled(vector, 2, array[type](size), value))
  end
end

return matrices
