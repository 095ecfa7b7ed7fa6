--- The meaning of a walkthrough's row: its verdict, its speed, its gain. The tables, the report, the explanation and
-- the comparison of two runs all use this. Rows are as for @{clue.walk.report}, with failed = {word, text, lines} if
-- a step failed, gain = {over, ratio, low, high, pairs} if it was compared with the row number `over`, and over = the
-- number of the row that walkthrough.lua wants it compared with, if it names one: @{clue.run.replay} adds these.
--
-- Parameters with one meaning everywhere: self, a row; rows, those of a run.
local device = require "clue.result.device"
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local statistics = require "clue.result.statistics"

local row = {}

-- The field that a rate counts in one second, by the unit's name.
local counted = {["GFLOPS"] = "flops", ["GOPS"] = "flops", ["GB/s"] = "bytes"}

--- The parts of a run that are timed.
row.parts = {"upload", "kernel", "read", "total"}

-- ---- the verdict ----

--- One word for a row's verdict, and whether that is good.
-- @treturn string "verified", "WRONG", "skipped", "crashed", "time limit", ...
-- @treturn bool
function row.verdict(self)
  if self.failed then return self.failed.word, false end
  if self.skipped then return "skipped", true end
  if self.check and self.check.verified then return "verified", true end
  return self.check and "WRONG" or "unchecked", false
end

--- Why a row failed, was skipped or is wrong.
-- @treturn ?string
function row.why(self)
  if self.failed then return self.failed.text end
  return self.skipped or self.check and self.check.text
end

--- Whether a row's result was verified.
function row.is_verified(self)
  return (row.verdict(self)) == "verified"
end

--- Whether a row's times may be compared: only if the result was verified. Rows beside a step were.
function row.counts(self)
  return self.times ~= nil and (self.aside or row.is_verified(self))
end

--- Identifies a row's step: the same on every device and in every run.
-- @treturn string
function row.key(self)
  return ("%s|%s|%s"):format(tostring(self.number), self.study or "", self.name or "")
end

--- What a step changes, in words.
-- @treturn ?string
function row.change(self)
  return self.change and (self.beyond and "beyond: " or "") .. self.change
end

--- The source of what a step built, with its options, see @{clue.result.source}.
row.source = require "clue.result.source"

--- All rows of some walkthroughs.
-- @tparam ?{table,...} walkthroughs of a document
-- @treturn {table,...} row, run, walkthrough
function row.all(walkthroughs)
  return lists.flat(walkthroughs or {}, function(walkthrough)
    return lists.flat(walkthrough.runs or {}, function(run)
      return lists.map(run.rows or {}, function(each) return {row = each, run = run, walkthrough = walkthrough} end)
    end)
  end)
end

-- ---- times and speeds ----

--- The part of the time that a step is judged by, and compared with other steps.
-- @treturn string "kernel", which is what a step changes; "total" for loops of the host's, and for kernels of several
--   devices at the same time
function row.judged(self)
  local times = self.times
  return times and times.kernel and not times.together and "kernel" or "total"
end

--- The part by which a step is compared with what did all of the work elsewhere: host loops, and the author's figures.
-- @treturn string "total", as in the articles; "kernel" for what only moves data on the device
function row.whole(self)
  return row.rate(self) == "GB/s" and row.judged(self) or "total"
end

--- The part of the time by which two rows are compared.
-- @tparam table a
-- @tparam table b
-- @treturn ?string that which both are judged by; else the total, where operations are counted; nil: none
function row.common_part(a, b)
  local part = row.judged(a)
  if part == row.judged(b) then return part end
  return row.rate(a) == row.rate(b) and row.whole(a) == "total" and row.whole(b) == "total" and "total" or nil
end

--- The parts that at least one row measured.
-- @treturn {string,...}
function row.measured(rows)
  return lists.filter(row.parts, function(part)
    return lists.any(rows, function(each) return each.times and each.times[part] end)
  end)
end

--- The times of a part, whatever the verdict.
-- @tparam[opt] string part "upload", "kernel", "read", "total"; default: the part that it is judged by
-- @treturn ?table seconds, see @{clue.result.statistics.of}; nil if it was not measured
function row.time(self, part)
  return self.times and statistics.of(self.times[part or row.judged(self)])
end

--- The median time of a part.
-- @tparam[opt] string part as for @{time}
-- @treturn ?number seconds; nil if it was not measured, or does not count
function row.seconds(self, part)
  local summary = row.counts(self) and row.time(self, part)
  return summary and summary.median or nil
end

