--- Which walkthroughs of two documents are copies of one another.
-- @module clue.show.compare.copy_of
local copy_of = {}

-- By `clue new`.
local function by_origin(one, other)
  return (one.from or one.name) == (other.from or other.name)
end

-- Made by hand.
local function by_title(one, other)
  return one.title ~= nil and one.title == other.title
end

--- How to recognise them, the surest way first.
copy_of.ways = {by_origin, by_title}

--- Whether two walkthroughs of different names are copies.
-- @tparam table one as in a document
-- @tparam table other
-- @treturn boolean
function copy_of.walkthrough(one, other)
  return by_origin(one, other) or by_title(one, other)
end

return copy_of
