--- Measures a step: upload, kernel, read-back and their total, each apart.
-- @module clue.walk.measure
local binding = require "clue.binding"

local measure = {}

--- A step is run until it ran this often, or this many seconds have passed, whichever comes first; once at least.
measure.most_runs, measure.most_seconds = 7, 3

local function nothing() end

local function check(value)
  if value == nil then require("clue.error").raise() end
  return value
end

-- One run. The reset stands outside every timed span: several published kernels add to their output. `total` is
-- executing and reading back, as the articles mean it, without the upload.
local function run_once(spec)
  local before = binding.now()
  spec.upload()
  local uploaded = binding.now()
  spec.reset()
  check(binding.profile_start())
  local start = binding.now()
  spec.execute()
  local kernel, clock, executions = binding.profile_stop() -- waits until the kernels are done
  check(kernel)
  local executed = binding.now()
  spec.read()
  local finish = binding.now()
  return {upload = uploaded - before, kernel = executions > 0 and kernel or nil, clock = clock,
          read = finish - executed, total = finish - start}
end

local function normal(spec)
  return {upload = spec.upload or nothing, reset = spec.reset or nothing, execute = spec.execute,
          read = spec.read or nothing}
end

--- Runs the parts once, untimed: for checks, and as the warm-up.
-- @tparam table spec as for @{run}
function measure.warm(spec)
  run_once(normal(spec))
  spec.warm = true
end

--- Runs a step as often as the rule says.
-- @tparam table spec upload, reset, execute, read: functions, all but execute optional; flops: work of one run;
--   repeats: exactly so many runs instead of the rule
-- @tparam[opt] function progress called with the number of the run and how many there will be at most
-- @treturn table upload, kernel, read, total: arrays of seconds; clock: "device" or "host" (kernel times);
--   flops; runs
function measure.run(spec, progress)
  assert(type(spec.execute) == "function", "walk.run: execute must be a function")
  if not spec.warm then measure.warm(spec) end
  local parts, times = normal(spec), {upload = {}, kernel = {}, read = {}, total = {}, clock = "device",
                                      flops = spec.flops, runs = 0}
  local most = spec.repeats or measure.most_runs
  local start = binding.now()
  repeat
    if progress then progress(times.runs + 1, most) end
    local once = run_once(parts)
    times.runs = times.runs + 1
    for _, part in ipairs {"upload", "kernel", "read", "total"} do
      times[part][times.runs] = once[part]
    end
    if once.clock == "host" then times.clock = "host" end
  until times.runs >= most or not spec.repeats and binding.now() - start >= measure.most_seconds
  if not spec.upload then times.upload = nil end
  if not spec.read then times.read = nil end
  if #times.kernel == 0 then times.kernel, times.clock = nil, nil end
  return times
end

return measure
