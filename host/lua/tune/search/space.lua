--- A space: all valid configurations of a kernel's parameters, numbered from 1 in an order that never changes.
--
--     local space = require("clue.tune.search.space").new {
--       tune_params = {block_size_x = {16, 32, 64, 128}, tile = {1, 2, 4}},
--       restrictions = {function(p) return p.block_size_x * p.tile <= 256 end},
--     }
--     for i = 1, space.count do print(space:configuration(i).tile) end
--
-- A configuration has a key, one whole number: the numbers of its values (from 0) as digits. The parameters that
-- restrictions tie together form a group, whose digits stand beside each other. Only the valid parts of keys are kept,
-- group by group, however many combinations of them there are. Names are in alphabetical order, values in the order
-- given.
-- Parameters with one meaning everywhere: configuration, its values by name; key, of a configuration.
local enumerate = require "clue.tune.search.enumerate"
local argument = require "clue.argument"
local expression = require "clue.tune.search.expression"
local lists = require "clue.shared.list"
local nearest = require "clue.nearest"
local shown = require "clue.shown"

local Space = {}
Space.__index = Space

local space = {}

local function fail(text, ...)
  error("a space: " .. text:format(...), 0)
end

-- ---- parameters ----

local value_types = {number = true, string = true, boolean = true}

-- The number of each value, from 0.
local function numbered(name, values)
  local count = type(values) == "table" and argument.length(values)
  if not count or count == 0 then fail("tune_params.%s must be a list of values, one at least", name) end
  local numbers = {}
  for i = 1, count do
    local value = values[i]
    if not value_types[type(value)] or value ~= value then
      fail("value %d of tune_params.%s must be a number, a string or a boolean, not %s", i, name, shown.of(value))
    end
    if numbers[value] then fail("tune_params.%s contains %s twice", name, tostring(value)) end
    numbers[value] = i - 1
  end
  return numbers
end

local function new(names, tune_params)
  if #names == 0 then fail "tune_params has no parameters" end
  local self = setmetatable({names = names, parameters = {}, values = {}, numbers = {}, strides = {}}, Space)
  local stride = 1
  for p = #names, 1, -1 do
    local values = tune_params[names[p]]
    self.values[p], self.numbers[p], self.strides[p] = values, numbered(names[p], values), stride
    self.parameters[names[p]], stride = p, stride * #values
  end
  if stride > 2 ^ 53 then fail("%.3g combinations of values are too many: 2^53 is the limit", stride) end
  self.combinations = stride
  return self
end

-- Takes the valid parts of all groups. Their combinations are numbered like the digits of a number.
local function set_groups(self, groups)
  self.groups, self.count = groups, 1
  for g = #groups, 1, -1 do
    groups[g].stride = self.count
    self.count = self.count * #groups[g].keys
  end
  return self
end

-- Why a name is none of a parameter; nil if it is one.
local function unknown(name, known)
  if known[name] ~= nil then return nil end
  local meant = type(name) == "string" and nearest(name, known)
  return ("there is no parameter '%s'%s"):format(tostring(name), meant and (" (is %s meant?)"):format(meant) or "")
end

local function check_names(names, known, number)
  for _, name in ipairs(lists.keys(names)) do
    local why = unknown(name, known)
    if why then fail("restriction %d: %s", number, why) end
  end
end

-- The functions that restrictions are, or stand for.
local function tests_of(restrictions, parameters)
  if type(restrictions) ~= "table" then restrictions = {restrictions} end
  local tests = {}
  for i, restriction in ipairs(restrictions) do
    if type(restriction) == "string" then
      local read, test, names = pcall(expression.compile, restriction)
      if not read then fail("restriction %d: %s", i, test) end
      check_names(names, parameters, i)
      tests[i] = test
    elseif type(restriction) == "function" then
      tests[i] = restriction
    else
      fail("restriction %d must be a function or a text", i)
    end
  end
  return tests
end

--- Makes a space.
-- @tparam table of tune_params = {name = {value, ...}, ...}: numbers, strings or booleans, neighbouring values beside
--   each other; restrictions = {function, ...}, or one: each gets a configuration (name = value) and returns whether
--   it is valid; or it is a text, see @{clue.tune.search.expression}. A restriction must depend only on the
--   configuration, because one result decides about all configurations that differ only in what it did not read
-- @tparam[opt] function on_progress on_progress(found, share), called now and then if it takes seconds
-- @treturn Space with names = {name, ...}, values = {{value, ...}, ...} in the order of names, and count: how many
--   configurations are valid. Raises what is wrong with the table, or what a restriction raised
function space.new(of, on_progress)
  if type(of.tune_params) ~= "table" then fail "tune_params must be a table" end
  local names = lists.keys(of.tune_params)
  for _, name in ipairs(names) do
    if type(name) ~= "string" then fail("tune_params has a parameter without a name: [%s]", tostring(name)) end
  end
  local self = new(names, of.tune_params)
  self.restrictions = tests_of(of.restrictions or {}, of.tune_params)
  set_groups(self, enumerate(self, self.restrictions, on_progress))
  if self.count == 0 then fail "no configuration is valid: the restrictions exclude all of them" end
  return self
