--- Matrices: arrays with rows and columns. Their methods, for clue.array.
-- @module clue.array_matrix
local argument = require "clue.argument"
local shapes = require "clue.shape"
local text = require "clue.array_text"

local methods = {}

--- Makes a matrix of the array: rows one after the other. Elements stay where they are, and a[i] counts them as
-- before; resize() drops rows and columns.
-- @tparam number rows
-- @tparam number columns rows times columns is the array's length
-- @return the array
function methods.reshape(self, rows, columns)
  text.check_self(self)
  argument.whole(rows, "rows", 0)
  argument.whole(columns, "columns", 0)
  if rows * columns ~= #self then
    argument.fail("%.0f x %.0f are %.0f elements, %s has %.0f", rows, columns, rows * columns, text.shape(self), #self)
  end
  shapes.set(self, rows, columns)
  return self
end

--- @treturn ?number how many rows, nil where it is no matrix
function methods.rows(self)
  text.check_self(self)
  local rows = shapes.get(self)
  return rows
end

--- @treturn ?number how many columns, nil where it is no matrix
function methods.columns(self)
  text.check_self(self)
  local _, columns = shapes.get(self)
  return columns
end

--- @tparam number row from 0
-- @tparam number column from 0
-- @treturn number the element
function methods.get(self, row, column)
  text.check_self(self)
  local index, problem = shapes.index(self, row, column)
  if not index then argument.fail("%s: %s", text.shape(self), problem) end
  return self[index]
end

--- Sets an element.
-- @tparam number row from 0
-- @tparam number column from 0
-- @tparam number value raises where the type cannot hold it
function methods.set(self, row, column, value)
  text.check_self(self)
  local index, problem = shapes.index(self, row, column)
  if not index then argument.fail("%s: %s", text.shape(self), problem) end
  local stored = pcall(function() self[index] = value end)
  if not stored then argument.fail("%s", text.bad_value(self, index, value)) end
end

return methods
