--- Finds the valid configurations of a space: a search that leaves a branch as soon as a restriction excludes it.
--
-- A restriction is a plain function, so nobody says which parameters it needs: they are learned by calling it. Those
-- that restrictions tie together form a group, with the most restricted ones first; the valid configurations are the
-- combinations of the groups' parts, which are never listed. What was learned may lack a parameter that is read
-- seldom: once that one is missing, the search begins again with what it knows then. A restriction is also called
-- before all that it reads is known, as long as it excludes something then.
local binding = require "clue.binding"

-- What a restriction raises that reads a parameter without a value.
local missing = {}

local between_looks = 1024 -- values tried between two looks at the clock
local quiet = 2            -- seconds without progress
local patience = 256       -- early calls of a restriction that exclude nothing

-- ---- what a restriction reads ----

-- Some of a list's numbers, the ends among them.
local function some(count)
  return {1, math.ceil(count / 2), count}
end

-- Calls a restriction with a few configurations, and notes what it reads. What it raises or returns does not matter
-- yet: other restrictions may exclude these configurations.
local function watch(space, restriction)
  local values, reads = {}, restriction.reads
  restriction.takes_whole = true
  local watched = setmetatable({}, {__index = function(_, name)
    restriction.takes_whole = false
    if space.parameters[name] then reads[space.parameters[name]] = true end
    return values[name]
  end, __newindex = function() restriction.takes_whole = false end})
  for p, name in ipairs(space.names) do values[name] = space.values[p][1] end
  for p, name in ipairs(space.names) do
    for _, i in ipairs(some(#space.values[p])) do
      values[name] = space.values[p][i]
      pcall(restriction.test, watched)
    end
  end
end

-- A restriction that never looks at a name goes through all parameters with pairs(), so it gets plain tables.
local function learn(space, tests)
  local restrictions = {}
  for i, test in ipairs(tests) do
    local restriction = {number = i, test = test, reads = {}, is_late = false}
    watch(space, restriction)
    if next(restriction.reads) == nil then
      for p in ipairs(space.names) do restriction.reads[p] = true end
    end
    restrictions[i] = restriction
  end
  return restrictions
end

-- ---- groups ----

-- Joins the parameters that a restriction reads. Returns lists of parameters and of restrictions.
local function tied(space, restrictions)
  local of, groups = {}, {}
  for p in ipairs(space.names) do of[p] = {parameters = {p}, restrictions = {}} end
  for _, restriction in ipairs(restrictions) do
    local group
    for p in ipairs(space.names) do
      local other = restriction.reads[p] and of[p]
      group = group or other
      if other and other ~= group then
        for _, each in ipairs(other.parameters) do
          of[each] = group
          table.insert(group.parameters, each)
        end
        for _, each in ipairs(other.restrictions) do table.insert(group.restrictions, each) end
      end
    end
    table.insert(group.restrictions, restriction)
  end
  for p in ipairs(space.names) do
    if of[p].parameters[1] == p then groups[#groups + 1] = of[p] end
  end
  return groups
end

-- The restriction that has the fewest combinations of values to choose, of those that lack some.
local function nearest_to_known(space, group, placed)
  local best, least
  for _, restriction in ipairs(group.restrictions) do
    local combinations = 1
    for p in pairs(restriction.reads) do
      if not placed[p] then combinations = combinations * #space.values[p] end
    end
    if combinations > 1 and (not least or combinations < least) then best, least = restriction, combinations end
  end
  return best
end

-- Puts a group's parameters into the order in which they get their values.
local function sort(space, group)
  local order, placed = {}, {}
  local function place(reads)
    for p in ipairs(space.names) do
      if reads[p] and not placed[p] then
        order[#order + 1], placed[p] = p, true
      end
    end
  end
  local all = {}
  for _, p in ipairs(group.parameters) do all[p] = true end
  local restriction = nearest_to_known(space, group, placed)
  while restriction do
    place(restriction.reads)
    restriction = nearest_to_known(space, group, placed)
  end
  place(all)
  group.parameters = order
end

-- Which restrictions are called once the parameter at some depth has its value: entries with early = true if more of
-- the restriction's parameters follow. Those that raised something come last: another one may exclude the
-- configurations with which they do.
local function place_tests(group)
  local tests = {}
  for depth = 1, #group.parameters do tests[depth] = {} end
  local function add(restriction)
    local last
    for depth = #tests, 1, -1 do
      if restriction.reads[group.parameters[depth]] or restriction.is_late and not last then
        table.insert(tests[depth], {restriction = restriction, early = last ~= nil, calls = 0})
        last = last or depth
      end
      if last and (restriction.is_late or restriction.takes_whole) then return end
    end
  end
  for _, late in ipairs {false, true} do
    for _, restriction in ipairs(group.restrictions) do
      if restriction.is_late == late then add(restriction) end
    end
  end
  return tests
end

-- Gives each parameter its stride: the digits of a key are in the order of the groups and of their parameters.
local function arrange(space, restrictions)
  local groups, stride = tied(space, restrictions), 1
  for g = #groups, 1, -1 do
    local group = groups[g]
    sort(space, group)
    group.low, group.span = stride, 1
    for depth = #group.parameters, 1, -1 do
      local p = group.parameters[depth]
      space.strides[p] = stride
      stride, group.span = stride * #space.values[p], group.span * #space.values[p]
    end
  end
  return groups
end

-- ---- the search ----

-- The configuration that restrictions see; chosen has the values so far.
local function view(space, chosen)
  setmetatable(chosen, {__index = function(_, name)
    missing.p = space.parameters[name] or error(("there is no parameter '%s'"):format(tostring(name)), 2)
    error(missing, 0)
  end})
  return setmetatable({}, {
    __index = chosen,
    __newindex = function() error("a restriction cannot change a configuration", 2) end,
  })
end

local function copy(chosen)
  local whole = {}
  for name, value in pairs(chosen) do whole[name] = value end
  return whole
end

-- Lists the valid parts of a group's configurations, as numbers from 0 in rising order. self.current is the
-- restriction that is being called.
local function list(self, group)
  local space, chosen, parameters = self.space, {}, group.parameters
  local configuration, tests, keys, tried = view(space, chosen), place_tests(group), {}, 0
  local function call(restriction)
    self.current = restriction
    local valid = restriction.test(restriction.takes_whole and copy(chosen) or configuration)
    if type(valid) == "number" then
      error(("it returned %s, a number, of which Lua takes 0 for true too: compare it, as in 'return p.a %% p.b == 0'")
        :format(valid), 0)
    end
    return valid
  end
  -- Whether a restriction excludes the configuration already. What it raises is known once it is called in time.
  local function excludes_early(test)
    if test.calls == patience and not test.excludes then return false end
    test.calls = math.min(test.calls + 1, patience)
    local done, valid = pcall(call, test.restriction)
    if not done or valid then return false end
    test.excludes = true
    return true
  end
  local function is_valid(depth)
    for _, test in ipairs(tests[depth]) do
      if test.early then
        if excludes_early(test) then return false end
      elseif not call(test.restriction) then
        return false
      end
    end
    return true
  end
  local function extend(depth, key)
    local p = parameters[depth]
    if not p then
      keys[#keys + 1] = key
      return
    end
    local name, values, stride = space.names[p], space.values[p], space.strides[p] / group.low
    for i = 1, #values do
      chosen[name] = values[i]
      tried = tried + 1
      if tried % between_looks == 0 then self.look(#keys, group, keys[#keys] or key) end
      if is_valid(depth) then extend(depth + 1, key + (i - 1) * stride) end
    end
    chosen[name] = nil
  end
  extend(1, 0)
  return keys
end

-- Takes what a restriction raised. Returns whether the search can begin again with that.
local function take(restriction, why)
  if why == missing and not restriction.reads[missing.p] then
    restriction.reads[missing.p] = true
  elseif why ~= missing and not restriction.is_late then
    restriction.is_late = true
  else
    error(("restriction %d: %s"):format(restriction.number, tostring(why)), 0)
  end
end

-- Tells after a while how far a group is.
local function looker(on_progress)
  local began = binding.now()
  return function(found, group, key)
    if on_progress and binding.now() - began > quiet then on_progress(found, key / group.span) end
  end
end

--- Finds the valid configurations of a space, and sets its strides.
-- @tparam Space space its names, parameters (their numbers), values and strides
-- @tparam {function,...} tests the restrictions
-- @tparam[opt] function on_progress called now and then once it takes longer: on_progress(found, share) gets the
--   parts found in a group, and which share of the group's combinations is behind
-- @treturn {table,...} groups, each with parameters; keys = {number, ...}, their valid parts in rising order; low and
--   span: a part is key / low % span
return function(space, tests, on_progress)
  local self = {space = space, look = looker(on_progress)}
  local restrictions = learn(space, tests)
  while true do
    local groups, listed, why = arrange(space, restrictions), true, nil
    for _, group in ipairs(groups) do
      listed, why = pcall(list, self, group)
      if not listed then break end
      group.keys = why
    end
    if listed then return groups end
    take(self.current, why)
  end
end
