--- A run of `clue tune SPACE.lua`, from its options to the files that it leaves.
local binding = require "clue.binding"
local clue_options = require "clue.options"
local counted = require("clue.text").count
local journal = require "clue.tune.journal"
local json = require "clue.shared.json"
local lfs = require "lfs"
local outcome = require "clue.tune.outcome"
local output = require "clue.output"
local paths = require "clue.shared.paths"
local read_file = require("clue.file").read
local runner = require "clue.tune.runner"
local save = require("clue.file").save
local script = require "clue.tune.space_script"
local search = require "clue.tune.search"
local shell = require "clue.shared.shell"
local tune = require "clue.show.tune"
local worker = require "clue.tune.worker"

local default_evaluations = 200
local most_processes = 8
local final_seconds, least_rounds, most_rounds = 3, 11, 101

-- ---- before ----

local function fail_candidates(text, ...)
  error("--candidates: " .. text:format(...), 0)
end

-- The numbers of the configurations in the file of --candidates: a JSON list of objects with a value for every
-- parameter.
local function candidates(path, space)
  local text, why = read_file(path)
  if not text then fail_candidates("%s", why) end
  local list = json.read(text)
  if type(list) ~= "table" or not list[1] then fail_candidates("%s: not a JSON list of configurations", path) end
  local indices, seen = {}, {}
  for i, p in ipairs(list) do
    local wrong = space:why_not(p)
    if wrong then fail_candidates("%s: configuration %d: %s", path, i, wrong) end
    local index = space:index(p)
    if seen[index] then fail_candidates("%s: configuration %d is there twice", path, i) end
    indices[i], seen[index] = index, true
  end
  return indices
end

-- Starts the process that will measure, which reports its device. A script that cannot be loaded ends the run.
local function start_measurer(how)
  local measurer = worker.new(how)
  measurer:give {what = "facts"}
  repeat until measurer:poll(0.2)
  return measurer
end

