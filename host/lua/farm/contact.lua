--- Meets the hosts of a farm: finds clue there or brings it, brings the files that the jobs need, and lists the
-- devices. The workers are one for each device.
local child = require "clue.shared.child"
local clue_options = require "clue.options"
local device_kind = require("clue.result.device").kind
local hosts = require "clue.farm.hosts"
local json = require "clue.shared.json"
local lfs = require "lfs"
local lists = require "clue.shared.list"
local paths = require "clue.paths"
local quoted = require("clue.shared.shell").quoted
local texts = require "clue.text"
local transport = require "clue.farm.transport"

local contact = {}

-- Seconds for a host's answers. Some answer late because they are busy; ssh itself notices one that is not there.
local for_answer, for_files = 120, 600

-- ---- hosts at once ----

local most_answer = 4 * 2 ^ 20 -- more than any list of devices

local function start(words, seconds)
  local each = {parts = {}, size = 0}
  each.child = child.start {arguments = words, seconds = seconds, output = function(part)
    each.size = each.size + #part
    if each.size <= most_answer then each.parts[#each.parts + 1] = part end
  end}
  return each
end

-- Returns what it printed, or nil and why it is of no use.
local function answer_of(each, seconds)
  if each.size > most_answer then return nil, "answers too much" end
  if each.child:is_well() then return table.concat(each.parts) end
  if each.child.state == "timeout" then return nil, ("does not answer within %g s"):format(seconds) end
  local said = transport.cause(each.child)
  local missing = each.child.value == 127 and said:match "^/usr/bin/env: [^%w/]*([%w/._-]+)"
  if missing then return nil, transport.missing(missing) end
  return nil, said ~= "" and said or (select(2, each.child:reason()))
end

-- Runs a command for each host, all at once: words_of(host) gives the program and its words; done(host, answer, why)
-- gets its standard output, or nil and why it failed.
local function together(list, seconds, words_of, done)
  local running = {}
  for i, host in ipairs(list) do running[i] = start(words_of(host), seconds) end
  local left = #list
  while left > 0 do
    left = 0
    for _, each in ipairs(running) do
      if each.child.state == "running" and (each.child:step(0.02)) then left = left + 1 end
      if each.size > most_answer then each.child:kill() end
    end
  end
  for i, host in ipairs(list) do done(host, answer_of(running[i], seconds)) end
end

-- Lines of a host that are meant for us begin with the farm's token: shells may greet.
local function said(answer, token)
  local facts = {}
  for line in answer:gmatch "[^\r\n]+" do
    local name, value = line:match("^" .. token .. " (%w+)=(.*)$")
    if name then facts[name] = value end
  end
  return facts
end

-- ---- the archive ----

-- A copy of clue that runs anywhere has the modules of others inside.
local function own_tree()
  local share = paths.scripts:match "^(.*)/share/clue/" or paths.scripts:match "^(.*)/share/clue$"
  if share and lfs.attributes(share .. "/share/clue/bundled", "mode") == "directory" then return share end
end

local function digest_of(path)
  local text = transport.output_of({"sha256sum", "--", path}, 60)
  return text:match("^\\?(%x+)"):sub(1, 16) -- it begins with \ if the name has one
end

--- Finds the archive for hosts that have no clue: the one given, or a copy of this clue if it is such an archive's.
-- @tparam ?string path
-- @tparam string folder for a copy that is made
-- @treturn ?table path, digest; nil if there is none
function contact.archive(path, folder)
  if not path then
    local tree = own_tree()
    if not tree then return nil end
    path = folder .. "/clue.tar.gz"
    local above, name = tree:match "^(.*)/([^/]*)$"
    transport.output_of {"tar", "-czf", path, "-C", above, name}
  elseif lfs.attributes(path, "mode") ~= "file" then
    error(("--archive: there is no file %s; `./dev package` makes clue-VERSION-linux-x86_64.tar.gz"):format(path), 0)
  end
  return {path = path, digest = digest_of(path)}
end

-- ---- the first question ----

local question = [[
base=${XDG_CACHE_HOME:-$HOME/.cache}/clue/farm
echo TOKEN base="$base"
echo TOKEN version="$(PROGRAM --version 2>/dev/null | head -n 1)"
[ -x "$base/clue-DIGEST/bin/clue" ] && echo TOKEN archive=yes
echo TOKEN asked=yes
]]

local function ask(host, plan, archive)
  local program = host.clue or (host.address == ":" and clue_options.program) or "clue"
  local text = question:gsub("%u%u%u%u%u+", {TOKEN = plan.token, PROGRAM = quoted(program),
    DIGEST = archive and archive.digest or "none"})
  return transport.words(host, text, plan.how)
end

-- Takes the answer. Returns why the host is of no use.
local function meet(host, answer, plan, archive)
  local facts = said(answer, plan.token)
  if not facts.asked then
    local line = answer:match "[^\r\n]+" or ""
    return ("did not answer as clue does: '%s'"):format(texts.visible(line):sub(1, 60))
  end
  host.base = facts.base
  if not (host.base or ""):find "^/[^%c]+$" then return "has no home folder" end
  local here = (facts.version or ""):match "^clue (%S+)"
  host.program = host.clue or (host.address == ":" and clue_options.program) or "clue"
  local forced = plan.forced_archive and not host.clue and host.address ~= ":"
  if here == clue_options.version and not forced then return nil end
  if not archive then
    return (here and ("has clue %s, but this is %s"):format(here, clue_options.version) or "has no clue")
      .. "; give --archive FILE with clue-VERSION-linux-x86_64.tar.gz, which is then copied there"
  end
  host.program = ("%s/clue-%s/bin/clue"):format(host.base, archive.digest)
  host.needs_archive = facts.archive ~= "yes"
end

local function unpack_archive(host, plan, archive)
  local folder = quoted(("%s/clue-%s"):format(host.base, archive.digest))
  local part = quoted(("%s/clue-%s.%s"):format(host.base, archive.digest, plan.token))
  local command = ("umask 077; mkdir -p %s && LC_ALL=C tar -xzf - -C %s --strip-components=1 && "
    .. "{ mv -T %s %s 2>/dev/null || rm -rf %s; }"):format(part, part, part, folder, part)
  return transport.fed(archive.path, transport.words(host, command, plan.how))
end

-- ---- devices ----

local function ask_devices(host, plan)
  return transport.words(host, transport.agent(host, "devices", {plan.token, host.devices or ""}), plan.how)
end

local function take_devices(host, answer, plan)
  local list = json.read(said(answer, plan.token).devices or "")
  if type(list) ~= "table" or not list[1] then return "lists no devices" end
  host.found = {}
  for i, each in ipairs(list) do
    local function text(name) return type(each) == "table" and type(each[name]) == "string" and each[name] or nil end
    if not text "name" or not (text "address" or ""):find "^%d+:%d+$" then return "lists what are no devices" end
    host.found[i] = {address = each.address, name = text "name", driver = text "driver" or "?",
                     platform = text "platform" or "?", compute_units = tonumber(each.compute_units)}
  end
end

-- ---- the files ----

-- Each worker has a folder of its own, where the files are as they are here.
local function bring(host, plan)
  local run, commands = ("%s/run-%s"):format(host.base, plan.token), {}
  local cargo = quoted(run .. "/.cargo") -- no worker's name begins so
  commands[1] = ("umask 077; mkdir -p %s && LC_ALL=C tar -xzf - -C %s"):format(cargo, cargo)
  for _, name in ipairs(host.workers) do
    commands[#commands + 1] = ("rm -rf %s && cp -R %s %s"):format(quoted(run .. "/" .. name), cargo,
      quoted(run .. "/" .. name))
  end
  return transport.fed(plan.cargo, transport.words(host, table.concat(commands, " && "), plan.how))
end

--- Removes the files of a farm from its hosts.
-- @tparam table plan
function contact.leave(plan)
  together(lists.filter(plan.hosts, function(host) return host.base end), 30, function(host)
    return transport.words(host, "rm -rf " .. quoted(("%s/run-%s"):format(host.base, plan.token)), plan.how)
  end, function() end)
end

-- ---- all of it ----

-- Does one stage with all hosts that are still of use.
local function stage(self, seconds, words_of, take)
  local list = lists.filter(self.plan.hosts, function(host) return not host.lost and words_of(host) end)
  together(list, seconds, words_of, function(host, answer, why)
    local problem = not answer and why or take and take(host, answer)
    if not problem then return end
    host.lost = problem
    self.report(("%s: %s"):format(host.name, problem))
  end)
end

-- Adds the workers of a host, one for each device. A host may be called what the first device of another one is.
local function add_workers(plan, host, index, taken)
  host.workers = {}
  for _, device in ipairs(not host.lost and host.found or {}) do
    local name = #host.found == 1 and host.name or ("%s-%s"):format(host.name, (device.address:gsub(":", ".")))
    name = hosts.unique(name, taken)
    table.insert(plan.workers, {name = name, host = index, device = device})
    table.insert(host.workers, name)
  end
end

--- Meets the hosts.
-- @tparam table plan hosts, token, how; cargo: an archive of the files for the jobs; gets workers: name, host (its
--   number), device (address, name, driver, platform)
-- @tparam ?table archive of @{archive}
-- @tparam function report report(text): a host that is of no use, and why
function contact.meet(plan, archive, report)
  local self = {plan = plan, report = report}
  stage(self, for_answer, function(host) return ask(host, plan, archive) end,
    function(host, answer) return meet(host, answer, plan, archive) end)
  stage(self, for_files, function(host) return host.needs_archive and unpack_archive(host, plan, archive) end)
  stage(self, for_answer, function(host) return ask_devices(host, plan) end,
    function(host, answer) return take_devices(host, answer, plan) end)
  plan.workers = {}
  local taken = {}
  for i, host in ipairs(plan.hosts) do add_workers(plan, host, i, taken) end
  stage(self, for_files, function(host) return bring(host, plan) end)
  for i = #plan.workers, 1, -1 do
    if plan.hosts[plan.workers[i].host].lost then table.remove(plan.workers, i) end
  end
end

-- ---- kinds of devices ----

--- Sorts workers by their devices: times of different ones are never mixed.
-- @tparam {table,...} workers of @{contact.meet}
-- @treturn {table,...} device, workers: names; in the order of the first worker of each
function contact.by_device(workers)
  local kinds = lists.grouped(workers, function(worker) return table.concat(device_kind(worker.device), "\0") end)
  return lists.map(kinds, function(group)
    return {device = group[1].device, workers = lists.map(group, function(worker) return worker.name end)}
  end)
end

return contact
