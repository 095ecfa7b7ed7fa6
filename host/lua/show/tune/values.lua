--- Formats the values of an objective, and chooses among many values of a parameter.
-- @module clue.show.tune.values
local duration = require("clue.text").duration
local figures = require "clue.shared.figures"
local is_better = require("clue.result.tuning").is_better

local values = {}

--- A value of the objective with its unit, as far as it is a time.
-- @tparam table run of @{clue.result.tuning}
-- @tparam ?number value
-- @treturn string "-" for what has none
function values.text(run, value)
  if not value then return "-" end
  return run.second and duration(value * run.second) or figures.number(value)
end

local units = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}

--- The unit in which the best value has one to three digits before the point.
-- @tparam table run with a best result
-- @treturn number what to multiply values by
-- @treturn string the objective and its unit, "time in us"
function values.unit(run)
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
function values.number(value)
  if value < 1 then return ("%.3g"):format(value) end
  return ("%." .. (value >= 100 and 0 or value >= 10 and 1 or 2) .. "f"):format(value)
end

--- How near a value is to the best.
-- @tparam table run with a best result
-- @tparam number value
-- @treturn number 0 to 1, the best
function values.fraction(run, value)
  return math.min(1, run.more and value / run.best.value or run.best.value / value)
end

--- A parameter's value.
-- @param value number, text or boolean
-- @treturn string
function values.shown(value)
  return type(value) == "number" and ("%.14g"):format(value) or tostring(value)
end

--- The best of some values, in their order.
-- @tparam table run of @{clue.result.tuning}
-- @tparam {table,...} list each with best
-- @tparam int most how many
-- @treturn {int,...} their places
function values.chosen(run, list, most)
  local places = {}
  for i in ipairs(list) do places[i] = i end
  if #list <= most then return places end
  table.sort(places, function(a, b)
    local one, other = list[a].best, list[b].best
    if one == other then return a < b end
    return one ~= nil and (other == nil or is_better(run, one, other))
  end)
  for i = #places, most + 1, -1 do places[i] = nil end
  table.sort(places)
  return places
end

return values
