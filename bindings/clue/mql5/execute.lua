--- CLExecute: enqueues a kernel, over one work-item or a range.
-- The range's arrays are typed arrays or plain Lua tables ({0, 0}); no other MQL5 name takes tables.
local argument = require "clue.argument"
local array = require "clue.array"
local binding = require "clue.binding"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local errors = require "clue.mql5.errors"
local pointee = require "clue.pointee"
local shown = require "clue.shown"
local text = require "clue.text"

local codes = constants.errors

local kernel_execute = binding.kernel_execute

local ZERO, ONE = {0}, {1} -- the range of a call without one

local function table_reason(what, given)
  if rawget(given, 0) == nil then return nil end
  return what .. " has an element 0: a Lua table counts from 1, {n, m}; an array (array.uint{n, m}) counts from 0"
end

-- Why a range's array cannot be used. Raises for wrong types. Only the elements that work_dim needs are checked.
local function range_reason(what, given, dimensions)
  local typed = array.is(given)
  if type(given) == "number" then
    check.refuse("CLExecute", what, "array", given, ("write {%s}"):format(check.show(given)))
  end
  if typed or not argument.is_plain(given) then check.array("CLExecute", what, given) end
  local reason = not typed and table_reason(what, given) or nil
  if #given < dimensions then
    return reason or ("%s has %s, but work_dim is %.0f"):format(what, text.count(#given, "element"), dimensions)
  end
  for i = typed and 0 or 1, typed and dimensions - 1 or dimensions do
    local size = given[i]
    if type(size) ~= "number" then
      argument.fail("element %d of %s must be a number, got %s", i, what, shown.of(size))
    end
    reason = reason or check.whole("CLExecute", what, size, what)
  end
  return reason
end

local function arguments_reason(dimensions, offset, global, local_)
  local reason = check.small("CLExecute", "work_dim", dimensions, "work_dim")
  if not reason and (dimensions < 1 or dimensions > 3) then
    reason = ("work_dim must be 1 to 3, not %s"):format(check.show(dimensions))
  end
  local wanted = reason and 0 or dimensions
  return reason
    or range_reason("global_work_offset", offset, wanted)
    or range_reason("global_work_size", global, wanted)
    or local_ ~= nil and range_reason("local_work_size", local_, wanted)
    or nil
end

-- The message for what went wrong: first the arguments themselves, then what the binding reported.
local function refuse(kernel, ...)
  local reason = check.small("CLExecute", 1, kernel, "handle")
  if reason then return errors.fail("CLExecute", codes.ERR_OPENCL_INVALID_HANDLE, reason) end
  reason = arguments_reason(...)
  if reason then return errors.fail("CLExecute", codes.ERR_INVALID_PARAMETER, reason) end
  return (errors.fail_of_binding("CLExecute"))
end

-- A Lua table that counts from 0, or a number, which the binding takes but MQL5 does not.
local function is_unusual(sizes)
  local kind = type(sizes)
  return kind == "table" and rawget(sizes, 0) ~= nil or kind == "number"
end

local execute = {}

--- Enqueues a kernel and returns; CLBufferRead waits for it.
-- @tparam number kernel
-- @tparam[opt] number work_dim 1 to 3; without it and what follows, one work-item
-- @tparam[opt] table global_work_offset a number for each dimension
-- @tparam[opt] table global_work_size the number of work-items in each dimension
-- @tparam[opt] table local_work_size the size of a work-group in each dimension; without it the driver chooses
-- @treturn boolean true; false and the message on failure
function execute.CLExecute(kernel, ...)
  local dimensions, offset, global, local_ = ...
  if select("#", ...) == 0 then dimensions, offset, global, local_ = 1, ZERO, ONE, ONE end
  local usual = offset ~= nil and not (is_unusual(offset) or is_unusual(global) or is_unusual(local_))
  if usual then
    -- The binding checks the rest. Only what it refuses is checked again, for MQL5's reason.
    pointee.run(kernel)
    local sound, done = pcall(kernel_execute, kernel, dimensions, offset, global, local_)
    if sound and done then return true end
  end
  return false, refuse(kernel, dimensions, offset, global, local_)
end

return {names = execute}
