--- When figures are stable, for `--until-stable`: on a machine with other work, the usual number of runs may all fall
-- into one disturbance.
--
-- A step runs until its median is certain to 5 %, two steps in turn until their gain is. Both have a limit: on a
-- machine that never rests, the table says that a row is disturbed.
-- @module clue.walk.stable
local common = require "clue.timing.statistics"
local map = require("clue.shared.list").map

local stable = {}

-- How far the ends of an interval may be from its middle; the most seconds for a step, or for two in turn.
stable.width, stable.seconds = 0.05, 20

local most_runs = 500

--- Whether values are enough: their median is certain, or they took too long.
-- @tparam {number,...} values
-- @tparam number seconds that they took together
-- @treturn boolean
function stable.is_enough(values, seconds)
  if #values >= most_runs or #values > 0 and seconds >= stable.seconds then return true end
  local ordered = common.sorted(values)
  local low, high = common.interval(ordered)
  local median = low and common.quantile(ordered, 0.5)
  return low ~= nil and median - low <= stable.width * median and high - median <= stable.width * median
end

--- The quotients of two series, for @{is_enough}.
-- @tparam {number,...} before
-- @tparam {number,...} now as many
-- @treturn {number,...}
function stable.quotients(before, now)
  return map(before, function(seconds, i) return seconds / now[i] end)
end

return stable
