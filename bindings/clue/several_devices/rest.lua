--- The items of a run that nobody has yet: those from a place on, and what devices gave back.
-- @module clue.several_devices.rest

local rest = {}
local Rest = {}
Rest.__index = Rest

--- Makes the rest of a run that begins.
-- @tparam number total
-- @tparam number multiple every chunk begins at one
-- @tparam[opt] number most the largest chunk
-- @treturn Rest with total, multiple, most and rest, the number of items that are left
function rest.new(total, multiple, most)
  return setmetatable({total = total, multiple = multiple, most = most, rest = total, next = 0, returned = {}}, Rest)
end

--- Takes items, at most as many as wanted: what was given back comes first, and in the pieces in which it came.
-- @tparam number wanted a multiple, or all that is left
-- @treturn number first
-- @treturn number count
function Rest:take(wanted)
  local piece = table.remove(self.returned)
  if not piece then
    local first, count = self.next, math.min(wanted, self.total - self.next)
    self.next, self.rest = first + count, self.rest - count
    return first, count
  end
  local count = math.min(wanted, piece.count)
  if count < piece.count then
    self.returned[#self.returned + 1] = {first = piece.first + count, count = piece.count - count}
  end
  self.rest = self.rest - count
  return piece.first, count
end

--- Takes items back.
-- @tparam number first
-- @tparam number count
function Rest:back(first, count)
  self.returned[#self.returned + 1] = {first = first, count = count}
  self.rest = self.rest + count
end

return rest
