--- Comparison of arrays. Methods, for clue.array.
-- @module clue.array.compare
local argument = require "clue.argument"
local binding = require "clue.binding"
local shown = require "clue.shown"
local text = require "clue.array.text"

local methods = {}

--- Compares with an array of the same type.
-- @param other
-- @tparam ?number tolerance the greatest difference that counts as equal (0); NaN equals NaN
-- @treturn ?number the first index where they differ or one of them ends; nil if they are equal
function methods:compare(other, tolerance)
  text.check_self(self)
  local code = binding.array_code(other)
  if code ~= binding.array_code(self) then
    argument.refuse("other", shown.of(self), other, code and "copy_from converts types" or nil)
  end
  argument.array(other, "other")
  tolerance = tolerance == nil and 0 or tolerance
  argument.typed(tolerance, "number", "tolerance")
  local count = math.min(#self, #other)
  local index = binding.array_compare(self, other, count, tolerance)
  if index then return index end
  if #self ~= #other then return count end
  return nil
end

local function check_bound(name, given)
  if given ~= given or given < 0 then argument.refuse(name, "a number of 0 or more", given) end
end

local OPTIONS = {relative = "number", absolute = "number", equal_nan = "boolean"}

--- Whether all elements are as near to another array's as |a - b| <= absolute + relative * |b|, NumPy's rule. Equal
-- infinities are near each other, but no others.
-- @param other an array as long as this one, of any type
-- @tparam ?table options `relative` (1e-5), `absolute` (1e-8), both 0 or more; `equal_nan = true`: NaN equals NaN (no)
-- @treturn boolean
-- @treturn ?number after false: the first index where they differ
function methods:allclose(other, options)
  text.check_self(self)
  argument.array(other, "other")
  options = argument.options(options, "options", OPTIONS)
  if #self ~= #other then argument.fail("%s and %s differ in length", text.shape(self), text.shape(other)) end
  local relative, absolute = options.relative or 1e-5, options.absolute or 1e-8
  check_bound("relative", relative)
  check_bound("absolute", absolute)
  local index = binding.array_allclose(self, other, #self, relative, absolute, options.equal_nan == true)
  if index then return false, index end
  return true
end

return methods
