--- Shapes: an array of n elements read as a matrix of rows by columns, row by row. Used by clue.array, which offers
-- the methods to scripts. A shape does not change the array's memory: a[i] counts all elements as before. Whatever
-- changes the length removes the shape.
local shown = require "clue.shown"

local shape = {}

local shapes = setmetatable({}, {__mode = "k"}) -- by array: {rows, columns}
local kept = setmetatable({}, {__mode = "k"}) -- by array: its owner

--- Gives an array a shape.
-- @tparam array array
-- @tparam ?number rows nil removes the shape
-- @tparam ?number columns
function shape.set(array, rows, columns)
  shapes[array] = rows and {rows, columns} or nil
end

--- The shape of an array.
-- @tparam array array
-- @treturn ?number rows, nil if it has none
-- @treturn ?number columns
function shape.get(array)
  local found = shapes[array]
  if found then return found[1], found[2] end
  return nil
end

--- Makes an array keep its length, because an object counts on it.
-- @tparam array array
-- @tparam string owner the object, and how its size is changed: "a matrix: m.Resize changes its size"
function shape.keep(array, owner)
  kept[array] = owner
end

--- Why an array keeps its length.
-- @tparam array array
-- @treturn ?string the owner, nil if the array may be resized
function shape.owner(array)
  return kept[array]
end

--- The extent of an array in words: "12", or "3 x 4".
-- @tparam array array
-- @treturn string
function shape.text(array)
  local rows, columns = shape.get(array)
  return rows and ("%.0f x %.0f"):format(rows, columns) or ("%.0f"):format(#array)
end

local function outside(what, given, count)
  if type(given) ~= "number" then return ("a %s must be a number, not %s"):format(what, shown.of(given)) end
  if given >= 0 and given < count and given % 1 == 0 then return nil end
  return ("%s %.14g is outside 0 to %.0f"):format(what, given, count - 1)
end

--- The index of an element.
-- @tparam array array
-- @param row from 0
-- @param column from 0
-- @treturn ?number the index, nil if there is no such element
-- @treturn ?string why not
function shape.index(array, row, column)
  local rows, columns = shape.get(array)
  if not rows then return nil, "it has no rows and columns: a:reshape(rows, columns) gives them" end
  local problem = outside("row", row, rows) or outside("column", column, columns)
  if problem then return nil, problem end
  return row * columns + column
end

return shape
