--- Matches the limits of two documents of `clue peak --json` and compares them.
-- @module clue.show.compare.peaks
local statistics = require "clue.result.statistics"
local walks = require "clue.show.compare.walks"

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

--- What became of a limit.
-- @tparam table limit
-- @treturn string "verified", "WRONG", "failed", "skipped", "no figure"
-- @treturn ?string why, in words
function peaks.verdict(limit)
  local word = limit.wrong and "WRONG" or limit.failed and "failed" or limit.skipped and "skipped"
  local why = limit.wrong or limit.failed or limit.skipped
  if not word and not (limit.value and limit.value > 0 and limit.value < math.huge) then word = "no figure" end
  return word or "verified", type(why) == "string" and why or nil
end

--- The groups of limits that did not come to their end.
-- @tparam table document of one device
-- @treturn {table,...} group, word: texts
function peaks.failures(document)
  local list = {}
  for _, failure in ipairs(type(document.failures) == "table" and document.failures or {}) do
    if type(failure) == "table" and type(failure.group) == "string" then
      list[#list + 1] = {group = failure.group, word = type(failure.word) == "string" and failure.word or "?"}
    end
  end
  return list
end

--- Names a limit: the same on every device.
-- @tparam table limit
-- @treturn string
function peaks.name(limit)
  return ("%s %s"):format(limit.group or "", limit.name or "")
end

local function index(document)
  local found = {}
  for _, limit in ipairs(document.limits) do found[peaks.name(limit)] = limit end
  return found
end

--- One result of a limit.
-- @tparam table limit
-- @tparam ?string unit of the others; a limit that was skipped has none
-- @treturn table verdict, why, verified, good: whether it is as it should be, value: only if it is verified
function peaks.side(limit, unit)
  local verdict, why = peaks.verdict(limit)
  if verdict == "verified" and limit.unit ~= unit then verdict = ("in %s"):format(limit.unit or "no unit") end
  local verified = verdict == "verified"
  return {verdict = verdict, why = why, verified = verified, good = verified or verdict == "skipped",
          value = verified and limit.value or nil}
end

local function pair_of(limit, other)
  local pair = {group = limit.group, name = limit.name, unit = limit.unit or other.unit}
  pair.a, pair.b = peaks.side(limit, pair.unit), peaks.side(other, pair.unit)
  if pair.a.verified and pair.b.verified then pair.gain = walks.gain(scaled(limit), scaled(other)) end
  pair.lost, pair.won = pair.a.verified and not pair.b.verified, pair.b.verified and not pair.a.verified
  return pair
end

--- Compares.
-- @tparam table a document of `clue peak --json`
-- @tparam table b likewise
-- @treturn {table,...} pairs: group, name, unit; a, b: {verdict, why, verified, good: whether it is as it should be,
--   value: only if it is verified}; gain: of b over a, above 1 if b is better; lost, won: whether only a, or only b, is
--   verified
-- @treturn {table,...} limits only in a
-- @treturn {table,...} limits only in b
function peaks.compare(a, b)
  local pairs_of_limits, only_a, only_b, theirs, mine = {}, {}, {}, index(b), index(a)
  for _, limit in ipairs(a.limits) do
    local other = theirs[peaks.name(limit)]
    if other then
      pairs_of_limits[#pairs_of_limits + 1] = pair_of(limit, other)
    else
      only_a[#only_a + 1] = limit
    end
  end
  for _, limit in ipairs(b.limits) do
    if not mine[peaks.name(limit)] then only_b[#only_b + 1] = limit end
  end
  return pairs_of_limits, only_a, only_b
end

return peaks
