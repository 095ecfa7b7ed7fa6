--- MQL5's array functions over typed arrays. An index, a count or a value that the array cannot take raises an error;
-- MQL5 ends the program ("array out of range") or truncates the value.
local argument = require "clue.argument"
local array_class = require "clue.array"
local check = require "clue.mql5.check"
local codes = require("clue.mql5.constants").errors
local errors = require "clue.mql5.errors"
local passed = require("clue.public").passed
local text = require "clue.text"

local arrays = {}

local WHOLE_ARRAY = -1

-- An argument that is an index or a count.
local function whole(name, position, given, default)
  if given == nil and default then return default end
  if check.whole(name, position, given, "argument") then check.refuse(name, position, "whole number", given) end
  return given
end

--- The length of an array.
-- @tparam array array
-- @treturn number how many elements it has
function arrays.ArraySize(array)
  return #check.array("ArraySize", 1, array)
end

--- Changes the length of an array. New elements are 0.
-- @tparam array array
-- @tparam number size
-- @tparam[opt] number reserve ignored: MQL5 reserves memory for so many elements
-- @treturn number the new length
function arrays.ArrayResize(array, size, reserve)
  check.array("ArrayResize", 1, array)
  whole("ArrayResize", 2, size)
  whole("ArrayResize", 3, reserve, 0)
  array:resize(size)
  return #array
end

--- Gives every element one value.
-- @tparam array array
-- @tparam number value raises where the type cannot hold it
-- @treturn number how many elements there are
function arrays.ArrayInitialize(array, value)
  check.array("ArrayInitialize", 1, array)
  check.number("ArrayInitialize", 2, value)
  array:fill(value)
  return #array
end

--- Gives a range of elements one value.
-- @tparam array array
-- @tparam number start the index of the first
-- @tparam number count
-- @tparam number value
function arrays.ArrayFill(array, start, count, value)
  check.array("ArrayFill", 1, array)
  whole("ArrayFill", 2, start)
  whole("ArrayFill", 3, count)
  check.number("ArrayFill", 4, value)
  array:fill(value, start, count)
end

--- Copies elements and converts them to the target's type. The target grows if they need more room.
-- @tparam array target
-- @tparam array source
-- @tparam[opt=0] number target_start
-- @tparam[opt=0] number source_start
-- @tparam[opt=WHOLE_ARRAY] number count the most to copy; WHOLE_ARRAY: all from source_start on
-- @treturn number how many were copied
function arrays.ArrayCopy(target, source, target_start, source_start, count)
  check.array("ArrayCopy", 1, target)
  check.array("ArrayCopy", 2, source)
  target_start = whole("ArrayCopy", 3, target_start, 0)
  source_start = whole("ArrayCopy", 4, source_start, 0)
  count = whole("ArrayCopy", 5, count, WHOLE_ARRAY)
  local rest = math.max(0, #source - source_start)
  if count < 0 or count > rest then count = rest end
  if count == 0 then return 0 end
  if target_start >= 0 and target_start + count > #target then
    target:resize(target_start + count)
  end
  target:copy_from(source, source_start, target_start, count)
  return count
end

--- Empties an array and frees its memory.
-- @tparam array array
function arrays.ArrayFree(array)
  check.array("ArrayFree", 1, array):resize(0)
end

--- The extent of an array in one dimension.
-- @tparam array array
-- @tparam number rank_index 0; a matrix also has 1: its columns
-- @treturn number how many elements (or rows) there are
function arrays.ArrayRange(array, rank_index)
  local rows = check.array("ArrayRange", 1, array):rows()
  whole("ArrayRange", 2, rank_index)
  if rank_index == 0 then return rows or #array end
  if rank_index == 1 and rows then return array:columns() end
  local allowed = rows and "index of 0 or 1" or "index of 0 (only a matrix has more dimensions)"
  check.refuse("ArrayRange", 2, allowed, rank_index)
end

-- The first index of the least and of the greatest element in a range; nil and why there is none.
local function extremes(array, start, count)
  if start < 0 or start >= #array then
    return nil, ("start %s is outside the array of %s"):format(check.show(start), text.count(#array, "element"))
  end
  if count < 0 or count > #array - start then count = #array - start end
  if count == 0 then return nil, "count is 0" end
  local part = count == #array and array or array:copy(start, count)
  local least, greatest = part:extreme_indices()
  if not least then return nil, "all elements are NaN" end
  return start + least, start + greatest
end

local function extreme(name, which, array, start, count)
  check.array(name, 1, array)
  local least, greatest = extremes(array, whole(name, 2, start, 0), whole(name, 3, count, WHOLE_ARRAY))
  if least then return which == "least" and least or greatest end
  return -1, errors.fail(name, codes.ERR_INVALID_PARAMETER, greatest)
end

--- The index of the greatest element, the first one if there are several. NaN does not count.
-- @tparam array array
-- @tparam[opt=0] number start the first element to look at
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from start on
-- @treturn number the index; -1 and the message if there is no element
function arrays.ArrayMaximum(array, start, count)
  return passed(extreme("ArrayMaximum", "greatest", array, start, count))
end

--- The index of the least element, the first one if there are several. NaN does not count.
-- @tparam array array
-- @tparam[opt=0] number start the first element to look at
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from start on
-- @treturn number the index; -1 and the message if there is no element
function arrays.ArrayMinimum(array, start, count)
  return passed(extreme("ArrayMinimum", "least", array, start, count))
end

-- What is zero for a field of a Lua table that stands for a structure.
local function zeroed(field)
  if type(field) == "number" then return 0 end
  if type(field) == "string" then return "" end
  if type(field) == "boolean" then return false end
  arrays.ZeroMemory(field)
  return field
end

--- Makes all elements of an array 0; in a Lua table, all numbers 0, texts "", booleans false, at all depths.
-- @tparam array|table variable
function arrays.ZeroMemory(variable)
  if argument.is_plain(variable) then
    for key, field in pairs(variable) do variable[key] = zeroed(field) end
  elseif array_class.is(variable) then
    check.array("ZeroMemory", 1, variable):fill(0)
  else
    check.refuse("ZeroMemory", 1, "array or a table", variable, "a variable keeps its value: assign 0 to it")
  end
end

return {names = arrays, whole = whole}
