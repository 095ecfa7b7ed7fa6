--- The unit of a rate of arithmetic, by the type of the numbers.
-- @module clue.shared.arithmetic_unit

--- The unit.
-- @tparam string type "float", "double", "half", "int", "long", "float4", ...
-- @treturn string "GFLOPS" for fractions, "GOPS" for whole numbers: 10^9 operations a second
local function arithmetic_unit(type)
  type = type:match "^%a*"
  return (type == "float" or type == "double" or type == "half") and "GFLOPS" or "GOPS"
end

return arithmetic_unit
