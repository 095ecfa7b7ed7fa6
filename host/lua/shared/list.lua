--- What is done with all things of a list, in their order.
local list = {}

--- What a function makes of the things.
-- @tparam {any,...} things
-- @tparam function make make(thing, index); nil leaves a thing out
-- @treturn {any,...}
function list.map(things, make)
  local made = {}
  for i, thing in ipairs(things) do made[#made + 1] = make(thing, i) end
  return made
end

--- The things of which something holds.
-- @tparam {any,...} things
-- @tparam function holds holds(thing, index)
-- @treturn {any,...}
function list.filter(things, holds)
  return list.map(things, function(thing, i) return holds(thing, i) and thing or nil end)
end

--- The first thing of which something holds.
-- @tparam {any,...} things
-- @tparam function holds holds(thing, index)
-- @return nil if there is none
function list.find(things, holds)
  for i, thing in ipairs(things) do
    if holds(thing, i) then return thing end
  end
end

--- Whether something holds of a thing at least.
-- @tparam {any,...} things
-- @tparam function holds holds(thing, index)
function list.any(things, holds)
  for i, thing in ipairs(things) do
    if holds(thing, i) then return true end
  end
  return false
end

return list
