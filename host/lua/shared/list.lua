--- What is done with all things of a list, in their order.
-- Parameters with one meaning everywhere: things, a list; holds, a function holds(thing, index).
local list = {}

--- What a function makes of the things.
-- @tparam function make make(thing, index); nil leaves a thing out
-- @treturn {any,...}
function list.map(things, make)
  local made = {}
  for i, thing in ipairs(things) do made[#made + 1] = make(thing, i) end
  return made
end

--- The things of which something holds.
-- @treturn {any,...}
function list.filter(things, holds)
  return list.map(things, function(thing, i) return holds(thing, i) and thing or nil end)
end

--- The first thing of which something holds.
-- @return nil if there is none
function list.find(things, holds)
  for i, thing in ipairs(things) do
    if holds(thing, i) then return thing end
  end
end

--- Whether something holds of a thing at least.
function list.any(things, holds)
  for i, thing in ipairs(things) do
    if holds(thing, i) then return true end
  end
  return false
end

--- The things in groups, in the order in which the groups' first things occur.
-- @tparam function key_of key_of(thing): a text, the same for all things of a group
-- @treturn {{any,...},...} the groups, each a list with its key as the field `key`
function list.grouped(things, key_of)
  local groups, by_key = {}, {}
  for _, thing in ipairs(things) do
    local key = key_of(thing)
    if not by_key[key] then
      by_key[key] = {key = key}
      groups[#groups + 1] = by_key[key]
    end
    table.insert(by_key[key], thing)
  end
  return groups
end

return list
