--- Finds the valid configurations of a space: a search that leaves a branch as soon as a restriction excludes it.
--
-- A restriction is a plain function, so nobody says which parameters it needs. It is called as early as possible; if it
-- reads a parameter that has no value yet, it is called again once that parameter has one. One that reads no parameter
-- by its name goes through all of them with pairs(), so it gets whole configurations, as plain tables.
-- @module clue.tune.search.enumerate

-- What a restriction raises if it needs the parameter of this number.
local missing = {}

-- The configuration that restrictions see: values by name, as far as they are chosen.
local function view(names, chosen)
  local numbers = {}
  for p, name in ipairs(names) do numbers[name] = p end
  return setmetatable({}, {
    __index = function(_, name)
      local p = numbers[name] or error(("there is no parameter '%s'"):format(tostring(name)), 2)
      chosen.was_read = true
      if p <= chosen.depth then return chosen[p] end
      missing.p = p
      error(missing, 0)
    end,
    __newindex = function() error("a restriction cannot change a configuration", 2) end,
  })
end

-- Calls a restriction. One that needs a parameter without a value raises `missing`.
local function test(restriction, names, configuration, chosen)
  if not restriction.takes_whole then
    chosen.was_read = false
    local valid = restriction.test(configuration)
    if chosen.was_read then return valid end
    restriction.takes_whole = true
  end
  missing.p = #names
  if chosen.depth < #names then error(missing, 0) end
  local whole = {}
  for p, name in ipairs(names) do whole[name] = chosen[p] end
  return restriction.test(whole)
end

-- Calls the restrictions that wait for a depth. Returns whether none excludes the values, and the depths at which
-- some of them now wait.
local function check(waiting, names, configuration, chosen)
  local depth = chosen.depth
  local moved = {}
  for _, restriction in ipairs(waiting[depth]) do
    local done, valid = pcall(test, restriction, names, configuration, chosen)
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
  for i, restriction in ipairs(restrictions) do waiting[1][i] = {number = i, test = restriction} end
  local configuration = view(space.names, chosen)
  local function extend(depth, key)
    if depth > #space.names then
      keys[#keys + 1] = key
      return
    end
    for i, value in ipairs(space.values[depth]) do
      chosen[depth], chosen.depth = value, depth
      local valid, moved = check(waiting, space.names, configuration, chosen)
      if valid then extend(depth + 1, key + (i - 1) * space.strides[depth]) end
      for _, to in ipairs(moved) do table.remove(waiting[to]) end
    end
  end
  extend(1, 0)
  return keys
end
