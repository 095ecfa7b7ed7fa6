--- Finds the valid configurations of a space: a search that leaves a branch as soon as a restriction excludes it.
--
-- A restriction is a plain function, so nobody says which parameters it needs. It is called as early as possible; if it
-- reads a parameter that has no value yet, it is called again once that parameter has one.
-- @module clue.tune.enumerate

-- What a restriction raises if it needs the parameter of this number.
local missing = {}

-- The configuration that restrictions see: values by name, as far as they are chosen.
local function view(names, chosen)
  local numbers = {}
  for p, name in ipairs(names) do numbers[name] = p end
  return setmetatable({}, {
    __index = function(_, name)
      local p = numbers[name] or error(("there is no parameter '%s'"):format(tostring(name)), 2)
      if p <= chosen.depth then return chosen[p] end
      missing.p = p
      error(missing, 0)
    end,
    __newindex = function() error("a restriction cannot change a configuration", 2) end,
  })
end

-- Calls the restrictions that wait for a depth. Returns whether none excludes the values, and the depths at which
-- some of them now wait.
local function check(waiting, configuration, depth)
  local moved = {}
  for _, restriction in ipairs(waiting[depth]) do
    local done, valid = pcall(restriction.test, configuration)
    if not done and valid == missing then
      table.insert(waiting[missing.p], restriction)
      moved[#moved + 1] = missing.p
    elseif not done then
      error(("restriction %d: %s"):format(restriction.number, tostring(valid)), 0)
    elseif not valid then
      return false, moved
    end
  end
  return true, moved
end

--- Lists the keys of all valid configurations.
-- @tparam Space space its names, values and strides
-- @tparam {function,...} restrictions
-- @treturn {number,...} in rising order
return function(space, restrictions)
  local chosen, keys, waiting = {depth = 0}, {}, {}
  for depth = 1, #space.names do waiting[depth] = {} end
  for i, test in ipairs(restrictions) do waiting[1][i] = {number = i, test = test} end
  local configuration = view(space.names, chosen)
  local function extend(depth, key)
    if depth > #space.names then
      keys[#keys + 1] = key
      return
    end
    for i, value in ipairs(space.values[depth]) do
      chosen[depth], chosen.depth = value, depth
      local valid, moved = check(waiting, configuration, depth)
      if valid then extend(depth + 1, key + (i - 1) * space.strides[depth]) end
      for _, to in ipairs(moved) do table.remove(waiting[to]) end
    end
  end
  extend(1, 0)
  return keys
end
