--- What `clue walk --size LIST --set NAME=VALUES --options TEXT` asks for: the axes of a sweep, the steps that it runs,
-- and what to run in which order.
-- Parameters with one meaning everywhere: axes, of a sweep.
local exchange = require "clue.walk.exchange"
local lists = require "clue.shared.list"
local parameters = require "clue.run.parameters"

local plan = {}

-- More are taken for a slip, and would run for days.
local most_points = 1000

-- ---- the axes ----

-- The walkthrough amd has sizes with commas: "mapping=480,vectors=1000".
local function read_sizes(text)
  if not text then return {} end
  if text:find "=" then return {text} end
  return parameters.values(text, 256)
end

--- Reads each --set.
-- @tparam ?{string,...} texts
-- @tparam[opt] table reserved as for @{clue.run.parameters.read}
-- @treturn[1] {table,...} name, values
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function plan.parameters(texts, reserved)
  local list, seen = {}, {}
  for i, text in ipairs(texts or {}) do
    local it, why = parameters.read(text, reserved)
    if not it then return nil, why end
    if seen[it.name] then
      return nil, ("--set %s is there twice: give all its values in one list"):format(it.name)
    end
    list[i], seen[it.name] = it, true
  end
  return list
end

--- Reads the options.
-- @tparam table options of the command: size, set, build_options
-- @treturn[1] table sizes (texts), parameters (name, values), sides (options of the compiler: none, one, or two to
--   compare), is_sweep: whether there is more than one point
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function plan.read(options)
  local sizes, wrong_size = read_sizes(options.size)
  if not sizes then return nil, "--size: " .. wrong_size end
  local list, wrong_set = plan.parameters(options.set)
  if not list then return nil, wrong_set end
  local axes = {sizes = sizes, parameters = list, sides = options.build_options or {}}
  if #axes.sides > 2 then
    return nil, ("--options: give it once, or twice to compare; it is there %d times"):format(#axes.sides)
  end
  if #axes.sides == 2 and axes.sides[1] == axes.sides[2] then
    return nil, ("--options: both are '%s'; give two that differ, '' for none"):format(axes.sides[1])
  end
  local points = math.max(1, #axes.sizes)
  for _, it in ipairs(axes.parameters) do points = points * #it.values end
  if points > most_points then
    return nil, ("--size and --set make %d points; at most %d run"):format(points, most_points)
  end
  axes.is_sweep = points > 1 or #axes.sides == 2
  return axes
end

-- ---- the steps ----

-- What a name means for a step: the option of its script, or `group` for all.
local function option_of(inputs, name)
  local input = parameters.find(inputs, name)
  return input and input.option or name == parameters.group and parameters.group or nil, input
end

local function check_values(it, step, input)
  for _, value in ipairs(it.values) do
    local why
    if input then why = parameters.refusal(step, input, value) else why = parameters.group_refusal(value) end
    if why then return ("--set %s: %s"):format(it.name, why) end
  end
end

local function meanings_of(axes, step, inputs)
  local meanings, any = {}, false
  for _, it in ipairs(axes.parameters) do
    local option, input = option_of(inputs, it.name)
    if option then
      local why = check_values(it, step, input)
      if why then return nil, why end
      any = true
    end
    meanings[it.name] = option and {option = option, by_script = input ~= nil} or nil
  end
  return meanings, any
end

--- The steps of a walkthrough that run, with what the parameters mean to each. Steps that are not named run only if
-- they have one of the parameters.
-- @tparam {table,...} steps the chosen ones
-- @tparam bool named whether the user named them
-- @treturn[1] {table,...} step; meanings: by the parameter's name, option and by_script
-- @treturn[1] table set of the parameters that a step has
-- @treturn[1] table inputs of @{clue.run.parameters.of_steps}
-- @treturn[2] nil
-- @treturn[2] string what is wrong
function plan.steps(axes, steps, named)
  local inputs = #axes.parameters > 0 and parameters.of_steps(steps) or {}
  local chosen, had = {}, {}
  for _, step in ipairs(steps) do
    local meanings, any = meanings_of(axes, step, inputs[step.path] or {})
    if not meanings then return nil, any end
    if any or named or #axes.parameters == 0 then chosen[#chosen + 1] = {step = step, meanings = meanings} end
    for name in pairs(meanings) do had[name] = true end
  end
  return chosen, had, inputs
end

-- ---- one step with some values ----

local function with_value(meaning, value, arguments, environment)
  if meaning.by_script then
    arguments[#arguments + 1] = ("--%s=%s"):format(meaning.option, value)
  else
    environment[#environment + 1] = exchange.settings({group = value})[1]
  end
end

--- A step as the runner starts it, with values of its parameters.
-- @tparam table chosen of @{steps}
-- @tparam {table,...} set name and value of each parameter
-- @treturn table the step's fields, with arguments and environment
function plan.with(chosen, set)
  local arguments, environment = {}, {}
  for _, each in ipairs(set) do with_value(chosen.meanings[each.name], each.value, arguments, environment) end
  return setmetatable({arguments = arguments, environment = environment}, {__index = chosen.step})
end

--- A step with the only value of each parameter, for a walk that is no sweep.
-- @tparam table chosen of @{steps}
-- @treturn table as from @{with}
function plan.single(axes, chosen)
  return plan.with(chosen, lists.map(axes.parameters, function(it)
    return chosen.meanings[it.name] and {name = it.name, value = it.values[1]} or nil
  end))
end

-- ---- everything ----

local function combinations(list, at, before, found)
  if at > #list then
    found[#found + 1] = before
    return found
  end
  for _, value in ipairs(list[at].values) do
    local set = lists.joined(before)
    set[at] = {name = list[at].name, value = value}
    combinations(list, at + 1, set, found)
  end
  return found
end

--- All combinations of parameters' values, the last parameter changing fastest.
-- @tparam {table,...} list name and values of each parameter
-- @treturn {table,...} lists of name and value
function plan.combinations(list)
  return combinations(list, 1, {}, {})
end

-- What a step has of a combination, and its key.
local function restricted(chosen, combination)
  local set = lists.filter(combination, function(each) return chosen.meanings[each.name] end)
  return set, table.concat(lists.map(set, function(each) return each.name .. "=" .. each.value end), "|")
end

local function typed(value)
  return value:find "^%d+$" and tonumber(value) or value
end

local function point_of(size, set)
  local values_of = nil
  for _, each in ipairs(set) do
    values_of = values_of or {}
    values_of[each.name] = typed(each.value)
  end
  return {size = size or nil, set = values_of}
end

--- What runs, in order: for each size and each combination of values, the steps. A step runs once for all combinations
-- that differ only in parameters that it does not have.
-- @tparam {table,...} chosen of @{steps}
-- @treturn {table,...} point (see @{clue.result.point}); step, as from @{with}
function plan.units(axes, chosen)
  local units, all = {}, plan.combinations(axes.parameters)
  for _, size in ipairs(axes.sizes[1] and axes.sizes or {false}) do
    local seen = {}
    for _, combination in ipairs(all) do
      for place, each in ipairs(chosen) do
        local set, key = restricted(each, combination)
        key = place .. ":" .. key
        if not seen[key] then
          seen[key] = true
          units[#units + 1] = {point = point_of(size, set), step = plan.with(each, set)}
        end
      end
    end
  end
  return units
end

--- What a document says of the axes and of the steps.
-- @tparam {table,...} chosen of @{steps}
-- @treturn table sizes (nil: one), parameters: name and values, options: those that are compared; added: the numbers of
--   the libraries' steps that nobody asked for (nil: none)
function plan.described(axes, chosen)
  local list = lists.map(axes.parameters, function(it)
    return {name = it.name, values = lists.map(it.values, typed)}
  end)
  local added = lists.map(chosen, function(each) return each.added and each.step.number or nil end)
  return {sizes = #axes.sizes > 1 and axes.sizes or nil, parameters = list[1] and list or nil,
          options = #axes.sides == 2 and axes.sides or nil, added = added[1] and added or nil}
end

return plan
