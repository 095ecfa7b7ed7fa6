--- One attempt at one job of a farm: GNU parallel starts it here, for a worker; it starts the agent on the worker's
-- host, takes what comes back as data, and keeps it. It ends when the farm does, however that ended. Exit status 0: the
-- job is done; 75: not here, try again.
local binding = require "clue.binding"
local child = require "clue.shared.child"
local folders = require "clue.farm.folder"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local now = require("clue.result.document").now
local output = require "clue.output"
local text = require "clue.text"
local transport = require "clue.farm.transport"
local write = require("clue.shared.paths").write

local job = {}

local most_line = 100 * 2 ^ 20 -- a file of 16 MiB whose bytes all need a \u0000
local attempts = 3 -- of a job that fails by itself; the third time, its failure is its result
local doubtful_attempts = 2 -- of one whose results may be the host's fault
local again = 75 -- EX_TEMPFAIL

-- What a job of a tuning brought back may be the host's fault: a full disk, a broken driver or a machine without memory
-- makes configurations fail that work elsewhere. T4's words for failures that need not be the configuration's.
local doubtful = {runtime = true, timeout = true}

-- What the first such failure says; nil if there is none.
local function doubt(content)
  local document = json.read(content)
  for _, result in ipairs(type(document) == "table" and type(document.results) == "table" and document.results or {}) do
    if type(result) == "table" and doubtful[result.invalidity] then
      local said = type(result.clue) == "table" and result.clue.failure
      return type(said) == "string" and said or result.invalidity
    end
  end
end

-- ---- what the agent says ----

local Taker = {}
Taker.__index = Taker

local function taker(token, outputs)
  local self = setmetatable({token = token .. " ", parts = {}, size = 0, files = {}, wanted = {}}, Taker)
  for _, name in ipairs(outputs) do self.wanted[name] = true end
  return self
end

local function is_text(value)
  return value == nil or type(value) == "string"
end

-- Returns what is wrong with an ending, or nil.
local function ending_problem(ending)
  local status = ending.status
  if status ~= nil and not (type(status) == "number" and status % 1 == 0 and status >= 0 and status < 256) then
    return "its exit status is none"
  end
  local texts = is_text(ending.output) and is_text(ending.errors) and is_text(ending.why)
  return not texts and "its output is no text" or nil
end

local function take_file(self, name, content)
  if not self.wanted[name] then
    return ("sent a file that it was not asked for: '%s'"):format(tostring(name):sub(1, 60))
  end
  if type(content) ~= "string" then return ("sent no text as %s"):format(name) end
  local value, problem = json.read(content)
  if type(value) ~= "table" then return ("its %s is not JSON: %s"):format(name, tostring(problem)) end
  self.files[name] = content
end

