--- Runs the steps of a walkthrough, each in a child process: a step that crashes or hangs affects only its own row.
--
-- A measured step stays alive, so that its runs can alternate with those of the next one. This process makes no
-- OpenCL context and loads no driver.
local catalogue = require "clue.run.catalogue"
local child = require "clue.shared.child"
local exchange = require "clue.walk.exchange"
local json = require "clue.shared.json"
local lists = require "clue.shared.list"
local log_lines = require "clue.shared.log_lines"
local row_of = require "clue.result.row"
local shell = require "clue.shared.shell"

local runner = {}

-- ---- host loops ----

local Store = {}
Store.__index = Store

--- Makes a store of host loops that were measured already, in this walk or sweep. They depend on the problem, its size
-- and its type, but not on a step's kernel, its parameters or the device. So the steps of one problem measure a loop
-- once, and are all compared with the same times.
--
-- Loops of different problems may have one name: a step takes another's only if both name the same problem, by
-- `problem` of @{clue.walk.host} and of the row. A step that itself is a loop of the host's measures it every time.
-- @treturn table with keep and of
function runner.hosts()
  return setmetatable({entries = {}}, Store)
end

local function key_of(step, arguments)
  return step.path .. "\0" .. table.concat(arguments, "\0")
end

--- Keeps the host loops that a step has just measured.
-- @tparam table step
-- @tparam {string,...} arguments of all steps: the size and the type
-- @tparam table row
function Store:keep(step, arguments, row)
  if not row.host or row_of.is_of_host(row) then return end
  local key = key_of(step, arguments)
  local function add(host)
    if not host.reused then self.entries[#self.entries + 1] = {key = key, problem = row.problem, host = host} end
  end
  add(row.host)
  for _, host in ipairs(row.beside or {}) do add(host) end
end

--- The host loops that are known for a step.
-- @tparam table step
-- @tparam {string,...} arguments as for @{keep}
-- @treturn {table,...} as @{clue.walk.exchange.settings} takes them
function Store:of(step, arguments)
  local key = key_of(step, arguments)
  return json.list(lists.map(self.entries, function(entry)
    local own = entry.key == key
    return (own or entry.problem) and {problem = not own and entry.problem or nil, host = entry.host} or nil
  end))
end

-- ---- a step ----

local Session = {}
Session.__index = Session

-- The line that names the device is not part of a failed step's errors: the table's head has it.
local device_line = "^clue: device %d+ %("

-- Results are handed on, so paths in build logs and messages do not name the user: those below the home begin with ~.
local home = (os.getenv "HOME" or ""):gsub("/+$", "")
local in_home = home ~= "" and home:gsub("%p", "%%%0") .. "%f[/%z]"

-- LuaJIT shortens a long path from its begin, so a part of the home may stand after "...".
local function without_shortened(path)
  for length = #home - 1, #home:match "[^/]*$", -1 do
    if path:sub(1, length) == home:sub(-length) and path:find("^%f[/%z]", length + 1) then
      return "~" .. path:sub(length + 1)
    end
  end
end

local function without_home(value)
  if type(value) == "string" then return (value:gsub(in_home, "~"):gsub("%.%.%.([^\n]*)", without_shortened)) end
  for name, each in pairs(type(value) == "table" and value or {}) do value[name] = without_home(each) end
  return value
end

--- Adds to a row what its step is: number, name and script.
function Session:name_row()
  if in_home then without_home(self.row) end
  self.row.script = self.script
  self.row.number, self.row.name = self.row.number or self.step.number, self.row.name or self.step.name
end

-- A step that crashed may not have said how to find out why, or not well: its kernel may have overwritten anything.
local function advice(self, lines)
  if not self.process:has_crashed() or table.concat(lines, "\n"):find("clue check", 1, true) then return "" end
  return "; to see what a kernel does wrong: " .. shell.check(self.step.path, self.config.arguments or {},
    self.step.arguments or {})
end

--- Adds the verdict on a step's end to its row, once it is known. A step that sent no row gets one here.
function Session:judge()
  if not self.row or not self.process:is_well() then
    local word, text = self.process:reason()
    self.row = self.row or {}
    local lines = log_lines.excerpt(self.process:last_errors(math.huge, device_line))
    self.row.failed = {word = word, text = text .. advice(self, lines), lines = lines}
  end
  self:name_row()
end

--- Follows the step until it sends an awaited result, or ends.
-- @tparam function is_it takes each of its results, returns whether it is the awaited one
-- @tparam[opt] function still called while nothing comes
-- @treturn boolean whether the result came
function Session:wait_for(is_it, still)
  local found = false
  self.take = function(value) found = is_it(value) or found end
  local runs = self.process.state == "running"
  while runs and not found do
    runs = self.process:step()
    if still and not found then still() end
  end
  return found
end

--- Follows the step until it was measured or has ended.
-- @tparam function progress called with a text, or nil for "still running"
-- @treturn table row, with failed = {word, text, lines} if it failed
function Session:measure(progress)
  self.ready = self:wait_for(function(value)
    if value.progress then progress(value.progress) end
    if value.row then self.row = value.row end
    return value.ready
  end, progress)
  if self.ready then
    self:name_row()
    self.process:limit(0) -- its time limit does not include waiting
  else
    self:judge()
  end
  local config = self.config
  if config.hosts then config.hosts:keep(self.step, config.arguments or {}, self.row) end
  return self.row
end

--- Runs a measured step once more.
-- @treturn ?table seconds: upload, kernel, read, total; nil if it cannot
function Session:once_more()
  if not self.ready then return nil end
  local once
  self.process:limit(self.config.seconds)
  if not self.process:send "run\n" then return nil end
  self:wait_for(function(value)
    once = once or value.run
    if value.suspended and self.row.times then
      self.row.times.suspended = (self.row.times.suspended or 0) + value.suspended
    end
    return value.run
  end)
  self.process:limit(0)
  if not once then
    self.ready = false
    self:judge()
  end
  return once
end

--- Lets a measured step end. If it ends badly, its row has failed.
function Session:finish()
  if not self.ready then return end
  self.ready = false
  self.process:limit(self.config.seconds)
  self.process:send(nil)
  self:wait_for(function() return false end)
  self:judge()
end

--- Starts a step.
-- @tparam table step path, number, name; arguments, environment: its own, besides those of the configuration
-- @tparam table config device: a choice or nil; arguments: for all scripts; environment: {"NAME=VALUE", ...}; seconds,
--   memory, idle: limits; stable: true to measure until the times are stable; verify: true to verify the step only;
--   hosts: the host loops that are known, see @{hosts}
-- @treturn Session
function runner.start(step, config)
  local self = setmetatable({step = step, config = config, script = catalogue.digest(step)}, Session)
  local arguments = config.arguments or {}
  local own = exchange.settings {results = true, verify = config.verify, stable = config.stable,
                              hosts = config.hosts and config.hosts:of(step, arguments)}
  self.process = child.start {
    arguments = child.clue(config, lists.joined({step.path}, arguments), step.arguments),
    environment = lists.joined(own, config.environment, step.environment),
    seconds = config.seconds, memory = config.memory, idle = config.idle, input = true,
    results = function(value) self.take(value) end,
  }
  return self
end

return runner
