--- Puts things into groups, in the order in which the groups' first things occur.

--- Groups things.
-- @tparam {any,...} things
-- @tparam function key_of key_of(thing): a text, the same for all things of a group
-- @treturn {{any,...},...} the groups, each a list with its key as the field `key`
return function(things, key_of)
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