local function take_line(self, line)
  if line:sub(1, #self.token) ~= self.token then
    self.stray = self.stray or line
    return nil
  end
  local value = json.read(line:sub(#self.token + 1))
  if type(value) ~= "table" then return "sent a line that is not JSON" end
  if value.fault ~= nil then return tostring(value.fault):sub(1, 300) end
  if value.file ~= nil then return take_file(self, value.file, value.content) end
  if value.finished then self.ending = value end
  return value.finished and ending_problem(value) or nil
end

--- Takes a part of the output. Sets fault if it is of no use.
-- @tparam string part
function Taker:take(part)
  if self.fault then return end
  self.parts[#self.parts + 1], self.size = part, self.size + #part
  if self.size > most_line then
    self.fault = "answers too much"
  elseif part:find("\n", 1, true) then
    local rest = text.take_lines(table.concat(self.parts), function(line)
      self.fault = self.fault or take_line(self, line)
    end)
    self.parts, self.size = {rest}, #rest
  end
end

--- Why there is no result, from how the connection ended.
-- @tparam Child seen
-- @treturn string
function Taker:reason(seen)
  if self.fault then return self.fault end
  local last = text.trim(seen:last_errors(1)[1] or "")
  if last:find "^setsid: child" then return "the agent crashed" end
  if last ~= "" then return last end
  self.stray = self.stray or self.parts[1] and table.concat(self.parts):sub(1, 200)
  if self.stray and self.stray ~= "" then
    return ("did not answer as clue does: '%s'"):format(text.visible(self.stray):sub(1, 60))
  end
  if seen.state == "exited" and seen.value == 255 then return "the connection to it broke" end -- ssh's own status
  return "the connection " .. select(2, seen:reason())
end

-- ---- an attempt ----

local function send(connection, line)
  local rest = line
  while #rest > 0 and connection.state == "running" do
    local sent = binding.child_send(connection.number, rest)
    if sent < 0 then return end
    rest = rest:sub(sent + 1)
    if #rest > 0 then connection:step(0.01) end
  end
end

local function attempt(folder, plan, worker, it)
  local host = plan.hosts[worker.host]
  local taking = taker(plan.token, it.outputs)
  local where = ("%s/run-%s/%s"):format(host.base, plan.token, worker.name)
  local words = transport.words(host, transport.agent(host, "run", {}, where), plan.how)
  local connection = child.start {
    arguments = words, input = true, seconds = (it.seconds or 0) > 0 and it.seconds + 60 or 0,
    output = function(part) taking:take(part) end,
  }
  send(connection, json.line {token = plan.token, words = it.words, device = worker.device.address,
    inputs = it.inputs or {}, outputs = json.list(it.outputs), seconds = it.seconds or 0} .. "\n")
  while not taking.fault and connection.state == "running" do
    connection:step(0.2)
    if not folder:is_led() then taking.fault = "the farm has ended" end
  end
  connection:close()
  if taking.fault or not taking.ending then return nil, taking:reason(connection) end
  return taking
end

-- ---- the result ----

local function missing(taken, it)
  return lists.find(it.outputs, function(name) return not taken.files[name] end)
end

-- What a program complains of last: clue's own line, which a traceback may follow, or else the last line.
local function complaint(errors)
  local last
  for line in (errors or ""):gmatch "[^\n]+" do
    if line:find "^clue[ :]" or not last then last = line end
  end
  return last or (errors or ""):match "[^\n]*$"
end

-- Why the job itself failed; nil if it did not.
local function failure(taken, it)
  local ending = taken.ending
  local lost = missing(taken, it)
  if it.tuning and not lost and ending.status then return nil end -- its results tell
  if ending.status ~= 0 or lost then
    local last = complaint(ending.errors)
    return last ~= "" and last or ending.why or ("it did not write %s"):format(tostring(lost))
  end
end

-- Whether the job shall be tried again, and why.
local function unsure(taken, it, before)
  local failed = failure(taken, it)
  if failed then return before < attempts - 1, failed end
  local doubted = it.tuning and doubt(taken.files[it.outputs[1]])
  if doubted then return before < doubtful_attempts - 1, doubted end
end

local function keep(folder, id, it, worker, taken, timed)
  for i, name in ipairs(it.outputs) do
    if taken.files[name] then write(folder:file(it.keep[i]), taken.files[name]) end
  end
  local ending = taken.ending
  folder:save_result(id, {job = id, worker = worker.name, host = timed.host, device = worker.device,
    started = timed.started, seconds = timed.seconds, status = ending.status, failed = timed.failed,
    output = ending.output or "", output_is_cut = ending.output_is_cut == true or nil, errors = ending.errors or ""})
end

-- ---- what happened before ----

-- The failures of a job, on which workers it came to nothing, and which workers are lost.
local function history(folder, id)
  local before = {failures = 0, tried = {}, lost = {}}
  for _, event in ipairs((folder:events())) do
    if event.lost then before.lost[event.lost] = true end
    if event.job == id and (event.failed or event.fault) then
      before.tried[event.worker] = true
      before.failures = before.failures + (event.failed and 1 or 0)
    end
  end
  return before
end

local function group_of(plan, id)
  for _, group in ipairs(plan.groups) do
    for _, other in ipairs(group.jobs) do
      if other == id then return group end
    end
  end
end

-- Whether the job came to nothing here, and another worker has yet to try it.
local function is_for_another(plan, id, worker, before)
  local group = group_of(plan, id)
  if not before.tried[worker.name] or not group or group.pinned then return false end
  return lists.any(group.workers, function(name) return not before.tried[name] and not before.lost[name] end)
end

local function find_worker(plan, name)
  return lists.find(plan.workers, function(worker) return worker.name == name end)
end

local function do_it(folder, id)
  if folder:result(id) then return 0 end -- the farm ended after the job, and before the joblog
  local plan, it = assert(folder:plan()), assert(folder:job(id))
  plan.how.control = os.getenv "CLUE_FARM_CONTROL"
  local worker = find_worker(plan, it.worker or os.getenv "CLUE_FARM_WORKER")
  if not worker then return again end
  local before = history(folder, id)
  if is_for_another(plan, id, worker, before) then
    binding.sleep(0.5) -- parallel may ask again before the other worker is free
    return again
  end
  local timed, start = {started = now(), host = plan.hosts[worker.host].name}, binding.now()
  local taken, why = attempt(folder, plan, worker, it)
  timed.seconds = binding.now() - start
  if not taken then
    if not folder:is_led() then return again end
    folder:tell {job = id, worker = worker.name, fault = true, text = why}
    return again
  end
  local repeated, reason = unsure(taken, it, before.failures)
  if repeated then
    folder:tell {job = id, worker = worker.name, failed = true, text = reason}
    return again
  end
  timed.failed = failure(taken, it)
  keep(folder, id, it, worker, taken, timed)
  folder:tell {job = id, worker = worker.name, done = true, failure = timed.failed, seconds = timed.seconds}
  return 0
end

--- Does a job in the folder CLUE_FARM_FOLDER, on the worker CLUE_FARM_WORKER unless the job names one.
-- @tparam string id
function job.run(id)
  local folder = folders.at(os.getenv "CLUE_FARM_FOLDER")
  local done, status = pcall(do_it, folder, id)
  if not done then
    output.err:write(tostring(status), "\n")
    local told = pcall(folder.tell, folder, {job = id, here = true, text = tostring(status)})
    if not told then os.execute [[kill "$PARALLEL_PID"]] end -- or it would try the job again without an end
    status = again
  end
  os.exit(status)
end

return job
