--- What is shown of a run of `clue tune`: the best over time, the effect of each parameter, how two act together, why
-- configurations failed, and how values of the objective are written.
-- Parameters with one meaning everywhere: run, the results of a tuner.
local duration = require("clue.text").duration
local figures = require "clue.shared.figures"
local is_better = require("clue.result.tuning").is_better
local lists = require "clue.shared.list"
local statistics = require "clue.timing.statistics"

local analysis = {}

-- ---- the best over time ----

--- The best after each evaluation.
-- @treturn {table,...} one for each result: count (from 1), at (seconds, nil if unknown), value (nil if it failed),
--   best (nil as long as all failed)
function analysis.progress(run)
  local points, best = {}, nil
  for i, result in ipairs(run.results) do
    local value = not result.lost and result.value
    if value and (not best or is_better(run, value, best)) then best = value end
    points[i] = {count = i, at = result.at, value = result.value, best = best}
  end
  return points
end

-- ---- the results with the same value ----

-- Puts results into groups by a key of their configuration.
local function groups_of(run, key_of)
  local groups = {}
  for _, result in ipairs(run.results) do
    local key = key_of(result.p)
    if key ~= nil then
      local group = groups[key] or {count = 0, failed = 0, values = {}}
      groups[key] = group
      group.count = group.count + 1
      if not result.value then
        group.failed = group.failed + 1
      else
        table.insert(group.values, result.value)
        if not group.best or is_better(run, result.value, group.best) then group.best = result.value end
      end
    end
  end
  for _, group in pairs(groups) do
    group.median = group.values[1] and statistics.median(group.values)
  end
  return groups
end

-- ---- the effect of each parameter ----

local function mean_log(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + math.log(value) end
  return sum / #values
end

local function squares(values, mean)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + (math.log(value) - mean) ^ 2 end
  return sum
end

-- The share of the variance of the logarithms that the groups explain. It is adjusted for the number of groups: many
-- groups explain something of pure chance as well. nil if there are too few results to know.
local function share_of(groups)
  local all, kinds, within = {}, 0, 0
  for _, group in pairs(groups) do
    if #group.values > 0 then
      kinds, within = kinds + 1, within + squares(group.values, mean_log(group.values))
      for _, value in ipairs(group.values) do all[#all + 1] = value end
    end
  end
  if #all <= kinds then return nil end
  local total = squares(all, mean_log(all))
  if total < 1e-20 * #all then return 0 end -- all equal; the rest is rounding
  return math.max(0, 1 - within / total * (#all - 1) / (#all - kinds))
end

--- The effect of each parameter that has several values.
-- @treturn {table,...} the most important first: name; place (among the run's names); share of the variation of the
--   objective's logarithm, 0 to 1, that the parameter explains alone, nil if there are too few results to know;
--   values, in the parameter's order, of those that occur: value, count, failed, best and median (nil if all failed)
function analysis.effects(run)
  local effects = {}
  for place, name in ipairs(run.names) do
    local groups = groups_of(run, function(p) return p[name] end)
    local effect = {name = name, place = place, share = share_of(groups), values = {}}
    for _, value in ipairs(run.values[place]) do
      if groups[value] then
        groups[value].value = value
        table.insert(effect.values, groups[value])
      end
    end
    if #effect.values > 1 then effects[#effects + 1] = effect end
  end
  table.sort(effects, function(a, b)
    if (a.share or -1) == (b.share or -1) then return a.place < b.place end
    return (a.share or -1) > (b.share or -1)
  end)
  return effects
end

-- ---- two parameters ----

local function effect_of(effects, name)
  local found = lists.find(effects, function(effect) return effect.name == name end)
  if found then return found end
  local names = lists.map(effects, function(effect) return effect.name end)
  error(("--map: there is no parameter '%s' with several values; there are: %s"):format(name,
    table.concat(names, ", ")), 0)
end

--- The two parameters of the heat map.
-- @tparam {table,...} effects of @{effects}
-- @tparam ?{string,string} named by the user; nil: the two with the largest effects. Raises if there are none of these
--   names
-- @treturn ?{table,table} nil if there are not two
function analysis.pair(effects, named)
  if named then return {effect_of(effects, named[1]), effect_of(effects, named[2])} end
  return effects[2] and {effects[1], effects[2]}
end

--- The best of each pair of values of two parameters, over all values of the others.
-- @tparam {table,table} pair of @{pair}
-- @treturn table rows and columns: effects, rows that with more values; at(row, column): best (nil if all failed),
--   count, failed; nil if no such configuration was measured
function analysis.grid(run, pair)
  local rows, columns = pair[1], pair[2]
  if #columns.values > #rows.values then rows, columns = columns, rows end
  local row_of, column_of = {}, {}
  for i, each in ipairs(rows.values) do row_of[each.value] = i end
  for i, each in ipairs(columns.values) do column_of[each.value] = i end
  local groups = groups_of(run, function(p)
    local row, column = row_of[p[rows.name]], column_of[p[columns.name]]
    return row and column and (row - 1) * #columns.values + column
  end)
  return {rows = rows, columns = columns, at = function(row, column)
    return groups[(row - 1) * #columns.values + column]
  end}
end

-- ---- failures ----

local words = {compile = "by the compiler", runtime = "by the device", correctness = "with wrong results",
               timeout = "in time", constraints = "by a constraint", missing = "without a result"}

--- How a configuration failed, after the word "failed".
-- @tparam string kind a word of T4
function analysis.words(kind)
  return words[kind] or kind
end

--- Groups what failed for the same reason, a text's first line; reasons that differ in numbers only are the same.
-- @tparam {table,...} results of @{clue.tune.runner} or @{clue.result.tuning}
-- @treturn {table,...} lists of results, in the order of their first ones
function analysis.failures(results)
  local failed = lists.filter(results, function(result) return result.failed end)
  return lists.grouped(failed, function(result)
    return result.failed .. (result.text or ""):match("[^\n]*"):gsub("%d+", "#")
  end)
end

-- ---- values of the objective ----

--- A value of the objective with its unit, as far as it is a time.
-- @tparam ?number value
-- @treturn string "-" for what has none
function analysis.text(run, value)
  if not value then return "-" end
  return run.second and duration(value * run.second) or figures.number(value)
end

local units = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}

--- The unit in which the best value has one to three digits before the point.
-- @tparam table run with a best result
-- @treturn number what to multiply values by
-- @treturn string the objective and its unit, "time in us"
function analysis.unit(run)
  if not run.second then return 1, run.objective end
  for _, unit in ipairs(units) do
    if run.best.value * run.second >= unit[2] or unit[1] == "ns" then
      return run.second / unit[2], ("%s in %s"):format(run.objective, unit[1])
    end
  end
end

--- A number of about three digits.
-- @tparam number value
-- @treturn string
function analysis.number(value)
  if value < 1 then return ("%.3g"):format(value) end
  return ("%." .. (value >= 100 and 0 or value >= 10 and 1 or 2) .. "f"):format(value)
end

--- How near a value is to the best.
-- @tparam table run with a best result
-- @tparam number value
-- @treturn number 0 to 1, the best
function analysis.fraction(run, value)
  return math.min(1, run.more and value / run.best.value or run.best.value / value)
end

--- A share in percent.
-- @tparam ?number share
-- @treturn string "?" if it is unknown
function analysis.percent(share)
  return share and ("%.0f %%"):format(share * 100) or "?"
end

return analysis
