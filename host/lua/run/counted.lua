--- Counts what scripts do, on a simulator (`clue count`); and the steps of a walkthrough, for their rows: row.counts
-- has size (of the problem that was counted, small because it is simulated), flops and bytes (that the step declares
-- for it), kernels (of the variant that the row shows, see @{clue.result.counts}), sums (of
-- @{clue.result.counts.sums}, for warps) and findings (sentences).
--
-- Parameters with one meaning everywhere: walkthrough, as the catalogue has it.
local binding = require "clue.binding"
local findings = require "clue.result.findings"
local kernels = require "clue.result.counts"
local lists = require "clue.shared.list"
local number_of = require("clue.text").count
local process = require "clue.simulator.process"
local row_of = require "clue.result.row"
local shell = require "clue.shared.shell"
local sizes = require "clue.walk.size"
local temporary = require("clue.shared.paths").with_temporary_folder

local counted = {}

--- After so many seconds, somebody who waits is told how far it is.
counted.patience = 10

local prepare = "require('clue.simulator.simulator_prelude').start {step = %s, matrices = true}"

-- ---- what arrives ----

local Run = {}
Run.__index = Run

local function tell(self, now)
  local text = ("%s simulated%s"):format(number_of(#self.launches, "launch"),
    now and (", and %.0f of %.0f groups of kernel '%s'"):format(now.done, now.of, now.kernel) or "")
  self.process:tell(text)
  if not self.what.slow or self.told or binding.now() - self.begun < counted.patience then return end
  self.told = true
  self.what.slow(("%s in %.0f s; a smaller size has the same counts for each work-item"):format(text, binding.now()
    - self.begun))
end

-- launch, simulated, outside and complaint: of the plugin; given and matrix: of clue.simulator.simulator_prelude;
-- variant: of clue.walk.measure. A step tells its progress, which nobody waits for here.
local function take(self, value)
  if value.launch then
    value.launch.variant = self.variants[1] and #self.variants or nil
    self.launches[#self.launches + 1], self.now = value.launch, nil
    tell(self)
  elseif value.simulated then
    self.now = value.simulated
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

-- Gives each launch what is known of its arguments: arguments, by name: type, and rows and row_bytes of matrices. An
-- array that is only read after the launch says no less of its buffer than one that was written.
local function describe_arguments(self)
  for _, launch in ipairs(self.launches) do
    local given = report_of(self.given, launch)
    launch.arguments = given and {}
    for _, each in ipairs(given and given.arguments or {}) do
      local of = each.rows and each or self.matrices[each.buffer] or {}
      launch.arguments[each.name] = {type = each.type, rows = of.rows, row_bytes = of.row_bytes}
    end
  end
end

-- Starts a script of @{all}. Nil, and why, if nothing can be counted.
local function start(what)
  local self = setmetatable({what = what, launches = {}, variants = {}, given = {}, matrices = {},
                             begun = binding.now()}, Run)
  local started, why = process.start {
    prepare = prepare:format(tostring(what.step or false)), path = what.path, words = what.words,
    environment = lists.joined({"CLUE_COUNT_FD=3", "OCLGRIND_LOG=/dev/null"}, what.environment),
    take = function(value) take(self, value) end, seconds = what.seconds, folder = what.folder, show = what.show,
    progress = what.progress,
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
  elseif failed and self.now and not self.process:has_crashed() then
    return ("%s, after %.0f of %.0f groups of kernel '%s'"):format(failed, self.now.done, self.now.of, self.now.kernel),
      lines
  elseif self.process:has_crashed() then
    return ("%s; to see what a kernel does wrong: %s"):format(failed, check), lines
  end
  return failed, lines
end

--- What came of it, once it has ended.
-- @treturn table see @{all}
function Run:result()
  for _, launch in ipairs(self.launches) do
    self.process:locate(launch.program, launch.sites)
    self.process:locate(launch.program, launch.lines)
  end
  describe_arguments(self)
  local result = {kernels = kernels.of(self.launches), variants = self.variants, skipped = self.process:skipped(),
                  check = self.process:check()}
  result.failed, result.lines = failure_of(self)
  if self.complaint and not self.outside then
    result.complaint = ("the simulator says '%s'; to see where: %s"):format(self.complaint,
      shell.check(self.what.path, self.what.words or {}))
  end
  return result
end

--- Runs scripts on the simulator, several at a time, and counts what their launches did.
-- @tparam {table,...} list each with path; words: the script's; environment: {"NAME=VALUE", ...}; step: true for a
--   walkthrough's step; seconds: the limit; folder: for temporary files; show: whether the script's own output is
--   shown; progress(text); slow(text): gets once what was simulated so far, if it takes long
-- @tparam int most how many at a time
-- @tparam function done done(index, result), as each ends. A result has kernels (see @{clue.result.counts}); skipped:
--   why a step did not run; variants: of a step, flops, bytes and label as it declares them; check: what its own check
--   found; failed: how the script failed; lines: its last errors then; complaint: the first fault that the simulator
--   told of, in words
-- @treturn ?string why nothing can be counted
function counted.all(list, most, done)
  return process.all(list, most, start, done)
end

-- ---- the steps of a walkthrough ----

local WIDTH = "warp"

-- Files by their names alone: the folders are those of a person's machine, which no other one has.
local function without_folders(of)
  for key, value in pairs(of) do
    if type(value) == "table" then without_folders(value) end
    if key == "file" and type(value) == "string" then of[key] = value:match "[^/]*$" end
  end
  return of
end

-- The number of the variant that a row shows; the first if the simulator had no such variant.
local function variant_of(row, variants)
  local label = row_of.shown_variant(row)
  for i, variant in ipairs(variants) do
    if label and variant.label == label then return i end
  end
  return 1
end

local function why_none(result)
  return not result.kernels[1] and (result.skipped or result.failed or "it launches no kernel") or nil
end

-- What was counted of a row's step, see the module's head; nil if it launched no kernel.
local function counts_of(result, size_of_all, row)
  local number = variant_of(row, result.variants)
  local list = kernels.of_variant(result.kernels, number)
  if not list[1] then return nil end
  local variant = result.variants[number] or {}
  local texts = lists.flat(list, function(kernel)
    return lists.map(findings.of(kernel, WIDTH), function(text)
      return #list > 1 and ("%s: %s"):format(kernel.kernel, text) or text
    end)
  end)
  local size = size_of_all and sizes.of_study(size_of_all, row.study or "", size_of_all)
  return {size = size, flops = variant.flops, bytes = variant.bytes, kernels = without_folders(list),
          findings = texts, sums = kernels.sums(list, WIDTH)}
end

--- Runs steps on the simulator, several at a time.
-- @tparam {table,...} steps of it; arguments, environment: their own, see @{clue.run.plan.with}
-- @tparam table how seconds: the limit of each; size: of the problem (default: a small one); type: of the elements;
--   environment: for all, {"NAME=VALUE", ...}; progress(text)
-- @treturn[1] {table,...} the result of each, see @{all}
-- @treturn[1] ?string the size
-- @treturn[2] nil
-- @treturn[2] string why nothing can be counted
function counted.results(walkthrough, steps, how)
  local size = how.size or (walkthrough.sizes or {}).count
  local words = lists.joined(size and {"--size", size}, how.type and {"--type", how.type})
  local results, done = {}, 0
  local why = temporary(function(folder)
    local list = lists.map(steps, function(step)
      return {path = step.path, step = true, words = lists.joined(words, step.arguments), folder = folder,
              environment = lists.joined(how.environment, step.environment), seconds = how.seconds}
    end)
    return counted.all(list, binding.processor_count(), function(i, result)
      results[i], done = result, done + 1
      if how.progress then how.progress(("%d of %d steps counted"):format(done, #list)) end
    end)
  end)
  if why then return nil, why end
  return results, size
end

--- Counts steps.
-- @tparam {table,...} steps of it
-- @tparam table how as for @{results}
-- @treturn[1] function of(row): counts, see the module's head; nil if its step was not counted or launched no kernel
-- @treturn[2] nil
-- @treturn[2] string why nothing can be counted, or why not the first step if none can
function counted.steps(walkthrough, steps, how)
  local results, size = counted.results(walkthrough, steps, how)
  if not results then return nil, size end
  local by_number, any, first_why = {}, false, nil
  for i, step in ipairs(steps) do
    local why = why_none(results[i])
    by_number[step.number], any = results[i], any or not why
    first_why = first_why or why and ("step %s: %s"):format(tostring(step.number), why)
  end
  if not any and first_why then return nil, first_why end
  return function(row)
    local result = by_number[row.number]
    return result and counts_of(result, size, row)
  end
end

--- Counts the steps of rows that ran on a device and have no counts yet.
-- @tparam {table,...} its_steps those that ran, as for @{results}
-- @tparam {table,...} runs of a document's entry
-- @tparam table how as for @{results}
-- @treturn ?string why nothing can be counted
function counted.add(walkthrough, its_steps, runs, how)
  local rows = lists.flat(runs, function(run) return run.rows end)
  local open = lists.filter(rows, function(row) return row.device and not row.counts end)
  local wanted = lists.set(lists.map(open, function(row) return row.number end))
  local steps = lists.filter(its_steps, function(step) return wanted[step.number] end)
  if not steps[1] then return end
  local counts, why = counted.steps(walkthrough, steps, how)
  if not counts then return why end
  for _, row in ipairs(rows) do row.counts = row.counts or row.device and counts(row) or nil end
end

return counted