end

--- Makes a space of listed configurations.
-- @tparam {string,...} names
-- @tparam table tune_params as for @{new}
-- @tparam {table,...} configurations name = value
-- @treturn Space
function space.of(names, tune_params, configurations)
  local self, keys = new(names, tune_params), {}
  for i, configuration in ipairs(configurations) do
    local key, name = self:key(configuration)
    if not key then
      fail("configuration %d: %s = %s is not in tune_params", i, name, tostring(configuration[name]))
    end
    keys[i] = key
  end
  table.sort(keys)
  for i = 2, #keys do
    if keys[i] == keys[i - 1] then fail "a configuration is listed twice" end
  end
  return set_groups(self, {{keys = keys, low = 1, span = self.combinations}})
end

-- ---- one configuration ----

-- Where a number stands in a list in rising order; nil if it does not.
local function position(list, number)
  local low, high = 1, #list
  while low < high do
    local middle = math.floor((low + high) / 2)
    if list[middle] < number then low = middle + 1 else high = middle end
  end
  return list[low] == number and low or nil
end

--- The number of a key.
-- @treturn ?int from 1; nil if its configuration is not valid
function Space:number(key)
  local index = 1
  for _, group in ipairs(self.groups) do
    local at = position(group.keys, math.floor(key / group.low) % group.span)
    if not at then return nil end
    index = index + (at - 1) * group.stride
  end
  return index
end

--- The key of a number.
-- @tparam int index from 1 to count
-- @treturn number
function Space:key_of(index)
  local key = 0
  for _, group in ipairs(self.groups) do
    local keys = group.keys
    key = key + keys[math.floor((index - 1) / group.stride) % #keys + 1] * group.low
  end
  return key
end

--- The number of one value of a configuration.
-- @tparam int p which parameter, from 1
-- @treturn int from 0
function Space:digit(key, p)
  return math.floor(key / self.strides[p]) % #self.values[p]
end

--- The key of a configuration, valid or not.
-- @treturn[1] number
-- @treturn[2] nil
-- @treturn[2] string the name whose value the space does not have
function Space:key(configuration)
  local key = 0
  for p, name in ipairs(self.names) do
    local number = configuration[name] ~= nil and self.numbers[p][configuration[name]]
    if not number then return nil, name end
    key = key + number * self.strides[p]
  end
  return key
end

--- The number of a configuration.
-- @treturn ?int from 1; nil if it is not valid
function Space:index(configuration)
  local key = self:key(configuration)
  return key and self:number(key)
end

--- What is wrong with the names of a configuration.
-- @treturn ?string nil: it has a value for each parameter, and no other
function Space:wrong_names(configuration)
  local known = {}
  for _, name in ipairs(self.names) do known[name] = true end
  for _, name in ipairs(lists.keys(configuration)) do
    local why = unknown(name, known)
    if why then return why end
  end
  for _, name in ipairs(self.names) do
    if configuration[name] == nil then return ("the parameter %s is missing"):format(name) end
  end
end

local function excluding(self, configuration)
  for i, restriction in ipairs(self.restrictions or {}) do
    local copy = {}
    for name, value in pairs(configuration) do copy[name] = value end
    local done, valid = pcall(restriction, copy)
    if done and not valid then return i end
  end
end

--- Why a configuration is not valid.
-- @param configuration should be a table, name = value
-- @treturn ?string nil: it is valid
function Space:why_not(configuration)
  if type(configuration) ~= "table" then
    return ("it must be a table, {name = value}, not a %s"):format(type(configuration))
  end
  local wrong = self:wrong_names(configuration)
  if wrong then return wrong end
  local key, name = self:key(configuration)
  if not key then
    local value = configuration[name]
    return ("tune_params.%s has no value %s"):format(name, type(value) == "string" and ("'%s'"):format(value)
      or tostring(value))
  end
  if self:number(key) then return nil end
  local number = excluding(self, configuration)
  return number and ("restriction %d excludes it"):format(number) or "it is not in the space"
end

--- A configuration.
-- @tparam int index from 1 to count
-- @treturn table name = value, for the caller to keep
function Space:configuration(index)
  local configuration, key = {}, self:key_of(index)
  for p, name in ipairs(self.names) do
    configuration[name] = self.values[p][self:digit(key, p) + 1]
  end
  return configuration
end

--- The valid configurations that differ in exactly one parameter.
-- @tparam int index
-- @treturn {int,...}
function Space:hamming(index)
  local key, found = self:key_of(index), {}
  for p, values in ipairs(self.values) do
    local digit, stride = self:digit(key, p), self.strides[p]
    for other = 0, #values - 1 do
      if other ~= digit then found[#found + 1] = self:number(key + (other - digit) * stride) end
    end
  end
  return found
end

return space
