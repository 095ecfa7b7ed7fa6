--- What a row of a walkthrough says: how it ended, how fast it was, what it gained. Rows are as @{clue.walk.report}
-- takes them, with failed = {word, text, lines} where a step did not end as it should and gain = {over, ratio, low,
-- high, pairs} where it was compared with a row before it.
-- @module clue.walk.row
local statistics = require "clue.walk.statistics"

local row = {}

--- What a rate counts, for one second of a run: by the unit's name.
row.units = {["GFLOPS"] = "flops", ["GB/s"] = "bytes"}

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

--- Whether its times may be compared: only what was found right is. Rows that stand beside a step were.
-- @tparam table self
-- @treturn boolean
function row.counts(self)
  return self.times ~= nil and (self.aside or row.verdict(self) == "verified")
end

--- The part whose time a step is judged by, where it is compared.
-- @tparam table self
-- @treturn string "total", as the articles count, or "kernel", where a step is about moving data on the device
function row.judged(self)
  return self.times and self.times.judged or "total"
end

--- The median time of a part.
-- @tparam table self
-- @tparam[opt] string part "upload", "kernel", "read", "total"; without: the one that it is judged by
-- @treturn ?number seconds; nil where it was not measured, or does not count
function row.seconds(self, part)
  local summary = row.counts(self) and statistics.of(self.times[part or row.judged(self)])
  return summary and summary.median or nil
end

--- The unit of its speed.
-- @tparam table self
-- @treturn ?string "GFLOPS", "GB/s"; nil where nothing is counted
function row.rate(self)
  return self.times and self.times.rate or nil
end

--- How fast it was.
-- @tparam table self
-- @tparam[opt] string part "kernel", "total"; without: the one that it is judged by
-- @treturn ?number in units of its rate
function row.speed(self, part)
  local seconds, rate = row.seconds(self, part), row.rate(self)
  local work = rate and self.times[row.units[rate]]
  return seconds and seconds > 0 and work and work / seconds * 1e-9 or nil
end

--- How many times as fast as its host loop it was.
-- @tparam table self
-- @treturn ?number
function row.over_host(self)
  local seconds = row.seconds(self)
  return self.host and seconds and seconds > 0 and self.host.seconds / seconds or nil
end

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

--- Whether two rows do the same work, so that one can be a gain over the other.
-- @tparam table before
-- @tparam table self
-- @treturn boolean
function row.comparable(before, self)
  return row.counts(before) and row.counts(self) and before.problem == self.problem and before.study == self.study
    and row.judged(before) == row.judged(self)
end

return row
