--- What a row of a walkthrough says: how it ended, how fast it was, what it gained. The tables, the report, the
-- explanation and the comparison of two runs all ask here. Rows are as @{clue.walk.report} takes them, with failed =
-- {word, text, lines} where a step did not end as it should and gain = {over, ratio, low, high, pairs} where it was
-- compared with a row before it.
-- @module clue.walk.row
local statistics = require "clue.walk.statistics"

local row = {}

-- What a rate counts, for one second of a run: by the unit's name.
local counted = {["GFLOPS"] = "flops", ["GB/s"] = "bytes"}

-- ---- how it ended ----

--- One word for what came of a row, and whether that is as it should be.
-- @tparam table self
-- @treturn string "verified", "WRONG", "skipped", "crashed", "time limit", ...
-- @treturn bool
function row.verdict(self)
  if self.failed then return self.failed.word, false end
  if self.skipped then return "skipped", true end
  if self.check and self.check.verified then return "verified", true end
  return self.check and "WRONG" or "unchecked", false
end

--- Whether its result was found right.
-- @tparam table self
-- @treturn boolean
function row.is_verified(self)
  return (row.verdict(self)) == "verified"
end

--- Whether its times may be compared: only what was found right is. Rows that stand beside a step were.
-- @tparam table self
-- @treturn boolean
function row.counts(self)
  return self.times ~= nil and (self.aside or row.is_verified(self))
end

--- Whether one row at least passes a test.
-- @tparam {table,...} rows
-- @tparam function test test(row)
-- @treturn boolean
function row.any(rows, test)
  for _, each in ipairs(rows) do
    if test(each) then return true end
  end
  return false
end

-- ---- times and speeds ----

--- The part whose time a step is judged by, where it is compared.
-- @tparam table self
-- @treturn string "total", as the articles count, or "kernel", where a step is about moving data on the device
function row.judged(self)
  return self.times and self.times.judged or "total"
end

--- The times of a part, whatever came of it.
-- @tparam table self
-- @tparam[opt] string part "upload", "kernel", "read", "total"; without: the one that it is judged by
-- @treturn ?table seconds, see @{clue.walk.statistics.of}; nil where it was not measured
function row.time(self, part)
  return self.times and statistics.of(self.times[part or row.judged(self)])
end

--- The median time of a part.
-- @tparam table self
-- @tparam[opt] string part as for @{time}
-- @treturn ?number seconds; nil where it was not measured, or does not count
function row.seconds(self, part)
  local summary = row.counts(self) and row.time(self, part)
  return summary and summary.median or nil
end

--- The unit of its speed.
-- @tparam table self
-- @treturn ?string "GFLOPS", "GB/s"; nil where nothing is counted
function row.rate(self)
  return self.times and self.times.rate or nil
end

local function speed_at(self, seconds, rate)
  local work = rate and self.times[counted[rate]]
  return seconds > 0 and work and work / seconds * 1e-9 or nil
end

--- How fast it was.
-- @tparam table self
-- @tparam[opt] string part "kernel", "total"; without: the one that it is judged by
-- @treturn ?number in units of its rate
function row.speed(self, part)
  local seconds = row.seconds(self, part)
  return seconds and speed_at(self, seconds, row.rate(self))
end

--- How fast its runs were.
-- @tparam table self
-- @tparam[opt] string part "kernel", "total"; without: the one that it is judged by
-- @tparam[opt] string rate the unit; without: its own
-- @treturn ?table median, least and most
function row.speeds(self, part, rate)
  local seconds = row.counts(self) and row.time(self, part)
  rate = rate or row.rate(self)
  local most = seconds and speed_at(self, seconds.min, rate)
  if not most then return nil end
  return {median = speed_at(self, seconds.median, rate), least = speed_at(self, seconds.max, rate), most = most}
end

--- How many times as fast as its host loop it was.
-- @tparam table self
-- @tparam[opt] string part "kernel", "total"; without: the one that it is judged by
-- @treturn ?number
function row.over_host(self, part)
  local seconds = row.seconds(self, part)
  return self.host and self.host.seconds and seconds and seconds > 0 and self.host.seconds / seconds or nil
end

-- ---- what stands below it ----

--- Its further host loops, as rows of their own: "1+", "1++".
-- @tparam table self
-- @treturn {table,...} with aside: true
function row.beside(self)
  local list, of = {}, self.times or {}
  for i, host in ipairs(self.beside or {}) do
    list[i] = {
      number = self.number .. ("+"):rep(i), name = host.name, host = self.host, aside = true, study = self.study,
      times = {total = host.times, runs = #host.times, flops = of.flops, bytes = of.bytes, rate = of.rate,
               extrapolated = host.extrapolated},
    }
  end
  return list
end

--- The variants of its sweep, as rows of their own.
-- @tparam table self
-- @treturn {table,...} with label
function row.variants(self)
  local list = {}
  for i, entry in ipairs(self.sweep or {}) do
    list[i] = {label = entry.label, times = entry.times, check = self.check}
  end
  return list
end

--- What the author published of it on one of his machines.
-- @tparam table self
-- @tparam string on which
-- @treturn ?table nil: nothing
-- @treturn ?int its place in the row's list
function row.published(self, on)
  for i, theirs in ipairs(self.published or {}) do
    if theirs.on == on then return theirs, i end
  end
end

-- ---- gains ----

--- The gain over a row before, from runs that took turns, or else from the medians alone.
-- @tparam table before
-- @tparam table self
-- @tparam[opt] {number,...} earlier seconds of the row before, run by turns with
-- @tparam[opt] {number,...} now seconds of this one
-- @treturn ?table over (the number of the row before), ratio, low, high (nil: not known), pairs (nil: of the medians),
--   before and now: the seconds
function row.gain(before, self, earlier, now)
  if earlier and #earlier > 0 then
    local gain = statistics.paired_gain(earlier, now)
    return {over = before.number, ratio = gain.ratio, low = gain.low, high = gain.high, pairs = gain.count,
            before = earlier, now = now}
  end
  local was, is = row.seconds(before), row.seconds(self)
  if not (was and is and is > 0) then return nil end
  return {over = before.number, ratio = was / is}
end

--- One word for a row's gain.
-- @tparam table self
-- @treturn ?string "same": no difference; "better", "worse"; "unsure": too few runs; nil: it has none
function row.gain_word(self)
  local gain = self.gain
  if not (gain and gain.ratio) then return nil end
  if not statistics.differs(gain) then return "same" end
  if not gain.low then return "unsure" end
  return gain.ratio > 1 and "better" or "worse"
end

--- Whether two rows do the same work, so that one can be a gain over the other.
-- @tparam table before
-- @tparam table self
-- @treturn boolean
function row.comparable(before, self)
  return row.counts(before) and row.counts(self) and before.problem == self.problem and before.study == self.study
    and row.judged(before) == row.judged(self)
end

return row
