--- Groups of other sizes than 8 in each dimension, which `clue check` tries.
-- @module clue.check.groups
local groups = {}

--- About 16, 64 and 256 work-items, each by the number of dimensions.
groups.list = {{{16}, {4, 4}, {4, 2, 2}}, {{64}, {8, 8}, {4, 4, 4}}, {{256}, {16, 16}, {8, 8, 4}}}

--- How messages name them, whatever the dimensions.
-- @tparam int which of @{list}
-- @treturn string "groups of 16"
function groups.text(which)
  return "groups of " .. groups.list[which][1][1]
end

return groups
