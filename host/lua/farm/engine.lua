--- Runs the jobs of a farm by GNU parallel: it deals them out to the workers, tries again elsewhere what a worker did
-- not bring back, and keeps the log from which --resume goes on. Here, its progress is followed, and a worker that is
-- lost gets no more jobs.
--
-- GNU parallel knows a worker as a login, "1//bin/sh SCRIPT NAME": one job at a time; the script runs the job's process
-- here, which starts the agent on the worker's host (@{clue.farm.job}). So only this machine needs parallel. The
-- script's path is in the environment, since parallel would take a blank or a brace in it for its own.
local child = require "clue.shared.child"
local clue_options = require "clue.options"
local lfs = require "lfs"
local lists = require "clue.shared.list"
local output = require "clue.output"
local read_file = require("clue.file").read
local transport = require "clue.farm.transport"
local write = require("clue.shared.paths").write

local Engine = {}
Engine.__index = Engine

local engine = {}

local most_strikes = 2 -- of a worker, in a row
local retries, pinned_retries = 1000, 3 -- of parallel: the first is never reached, since workers and jobs have limits

local worker_script = [[
#!/bin/sh
CLUE_FARM_WORKER=$1
export CLUE_FARM_WORKER
shift
[ "$1" = -- ] && shift
exec /bin/sh -c "$*"
]]

-- ---- the files that parallel reads ----

-- parallel reads the logins again when the file's time has changed by more than a second.
local function write_logins(self, each)
  local lines = lists.map(each.group.workers, function(name)
    return not self.lost[name] and ('1//bin/sh "$CLUE_FARM_SCRIPT" %s'):format(name) or nil
  end)
  write(each.logins, table.concat(lines, "\n") .. "\n")
  each.stamp = (each.stamp or os.time() - 1e6) + 10
  lfs.touch(each.logins, each.stamp, each.stamp)
  return #lines
end

local function write_script(self)
  self.script = self.temporary .. "/worker"
  write(self.script, worker_script)
end

-- ---- parallel ----

