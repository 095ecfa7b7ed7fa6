--- What the measurements of all limits share. The work grows until a run takes long enough for the clock; then runs are
-- repeated. Kernels work on vectors of several widths.
local binding = require "clue.binding"
local guard = require "clue.timing.guard"
local statistics = require "clue.result.statistics"

local series = {}

-- The seconds that a run should take: by the device's timer (steps of 1 us at worst), and by the host's clock, which
-- includes the time to start and to wait.
local long_enough = {device = 0.005, host = 0.02}

-- Timed runs: at least so many, then more until the greatest number, or until they took so many seconds together.
local least_runs, most_runs = 5, 25
series.most_seconds = 0.25

-- The part of these seconds, and of the least work, that is enough: less for tests, which read no speeds.
series.part = 1

-- Multiplies the work by a power of two, as the last run predicts, but never by much at once: the first runs are
-- short and predict badly.
local function grown(work, seconds, target, most)
  local factor = 2
  while factor < 32 and seconds * factor < target do factor = factor * 2 end
  return math.min(work * factor, most)
end

-- The amount of work for a run that takes long enough, or the greatest amount allowed.
local function find_work(spec)
  local work = spec.least
  spec.run(work) -- compiles, and touches memory for the first time
  while work < spec.most do
    local seconds, clock = guard.undisturbed(spec.run, work)
    local target = math.max(long_enough[clock], spec.seconds or 0) * series.part
    guard.positive(seconds, "a run") -- the work would grow to the most
    if seconds >= target and work >= (spec.enough or 0) * series.part or seconds >= 20 * target then break end
    work = grown(work, seconds, target, spec.most)
  end
  return work
end

local function timed_runs(spec, work)
  local times, clock = {}, "device"
  spec.run(work)
  local started = binding.now()
  repeat
    local seconds, whose = guard.undisturbed(spec.run, work)
    times[#times + 1] = guard.positive(seconds, "a run")
    if whose == "host" then clock = "host" end
    local enough = #times >= (spec.runs or least_runs) and binding.now() - started >= series.most_seconds
  until enough or #times >= most_runs
  return times, clock
end

--- Measures a limit. The work of a run is a number that doubles: work-groups, bytes, or whatever `run` takes.
-- @tparam table spec least, most: work; enough: the least work even if a run takes long enough with less; seconds: the
--   least time of a run, if the clock would accept less; runs: the least number of runs; run(work): one run, returns
--   its seconds and the clock that measured them ("device" or "host"); unit, and amount(work): operations or bytes of
--   one run; choose(work): optional, called before the timed runs, to choose the fastest of several ways; check(work):
--   whether the results of the last run are right, else false and why
-- @treturn table times (seconds), clock, unit, amount; wrong: what is wrong with the results
function series.measure(spec)
  local work = find_work(spec)
  if spec.choose then spec.choose(work) end
  local times, clock = timed_runs(spec, work)
  local right, why = spec.check(work)
  return {times = times, clock = clock, unit = spec.unit, amount = spec.amount(work), wrong = not right and why or nil}
end

--- Converts the times of a limit to its unit: value is by the median time, best by the fastest run.
-- @tparam table limit times, unit ("GFLOPS", "GOPS", "GB/s", "us", "ns"), amount (except for "us")
-- @treturn table the limit, with value, best, spread (of the times, as a fraction of their median)
function series.summarise(limit)
  local times = statistics.of(limit.times)
  if limit.unit == "us" then
    limit.value, limit.best = times.median * 1e6, times.min * 1e6
  elseif limit.unit == "ns" then
    limit.value, limit.best = times.median / limit.amount * 1e9, times.min / limit.amount * 1e9
  else
    limit.value, limit.best = limit.amount / times.median / 1e9, limit.amount / times.min / 1e9
  end
  limit.spread = times.spread
  return limit
end

-- ---- vectors ----

--- The widths that are measured.
series.widths = {1, 2, 4, 8, 16}

--- The name of a type.
-- @tparam string scalar "float"
-- @tparam number width
-- @treturn string "float4"; "float" for 1
function series.vector(scalar, width)
  return scalar .. (width > 1 and ("%d"):format(width) or "")
end

--- The sum of the lanes of the variable `sum`.
-- @tparam number width
-- @treturn string "sum.s0 + sum.s1"
function series.sum_of_lanes(width)
  local lanes = {}
  for lane = 0, width - 1 do lanes[lane + 1] = ("sum.s%x"):format(lane) end
  return width == 1 and "sum" or table.concat(lanes, " + ")
end

--- Whether an array is as expected.
-- @tparam array found
-- @tparam array expected
-- @tparam[opt=0] number first number of the first element, for the message
-- @treturn ?string "element 17 is 0 instead of 1"
function series.same(found, expected, first)
  local at = found:compare(expected)
  if not at then return true end
  return false, ("element %.0f is %.9g instead of %.9g"):format((first or 0) + at, found[at], expected[at])
end

return series
