--- A run of `clue farm`, from its options to the results.
local cargos = require "clue.farm.cargo"
local clue_options = require "clue.options"
local contact = require "clue.farm.contact"
local counted = require("clue.text").count
local engines = require "clue.farm.engine"
local folders = require "clue.farm.folder"
local hosts = require "clue.farm.hosts"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local output = require "clue.output"
local shell = require "clue.shared.shell"
local temporary = require("clue.shared.paths").with_temporary_folder
local transport = require "clue.farm.transport"

local kinds = {each = require "clue.farm.kind.each", sweep = require "clue.farm.kind.sweep",
               tune = require "clue.farm.kind.tune"}

-- ---- the plan ----

-- 32 digits that nobody else can know: lines of a host that begin with them are its answers.
local function random_token()
  local file = assert(io.open("/dev/urandom", "rb"))
  local bytes = file:read(16)
  file:close()
  return (bytes:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

-- The options that a run which goes on must have again.
local kept_options = {"set", "any_device", "evaluations", "seed", "chunk", "time_limit", "archive", "copy"}

local function new_plan(options, words)
  local plan = {clue = clue_options.version, started = require("clue.result.document").now(), token = random_token(),
                kind = options.kind, words = json.list(words), options = {},
                how = {ssh = options.ssh or {"ssh"}, slurm = options.slurm}, forced_archive = options.archive ~= nil}
  for _, name in ipairs(kept_options) do plan.options[name] = options[name] end
  plan.hosts = options.slurm and hosts.of_slurm(options.device) or hosts.read(options.hosts)
  return plan
end

-- A plan that is read again: the hosts are met again, since they may have changed.
local function forget_hosts(plan)
  for _, each in ipairs(plan.hosts) do
    each.lost, each.base, each.program, each.needs_archive, each.found, each.workers = nil, nil, nil, nil, nil, nil
  end
end

-- A group keeps the workers that have the device they had.
local function keep_workers(plan, before)
  local old, new = lists.by(before, "name"), lists.by(plan.workers, "name")
  for _, group in ipairs(plan.groups) do
    local left = json.list {}
    for _, name in ipairs(group.workers) do
      local was, is = old[name], new[name]
      if is and was and is.device.name == was.device.name and is.device.driver == was.device.driver then
        left[#left + 1] = name
      elseif is then
        engines.report(("%s has another device or driver than before, and gets no jobs"):format(name))
      end
    end
    if not group.pinned then group.workers = left end
  end
end

-- ---- the run ----

local function describe(plan)
  local parts = lists.map(plan.workers, function(worker) return ("%s: %s"):format(worker.name, worker.device.name) end)
  engines.report(("%s: %s"):format(counted(#plan.workers, "worker"), table.concat(parts, "; ")))
end

-- Without the fields that mean nothing later.
local function save_plan(folder, plan)
  local cargo = plan.cargo
  plan.cargo = nil
  folder:save_plan(plan)
  plan.cargo = cargo
end

-- The groups that are done, and have no second jobs yet.
local function ready(self, first, second)
  local has_second = lists.set(lists.map(second, function(group) return group.of end))
  return lists.filter(first, function(group) return not has_second[group.name] and #self.engine:left {group} == 0 end)
end

-- A group of which some jobs cannot be done keeps no other from its second jobs.
local function work(self)
  local plan, folder, kind = self.plan, self.folder, self.kind
  local first, second = {}, {}
  for _, group in ipairs(plan.groups) do table.insert(group.final and second or first, group) end
  self.engine:run(first)
  if kind.more then
    for _, group in ipairs(kind.more(self.state, plan, folder, ready(self, first, second))) do
      table.insert(second, group)
      table.insert(plan.groups, group)
    end
    save_plan(folder, plan)
  end
  if second[1] then self.engine:run(second) end
  return #self.engine:left(plan.groups) == 0
end

local function new_engine(self, folder_of_ours, control)
  local kind, state = self.kind, self.state
  return engines.new {
    folder = self.folder, temporary = folder_of_ours, control = control,
    on_done = function(event) if kind.note then kind.note(state, self.folder, event) end end,
    remark = function() return kind.remark and kind.remark(state) or "" end,
  }
end

local function close_all(connections)
  for _, each in ipairs(connections) do each:close() end
end

-- Meets the hosts, and makes the jobs unless they are there.
local function prepare(self, folder_of_ours, resumed)
  local plan = self.plan
  local before = plan.workers
  plan.cargo = self.cargo:pack(folder_of_ours)
  output.progress(("meeting %s"):format(counted(#plan.hosts, "host")))
  contact.meet(plan, contact.archive(plan.options.archive, folder_of_ours), engines.report)
  output.clear_progress()
  if not plan.workers[1] then error("no host can be used", 0) end
  describe(plan)
  if resumed then
    keep_workers(plan, before)
    if self.kind.add_late then self.kind.add_late(self.state, plan, self.folder) end
  else
    plan.groups = self.kind.groups(self.state, plan, self.folder)
  end
  save_plan(self.folder, plan)
end

local function at_work(self, folder_of_ours, resumed)
  local connections = transport.connect(self.plan.hosts, self.plan.how)
  local done, whole = pcall(function()
    prepare(self, folder_of_ours, resumed)
    self.engine = new_engine(self, folder_of_ours, self.plan.how.control)
    return work(self)
  end)
  if not done then self.folder:unlock() end -- the jobs end
  pcall(contact.leave, self.plan)
  close_all(connections)
  if not done then error(whole, 0) end
  return whole
end

local function resume_hint(folder)
  return ("`clue farm --resume %s` goes on"):format(shell.shown(folder.path))
end

-- What was said when the hosts were met is far up by now.
local function tell_unused(plan)
  for _, each in ipairs(plan.hosts) do
    if each.lost then engines.report(("%s was not used: %s"):format(each.name, each.lost)) end
  end
end

local function finish(self, whole)
  local status = self.kind.finish(self.state, self.plan, self.folder)
  if self.plan.kind ~= "each" then tell_unused(self.plan) end -- that one's table has them
  if whole then return status end
  local left = 0
  for _, group in ipairs(self.plan.groups) do left = left + #self.engine:left {group} end
  engines.report(("%s not done; %s"):format(left == 1 and "1 job is" or left .. " jobs are", resume_hint(self.folder)))
  return 1
end

local function begin(options, words)
  if not shell.finds {"parallel"} then error(transport.missing "parallel", 0) end -- before there is a folder
  local self = {plan = new_plan(options, words), cargo = cargos.new(), kind = kinds[options.kind]}
  if self.kind.check then self.kind.check(words) end
  for _, path in ipairs(options.copy or {}) do self.cargo:add_named(path) end
  self.state = self.kind.prepare(words, options, self.cargo)
  self.folder = folders.new(options.results)
  return self
end

local function begin_again(path, ssh)
  local folder = folders.at(path)
  local plan, why = folder:plan()
  if plan and not kinds[plan.kind] then plan, why = nil, path .. "/plan.json: its kind is none of clue farm's" end
  if not plan then error(("--resume: %s"):format(why), 0) end
  forget_hosts(plan)
  plan.how.ssh = ssh or plan.how.ssh
  local self = {plan = plan, cargo = cargos.new(), kind = kinds[plan.kind], folder = folder}
  why = self.kind.wrong(plan.words, plan.options)
  if why then error(("--resume: %s: %s"):format(path, why), 0) end
  for _, each in ipairs(plan.options.copy or {}) do self.cargo:add_named(each) end
  self.state = self.kind.prepare(plan.words, plan.options, self.cargo)
  return self
end

--- Runs a farm.
-- @tparam table options of the command, with kind
-- @tparam {string,...} words of what it runs, which the kind says are not wrong
-- @treturn int exit status
return function(options, words)
  local self = options.resume and begin_again(options.resume, options.ssh) or begin(options, words)
  self.folder:lock()
  local done, result = pcall(temporary, function(folder_of_ours)
    self.plan.how.control = folder_of_ours
    return at_work(self, folder_of_ours, options.resume ~= nil)
  end)
  if done then return finish(self, result) end
  if clue_options.interrupted(result) then engines.report(resume_hint(self.folder)) end
  error(result, 0)
end
