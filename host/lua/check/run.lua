--- Runs a script on the simulator with the checker, and collects what is wrong.
--
-- A finding: kind (see @{clue.check.findings.kinds}), kernel, global and local (of the launch that showed it first),
-- first and second (what was done where: access, file, line, column, text, group, local, global), object (space, name,
-- argument, offset, size), bytes, and more by kind; times, and launches in which it happened; layer: "mql5" if
-- CLExecute launched it. A failed call: kind "call", name, where, caller (the line that called the function there),
-- text. A wrong result of a walkthrough's step: kind "result", text. A race has barrier_between (see
-- @{clue.check.findings.barrier_between}).
local binding = require "clue.binding"
local counted = require("clue.text").count
local findings = require "clue.check.findings"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local process = require "clue.simulator.process"
local reach = require "clue.check.reach"
local tries = require "clue.check.tries"

local run = {}

local Run = {}
Run.__index = Run

-- The compiler must leave every access where the source has it, and must not use what nobody wrote as it likes. A new
-- buffer must not have an old one's contents.
local function environment(schedule, is_guessed)
  local options = os.getenv "CLUE_BUILD_OPTIONS"
  return {"CLUE_CHECK_FD=3", "OCLGRIND_LOG=/dev/null", "CLUE_NO_POOL=1", "CLUE_CHECK_SCHEDULE=" .. schedule,
          "CLUE_BUILD_OPTIONS=" .. (options and options .. " " or "") .. "-cl-opt-disable",
          is_guessed and "CLUE_CHECK_TRIED=" .. table.concat(tries.values, ",") or nil}
end

-- ---- tries of a file's kernels ----
--
-- The process says which launch begins, and each has a limit of its own. One that crashes or does not end costs no
-- other: a new process goes on behind it.

-- Seconds that a try may take, besides some times those of the kernel's first launch.
local TRY_SECONDS, TRY_FACTOR, MOST_BROKEN = 3, 20, 2

local function left(self)
  return self.begun + self.what.seconds - binding.now()
end

local function limit_of(self, try)
  if try.first then return left(self) / math.max(1, try.left) end
  return math.min(left(self), TRY_SECONDS + TRY_FACTOR * (self.took[try.kernel] or 0))
end

