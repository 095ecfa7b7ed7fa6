--- MQL5's array functions over typed arrays. An index, a count or a value that the array cannot take raises an error;
-- MQL5 ends the program ("array out of range") or truncates the value.
local check = require "clue.mql5.check"

local arrays = {}

local WHOLE_ARRAY = -1

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

return {names = arrays}
