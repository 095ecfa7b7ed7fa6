--- Matches the limits of two documents of `clue peak --json` and compares them.
-- @module clue.compare.peaks
local statistics = require "clue.walk.statistics"
local walks = require "clue.compare.walks"

local peaks = {}

--- Whether a limit is a time: a larger rate is better, but a smaller time.
-- @tparam ?string unit
-- @treturn boolean
function peaks.is_time(unit)
  return unit == "us" or unit == "ms" or unit == "s" or unit == "ns"
end

-- Seconds for the same work in both runs. They may have measured different amounts of work, so each time is scaled by
-- the median, which the limit's value stands for.
local function scaled(limit)
  local middle = limit.times and #limit.times > 0 and statistics.median(limit.times)
  if not (limit.value and limit.value > 0) then return nil end
  local unit = peaks.is_time(limit.unit) and limit.value or 1 / limit.value
  if not (middle and middle > 0) then return {unit} end
  local result = {}
  for i, time in ipairs(limit.times) do result[i] = time / middle * unit end
  return result
end

--- Names a limit: the same on every device.
-- @tparam table limit
-- @treturn string
function peaks.name(limit)
  return ("%s %s"):format(limit.group or "", limit.name or "")
end

local function key(limit)
  return ("%s %s"):format(peaks.name(limit), limit.unit or "")
end

local function index(document)
  local found = {}
  for _, limit in ipairs(document.limits) do found[key(limit)] = limit end
  return found
end

local function gain_of(a, b)
  return walks.gain(scaled(a), scaled(b))
end

--- Compares.
-- @tparam table a document of `clue peak --json`
-- @tparam table b likewise
-- @treturn {table,...} pairs: group, name, unit, a and b (values), gain: of b over a, above 1 if b is better
-- @treturn {table,...} limits only in a
-- @treturn {table,...} limits only in b
function peaks.compare(a, b)
  local pairs_of_limits, only_a, only_b, theirs, mine = {}, {}, {}, index(b), index(a)
  for _, limit in ipairs(a.limits) do
    local other = theirs[key(limit)]
    if other then
      pairs_of_limits[#pairs_of_limits + 1] = {group = limit.group, name = limit.name, unit = limit.unit,
        a = limit.value, b = other.value, gain = gain_of(limit, other)}
    else
      only_a[#only_a + 1] = limit
    end
  end
  for _, limit in ipairs(b.limits) do
    if not mine[key(limit)] then only_b[#only_b + 1] = limit end
  end
  return pairs_of_limits, only_a, only_b
end

return peaks
