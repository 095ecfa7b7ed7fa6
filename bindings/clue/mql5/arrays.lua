--- MQL5's array functions over typed arrays, arrays of structs and arrays in structs (clue.mql5.elements). An index, a
-- count or a value that the array cannot take raises an error; MQL5 ends the program ("array out of range") or
-- truncates the value.
local argument = require "clue.argument"
local array_class = require "clue.array"
local check = require "clue.mql5.check"
local codes = require("clue.mql5.constants").errors
local elements = require "clue.mql5.elements"
local errors = require "clue.mql5.errors"
local passed = require("clue.public").passed
local place = require "clue.struct.place"

local arrays = {}

local WHOLE_ARRAY = -1

local whole = check.whole_number

-- A whole number that is never below 0.
local function extent(name, position, given, default)
  given = whole(name, position, given, default)
  if given < 0 then check.refuse(name, position, "whole number of 0 or more", given) end
  return given
end

--- The length of an array.
-- @tparam array|struct_array array
-- @treturn number how many elements it has, in all dimensions
function arrays.ArraySize(array)
  return (elements.length("ArraySize", array))
end

--- Changes the length of an array, or how many rows it has. New elements are 0.
-- @tparam array|struct_array array
-- @tparam number size of the first dimension; the others stay
-- @tparam[opt] number reserve ignored: MQL5 reserves memory for so many elements
-- @treturn number how many elements it has then, in all dimensions
function arrays.ArrayResize(array, size, reserve)
  if not elements.is_list(array) then elements.view("ArrayResize", 1, array) end
  extent("ArrayResize", 2, size)
  whole("ArrayResize", 3, reserve, 0)
  elements.resize(array, size)
  return (elements.length("ArrayResize", array))
end

--- Gives every element one value.
-- @tparam array|struct_array array of numbers
-- @tparam number value raises where the type cannot hold it
-- @treturn number how many elements there are
function arrays.ArrayInitialize(array, value)
  if elements.is_list(array) then
    local count = elements.length("ArrayInitialize", array)
    for i = 0, count - 1 do array[i] = value end
    return count
  end
  elements.view("ArrayInitialize", 1, array)
  check.number("ArrayInitialize", 2, value)
  return (elements.fill("ArrayInitialize", array, value))
end

--- Gives a range of elements one value.
-- @tparam array|struct_array array of numbers
-- @tparam number start the index of the first
-- @tparam number count
-- @tparam number value
function arrays.ArrayFill(array, start, count, value)
  elements.view("ArrayFill", 1, array)
  whole("ArrayFill", 2, start)
  whole("ArrayFill", 3, count)
  check.number("ArrayFill", 4, value)
  elements.fill("ArrayFill", array, value, start, count)
end

--- Copies elements; numbers are converted to the target's type, structs must have it. The target grows if they need
-- more room, by whole rows. Positions and counts are those of elements, in all dimensions.
-- @tparam array|struct_array target
-- @tparam array|struct_array source
-- @tparam[opt=0] number target_start
-- @tparam[opt=0] number source_start
-- @tparam[opt=WHOLE_ARRAY] number count the most to copy; WHOLE_ARRAY: all from source_start on
-- @treturn number how many were copied
function arrays.ArrayCopy(target, source, target_start, source_start, count)
  local to, from = elements.view("ArrayCopy", 1, target), elements.view("ArrayCopy", 2, source)
  target_start = extent("ArrayCopy", 3, target_start, 0)
  source_start = extent("ArrayCopy", 4, source_start, 0)
  count = whole("ArrayCopy", 5, count, WHOLE_ARRAY)
  local rest = math.max(0, from.count - source_start)
  if count < 0 or count > rest then count = rest end
  if not elements.alike(to, from) then
    check.refuse("ArrayCopy", 2, ("array of %s"):format(elements.is_number(to) and "numbers" or to.type), source)
  end
  if count == 0 then return 0 end
  elements.grow(target, target_start + count)
  elements.copy(to, target_start, from, source_start, count)
  return count
end

--- Empties an array and frees its memory. Its other dimensions than the first stay.
-- @tparam array|struct_array array
function arrays.ArrayFree(array)
  if not elements.is_list(array) then elements.view("ArrayFree", 1, array) end
  elements.resize(array, 0)
end

--- The extent of an array in one dimension.
-- @tparam array|struct_array array
-- @tparam number rank_index 0; 1: the columns of an array with rows; a field of a struct can have more
-- @treturn number how many elements (or rows) there are
function arrays.ArrayRange(array, rank_index)
  elements.view("ArrayRange", 1, array)
  local extents = elements.dimensions(array)
  whole("ArrayRange", 2, rank_index)
  if extents[rank_index + 1] then return extents[rank_index + 1] end
  local allowed = #extents == 1 and "index of 0 (only a matrix has more dimensions)"
    or #extents == 2 and "index of 0 or 1" or ("index of 0 to %d"):format(#extents - 1)
  check.refuse("ArrayRange", 2, allowed, rank_index)
end

-- The first index of the least and of the greatest element in a range; nil and why there is none.
local function extremes(array, start, count)
  local reason = elements.outside(#array, "element", start, 0)
  if reason then return nil, reason end
  if count < 0 or count > #array - start then count = #array - start end
  if count == 0 then return nil, "count is 0" end
  local part = count == #array and array or array:copy(start, count)
  local least, greatest = part:extreme_indices()
  if not least then return nil, "all elements are NaN" end
  return start + least, start + greatest
end

local function extreme(name, which, array, start, count)
  local numbers = elements.numbers(name, 1, array)
  local least, greatest = extremes(numbers, whole(name, 2, start, 0), whole(name, 3, count, WHOLE_ARRAY))
  if least then return which == "least" and least or greatest end
  return -1, errors.fail(name, codes.ERR_INVALID_PARAMETER, greatest)
end

--- The index of the greatest element, the first one if there are several. NaN does not count.
-- @tparam array|struct_array array of numbers
-- @tparam[opt=0] number start the first element to look at
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from start on
-- @treturn number the index; -1 and the message if there is no element
function arrays.ArrayMaximum(array, start, count)
  return passed(extreme("ArrayMaximum", "greatest", array, start, count))
end

--- The index of the least element, the first one if there are several. NaN does not count.
-- @tparam array|struct_array array of numbers
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

--- Makes all elements of an array 0, and all fields of structs; in a Lua table, all numbers 0, texts "", booleans
-- false, at all depths.
-- @tparam array|struct_array|struct|table variable
function arrays.ZeroMemory(variable)
  if argument.is_plain(variable) then
    for key, field in pairs(variable) do variable[key] = zeroed(field) end
  elseif array_class.is(variable) or place.of(variable) then
    local view = elements.view("ZeroMemory", 1, variable, true)
    view.memory:fill(0, view.at, view.count * view.unit)
  else
    check.refuse("ZeroMemory", 1, "array or a table", variable, "a variable keeps its value: assign 0 to it")
  end
end

return {names = arrays, whole = whole}