--- The unit of a row's speed.
-- @treturn ?string "GFLOPS", "GOPS" of whole numbers, "GB/s"; nil if nothing is counted
function row.rate(self)
  return self.times and self.times.rate or nil
end

--- What a row's speed counts, in one run.
-- @tparam[opt] string rate the unit (default: its own)
-- @treturn ?number operations or bytes
function row.work(self, rate)
  rate = rate or row.rate(self)
  return rate and self.times[counted[rate]] or nil
end

local function speed_at(self, seconds, rate)
  local work = rate and row.work(self, rate)
  return seconds > 0 and work and work / seconds * 1e-9 or nil
end

--- The speed of a row.
-- @tparam[opt] string part "kernel", "total"; default: the part that it is judged by
-- @treturn ?number in units of its rate
function row.speed(self, part)
  local seconds = row.seconds(self, part)
  return seconds and speed_at(self, seconds, row.rate(self))
end

--- The speeds of a row's runs.
-- @tparam[opt] string part "kernel", "total"; default: the part that it is judged by
-- @tparam[opt] string rate the unit (default: its own)
-- @treturn ?table median, least and most
function row.speeds(self, part, rate)
  local seconds = row.counts(self) and row.time(self, part)
  rate = rate or row.rate(self)
  local most = seconds and speed_at(self, seconds.min, rate)
  if not most then return nil end
  return {median = speed_at(self, seconds.median, rate), least = speed_at(self, seconds.max, rate), most = most}
end

--- Whether a row is a loop of the host's: nothing of it ran on a device.
function row.is_of_host(self)
  return self.times ~= nil and self.device == nil and not self.times.kernel
end

--- The device's limit of a row's arithmetic: of tensor cores where clue's best or a library's product may use them, or
-- where the row names their type (`tensor`: "TF32", "char").
-- @tparam table peak the device's limits, see @{clue.peak.measure}
-- @treturn ?number operations a second; nil if its type has no known limit, or devices that differ did the work
function row.most_flops(self, peak)
  local most = self.type and not self.unlike and (peak.flops or {})[self.type] or nil
  local of_tensor = self.best and (peak.tensor or {})[self.tensor or self.type]
  return most and type(of_tensor) == "number" and math.max(most, of_tensor) or most
end

-- The device's limit of what a row's speed counts, in a second; nil if it is unknown, or none of the device's.
local function limit_of(self, peak)
  local unit = row.rate(self)
  if counted[unit] == "flops" then return row.most_flops(self, peak) end
  if unit ~= "GB/s" or self.unlike then return nil end
  if self.moves then return self.moves == "local memory" and peak.local_bandwidth or nil end
  return device.bandwidth(peak)
end

--- The part of the device's limit that a row reaches, by the kernel's time if it is known.
-- @tparam ?table peak the device's limits: flops and bandwidth by kind, see @{clue.peak.measure}; nil: unknown
-- @treturn ?number 1 is the limit of multiply-adds of the row's type, or for GB/s of the memory that it uses (data in
--   caches may be faster); nil for operations of a type that the row does not tell, or that has no known limit, and if
--   devices that differ did the work
function row.share_of_peak(self, peak)
  local speed = peak and self.device and row.speed(self, row.time(self, "kernel") and "kernel" or nil)
  local limit = speed and limit_of(self, peak)
  return type(limit) == "number" and limit > 0 and speed / (limit * 1e-9) or nil
end

--- How many times as fast as its host loop a row is, by the part of @{whole}.
-- @treturn ?number
function row.over_host(self)
  local seconds = row.seconds(self, row.whole(self))
  return self.host and self.host.seconds and seconds and seconds > 0 and self.host.seconds / seconds or nil
end

-- ---- the rows below it ----

--- A row's further host loops, as rows: "1+", "1++".
-- @treturn {table,...} with aside: true
function row.beside(self)
  local of = self.times or {}
  return lists.map(self.beside or {}, function(host, i)
    return {
      number = self.number .. ("+"):rep(i), name = host.name, host = self.host, aside = true, study = self.study,
      times = {total = host.times, runs = #host.times, flops = of.flops, bytes = of.bytes, rate = of.rate,
               extrapolated = host.extrapolated},
    }
  end)
end

--- The variants of a row's sweep, as rows.
-- @treturn {table,...} with label
function row.variants(self)
  return lists.map(self.sweep or {}, function(entry)
    return {label = entry.label, times = entry.times, check = self.check}
  end)
end

