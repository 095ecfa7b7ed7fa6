--- Runs a script on the simulator with the checker, and collects what is wrong.
--
-- A finding: kind (see @{clue.check.findings.kinds}), kernel, global and local (of the launch that showed it first),
-- first and second (what was done where: access, file, line, column, text, group, local, global), object (space, name,
-- argument, offset, size), bytes, and more by kind; times, and launches in which it happened; layer: "mql5" if
-- CLExecute launched it. A failed call: kind "call", name, where, caller (the line that called the function there),
-- text. A wrong result of a walkthrough's step: kind "result", text. A race has barrier_between (see
-- @{clue.check.findings.barrier_between}).
-- @module clue.check.run
local findings = require "clue.check.findings"
local json = require "clue.shared.json"
local process = require "clue.simulator.process"

local run = {}

local Run = {}
Run.__index = Run

-- The compiler must leave every access where the source has it, and must not use what nobody wrote as it likes. A new
-- buffer must not have an old one's contents.
local function environment()
  local options = os.getenv "CLUE_BUILD_OPTIONS"
  return {"CLUE_CHECK_FD=3", "OCLGRIND_LOG=/dev/null", "CLUE_NO_POOL=1",
          "CLUE_BUILD_OPTIONS=" .. (options and options .. " " or "") .. "-cl-opt-disable"}
end

-- ---- what arrives ----

local takers = {}

takers.begin = function(self, launch)
  launch.items = 1
  for _, size in ipairs(launch["local"]) do launch.items = launch.items * size end
  self.launches[#self.launches + 1], self.current = launch, launch
  self.process:tell(("%d launches, %d findings, now in kernel '%s'"):format(#self.launches, #self.findings,
    launch.kernel))
end

takers.finding = function(self, finding)
  finding.times, finding.launches, finding.layer = 1, 1, self.layer
  self.findings[#self.findings + 1], self.by_number[finding.number] = finding, finding
  finding.new = true
end

takers.ended = function(self, launch)
  for _, pair in ipairs(launch.times) do
    local finding = self.by_number[pair[1]]
    finding.times = (finding.new and 0 or finding.times) + pair[2]
    finding.launches = finding.launches + (finding.new and 0 or 1)
    finding.new = nil
  end
  self.current = nil
end

takers.call = function(self, call)
  call.kind, call.times, call.launches = "call", 1, 0
  self.findings[#self.findings + 1] = call
end

takers.layer = function(self, layer) self.layer = layer ~= "objects" and layer or nil end

takers.raised = function(self, raised) self.raised = raised end

takers.refused = function(self, why) self.refused = why end

takers.assumed = function(self, assumed) self.assumed[#self.assumed + 1] = assumed end

local function take(self, value)
  for name, content in pairs(value) do
    if takers[name] then takers[name](self, content) end
  end
end

-- ---- a run ----

--- What launches kernels without a script.
-- @tparam string name of a function of @{clue.check.launch}
-- @param spec its argument, which JSON can hold
-- @treturn string Lua text for `prepare` of @{start}
function run.launching(name, spec)
  return (" require('clue.check.launch').%s(require('clue.shared.json').read(%s))"):format(name,
    (("%q"):format(json.line(spec)):gsub("\\\n", "\\n")))
end

--- Starts a script.
-- @tparam table what path; words: the script's; prepare: Lua text instead of a script, see @{launching}; step: true for
--   a walkthrough's step; group: sizes of work-groups for launches that give none; seconds: the limit; folder: for
--   temporary files; show: whether the script's own output is shown; progress(text)
-- @treturn[1] Run
-- @treturn[2] nil
-- @treturn[2] string why nothing can be checked
function run.start(what)
  local self = setmetatable({launches = {}, findings = {}, by_number = {}, assumed = {}}, Run)
  local prepare = ("require('clue.check.check_prelude').start {step = %s, group = %s}%s"):format(
    tostring(what.step or false),
    what.group and "{" .. table.concat(what.group, ", ") .. "}" or "nil", what.prepare or "")
  local started, why = process.start {
    prepare = prepare, path = what.path, words = what.words, environment = environment(),
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

local function locate(self, finding)
  local places = {finding.first, finding.second}
  if not finding.first then places = {} end
  if finding.kind == "race" and finding.second then
    finding.barrier_between = findings.barrier_between(self.process.texts[finding.program] or "", finding.first,
      finding.second)
  end
  self.process:locate(finding.program, places)
end

-- An error that ended the script is a finding, unless the simulator itself is what failed.
local function add_raised(self)
  local raised, text = self.raised, self.process:errors()
  local first = raised and raised.text:match "^[^\r\n]*" or ""
  if first == "" or not text:find(first, 1, true) then return end
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

-- Past the end of memory whose length was assumed is no fault of the kernel.
local function doubt(assumed, finding)
  if finding.kind ~= "bounds" or not finding.object.argument or (finding.object.offset or 0) < 0 then return end
  for _, each in ipairs(assumed) do
    local argument = each.kernel == finding.kernel and each.arguments[finding.object.argument + 1]
    if argument and not argument.given then finding.kind = "assumed size" end
  end
end

local function groups_of_one(launches)
  local count = 0
  for _, launch in ipairs(launches) do
    local range = 1
    for _, size in ipairs(launch.global) do range = range * size end
    if launch.items == 1 and range > 1 then count = count + 1 end
  end
  return count
end

--- What came of it, once it has ended.
-- @treturn table findings: merged, those that count before mere notes; launches: how many; alone: how many of them had
--   groups of one work-item; skipped: why a step did not run; failed: how the script failed; lines: its last errors
--   then; check: what a step's own check found; during: the launch that it did not end; assumed: of a file's launches;
--   refused: why a file's kernels were not launched as they were asked to be
function Run:result()
  local result = {launches = #self.launches, alone = groups_of_one(self.launches), skipped = self.process:skipped(),
                  check = self.process:check(), during = self.current, assumed = self.assumed, refused = self.refused}
  result.failed, result.lines = self.process:failure()
  if result.failed then add_raised(self) end
  for _, finding in ipairs(self.findings) do
    locate(self, finding)
    doubt(self.assumed, finding)
  end
  add_wrong_result(self, result.check)
  result.findings = findings.merge(self.findings)
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
