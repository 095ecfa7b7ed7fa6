--- The extents of device arrays: how many elements there are in each dimension, the last one being contiguous in
-- memory. A view is where an array's elements lie in its memory: offset, and a stride for each dimension, in elements.
local argument = require "clue.argument"

local extents = {}

extents.MOST = 8 -- dimensions

--- Checks extents.
-- @param given a whole number, or a list of one to eight of them
-- @treturn {number,...} a copy
-- @treturn number how many elements there are in all
function extents.check(given)
  local listed = argument.is_plain(given) and given or {given}
  if #listed > extents.MOST then
    argument.fail("extents must be a whole number, or a list of one to %d, not of %d", extents.MOST, #listed)
  end
  if #listed < 1 then
    argument.refuse("extents", ("a whole number, or a list of one to %d"):format(extents.MOST), given)
  end
  local made, count = {}, 1
  for i = 1, #listed do
    made[i] = argument.whole(listed[i], "extents", 1)
    count = count * made[i]
  end
  if count >= 2 ^ 53 then argument.fail("%s are too many elements", extents.text(made)) end
  return made, count
end

--- @tparam {number,...} of
-- @treturn number how many elements
function extents.count(of)
  local count = 1
  for i = 1, #of do count = count * of[i] end
  return count
end

--- @tparam {number,...} of
-- @treturn string "3 x 4"
function extents.text(of)
  local words = {}
  for i = 1, #of do words[i] = ("%.0f"):format(of[i]) end
  return table.concat(words, " x ")
end

--- The strides of elements that lie one after the other.
-- @tparam {number,...} of
-- @treturn {number,...} in elements
function extents.strides(of)
  local strides, step = {}, 1
  for i = #of, 1, -1 do
    strides[i] = step
    step = step * of[i]
  end
  return strides
end

--- The extents of what two arrays give together: aligned at the last dimension, and an extent of 1 stretches to the
-- other's.
-- @tparam {number,...} one
-- @tparam {number,...} other
-- @treturn ?{number,...} nil if they do not fit
function extents.broadcast(one, other)
  local made, dimensions = {}, math.max(#one, #other)
  for i = 0, dimensions - 1 do
    local left, right = one[#one - i] or 1, other[#other - i] or 1
    if left ~= right and left ~= 1 and right ~= 1 then return nil end
    made[dimensions - i] = left == 1 and right or left
  end
  return made
end

--- The strides by which a view is read as an array of other extents, to which it stretches.
-- @tparam table view extents, strides
-- @tparam {number,...} target
-- @treturn {number,...} 0 where the view stretches
function extents.stretched(view, target)
  local strides, own, missing = {}, view.extents, #target - #view.extents
  for i = 1, #target do
    strides[i] = i > missing and own[i - missing] > 1 and view.strides[i - missing] or 0
  end
  return strides
end

--- Whether elements of these extents and strides lie one after the other.
-- @tparam {number,...} of
-- @tparam {number,...} strides
-- @treturn boolean
function extents.are_contiguous(of, strides)
  local step = 1
  for i = #of, 1, -1 do
    if of[i] > 1 and strides[i] ~= step then return false end
    step = step * of[i]
  end
  return true
end

--- A view of all elements, one after the other.
-- @tparam table storage
-- @tparam {number,...} of
-- @tparam[opt] number offset in elements (0)
-- @treturn table
function extents.whole(storage, of, offset)
  return {storage = storage, offset = offset or 0, extents = of, strides = extents.strides(of)}
end

return extents
