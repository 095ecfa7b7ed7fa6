--- Expressions of device arrays: which operation on which operands an array stands for, until it is computed.
--
-- An array has type_name, extents and queue, and either view (its elements in memory, @{clue.device_array.extents})
-- or operation and operands: other arrays and numbers, which are not changed when the expression is made. An operand's
-- memory may change before the expression is computed: so each expression keeps the version of the memory of its
-- operands, and one whose operands have changed is refused.
local argument = require "clue.argument"
local extents = require "clue.device_array.extents"
local object = require "clue.object"
local operations = require "clue.device_array.operations"
local shown = require "clue.shown"
local types = require "clue.device_array.types"

local expression = {}

local HEAVIEST = 48 -- operations in one kernel: bounds the compiler's time
local MOST = 80 -- arguments of one: bounds what Lua's functions and a device's kernels have room for, beside the places

expression.KIND = "device array"

--- @param given anything
-- @treturn boolean whether it is a device array
function expression.is(given)
  return object.kind(given) == expression.KIND
end

-- ---- operands ---------------------------------------------------------------------------------------------------

local function check_operand(given, name)
  if expression.is(given) or type(given) == "number" then return end
  local remedy = shown.type_of(given) and "queue:array(...) copies an array to the device" or nil
  argument.refuse(name, "a device array or a number", given, remedy)
end

local function check_together(one, other)
  if one.queue == other.queue then return end
  argument.fail("%s and %s are on different queues", one:describe(), other:describe())
end

-- The extents of several operands together, and one of the arrays.
local function extents_of(operands)
  local first, made
  for _, each in ipairs(operands) do
    if expression.is(each) then
      if first then check_together(first, each) end
      first, made = first or each, made and extents.broadcast(made, each.extents) or not made and each.extents
        or argument.fail("the extents %s and %s do not fit: from the last one on, each must be equal, or 1",
          extents.text(made), extents.text(each.extents))
    end
  end
  return made, first
end

-- The type of the operands from one on; if these are numbers only, that of the array before them.
local function type_of(operands, from, device)
  local found
  for i = from, #operands do
    local each = operands[i]
    if expression.is(each) then found = found and types.common(found, each.type_name, device) or each.type_name end
  end
  found = found or operands[1].type_name
  for i = from, #operands do
    if type(operands[i]) == "number" then found = types.with_number(found, operands[i], device) end
  end
  return found
end

-- ---- making -----------------------------------------------------------------------------------------------------

-- How many operations of an operand are still to be computed, and for how many arguments: of elements in memory, the
-- buffer and the offset.
local function weight_of(each)
  if not expression.is(each) then return 0, 1 end
  if each.view then return 0, 2 end
  return each.weight, each.arguments
end

-- What is kept of the operands: each one's version, and how much is still to be computed.
local function weigh(made)
  local shared = false
  made.versions, made.weight, made.arguments = {}, 1, 0
  for i, each in ipairs(made.operands) do
    local weight, arguments = weight_of(each)
    made.weight, made.arguments = made.weight + weight, made.arguments + arguments
    if expression.is(each) then
      made.versions[i] = each.view and each.view.storage.version or 0
      shared = shared or each.view ~= nil and each.view.storage.shared
    end
  end
  return made.weight > HEAVIEST or made.arguments > MOST, shared
end

local function compute_operands(made, compute)
  for _, each in ipairs(made.operands) do
    if expression.is(each) then compute(each) end
  end
end

--- Makes the array of an operation. It is computed when it is needed; at once, if a kernel of the script's may change
-- an operand.
-- @tparam table class of the array, as @{clue.device_array} defines it: new(fields), compute(array)
-- @tparam string name of the operation
-- @tparam table operands device arrays and numbers, one of them an array
-- @tparam[opt] string type_name of the result (copy alone converts)
-- @treturn table the array
function expression.new(class, name, operands, type_name)
  local operation = operations[name]
  for i = 1, operation.operands do check_operand(operands[i], "operand " .. i) end
  local together, first = extents_of(operands)
  local common = type_of(operands, operation.condition and 2 or 1, first.queue.device)
  local computing = operation.type and operation.type(common, first.queue.device) or common
  local made = class.new {queue = first.queue, extents = together, operation = name, operands = operands,
    computing = computing, type_name = type_name or operation.result or computing}
  local heavy, shared = weigh(made)
  if heavy then
    compute_operands(made, class.compute)
    weigh(made)
  end
  if shared then class.compute(made) end
  return made
end

--- Raises if an operand was changed after the expression was made.
-- @tparam table of an array that is not computed
function expression.check_versions(of)
  for i, each in ipairs(of.operands) do
    if expression.is(each) then
      local version = each.view and each.view.storage.version or 0
      if version ~= of.versions[i] then
        argument.fail("%s was not computed before an array that it is made of was changed: compute() it before",
          of:describe())
      end
    end
  end
end

return expression