local function words_of(self, each)
  local group = each.group
  local more = group.pinned and {"--jobs", tostring(#group.workers), "--retries", tostring(pinned_retries)}
    or {"--sshloginfile", each.logins, "--retries", tostring(retries)}
  return lists.joined({"/usr/bin/env", "parallel", "--plain", "--will-cite", "--joblog",
                       self.folder:file("%s.joblog", group.name), "--resume-failed", "--arg-file", each.list}, more,
    {[["$CLUE_FARM_PROGRAM" --quiet -e "require('clue.farm.job').run('{}')"]]})
end

-- parallel skips what its log calls done. Where such a job has no result (the machine went down, a file was removed),
-- the log must go: a job that has one ends at once.
local function distrust_log(self, group)
  local path = self.folder:file("%s.joblog", group.name)
  for line in (read_file(path) or ""):gmatch "[^\n]+" do
    local number, status, signal = line:match "^(%d+)\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t(%d+)\t(%d+)\t"
    local id = status == "0" and signal == "0" and group.jobs[tonumber(number)]
    if id and not self.folder:result(id) then return os.remove(path) end
  end
end

local function absolute(path)
  return path:find "^/" and path or lfs.currentdir() .. "/" .. path
end

local function start(self, group)
  local each = {group = group, list = ("%s/%s.list"):format(self.temporary, group.name),
                logins = ("%s/%s.logins"):format(self.temporary, group.name)}
  self.running[#self.running + 1] = each
  distrust_log(self, group)
  write(each.list, table.concat(group.jobs, "\n") .. "\n")
  if not group.pinned and write_logins(self, each) == 0 then return end
  each.child = child.start {arguments = words_of(self, each), environment = {
    "CLUE_FARM_PROGRAM=" .. clue_options.program, "CLUE_FARM_FOLDER=" .. absolute(self.folder.path),
    "CLUE_FARM_CONTROL=" .. (self.control or ""), "CLUE_FARM_SCRIPT=" .. self.script,
    "PARALLEL_HOME=" .. self.temporary, "PARALLEL_SHELL=/bin/sh",
  }}
end

-- ---- what happens ----

--- Reports what happens to the farm.
-- @tparam string text
function engine.report(text)
  output.clear_progress()
  output.say("clue farm: " .. text)
end

local function drop(self, name, why)
  self.lost[name] = why
  self.folder:tell {lost = name, text = why}
  engine.report(("%s gets no more jobs: %s"):format(name, why))
  for _, each in ipairs(self.running) do
    if each.child and not each.group.pinned and write_logins(self, each) == 0 and each.child.state == "running" then
      engine.report("no worker is left for what is still to do")
      each.child:kill()
    end
  end
end

local function strike(self, name, why)
  self.strikes[name] = (self.strikes[name] or 0) + 1
  if self.strikes[name] >= most_strikes and not self.lost[name] then drop(self, name, why) end
end

-- A job that another worker could do was not at fault.
local function blame(self, event)
  for name in pairs(not event.failure and self.failed_on[event.job] or {}) do
    if name ~= event.worker then strike(self, name, "jobs fail there that others can do") end
  end
end

local function on_done(self, event)
  self.done, self.bad = self.done + 1, self.bad + (event.failure and 1 or 0)
  self.strikes[event.worker] = 0
  blame(self, event)
  self.on_done(event)
end

local function on_fault(self, event)
  engine.report(("%s lost job %s: %s"):format(event.worker, event.job, event.text))
  strike(self, event.worker, "it lost the last jobs")
end

local function on_failure(self, event)
  local on = self.failed_on[event.job] or {}
  on[event.worker], self.failed_on[event.job] = true, on
  if self.told[event.text] then return end -- most jobs of a wrong script fail alike
  self.told[event.text] = true
  engine.report(("%s on %s failed and is tried again: %s"):format(event.job, event.worker, event.text))
end

local function on_trouble_here(_, event)
  error(("on this machine: %s"):format(event.text), 0)
end

local handlers = {done = on_done, fault = on_fault, failed = on_failure, here = on_trouble_here}

local function take_events(self)
  local list
  list, self.place = self.folder:events(self.place)
  for _, event in ipairs(list) do
    for kind, work in pairs(handlers) do
      if event[kind] then work(self, event) end
    end
  end
end

-- ---- the run ----

local function step(self)
  local running = false
  for _, each in ipairs(self.running) do
    if each.child and each.child.state == "running" then running = each.child:step(0.05) or running end
  end
  take_events(self)
  output.progress(("%d of %d jobs, %d failed%s"):format(self.done, self.count, self.bad, self.remark()))
  return running
end

local function close(self)
  for _, each in ipairs(self.running) do
    if each.child then each.child:close() end
  end
end

-- What parallel itself complains of, such as an option that an old one does not know. Jobs that cannot tell what
-- happened end it: then this cannot either, and raises why.
local function complaint(self)
  for _, each in ipairs(self.running) do
    local seen = each.child
    if seen and seen.state == "exited" and (seen.value == 127 or seen.value == 255) then
      self.folder:tell {ended = each.group.name}
      return transport.complaint("parallel", seen)
    end
  end
end

--- Prepares to run jobs.
-- @tparam table of folder; temporary: a folder; control: the folder of shared connections, or nil;
--   on_done(event): after each job; remark(): more for the progress line
-- @treturn Engine
function engine.new(of)
  local self = setmetatable({lost = {}, strikes = {}, failed_on = {}, told = {}, done = 0, bad = 0, count = 0}, Engine)
  for name, value in pairs(of) do self[name] = value end
  self.place = select(2, self.folder:events())
  write_script(self)
  return self
end

--- Runs groups of jobs, all groups at once, to their end. Ctrl-C raises, with no process left.
-- @tparam {table,...} groups name; workers: names; jobs: IDs; pinned: whether each job names its worker
function Engine:run(groups)
  self.running = {}
  for _, group in ipairs(groups) do
    self.count = self.count + #group.jobs
    for _, id in ipairs(group.jobs) do
      if self.folder:result(id) then self.done = self.done + 1 end
    end
  end
  local before = self.done
  local done, why = pcall(function()
    for _, group in ipairs(groups) do start(self, group) end
    while step(self) do end
    take_events(self)
  end)
  close(self)
  output.clear_progress()
  if not done then error(why, 0) end
  local wrong = complaint(self)
  if wrong and self.done == before then error(wrong, 0) end
end

--- The jobs that are not done.
-- @tparam {table,...} groups
-- @treturn {string,...} IDs
function Engine:left(groups)
  local all = lists.flat(groups, function(group) return group.jobs end)
  return lists.filter(all, function(id) return not self.folder:result(id) end)
end

return engine
