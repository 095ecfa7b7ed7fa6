--- What the kernels of several limits share: the widths of vectors, and their text.
local vectors = {}

--- The widths that are measured.
vectors.widths = {1, 2, 4, 8, 16}

--- The name of a type.
-- @tparam string scalar "float"
-- @tparam number width
-- @treturn string "float4"; "float" for 1
function vectors.name(scalar, width)
  return scalar .. (width > 1 and ("%d"):format(width) or "")
end

--- The sum of the lanes of the variable `sum`.
-- @tparam number width
-- @treturn string "sum.s0 + sum.s1"
function vectors.sum(width)
  local lanes = {}
  for lane = 0, width - 1 do lanes[lane + 1] = ("sum.s%x"):format(lane) end
  return width == 1 and "sum" or table.concat(lanes, " + ")
end

--- Whether an array is as expected.
-- @tparam array found
-- @tparam array expected
-- @tparam[opt=0] number first number of the first element, for the message
-- @treturn ?string "element 17 is 0 instead of 1"
function vectors.same(found, expected, first)
  local at = found:compare(expected)
  if not at then return true end
  return false, ("element %.0f is %.9g instead of %.9g"):format((first or 0) + at, found[at], expected[at])
end

return vectors
