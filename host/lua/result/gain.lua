--- The verdict on a gain: whether two series of times differ, in one word or in words for readers. All outputs have it
-- from here, so "no difference" means the same everywhere: 1 lies in the interval as it is printed, or the gain is too
-- small to matter, and the interval is narrow. A wide one around 1 is "unclear": either may be the faster one.
--
-- A gain is a table of @{clue.result.statistics.gain} or @{clue.result.statistics.paired_gain}, or one that a document
-- has of them: ratio, above 1 if the later series is faster; low and high, nil if there are too few runs; middle.
-- Parameters with one meaning everywhere: it, a gain.
local figures = require "clue.shared.figures"
local statistics = require "clue.result.statistics"

local gain = {}

-- A gain below the first counts as none, however reliably it was measured. An interval shows that there is none if its
-- ends are no farther than the second from 1.
local LEAST, NARROW = 0.01, 0.1

-- Whether a list of times can be used for ratios.
local function are_times(values)
  for _, value in ipairs(values or {}) do
    if not (value > 0 and value < math.huge) then return false end
  end
  return values ~= nil and #values > 0
end

-- As an interval's ends are printed, with two decimals.
local function rounded(ratio) return math.floor(ratio * 100 + 0.5) / 100 end

--- The verdict in one word.
-- @tparam ?table it gain
-- @treturn ?string "same": no difference; "better", "worse"; "unclear": the times vary too much to tell; "unsure": too
--   few runs; nil: there is no gain
function gain.word(it)
  if not (it and it.ratio) then return nil end
  if not it.low then return "unsure" end
  local low, high = rounded(it.low), rounded(it.high)
  if math.abs((it.middle or it.ratio) - 1) >= LEAST and (low > 1 or high < 1) then
    return it.ratio > 1 and "better" or "worse"
  end
  return low >= rounded(1 - NARROW) and high <= rounded(1 + NARROW) and "same" or "unclear"
end

--- How two series that did not take turns compare.
-- @tparam ?{number,...} before seconds
-- @tparam ?{number,...} now seconds
-- @treturn ?table gain of now over before, with word: the verdict; nil if one of them has no times
function gain.of(before, now)
  if not (are_times(before) and are_times(now)) then return nil end
  local it = statistics.gain(before, now)
  it.word = gain.word(it)
  return it
end

local verdicts = {same = "no difference", better = "B %s", worse = "A %s", unclear = "unclear",
                  unsure = "too few runs to know"}

--- The verdict on B, of which the gain is, and A.
-- @tparam ?table it gain of B over A
-- @tparam[opt="faster"] string better what B is, or A
-- @treturn ?string "B faster", "A faster", "no difference", "unclear", "too few runs to know"; nil: there is no gain
function gain.verdict(it, better)
  local word = gain.word(it)
  return word and verdicts[word]:format(better or "faster")
end

local function ends(it) return ("%s-%s"):format(figures.ratio(it.low), figures.ratio(it.high)) end

--- The ratio with its interval.
-- @treturn string "2.05 (1.98-2.11)", "2.05" if too few runs give no interval
function gain.figures(it)
  return figures.ratio(it.ratio) .. (it.low and (" (%s)"):format(ends(it)) or "")
end

--- The interval alone.
-- @treturn ?string "1.98–2.11"; nil if too few runs give none
function gain.range(it)
  return it.low and figures.range(it.low, it.high, figures.ratio) or nil
end

--- A gain in words.
-- @treturn string as from @{figures}, "no difference", or "unclear 0.81-1.26"
function gain.text(it)
  local word = gain.word(it)
  if word == "same" then return verdicts.same end
  return word == "unclear" and verdicts.unclear .. " " .. ends(it) or gain.figures(it)
end

return gain
