--- Associative operations that have a name: what they compute of a and b, and their identity.
-- @module clue.compute.operations
local argument = require "clue.argument"
local types = require "clue.compute.types"

local operations = {}

local real_texts = {sum = "a + b", product = "a * b", min = "fmin(a, b)", max = "fmax(a, b)"}
local whole_texts = {
  sum = "a + b", product = "a * b", min = "min(a, b)", max = "max(a, b)", ["and"] = "a & b", ["or"] = "a | b",
  xor = "a ^ b",
}

local function identity_of(name, type_name)
  local least, greatest = types.limits(type_name)
  local constants = {product = "1", min = greatest, max = least, ["and"] = "~0"}
  return ("((%s)(%s))"):format(type_name, constants[name] or "0")
end

--- The texts of a named operation.
-- @tparam string type_name of a and b: a number or a vector, "float"
-- @tparam string name "sum", "product", "min", "max" (of reals, these two ignore NaN as fmin and fmax do); for whole
--   numbers also "and", "or", "xor"
-- @treturn string the operation, an expression of a and b
-- @treturn string its identity, an expression
function operations.of(type_name, name)
  local is_real = types.is_real(type_name)
  if is_real and whole_texts[name] and not real_texts[name] then
    argument.fail("\"%s\" is for whole numbers, not for %s", name, type_name)
  end
  local text = argument.word(name, is_real and real_texts or whole_texts, "operation")
  return text, identity_of(name, type_name)
end

return operations
