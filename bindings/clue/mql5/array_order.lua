--- MQL5's functions that move elements of arrays: ArrayReverse, ArrayInsert, ArrayRemove, ArraySwap. In an array of
-- several dimensions they move whole rows, and indices and counts mean rows. All arrays but those in structs behave as
-- MQL5's dynamic ones: they grow and shrink.
local codes = require("clue.mql5.constants").errors
local elements = require "clue.mql5.elements"
local errors = require "clue.mql5.errors"
local passed = require("clue.public").passed
local whole = require("clue.mql5.arrays").whole

local array_order = {}

local WHOLE_ARRAY = -1

local function fail(name, code, reason)
  return false, errors.fail(name, code, reason)
end

-- An array's memory by rows: rows, how many there are; unit, the elements of memory in each (clue.mql5.elements).
local function view_of(name, position, array)
  local view = elements.view(name, position, array)
  view.columns, view.what, view.rows = elements.row(array)
  view.unit = view.unit * view.columns
  return view
end

local function outside(view, start, count)
  return elements.outside(view.rows, view.what, start, count)
end

-- The number that a count means.
local function counted(view, start, count)
  return count == WHOLE_ARRAY and math.max(0, view.rows - start) or count
end

--- Reverses the order of an array's elements, or of a part of it.
-- @tparam array|struct_array array
-- @tparam[opt=0] number start the first element
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from start on
-- @treturn boolean
-- @treturn ?string the message on failure
function array_order.ArrayReverse(array, start, count)
  local view = view_of("ArrayReverse", 1, array)
  start, count = whole("ArrayReverse", 2, start, 0), whole("ArrayReverse", 3, count, WHOLE_ARRAY)
  count = counted(view, start, count)
  local reason = outside(view, start, count)
  if reason then return passed(fail("ArrayReverse", codes.ERR_SMALL_ARRAY, reason)) end
  if count == 0 then return true end
  local memory, unit, first = view.memory, view.unit, view.at + start * view.unit
  local part = memory:copy(first, count * unit)
  for i = 0, count - 1 do memory:copy_from(part, i * unit, first + (count - 1 - i) * unit, unit) end
  return true
end

-- Why elements of one array cannot go to another; nil if they can.
local function unlike(target, source)
  if target.of ~= source.of then
    return ("the arrays have elements of different types, %s and %s"):format(target.type, source.type)
  end
  return target.columns ~= source.columns
    and ("the arrays have rows of %.0f and %.0f elements"):format(target.columns, source.columns) or nil
end

--- Inserts elements of another array of the same type. Those that come after them move up, and the array grows.
-- @tparam array|struct_array target
-- @tparam array|struct_array source
-- @tparam number target_start the place of the first in target; its length: after the last element
-- @tparam[opt=0] number source_start the first in source
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from source_start on
-- @treturn boolean
-- @treturn ?string the message on failure
function array_order.ArrayInsert(target, source, target_start, source_start, count)
  local to, from = view_of("ArrayInsert", 1, target), view_of("ArrayInsert", 2, source)
  target_start, source_start = whole("ArrayInsert", 3, target_start), whole("ArrayInsert", 4, source_start, 0)
  count = counted(from, source_start, whole("ArrayInsert", 5, count, WHOLE_ARRAY))
  local reason = target == source and "an array cannot be inserted into itself" or unlike(to, from)
  if reason then return passed(fail("ArrayInsert", codes.ERR_INVALID_ARRAY, reason)) end
  reason = outside(from, source_start, count) or target_start ~= to.rows and outside(to, target_start, 0)
  if reason then return passed(fail("ArrayInsert", codes.ERR_SMALL_ARRAY, reason)) end
  if count == 0 then return true end
  elements.resize(target, to.rows + count)
  elements.copy(to, target_start + count, to, target_start, to.rows - target_start)
  elements.copy(to, target_start, from, source_start, count)
  return true
end

--- Removes elements. Those that come after them move down, and the array shrinks.
-- @tparam array|struct_array array
-- @tparam number start the first
-- @tparam[opt=WHOLE_ARRAY] number count how many; WHOLE_ARRAY: all from start on
-- @treturn boolean
-- @treturn ?string the message on failure
function array_order.ArrayRemove(array, start, count)
  local view = view_of("ArrayRemove", 1, array)
  start, count = whole("ArrayRemove", 2, start), whole("ArrayRemove", 3, count, WHOLE_ARRAY)
  local reason = outside(view, start, 0)
  if reason then return passed(fail("ArrayRemove", codes.ERR_SMALL_ARRAY, reason)) end
  count = counted(view, start, count)
  reason = outside(view, start, count)
  if reason then return passed(fail("ArrayRemove", codes.ERR_INVALID_PARAMETER, reason)) end
  elements.copy(view, start, view, start + count, view.rows - start - count)
  elements.resize(array, view.rows - count)
  return true
end

--- Exchanges the contents of two arrays of the same type.
-- @tparam array|struct_array first
-- @tparam array|struct_array second
-- @treturn boolean
-- @treturn ?string the message on failure
function array_order.ArraySwap(first, second)
  local left, right = view_of("ArraySwap", 1, first), view_of("ArraySwap", 2, second)
  local reason = unlike(left, right)
  if reason then return passed(fail("ArraySwap", codes.ERR_INVALID_ARRAY, reason)) end
  local kept = {memory = left.memory:copy(left.at, left.rows * left.unit), at = 0, unit = left.unit, of = left.of}
  if left.rows ~= right.rows then -- raises for an array that keeps its length, before anything changes
    elements.resize(first, left.rows)
    elements.resize(second, right.rows)
    elements.resize(first, right.rows)
  end
  elements.copy(left, 0, right, 0, right.rows)
  if left.rows ~= right.rows then elements.resize(second, left.rows) end
  elements.copy(right, 0, kept, 0, left.rows)
  return true
end

return {names = array_order}
