--- Measures until the figures are stable, for
-- `--until-stable`: on a machine with other work, the usual number of runs may all fall into one disturbance.
--
-- A step runs until its median is certain to 5 %, two steps in turn until their gain is. If the medians of both still
-- contradict the gain, both are measured again. All of it has a limit: on a machine that never rests, the table says
-- that a row is disturbed.
-- @module clue.walk.stable
local binding = require "clue.binding"
local common = require "clue.timing.statistics"
local map = require("clue.shared.list").map
local row_of = require "clue.result.row"

local stable = {}

--- The variable by which the runner tells a step that it is to be measured like this.
stable.variable = "CLUE_UNTIL_STABLE"

--- Whether this process is such a step.
stable.is_wanted = os.getenv(stable.variable) ~= nil

-- How far the ends of an interval may be from its middle; the most seconds for a step, or for two in turn; how often
-- two steps are measured again.
stable.width, stable.seconds, stable.attempts = 0.05, 20, 3

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

-- Replaces a row's times by those of new runs. Keeps the old ones if the step cannot run again.
local function measure_again(session, progress)
  local times, fresh, started = session.row.times, {}, binding.now()
  local part = row_of.judged(session.row)
  repeat
    progress(("measuring step %s again"):format(tostring(session.row.number)))
    local once = session:once_more()
    if not once then return end
    for name, seconds in pairs(once) do
      if times[name] and type(seconds) == "number" then
        fresh[name] = fresh[name] or {}
        table.insert(fresh[name], seconds)
      end
    end
  until stable.is_enough(fresh[part], binding.now() - started)
  for name, list in pairs(fresh) do times[name] = list end
  times.runs = #fresh[part]
end

--- Measures two steps again until the gain of one over the other agrees with the medians of both.
-- @tparam table before session, or a table with row
-- @tparam table now session
-- @tparam {table,...} rows all of the run
-- @tparam function compare sets the gain of the second, from runs in turn
-- @tparam function progress takes a text
function stable.settle(before, now, rows, compare, progress)
  for _ = 1, stable.attempts do
    local gain = now.row.gain
    if not (gain and gain.disturbed and before.ready and now.ready) then return end
    measure_again(before, progress)
    measure_again(now, progress)
    compare()
    row_of.judge_gain(rows, before.row)
  end
end

return stable