local function end_try(self)
  local try = self.try
  if not try then return end
  if try.first then self.took[try.kernel] = binding.now() - try.begun end
  self.done[#self.done + 1], self.try = try, nil
end

-- A launch ended its process. Its kernel is not launched again if it was the first, or it happens again.
local function break_try(self, why)
  local try = self.try
  try.failed, try.broken = true, why
  if try.first then
    self.unlaunched[#self.unlaunched + 1] = {kernel = try.kernel, why = why, during = self.current}
  end
  self.broken[try.kernel] = (self.broken[try.kernel] or 0) + (try.first and MOST_BROKEN or 1)
  end_try(self)
end

local function without(self)
  local list = {}
  for name, times in pairs(self.broken) do
    if times >= MOST_BROKEN then list[#list + 1] = name end
  end
  return list
end

-- ---- what is found ----

-- A place in the program's text, whatever #line calls it.
local function source_place(self, finding, deed)
  local number = self.process:source_line(finding.program, deed)
  return {file = number and "source" or deed.file, line = number or deed.line, column = deed.column}
end

local function locate(self, finding)
  local places = {finding.first, finding.second}
  if not finding.first then places = {} end
  if finding.kind == "race" and finding.second then
    finding.barrier_between = findings.barrier_between(self.process.texts[finding.program] or "",
      source_place(self, finding, finding.first), source_place(self, finding, finding.second))
  end
  self.process:locate(finding.program, places)
end

-- Past the end of memory whose length was assumed is no fault of the kernel.
local function doubt(assumed, finding)
  if finding.kind ~= "bounds" or finding.field then return end
  if not finding.object.argument or (finding.index or finding.object.offset or 0) < 0 then return end
  for _, each in ipairs(assumed) do
    local argument = each.kernel == finding.kernel and each.arguments[finding.object.argument + 1]
    if argument and not argument.given then finding.kind = "assumed size" end
  end
end

-- Completes the findings of a process that has ended: it alone knows its programs.
local function settle(self)
  for i = self.settled + 1, #self.findings do
    locate(self, self.findings[i])
    doubt(self.assumed, self.findings[i])
  end
  self.settled = #self.findings
  for _, each in ipairs(self.reached) do
    self.process:locate(each.program, each.lines)
    self.process:locate(each.program, each.loops)
    self.reach:add(each.lines, each.loops)
  end
  self.reached = {}
  for _, guess in ipairs(self.guesses) do
    if not guess.located then self.process:locate(guess.program, {guess.first, guess.second}) end
    guess.located = true
  end
end

-- ---- what arrives ----

local takers = {}

-- Whether what arrives is of a try, and no first launch.
local function is_tried(self)
  return self.try ~= nil and not self.try.first
end

takers.begin = function(self, launch)
  launch.items, launch.begun = 1, binding.now()
  if self.try then self.try.launched = true end
  for _, size in ipairs(launch["local"]) do launch.items = launch.items * size end
  if not is_tried(self) then self.launches[#self.launches + 1] = launch end
  self.current = launch
  self.process:tell(("%s, %s, now in kernel '%s'"):format(counted(#self.launches, "launch"),
    counted(#self.findings, "finding"), launch.kernel))
end

takers.finding = function(self, finding)
  finding.times, finding.launches, finding.layer = 1, 1, self.layer
  tries.found(finding, self.try)
  finding.schedule, finding.of_script = self.schedule, self.what.tries
  self.findings[#self.findings + 1], self.by_number[finding.number] = finding, finding
  finding.new = true
end

takers.ended = function(self, launch)
  self.atomics = self.atomics or launch.atomics
  if self.try then self.try.counters = self.try.counters or launch.counters end
  for _, pair in ipairs(launch.times) do
    local finding = self.by_number[pair[1]]
    tries.found(finding, self.try)
    if finding.new or not self.try then -- of tries, only the first counts
      finding.times = (finding.new and 0 or finding.times) + pair[2]
      finding.launches = finding.launches + (finding.new and 0 or 1)
    end
    finding.new = nil
  end
  local its = self.current
  if self.what.tries and its then self.took[its.kernel] = self.took[its.kernel] or binding.now() - its.begun end
  self.current = nil
end

takers.reach = function(self, reached) self.reached[#self.reached + 1] = reached end

takers.call = function(self, call)
  if is_tried(self) then return end
  call.kind, call.times, call.launches = "call", 1, 0
  self.findings[#self.findings + 1] = call
end

takers.layer = function(self, layer) self.layer = layer ~= "objects" and layer or nil end

takers.raised = function(self, raised)
  if not is_tried(self) then self.raised = raised end
end

takers.refused = function(self, why) self.refused = why end

-- A try begins, and the one before it has ended.
takers.try = function(self, try)
  end_try(self)
  try.index = try.index + (self.repeated and #tries.groups or 0)
  self.try, try.begun, try.limit = try, binding.now(), limit_of(self, try)
  self.process:limit(try.limit, try.first and try.left == 1 and self.what.seconds or nil)
end

takers.unlaunched = function(self, it)
  self.try.failed = true
  if it.first then self.unlaunched[#self.unlaunched + 1] = it end
end

takers.finished = function(self, count)
  end_try(self)
  self.finished = count
end

takers.captured = function(self, folder) self.calls[#self.calls + 1] = folder end

-- Of a script, only a kernel's first call is repeated. A try that has another number changed says nothing of this one
-- alone.
takers.guess = function(self, guess)
  for i = 1, self.what.tries and #self.launches - 1 or 0 do
    if self.launches[i].kernel == guess.kernel then return end
  end
  for name in pairs(is_tried(self) and self.try.values or {}) do
    if name ~= guess.name then return end
  end
  self.guesses[#self.guesses + 1] = guess
end

takers.assumed = function(self, assumed) self.assumed[#self.assumed + 1] = assumed end

-- What counts of a launch that is repeated with another schedule.
local again = {finding = true, ended = true, layer = true, reach = true}

local function take(self, value)
  for name, content in pairs(value) do
    if takers[name] and (again[name] or not self.schedule) then takers[name](self, content) end
  end
end

-- ---- a run ----

--- What launches kernels without a script.
-- @tparam string name of a function of @{clue.check.launch}, or of the module
-- @param spec its argument, which JSON can hold
-- @tparam[opt] string module
-- @treturn string Lua text for `prepare` of @{start}
function run.launching(name, spec, module)
  return (" require('%s').%s(require('clue.shared.json').read(%s))"):format(module or "clue.check.launch", name,
    (("%q"):format(json.line(spec)):gsub("\\\n", "\\n")))
end

-- Starts the process, or another one that goes on.
local function start_process(self)
  local what = self.what
  local spec, calls = what.file, self.repeated
  if spec or calls then (spec or calls).without = without(self) end
  local captures = what.tries and not (self.process or self.schedule)
  local start = "require('clue.check.check_prelude').start {step = %s, group = %s, tried = %s, capture = %s}%s"
  local prepare = start:format(
    tostring(what.step or false), what.group and "{" .. table.concat(what.group, ", ") .. "}" or "nil",
    tostring(self.try and self.try.groups), captures and ("%q"):format(what.folder) or "nil",
    calls and run.launching("calls", calls) or spec and run.launching("file", spec) or what.prepare or "")
  local started, why = process.start {
    prepare = prepare, path = not calls and what.path or nil, words = not calls and what.words or nil,
    environment = environment(self.schedule or 0, captures or spec and spec.tries ~= false and not spec.proofs),
    programs = what.tries and self.process and self.process.programs or nil,
    take = function(value) take(self, value) end, seconds = what.seconds, folder = what.folder,
    show = what.show and not (self.schedule or calls or self.try and self.try.groups), progress = what.progress,
  }
  if not started then return why end
  if self.process then started:limit(math.max(0.1, left(self))) end
  self.process, self.by_number, self.current, self.layer = started, {}, nil, nil
end

--- Starts a script.
-- @tparam table what path; words: the script's; file: launch the kernels of a .cl file instead, see
--   @{clue.check.launch.file}; prepare: Lua text instead of a script, see @{launching}; step: true for a walkthrough's
--   step; group: sizes of work-groups for launches that give none; seconds: the limit; folder: for temporary files;
--   show: whether the script's own output is shown; tries: whether the script is run again with other groups for
--   launches that give none, and each kernel's first call with other numbers and data; schedules: how
--   many others to run with (nil: some where there are atomic functions);
--   progress(text)
-- @treturn[1] Run
-- @treturn[2] nil
-- @treturn[2] string why nothing can be checked
function run.start(what)
  local self = setmetatable({what = what, launches = {}, findings = {}, assumed = {}, unlaunched = {}, done = {},
                             reached = {}, reach = reach.new(), guesses = {}, calls = {},
                             took = {}, broken = {}, broken_schedules = {}, settled = 0, begun = binding.now()}, Run)
  local why = start_process(self)
  if why then return nil, why end
  if what.tries then self.try = {index = 0, kernel = "", first = true, begun = self.begun} end
  return self
end

-- Runs a script again, with other groups, if it shall be tried and ran well. Gives whether it runs.
local function run_again(self)
  local which = self.try.groups or 0
  self.first = self.first or self.process
  if self.first:failure() or which == #tries.groups or left(self) < 0.2 then return false end
  settle(self)
  end_try(self)
  self.try = {index = which + 1, groups = which + 1, text = "groups of " .. tries.groups[which + 1][1][1],
              begun = binding.now()}
  return start_process(self) == nil
end

-- Then repeats each kernel's first call with other numbers and data. Gives whether it does.
local function repeat_calls(self)
  if self.first:failure() or not self.calls[1] or left(self) < 0.2 then return false end
  settle(self)
  end_try(self)
  self.repeated = {calls = self.calls, proofs = tries.proofs(self.guesses, self.findings, {})}
  return start_process(self) == nil
end

-- Launches kernels with the values of numbers that guesses are about. Gives whether it does.
local function prove(self)
  local spec, planned = self.what.file, self.finished
  if not spec or spec.proofs or left(self) < 0.2 then return false end
  settle(self)
  spec.proofs = tries.proofs(self.guesses, self.findings, self.assumed)
  if not spec.proofs[1] then return false end
  spec.from, self.finished = planned + 1, nil
  return start_process(self) == nil
end

-- Goes on behind a launch that ended its process, or with what the tries lead to. Gives whether there is something to
-- go on with.
local function go_on(self)
  if self.schedule then return false end
  if self.what.tries and not self.repeated then return run_again(self) or repeat_calls(self) end
  if self.finished then return prove(self) end
  if not self.try or self.refused then return false end
  local index = self.try.index - (self.repeated and #tries.groups or 0)
  local why = self.process:failure() or "ended"
  settle(self)
  if not self.try.first then why = why:gsub("^stopped after", "did not end in"):gsub(" %(.*", "") end
  break_try(self, why)
  local is_over = left(self) < 0.2
  self.cut = is_over and not self.unlaunched[1]
  if is_over then return false end
  local its = self.repeated or self.what.file
  its.from = index + 1
  return start_process(self) == nil
end

-- ---- schedules ----
--
-- Where atomic functions order work-items, what they do depends on who comes first. So all is run again, in other
-- orders (host/simulator/check/schedule.h).

-- How many by default, where there are atomic functions; and seconds of one, besides some times those of the first run.
local SCHEDULES, SCHEDULE_SECONDS, SCHEDULE_FACTOR = 3, 5, 10

local function has_failed(self)
  if self.what.file and not self.finished then return true end
  local its = not self.schedule and self.first or self.process
  return self.refused ~= nil or its:failure() ~= nil
end

-- Whether a run with the next schedule has begun.
local function next_schedule(self)
  local failed = has_failed(self)
  if self.schedule and failed then self.broken_schedules[#self.broken_schedules + 1] = self.schedule end
  if not self.schedule then
    if failed then return false end
    self.main, self.main_seconds = self.process, binding.now() - self.begun
  end
  settle(self)
  local number = (self.schedule or 0) + 1
  if number > (self.what.schedules or self.atomics and SCHEDULES or 0) or left(self) < 0.2 then return false end
  end_try(self)
  self.schedule = number
  local file = self.what.file
  if file then file.tries, file.from, file.proofs = false, nil, nil end
  self.repeated = nil
  if start_process(self) then return false end
  self.process:limit(math.min(left(self), SCHEDULE_SECONDS + SCHEDULE_FACTOR * self.main_seconds))
  return true
end

--- Waits a little.
-- @tparam[opt] number seconds the most
-- @treturn boolean whether it still runs
function Run:wait(seconds)
  return self.process:wait(seconds) or go_on(self) or next_schedule(self)
end

-- An error that ended the script, and so was printed, is a finding, unless the simulator itself is what failed.
local function add_raised(self)
  local raised = self.raised
  local first = raised and raised.text:match "^[^\r\n]*" or ""
  if first == "" or not (raised.uncaught or self.process:errors():find(first, 1, true)) then return end
  raised.uncaught = nil
  for _, finding in ipairs(self.findings) do
    if finding.kind == "call" and finding.where == raised.where then return end -- MQL5's form of it
  end
  if (raised.where or ""):find "^%(" then raised.where = nil end -- clue's own text, not a script
  raised.text = raised.name and raised.text:gsub("^" .. raised.name:gsub("%p", "%%%0") .. ": ", "") or raised.text
  takers.call(self, raised)
end

-- A walkthrough's step checks its own result. A wrong one may follow from what else was found, so it is told only if
-- nothing else counts.
local function add_wrong_result(self, check)
  if not check or check.verified then return end
  for _, finding in ipairs(self.findings) do
    if findings.counts(finding) then return end
  end
  local text = check.label and ("%s: %s"):format(check.label, check.text) or check.text
  self.findings[#self.findings + 1] = {kind = "result", text = text, times = 1, launches = 0}
end

local function groups_of_one(launches)
  return #lists.filter(launches, function(launch)
    return launch.items == 1 and lists.any(launch.global, function(size) return size > 1 end)
  end)
end

-- How many tries there were besides first launches; whether the time did not suffice for all; and in which ones a
-- kernel did not end.
local function tries_of(self)
  local it = {count = 0, cut = self.cut, broken = {}}
  for _, try in ipairs(self.done) do
    if try.launched and not try.first then it.count = it.count + 1 end
    if try.broken and not try.first then table.insert(it.broken, try) end
  end
  return it
end

--- What came of it, once it has ended.
-- @treturn table findings: merged, those that count before mere notes; launches: how many; alone: how many of them had
--   groups of one work-item; skipped: why a step did not run; failed: how the script failed; lines: its last errors
--   then; check: what a step's own check found; during: the launch that it did not end; assumed: of a file's launches;
--   refused: why a file's kernels were not launched as they were asked to be; schedules: how many others it ran with,
--   and broken_schedules, the numbers of those with which it failed or did not end; unreached and one_turn: see
--   @{clue.check.reach}
function Run:result()
  if not self.schedule then end_try(self) end
  local its = self.first or self.main or self.process
  local tried = tries_of(self)
  settle(self)
  local result = {launches = #self.launches, alone = groups_of_one(self.launches),
                  skipped = its:skipped(), check = its:check(), during = self.current, assumed = self.assumed,
                  refused = self.refused, unlaunched = self.unlaunched, tries = tried,
                  schedules = self.schedule or 0, broken_schedules = self.broken_schedules}
  if not (self.finished or self.cut or self.unlaunched[1]) then
    result.failed, result.lines = its:failure()
  end
  if result.failed then
    self.process = its
    add_raised(self)
  end
  add_wrong_result(self, result.check)
  result.unreached, result.one_turn = self.reach:missing()
  result.findings = tries.judge(findings.merge(self.findings), self.done)
  return result
end

--- Runs scripts, several at a time.
-- @tparam {table,...} list each as for @{start}
-- @tparam int most how many at a time
-- @tparam function done done(index, result), as each ends
-- @treturn ?string why nothing can be checked
function run.all(list, most, done)
  return process.all(list, most, run.start, done)
end

return run
