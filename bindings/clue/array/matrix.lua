--- Matrices: arrays with rows and columns. These are their methods, for clue.array.
-- @module clue.array.matrix
local argument = require "clue.argument"
local shapes = require "clue.shape"
local count = require("clue.text").count
local text = require "clue.array.text"

local methods = {}

--- Makes the array a matrix, row by row. The elements do not move, and a[i] counts them as before; resize() makes it
-- a plain array again.
-- @tparam number rows
-- @tparam number columns rows times columns must be the array's length
-- @treturn array itself
function methods:reshape(rows, columns)
  text.check_self(self)
  argument.whole(rows, "rows", 0)
  argument.whole(columns, "columns", 0)
  if rows * columns ~= #self then
    argument.fail("%.0f x %.0f is %s, but %s has %.0f", rows, columns, count(rows * columns, "element"),
      text.shape(self), #self)
  end
  shapes.set(self, rows, columns)
  return self
end

--- @treturn ?number how many rows, nil if it is not a matrix
function methods:rows()
  text.check_self(self)
  local rows = shapes.get(self)
  return rows
end

--- @treturn ?number how many columns, nil if it is not a matrix
function methods:columns()
  text.check_self(self)
  local _, columns = shapes.get(self)
  return columns
end

--- @tparam number row from 0
-- @tparam number column from 0
-- @treturn number the element
function methods:get(row, column)
  text.check_self(self)
  local index, problem = shapes.index(self, row, column)
  if not index then argument.fail("%s: %s", text.shape(self), problem) end
  return self[index]
end

--- Sets an element.
-- @tparam number row from 0
-- @tparam number column from 0
-- @tparam number value raises if the type cannot hold it
function methods:set(row, column, value)
  text.check_self(self)
  local index, problem = shapes.index(self, row, column)
  if not index then argument.fail("%s: %s", text.shape(self), problem) end
  local stored = pcall(function() self[index] = value end)
  if not stored then argument.fail("%s", text.bad_value(self, index, value)) end
end

return methods
