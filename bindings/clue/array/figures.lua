--- Figures about an array's elements: the sum, the extremes, one as text. Methods, for clue.array.
-- @module clue.array.figures
local argument = require "clue.argument"
local binding = require "clue.binding"
local shown = require "clue.shown"
local text = require "clue.array.text"

local methods = {}

--- @treturn number the sum of all elements, as a double
function methods:sum()
  text.check_self(self)
  return binding.array_sum(self)
end

--- A norm: how large the elements are together, and how much two arrays differ if it is taken of their difference.
-- @tparam ?number order 2 (the default): the root of the sum of squares; 1: the sum of magnitudes; math.huge: the
-- greatest magnitude
-- @treturn number NaN if an element is
function methods:norm(order)
  text.check_self(self)
  order = order == nil and 2 or order
  if order ~= 1 and order ~= 2 and order ~= math.huge then argument.refuse("order", "1, 2 or math.huge", order) end
  return (binding.array_norm(self, order))
end

-- Reads an element for a method.
local function element_at(self, index)
  local read, value = pcall(function() return self[index] end)
  if not read then argument.fail("%s", (tostring(value):gsub("^.-:%d+: ", ""))) end
  return value
end

--- The least and the greatest element, ignoring NaN. Raises for a 64-bit one that a double cannot hold.
-- @treturn ?number the least, nil if there is none
-- @treturn ?number the greatest
function methods:range()
  text.check_self(self)
  local least, greatest = binding.array_extremes(self)
  if not least then return nil, nil end
  local from, to = element_at(self, least), element_at(self, greatest)
  return from, to
end

--- The indices of the least and the greatest element, ignoring NaN.
-- @treturn ?number the index of the least, the first of equal ones; nil if there is none
-- @treturn ?number the index of the greatest
-- @treturn number how many elements are NaN
function methods:extreme_indices()
  text.check_self(self)
  local least, greatest, unordered = binding.array_extremes(self)
  return least, greatest, unordered
end

--- @tparam number index
-- @treturn string the element as decimal text, exact for every 64-bit value
function methods:decimal(index)
  text.check_self(self)
  if not text.is_count(index) or index >= #self then argument.fail("%s", text.bad_number(self, index)) end
  return binding.array_print(self, index)
end

--- @treturn string what tostring gives: "float[6] {0, 1, 2, ...}"; "float[unmapped]" for an array that was unmapped
function methods:describe()
  if shown.type_of(self) and shown.is_unmapped(self) then return text.shape(self) end
  text.check_self(self)
  local elements = {}
  for i = 0, math.min(#self, 3) - 1 do elements[i + 1] = binding.array_print(self, i) end
  if #self > 3 then elements[4] = "..." end
  return ("%s {%s}"):format(text.shape(self), table.concat(elements, ", "))
end

return methods
