--- MQL5's functions that move elements of arrays: ArrayReverse, ArrayInsert, ArrayRemove, ArraySwap. In an array with
-- rows and columns they move whole rows, and indices and counts mean rows. All typed arrays behave as MQL5's dynamic
-- ones: they grow and shrink.
local check = require "clue.mql5.check"
local codes = require("clue.mql5.constants").errors
local errors = require "clue.mql5.errors"
local passed = require("clue.public").passed
local text = require "clue.text"
local whole = require("clue.mql5.arrays").whole

local array_order = {}

local WHOLE_ARRAY = -1

local function fail(name, code, reason)
  return false, errors.fail(name, code, reason)
end

-- How many rows an array has, or elements, and how many elements each of them has.
local function shape(array)
  if array:rows() then return array:rows(), array:columns() end
  return #array, 1
end

local function resize(array, count)
  local columns = array:columns()
  array:resize(count * (columns or 1))
  if columns then array:reshape(count, columns) end
end

-- "start 3 is outside the array of 3 rows"; nil if an array has that many elements from there on.
local function outside(array, start, count)
  local total = shape(array)
  local what = array:rows() and "row" or "element"
  if start < 0 or start >= total then
    return ("start %s is outside the array of %s"):format(check.show(start), text.count(total, what))
  elseif count < 0 or start + count > total then
    return ("start %s and count %s go past the array's %s"):format(check.show(start), check.show(count),
      text.count(total, what))
  end
end

-- The number that a count means.
local function counted(array, start, count)
  return count == WHOLE_ARRAY and math.max(0, (shape(array)) - start) or count
end

--- Reverses the order of an array's elements, or of a part of it.
-- @tparam array array
-- @tparam[opt=0] number start the first element
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from start on
-- @treturn boolean
-- @treturn ?string the message on failure
function array_order.ArrayReverse(array, start, count)
  check.array("ArrayReverse", 1, array)
  start, count = whole("ArrayReverse", 2, start, 0), whole("ArrayReverse", 3, count, WHOLE_ARRAY)
  count = counted(array, start, count)
  local reason = outside(array, start, count)
  if reason then return passed(fail("ArrayReverse", codes.ERR_SMALL_ARRAY, reason)) end
  local _, unit = shape(array)
  if count == 0 then return true end
  local part = array:copy(start * unit, count * unit)
  for i = 0, count - 1 do array:copy_from(part, i * unit, (start + count - 1 - i) * unit, unit) end
  return true
end

-- Why elements of one array cannot go to another; nil if they can.
local function unlike(target, source)
  local _, left = shape(target)
  local _, right = shape(source)
  if target:type() ~= source:type() then
    return ("the arrays have elements of different types, %s and %s"):format(target:type(), source:type())
  end
  return left ~= right and ("the arrays have rows of %.0f and %.0f elements"):format(left, right) or nil
end

--- Inserts elements of another array of the same type. Those that come after them move up, and the array grows.
-- @tparam array target
-- @tparam array source
-- @tparam number target_start the place of the first in target; its length: after the last element
-- @tparam[opt=0] number source_start the first in source
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from source_start on
-- @treturn boolean
-- @treturn ?string the message on failure
function array_order.ArrayInsert(target, source, target_start, source_start, count)
  check.array("ArrayInsert", 1, target)
  check.array("ArrayInsert", 2, source)
  target_start, source_start = whole("ArrayInsert", 3, target_start), whole("ArrayInsert", 4, source_start, 0)
  count = counted(source, source_start, whole("ArrayInsert", 5, count, WHOLE_ARRAY))
  local reason = target == source and "an array cannot be inserted into itself" or unlike(target, source)
  if reason then return passed(fail("ArrayInsert", codes.ERR_INVALID_ARRAY, reason)) end
  local before, unit = shape(target)
  reason = outside(source, source_start, count)
    or target_start ~= before and outside(target, target_start, 0)
  if reason then return passed(fail("ArrayInsert", codes.ERR_SMALL_ARRAY, reason)) end
  if count == 0 then return true end
  local rest = before - target_start
  local moved = rest > 0 and target:copy(target_start * unit, rest * unit)
  resize(target, before + count)
  target:copy_from(source, source_start * unit, target_start * unit, count * unit)
  if moved then target:copy_from(moved, 0, (target_start + count) * unit, rest * unit) end
  return true
end

--- Removes elements. Those that come after them move down, and the array shrinks.
-- @tparam array array
-- @tparam number start the first
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from start on
-- @treturn boolean
-- @treturn ?string the message on failure
function array_order.ArrayRemove(array, start, count)
  check.array("ArrayRemove", 1, array)
  start, count = whole("ArrayRemove", 2, start), whole("ArrayRemove", 3, count, WHOLE_ARRAY)
  local reason = outside(array, start, 0)
  if reason then return passed(fail("ArrayRemove", codes.ERR_SMALL_ARRAY, reason)) end
  count = counted(array, start, count)
  reason = outside(array, start, count)
  if reason then return passed(fail("ArrayRemove", codes.ERR_INVALID_PARAMETER, reason)) end
  local total, unit = shape(array)
  local rest = total - start - count
  if rest > 0 then array:copy_from(array:copy((start + count) * unit, rest * unit), 0, start * unit, rest * unit) end
  resize(array, total - count)
  return true
end

--- Exchanges the contents of two arrays of the same type.
-- @tparam array first
-- @tparam array second
-- @treturn boolean
-- @treturn ?string the message on failure
function array_order.ArraySwap(first, second)
  check.array("ArraySwap", 1, first)
  check.array("ArraySwap", 2, second)
  local reason = unlike(first, second)
  if reason then return passed(fail("ArraySwap", codes.ERR_INVALID_ARRAY, reason)) end
  local kept, count = first:copy(), shape(first)
  resize(first, (shape(second)))
  first:copy_from(second)
  resize(second, count)
  second:copy_from(kept)
  return true
end

return {names = array_order}
