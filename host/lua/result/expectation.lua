--- What a step should gain on this device and why, and whether it did: row.expected has word, why and over, the number
-- of the step that it is about. A gain over another step, because that one did not run or is not verified, is not
-- judged.
--
-- A step's row says it with `expect`, for CPU devices and for others, from what the device reports:
--     expect = {cpu = {"slower", "local memory is ordinary memory here, so the copy only costs"},
--               gpu = function(on) return "faster", ("%d bytes of local memory ..."):format(on.local_mem_size) end}
-- A step that has nothing to be compared with has none.
--
-- Parameters with one meaning everywhere: row, one with or without an expectation.
local gain = require "clue.result.gain"

local expectation = {}

-- The words, each with the gain that fulfils it.
local gain_of = {faster = "better", slower = "worse", same = "same", open = false}

--- What a step should gain on a device. Raises if the step does not say it in the words above.
-- @tparam ?table expect of the row: cpu, gpu; each {word, why} or a function of the device that returns both
-- @param on a device of @{clue.device}
-- @treturn ?table word: "faster", "slower", "same" (than the step that it is compared with) or "open" (the facts do not
--   decide); why: a clause, without a full stop
function expectation.of(expect, on)
  local given = expect and expect[on.kind == "cpu" and "cpu" or "gpu"]
  if not given then return nil end
  local word, why
  if type(given) == "function" then word, why = given(on) else word, why = given[1], given[2] end
  if gain_of[word] == nil or type(why) ~= "string" then
    error(("expect: '%s' is not faster, slower, same or open, with a reason"):format(tostring(word)), 0)
  end
  return {word = word, why = why}
end

local words = {faster = "faster", slower = "slower", same = "no difference", open = "open"}

-- Whether a row's gain is over the step that its expectation is about.
local function is_of_gain(row)
  return row.gain ~= nil and row.expected.over == row.gain.over
end

--- What an expectation is about, unless that is what the row is compared with.
-- @treturn string " over step 8", or ""
function expectation.about(row)
  local over = row.expected and row.expected.over
  return row.gain and over and not is_of_gain(row) and (" over step %s"):format(tostring(over)) or ""
end

--- The expectation in words.
-- @treturn ?string "slower, because ..."
function expectation.text(row)
  local it = row.expected
  return it and ("%s: %s"):format(words[it.word] or it.word, it.why) or nil
end

--- Whether a row's gain is what was expected.
-- @treturn ?boolean nil: the facts did not decide, or there is no gain, or the runs do not tell, or the gain is over
--   another step than the expectation is about
function expectation.is_met(row)
  local wanted, seen = row.expected and gain_of[row.expected.word], gain.word(row.gain)
  if not wanted or not seen or seen == "unsure" or seen == "unclear" or not is_of_gain(row) then return nil end
  return wanted == seen
end

local seen_as = {better = "faster", worse = "slower", same = "no difference"}

--- What was seen instead of what was expected.
-- @tparam table row of which @{is_met} is false
-- @treturn string "slower, 0.83 (0.80-0.86) over step 6"
function expectation.instead(row)
  local word = gain.word(row.gain)
  if word == "same" then return ("no difference from step %s"):format(tostring(row.gain.over)) end
  return ("%s, %s over step %s"):format(seen_as[word], gain.text(row.gain), tostring(row.gain.over))
end

return expectation
