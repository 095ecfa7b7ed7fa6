--- Measures a step: upload, kernel, read-back and their total separately.
-- @module clue.walk.measure
local argument = require "clue.argument"
local binding = require "clue.binding"
local exchange = require "clue.walk.exchange"
local guard = require "clue.timing.guard"
local recorder = require "clue.walk.recorder"
local send = require("clue.shared.parent").send
local shown = require "clue.shown"
local statistics = require "clue.result.statistics"

local measure = {}

-- A step runs until it ran so many times, or so many seconds have passed, whichever comes first; at least once. With
-- --until-stable, clue.result.statistics decides.
measure.most_runs, measure.most_seconds = 7, 3

--- Untimed runs go on for so many seconds before the first timed one: in a new process, a CPU driver's threads share
-- a core for about a tenth of a second before the system distributes them, and a GPU's clock needs time to rise.
measure.warm_seconds = 0.3

--- true: a step runs each of its variants once, in its check, and is not measured. So it is where a step is counted or
-- checked (@{clue.simulator.simulator_prelude}), or compiled (@{clue.run.machine_code}).
measure.once = false

--- Whether the run under way reads its results back: where it does not, the host's memory for them may stay as it is.
measure.reads = true

local function nothing() end

local function check(value)
  if value == nil then require("clue.error").raise() end
  return value
end

-- One run. The reset is never timed: several published kernels add to their output. `total` is executing and reading
-- back, without the upload, as in the articles.
local function run_once(spec)
  local before = binding.now()
  spec.upload()
  local uploaded = binding.now()
  spec.reset()
  check(binding.profile_start())
  local start = binding.now()
  local own, own_clock = spec.execute()
  local kernel, clock, executions = binding.profile_stop() -- waits until the kernels are done
  check(kernel)
  if executions == 0 then kernel, clock = own, own_clock or "host" end
  local executed = binding.now()
  spec.read()
  local finish = binding.now()
  return {upload = uploaded - before, kernel = kernel, clock = clock, read = finish - executed,
          total = guard.positive(finish - start, "a run")}
end

--- Refuses parts of a run that are no functions.
-- @tparam table spec as for @{run}
-- @tparam string call the function that the step called, "walk.run"
function measure.check(spec, call)
  for _, part in ipairs {"upload", "reset", "execute", "read"} do
    local given = spec[part]
    if type(given) ~= "function" and (given ~= nil or part == "execute") then
      argument.fail("%s: %s must be a function, got %s", call, part, shown.of(given))
    end
  end
end

local function normal(spec)
  return {upload = spec.upload or nothing, reset = spec.reset or nothing, execute = spec.execute,
          read = spec.read or nothing}
end

-- The parts of a run that records what it launches, see @{clue.walk.recorder.launches}.
local function recording(spec)
  local parts = normal(spec)
  function parts.execute()
    local own, clock
    spec.launches = recorder.launches(function() own, clock = spec.execute() end)
    return own, clock
  end
  return parts
end

--- Runs the parts once, untimed: for checks. The first such run records what it launches.
-- @tparam table spec as for @{run}
function measure.untimed(spec)
  local before = binding.now()
  spec.last_parts = run_once(spec.launches and normal(spec) or recording(spec))
  spec.last_run = binding.now() - before
end

--- Sends what a variant declares as it begins, where its step runs once: as {variant = {flops, bytes, label}}.
-- @tparam table spec as for @{run}
function measure.tell_variant(spec)
  if measure.once then send {variant = {flops = spec.flops, bytes = spec.bytes, label = spec.label}} end
end

--- Sends what the check of a variant found, where its step runs once: as {verdict = {verified, text, label}}.
-- @tparam table spec as for @{run}
-- @tparam table verdict from @{clue.walk.verify}
-- @treturn table the verdict
function measure.tell_verdict(spec, verdict)
  if measure.once then send {verdict = {verified = verdict.verified, text = verdict.text, label = spec.label}} end
  return verdict
end

--- Ends a step that runs once, instead of measuring it: its check has run it, or it runs now. What it would free
-- afterwards ends with the process.
-- @tparam table spec as for @{run}
function measure.end_unmeasured(spec)
  if not measure.once then return end
  if not spec.last_run then
    measure.tell_variant(spec)
    measure.untimed(spec)
  end
  os.exit(0, true)
end

--- Runs once more a step whose inputs are on the device: without its upload and, where kernels' time is known to be
-- told, without reading back. Transfers may take a hundred times as long as the kernels.
-- @tparam table spec as for @{run}
-- @treturn table seconds: kernel, read, total
function measure.again(spec)
  local parts = normal(spec)
  parts.upload = nothing
  if spec.last_parts and spec.last_parts.kernel then parts.read, measure.reads = nothing, false end
  local once = guard.undisturbed(run_once, parts)
  measure.reads = true
  return once
end

