--- Runs in the child processes of `clue tune`: prepares and measures configurations, one job after the other.
--
-- Only clue.tune.worker starts such processes. A job comes as a line of JSON through the standard input; its result
-- goes back through descriptor 3. The process lives until its input ends, or until a configuration ends it.
local candidate = require "clue.tune.measure.candidate"
local contexts = require "clue.context"
local device_facts = require("clue.result.device").facts
local devices = require "clue.device"
local failure = require "clue.failure"
local json = require "clue.shared.json"
local now = require("clue.binding").now
local script = require "clue.tune.space_script"
local sequential = require "clue.tune.measure.sequential"
local send = require("clue.shared.parent").send
local Series = require "clue.timing.series"

local serving = {}

local warm_up = 2
local least_seconds = 1e-9 -- of a run that the device's timer does not see

-- ---- a configuration ----

local function new_candidate(self, p)
  local started = now()
  local made = candidate.new(self.description, p, self.queue, self.kept)
  return made, now() - started
end

local function results_of_reference(self)
  local done, made = pcall(new_candidate, self, self.description.of.reference)
  if done then done, made = pcall(function() made:run() return made:results() end) end
  if not done then
    error(("the space: the reference configuration fails: %s"):format(type(made) == "table" and made.text
      or tostring(made)), 0)
  end
  return made
end

-- What the results are compared with: the script's answer, or the results of its reference configuration.
local function answer_of(self)
  local of = self.description.of
  if self.answer == nil and of.reference and not of.answer then self.answer = results_of_reference(self) end
  if self.answer == nil then self.answer = self.description:answer() or false end
  return self.answer or nil
end

-- ---- jobs ----

local jobs = {}

-- The process has started, and that is the answer.
jobs.facts = function() return {} end

-- Finds what results are compared with, before any configuration has to wait for it.
jobs.answer = function(self)
  answer_of(self)
  return {}
end

-- Builds, so that the driver's cache has the result; a driver for CPUs compiles the rest at the first launch.
jobs.prepare = function(self, job)
  local made, seconds = new_candidate(self, job.p)
  if job.launch then
    local started = now()
    made:run()
    seconds = seconds + now() - started
  end
  return {build = seconds}
end

-- Verifies, then measures until the test is decided.
jobs.measure = function(self, job)
  local answer = answer_of(self)
  local made, build = new_candidate(self, job.p)
  local started = now()
  made:verify(answer)
  local verified = now() - started
  local series = Series.new(made.launch, nil, warm_up)
  local samples, lost = sequential.measure(function() return math.max(series:take(), least_seconds) end,
    job.best, function(seconds) return self.description:cost(job.p, seconds) end)
  return {build = build, verify = verified, samples = samples, lost = lost}
end

-- Measures several by turns. Every second round goes backwards.
jobs.final = function(self, job)
  local answer, all, samples, clock = answer_of(self), {}, {}, nil
  -- arguments that do not depend on the configuration are in the same buffers
  local shared = type(self.description.of.arguments) ~= "function" and self.kept
  for i, p in ipairs(job.list) do
    local done, made = pcall(function()
      local one = candidate.new(self.description, p, self.queue, shared or {})
      one:verify(answer)
      return one
    end)
    if not done then
      if type(made) == "table" and made.failed then made.which = i end
      error(made, 0)
    end
    all[i], samples[i] = Series.new(made.launch, nil, warm_up), {}
    clock = all[i].clock
  end
  local started, round = now(), 0
  repeat
    round = round + 1
    for k = 1, #all do
      local i = round % 2 == 1 and k or #all + 1 - k
      samples[i][round] = math.max(all[i]:take(), least_seconds)
    end
  until round >= job.most or round >= job.least and now() - started >= job.seconds
  return {samples = samples, clock = clock}
end

-- ---- the process ----

local function fatal(problem)
  return {fatal = failure.text(problem)}
end

-- A failure of the configuration is a result. Anything else is a fault of the script: the process ends with it.
local function run(self, job)
  local done, result = pcall(jobs[job.what], self, job)
  if done then return result end
  if type(result) == "table" and result.failed then
    return {failed = result.failed, text = result.text, ran = result.ran, which = result.which}
  end
  return fatal(result)
end

local function facts_of(device)
  local facts = device_facts(device)
  facts.text, facts.vendor, facts.is_cpu = device:describe(), device.vendor, device:is_kind "cpu"
  return facts
end

--- Serves jobs until the input ends.
-- @tparam string text as JSON: path, of the space script; words and capture, as for @{clue.tune.space_script.load}
function serving.run(text)
  local request = json.read(text)
  local self, device = {description = script.load(request.path, request), kept = {}}, nil
  local done, problem = pcall(function()
    device = devices.machine().devices[devices.select()[1] + 1]
    self.queue = contexts.new(device.ordinal):queue()
  end)
  if not done then
    send {result = fatal(problem)}
    return
  end
  send {device = facts_of(device)}
  for line in io.lines() do send {result = run(self, json.read(line))} end
end

return serving