--- Which variant of its sweep a row shows: the one that the step names, or the fastest.
-- @treturn ?string its label; nil if the step has no variants, or they were not measured
function row.shown_variant(self)
  local shown = (self.sweep or {})[self.variant] or lists.best(self.sweep or {}, function(entry)
    local time = entry.times and row.time(entry)
    return time and -time.median
  end)
  return shown and shown.label
end

--- The author's figures for a row on one of his machines.
-- @tparam string on the machine
-- @treturn ?table nil if there are none
-- @treturn ?int their place in the row's list
function row.published(self, on)
  for i, theirs in ipairs(self.published or {}) do
    if theirs.on == on then return theirs, i end
  end
end

--- An author's speed in a unit.
-- @tparam ?table theirs
-- @tparam string unit
-- @treturn ?number nil if he gives none in this unit
function row.published_rate(theirs, unit)
  return theirs and theirs.rate and (theirs.unit or unit) == unit and theirs.rate or nil
end

--- An author's speed in words, with * if it was computed from his other figures.
-- @tparam table theirs
-- @tparam ?string unit of the step, if the author names none
-- @tparam[opt] string common a unit that need not be said
-- @treturn string "0.0169 GFLOPS*"
function row.published_text(theirs, unit, common)
  local own = theirs.unit or unit
  return figures.published(theirs.rate) .. (own and own ~= common and " " .. own or "")
    .. (theirs.computed and "*" or "")
end

-- ---- gains ----

--- How far the quotient of two rows' medians may be from the interval of their gain before they contradict.
row.tolerance = 0.1

--- Whether the medians of two rows, each measured by itself, contradict the gain of their runs in turn: other work
-- disturbed one of them. What is certain of nothing, as in older documents, contradicts nothing.
-- @tparam ?table gain of the later row over the earlier one: low, high
-- @tparam ?number quotient of the medians: how many times as fast the later row is by them
function row.contradict(gain, quotient)
  if not (gain and gain.low and quotient) then return false end
  return quotient < gain.low / (1 + row.tolerance) or quotient > gain.high * (1 + row.tolerance)
end

-- How many times as fast as an earlier row another one is by the medians of a part; nil if that is unknown.
local function quotient(before, self, part)
  local was, is = row.seconds(before, part), row.seconds(self, part)
  return was and was > 0 and is and is > 0 and was / is or nil
end

--- The gain over an earlier row, by the part of @{common_part}: from alternating runs if they are enough for an
-- interval, or else from the medians alone, by which the fastest is found then.
-- @tparam table before
-- @tparam[opt] {number,...} earlier seconds of the earlier row, in alternating runs
-- @tparam[opt] {number,...} now seconds of this row
-- @treturn ?table over (the number of the earlier row), part, ratio, low, high (nil: unknown), pairs (nil: of the
--   medians), before and now: the seconds; disturbed: true if the rows' own medians contradict it
function row.gain(before, self, earlier, now)
  local part = row.common_part(before, self)
  local by_medians = quotient(before, self, part)
  local gain = earlier and #earlier > 0 and statistics.paired_gain(earlier, now)
  if gain and gain.low then
    return {over = before.number, part = part, ratio = gain.ratio, low = gain.low, high = gain.high,
            pairs = gain.count, before = earlier, now = now, disturbed = row.contradict(gain, by_medians) or nil}
  end
  return by_medians and {over = before.number, part = part, ratio = by_medians}
end

--- The row that a row's gain is over.
-- @tparam {table,...} rows of the run
-- @treturn ?table
function row.base(rows, self)
  return self.gain and lists.find(rows, function(each) return each.number == self.gain.over end)
end

--- Decides again whether a row is disturbed, since its times or those of the row that it is compared with have changed.
function row.judge_gain(rows, self)
  local gain, before = self.gain, row.base(rows, self)
  if not (before and gain.pairs) then return end
  gain.disturbed = row.contradict(gain, quotient(before, self, gain.part)) or nil
end

--- How many times as fast as the first row of the same problem a row is. Rows of the host and of the device count
-- apart.
-- @tparam table self one of them
-- @treturn ?number
-- @treturn ?table the first row, which may be the row itself
function row.over_first(rows, self)
  for _, first in ipairs(rows) do
    if row.is_of_host(first) == row.is_of_host(self) and row.comparable(first, self) then
      return quotient(first, self, row.common_part(first, self)), first
    end
  end
end

--- Whether two rows do the same work, so that one can be a gain over the other.
-- @tparam table before
function row.comparable(before, self)
  return row.counts(before) and row.counts(self) and before.problem == self.problem and before.study == self.study
    and row.common_part(before, self) ~= nil
end

--- How many of a loop's operations are kept: the most frequent.
row.most_operations = 5

return row
