--- Runs a script on the simulator, and counts what its launches did.
local binding = require "clue.binding"
local counted = require("clue.text").count
local kernels = require "clue.result.counts"
local process = require "clue.simulator.process"
local shell = require "clue.shared.shell"

local run = {}

--- After so many seconds, somebody who waits is told how far it is.
run.patience = 10

local prepare = "require('clue.simulator.simulator_prelude').start {step = %s, matrices = true}"

-- ---- what arrives ----

local Run = {}
Run.__index = Run

local function tell(self, now)
  local text = ("%s simulated%s"):format(counted(#self.launches, "launch"),
    now and (", and %.0f of %.0f groups of kernel '%s'"):format(now.done, now.of, now.kernel) or "")
  self.process:tell(text)
  if not self.what.slow or self.told or binding.now() - self.begun < run.patience then return end
  self.told = true
  self.what.slow(("%s in %.0f s; a smaller size has the same counts for each work-item"):format(text, binding.now()
    - self.begun))
end

-- launch, simulated, outside and complaint: of the plugin; given and matrix: of clue.simulator.matrices; variant: of
-- clue.walk.measure. A step tells its progress, which nobody waits for here.
local function take(self, value)
  if value.launch then
    value.launch.variant = self.variants[1] and #self.variants or nil
    self.launches[#self.launches + 1] = value.launch
    tell(self)
  elseif value.simulated then
    tell(self, value.simulated)
  elseif value.outside then
    self.outside = value.outside
  elseif value.complaint then
    self.complaint = value.complaint
  elseif value.given then
    self.given[#self.given + 1] = value.given
  elseif value.matrix then
    self.matrices[value.matrix.buffer] = self.matrices[value.matrix.buffer] or value.matrix
  elseif value.variant then
    self.variants[#self.variants + 1] = value.variant
  end
end

-- Launches and what scripts report of them arrive in an order of their own, but those of one kernel keep theirs. A
-- launch that nobody reported (a replayed one) has no report of another size.
local function report_of(reports, launch)
  for i, given in ipairs(reports) do
    if given.kernel == launch.kernel and table.concat(given.global, "x") == table.concat(launch.global, "x") then
      return table.remove(reports, i)
    end
  end
end

--- Gives each launch what is known of its arguments: arguments, by name: type, and rows and row_bytes of matrices. An
-- array that is only read after the launch says no less of its buffer than one that was written.
function Run:describe_arguments()
  local reports = {}
  for i, given in ipairs(self.given) do reports[i] = given end
  for _, launch in ipairs(self.launches) do
    local given = report_of(reports, launch)
    launch.arguments = given and {}
    for _, each in ipairs(given and given.arguments or {}) do
      local of = each.rows and each or self.matrices[each.buffer] or {}
      launch.arguments[each.name] = {type = each.type, rows = of.rows, row_bytes = of.row_bytes}
    end
  end
end

--- Starts a script.
-- @tparam table what path; words: the script's; environment: {"NAME=VALUE", ...}; step: true for a walkthrough's step;
--   seconds: the limit; folder: for temporary files; show: whether the script's own output is shown; progress(text);
--   slow(text): gets once what was simulated so far, if it takes long
-- @treturn[1] Run
-- @treturn[2] nil
-- @treturn[2] string why nothing can be counted
function run.start(what)
  local self = setmetatable({what = what, launches = {}, variants = {}, given = {}, matrices = {},
                             begun = binding.now()}, Run)
  local variables = {"CLUE_COUNT_FD=3", "OCLGRIND_LOG=/dev/null"}
  for _, each in ipairs(what.environment or {}) do variables[#variables + 1] = each end
  local started, why = process.start {
    prepare = prepare:format(tostring(what.step or false)), path = what.path, words = what.words,
    environment = variables, take = function(value) take(self, value) end, seconds = what.seconds,
    folder = what.folder, show = what.show, progress = what.progress,
  }
  if not started then return nil, why end
  self.process = started
  return self
end

--- Waits a little.
-- @tparam[opt] number seconds the most
-- @treturn boolean whether it still runs
function Run:wait(seconds)
  return self.process:wait(seconds)
end

-- How it failed, and its last errors. What a kernel does outside of all memory cannot be counted, and the simulator
-- stops there.
local function failure_of(self)
  local failed, lines = self.process:failure()
  local at, check = self.outside, shell.check(self.what.path, self.what.words or {})
  if at then
    self.process:locate(at.program, {at})
    return ("stopped: kernel '%s' %s outside of %s%s, so there is nothing to count; to see what is wrong: %s"):format(
      at.kernel, at.access == "load" and "reads" or "writes",
      at.object ~= "" and ("'%s'"):format(at.object) or "its memory",
      at.line and (" at %s:%d:%d"):format(at.file, at.line, at.column) or "", check), {}
  elseif self.process:has_crashed() then
    return ("%s; to see what a kernel does wrong: %s"):format(failed, check), lines
  end
  return failed, lines
end

--- What came of it, once it has ended.
-- @treturn table kernels (see @{clue.result.counts}); skipped: why a step did not run; variants: of a step, flops,
--   bytes and label as it declares them; check: what its own check found; failed: how the script
--   failed; lines: its last errors then; complaint: the first fault that the simulator told of, in words
function Run:result()
  for _, launch in ipairs(self.launches) do
    self.process:locate(launch.program, launch.sites)
    self.process:locate(launch.program, launch.lines)
  end
  self:describe_arguments()
  local result = {kernels = kernels.of(self.launches), variants = self.variants, skipped = self.process:skipped(),
                  check = self.process:check()}
  result.failed, result.lines = failure_of(self)
  if self.complaint and not self.outside then
    result.complaint = ("the simulator says '%s'; to see where: %s"):format(self.complaint,
      shell.check(self.what.path, self.what.words or {}))
  end
  return result
end

--- Runs scripts, several at a time.
-- @tparam {table,...} list each as for @{start}
-- @tparam int most how many at a time
-- @tparam function done done(index, result), as each ends
-- @treturn ?string why nothing can be counted
function run.all(list, most, done)
  return process.all(list, most, run.start, done)
end

return run