-- The command that finds what the kernel of a configuration does wrong.
local function check_command(self, p)
  local options = {}
  if self.options.capture then options = {"--capture", self.options.capture} end
  for _, name in ipairs(self.space.names) do
    options[#options + 1], options[#options + 2] = "--set", ("%s=%s"):format(name, tostring(p[name]))
  end
  return shell.check_with(options, self.options.space, self.options.words or {})
end

-- Otherwise a reference configuration that hangs would be the fault of every configuration. Meanwhile the processes
-- that will compile start.
local function find_answer(self)
  local measurer = self.runner.measurer
  local result
  measurer:give {what = "answer"}
  repeat
    self.runner:start()
    result = measurer:poll(0.02)
  until result
  if not result.failed then return end
  local reference = not self.script.of.answer and self.script.of.reference
  error(("the space: its %s: %s%s"):format(reference and "reference configuration" or "answer", result.text,
    reference and result.ran and "\n  what it does wrong: " .. check_command(self, reference) or ""), 0)
end

-- The rate at which to stop, from the share of a peak that is measured now.
local function target_of(share, description, space, device)
  if not share then return nil end
  local _, unit = description:rate(space:configuration(1), 1)
  if not unit then error("--stop-at: the space has neither flops nor bytes, so its rate is unknown", 0) end
  output.progress "measuring the device's peak"
  local peak = require("clue.peak.measure").device {
    device = device.address, groups = {unit == "flops" and "compute" or "global"}, seconds = 120,
    progress = function() end,
  }
  local best
  for _, rate in pairs(unit == "flops" and {peak.flops.float} or peak.bandwidth) do best = math.max(best or 0, rate) end
  if not best then error("--stop-at: the device's peak could not be measured: `clue peak` says why", 0) end
  return share * best
end

local function known_results(path, header, space)
  local old, why = journal.read(path)
  if not old then error(("--resume: %s"):format(why), 0) end
  local fits, name = journal.fits(old.header, header)
  if not fits then error(("--resume: the results in %s are for %s"):format(path, name), 0) end
  local known, places, last, strange = {}, {}, 0, 0
  for _, result in ipairs(old.results) do
    result.index = space:index(result.p)
    if result.index then
      places[result.index] = places[result.index] or #known + 1
      known[places[result.index]] = result -- a later line counts
    else
      strange = strange + 1
    end
    last = math.max(last, result.at or 0)
  end
  if strange > 0 then
    output.say(("clue: --resume: %s in %s %s not in the space any more; only the journal keeps them"):format(
      counted(strange, "result"), path, strange == 1 and "is" or "are"))
  end
  return known, last
end

-- Somebody may expect that a resumed run gets its budget anew.
local function mention_spent(budget, known, earlier)
  local spent
  if budget.evaluations and #known >= budget.evaluations then
    spent = ("--evaluations %d counts the %s there"):format(budget.evaluations, counted(#known, "result"))
  elseif budget.seconds and earlier >= budget.seconds then
    spent = ("--seconds %g counts the %.1f s of the runs before"):format(budget.seconds, earlier)
  end
  if spent then output.say(("clue: --resume: %s, so nothing new is measured; give more"):format(spent)) end
end

-- How many results there are once all candidates have one.
local function in_all(first, known)
  local count, has = #known, {}
  for _, result in ipairs(known) do has[result.index] = true end
  for _, index in ipairs(first) do count = count + (has[index] and 0 or 1) end
  return count
end

-- A run without --resume begins anew. Somebody may have forgotten the option, so what is there is kept: the results as
-- FILE.old, with which --results FILE.old --resume goes on.
local function begin_anew(self, header, log)
  local old = self.path .. ".old"
  local before = journal.read(log)
  local opened = journal.open(log, header, old .. ".journal")
  paths.keep(self.path)
  if before and #before.results > 0 and journal.fits(before.header, header) then
    output.say(("clue: begins anew; `--results %s --resume` goes on with the %s of the run before"):format(
      shell.shown(old), counted(#before.results, "result")))
  end
  return opened
end

-- ---- after ----

local function about(self, best)
  return {name = self.script.name, objective = self.script.of.objective or "time", device = self.device,
          strategy = self.options.strategy[1], seed = self.options.seed, started = self.started,
          tune_params = self.script.of.tune_params, reference = self.script.of.reference,
          call = best and self.script:call(best.p)}
end

local function write_results(self, final)
  local document = outcome.document(self.runner.results, about(self, final[1] and final[1].result
    or self.runner.best), final)
  local saved, why = save(self.path, json.text(document, true))
  if not saved then error(("--results: %s"):format(why), 0) end
  return document
end

local function finish(self)
  if not self.runner.best or self.options.finalists == 0 then return {} end
  output.progress "measuring the best once more, by turns"
  return self.runner:final {count = self.options.finalists, seconds = final_seconds, least = least_rounds,
                            most = most_rounds}
end

-- Keeps the parameters for cl.tuned. Returns why it failed: a full or read-only folder must not cost the results.
local function keep_best(self, final)
  if not final[1] then return nil end
  local done, result = pcall(outcome.keep, self.script, self.device, final[1])
  if not done then return result end
  self.kept = result
end

-- Calls a function: its result, or nil if Ctrl-C ended it. Raises what else it raises, with no process left.
local function until_interrupted(self, work, ...)
  local done, result = pcall(work, ...)
  output.clear_progress()
  if done then return result or {} end
  self.runner:stop()
  if clue_options.interrupted(result) then return end
  if self.runner.results[1] then write_results(self, {}) end -- whatever is wrong, what was measured is kept
  error(result, 0)
end

-- The share of the peak at which the run ended; nil if that was not the reason.
local function reached(self)
  local best = self.runner.best
  local rate = self.target and best and self.script:rate(best.p, best.seconds)
  return rate and rate >= self.target and rate / self.target * self.options.stop_at or nil
end

local function show(self, final, interrupted)
  local document = write_results(self, final)
  local problem = keep_best(self, final)
  if self.options.json then
    output.print(json.text(document, true))
  else
    tune.after(document, self.options, {script = self.script, device = self.device, space = self.space,
      results = self.runner.results, final = final, elapsed = self.runner:elapsed(), path = self.path,
      kept = self.kept, best = self.runner.best, interrupted = interrupted, reached = reached(self),
      check = function(p) return check_command(self, p) end})
  end
  tune.write(document, self.options)
  if problem then error(problem, 0) end
  if interrupted then return 130 end
  return self.runner.best and 0 or 1
end

-- ---- the run ----

-- With --json, what the space prints must not come between the results.
local function print_to_stderr()
  io.output(io.stderr)
  rawset(_G, "print", function(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    output.say(table.concat(words, "\t"))
  end)
end

local function prepare(options)
  if options.json then print_to_stderr() end
  local self = {options = options, script = script.load(options.space, options)}
  self.space = self.script:space()
  local first = options.candidates and candidates(options.candidates, self.space) or self.script:first(self.space)
  local how = {seconds = options.time_limit, device = options.device or clue_options.device, script = {
    path = options.space, words = options.words, capture = options.capture,
  }}
  local measurer = start_measurer(how)
  self.device = measurer.device
  self.path = options.results or self.script.name .. ".tune.json"
  local header, log = journal.header(self.script, self.space, self.device, options.words), self.path .. ".journal"
  local known, earlier = {}, nil
  if options.resume then known, earlier = known_results(log, header, self.space) end
  local evaluations = options.candidates and in_all(first, known) or options.evaluations and options.evaluations[1]
  if not evaluations and not options.seconds then evaluations = default_evaluations end
  local budget = {evaluations = evaluations, seconds = options.seconds}
  if options.resume and not options.candidates and #known < self.space.count then
    mention_spent(budget, known, earlier)
  end
  local searching = search.new(self.space, options.strategy[1], {seed = options.seed,
    budget = math.min(evaluations or default_evaluations, self.space.count), first = first})
  self.runner = runner.new {
    script = self.script, space = self.space, search = searching, how = how, measurer = measurer,
    processes = options.processes or math.min(binding.processor_count(), most_processes), known = known,
    earlier = earlier, budget = budget,
    on_result = function(result)
      self.journal:add(result)
      tune.progress(self.runner, self.space, evaluations, options.seconds)
    end,
  }
  find_answer(self)
  self.target = target_of(options.stop_at, self.script, self.space, self.device)
  budget.rate = self.target
  self.journal = options.resume and journal.open(log) or begin_anew(self, header, log)
  self.started = require("clue.result.document").now()
  return self
end

--- Runs a search.
-- @tparam table options of the command
-- @treturn number exit status
return function(options)
  paths.check("--report", options.report) -- it is written at the end
  if options.results and lfs.attributes(options.results, "mode") == "directory" then
    error(("--results: %s is a folder; give the name of a file"):format(options.results), 0)
  end
  local self = prepare(options)
  local final = until_interrupted(self, self.runner.run, self.runner) and until_interrupted(self, finish, self)
  self.runner:stop()
  return show(self, final or {}, final == nil)
end