-- If one run takes longer than the warm-up, any earlier run was enough. Transfers warm up nothing, and of large inputs
-- they would be most of the time.
local function warm_up(spec)
  if (spec.last_run or 0) >= measure.warm_seconds then return end
  local passed = guard.clock()
  if not spec.last_run then measure.untimed(spec) end
  while passed() < measure.warm_seconds do measure.again(spec) end
end

-- ---- series of runs ----

local parts_of_a_run = {"upload", "kernel", "read", "total"}

local function add(series, once)
  local times = series.times
  series.seconds = series.seconds + once.total
  times.runs = times.runs + 1
  for _, part in ipairs(parts_of_a_run) do times[part][times.runs] = once[part] end
  if once.clock == "host" then times.clock = "host" end
end

-- A step that is only verified has one run, that of its check.
local function new_series(spec)
  local series = {spec = spec, parts = normal(spec), most = spec.repeats or measure.most_runs, seconds = 0,
                  times = {upload = {}, kernel = {}, read = {}, total = {}, clock = "device", runs = 0}}
  if exchange.to_verify then
    add(series, measure.once_more(spec))
  else
    warm_up(spec)
  end
  return series
end

local function add_run(series)
  local times, suspended = series.times, guard.counter()
  local once = guard.undisturbed(run_once, series.parts)
  if suspended() then times.suspended = (times.suspended or 0) + suspended() end
  add(series, once)
end

local function rate_of(spec)
  return spec.rate or spec.flops and "GFLOPS" or spec.bytes and "GB/s" or nil
end

local function is_enough(series)
  if exchange.to_verify then return true end
  if exchange.until_stable and not series.spec.repeats then
    local by_kernel = #series.times.kernel > 0 and not series.spec.together
    return statistics.are_stable(series.times[by_kernel and "kernel" or "total"], series.seconds)
  end
  return series.times.runs >= series.most
    or not series.spec.repeats and series.times.runs > 0 and series.seconds >= measure.most_seconds
end

-- The times without the parts that the step does not have.
local function times_of(series)
  local spec, times = series.spec, series.times
  if not spec.upload then times.upload = nil end
  if not spec.read then times.read = nil end
  if #times.kernel == 0 then times.kernel, times.clock = nil, nil end
  times.flops, times.bytes, times.rate = spec.flops, spec.bytes, rate_of(spec)
  times.together, times.launches = spec.together, spec.launches
  return times
end

--- Runs once more a step that was measured. One that is only verified does not run again: its last run is all there is.
-- @tparam table spec as for @{run}
-- @treturn table seconds: upload, kernel, read, total
-- @treturn ?number how many runs were repeated because the process was suspended
function measure.once_more(spec)
  if exchange.to_verify then
    if not spec.last_parts then measure.untimed(spec) end
    return spec.last_parts
  end
  local suspended = guard.counter()
  return guard.undisturbed(run_once, normal(spec)), suspended()
end

--- Runs a step as many times as the rule says.
-- @tparam table spec upload, reset, execute, read: functions, all but execute optional; reset must wait for what it
--   enqueues, since the clock starts after it; execute may return the seconds
--   of work that clue enqueued no kernel for, and "device" if a clock of the device's told them; flops, bytes: work of
--   one run, bytes being the least traffic of global memory; rate: "GFLOPS" or "GB/s", the unit of its speed (default:
--   GFLOPS if flops are given; the row's type may make it GOPS); together: true if several devices run its kernels at
--   the same time, so that the sum of their times is no time of the whole; repeats: the exact number of runs, instead
--   of the rule
-- @tparam[opt] function progress called with the number of the run and the most runs there will be
-- @treturn table upload, kernel, read, total: arrays of seconds; clock: "device" or "host" (kernel times);
--   flops, bytes, rate, together; launches: of an untimed run before, see @{clue.walk.recorder.launches}; runs;
--   suspended: how many runs were repeated because the process was suspended meanwhile (Ctrl-Z, SIGSTOP), nil for none
function measure.run(spec, progress)
  local series = new_series(spec)
  while not is_enough(series) do
    if progress then progress(series.times.runs + 1, series.most) end
    add_run(series)
  end
  return times_of(series)
end

--- Runs several variants in turn, each as many times as the rule says, so that a disturbance affects all of them.
-- @tparam {table,...} specs as for @{run}, with label
-- @tparam[opt] function progress called with the label of the running variant
-- @treturn {table,...} the times of each
function measure.run_by_turns(specs, progress)
  local all, times, again = {}, {}, true
  for i, spec in ipairs(specs) do all[i] = new_series(spec) end
  while again do
    again = false
    for i, series in ipairs(all) do
      if not is_enough(series) then
        if progress then progress(specs[i].label) end
        add_run(series)
        again = true
      end
    end
  end
  for i, series in ipairs(all) do times[i] = times_of(series) end
  return times
end

return measure
