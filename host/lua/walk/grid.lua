--- Copies between matrices with rows of different length: adds padding, and removes it.
-- @module clue.walk.grid
local grid = {}

--- Copies the upper left part of one matrix to another of the same type, row by row.
-- @tparam array to
-- @tparam int to_columns length of its rows
-- @tparam array from
-- @tparam int from_columns length of its rows
-- @tparam int rows the number of rows to copy
-- @tparam int columns the elements to copy of each row
-- @treturn array to
function grid.copy(to, to_columns, from, from_columns, rows, columns)
  if to_columns == columns and from_columns == columns then return to:copy_from(from, 0, 0, rows * columns) end
  for row = 0, rows - 1 do to:copy_from(from, row * from_columns, row * to_columns, columns) end
  return to
end

return grid
