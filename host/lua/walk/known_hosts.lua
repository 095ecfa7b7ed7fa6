--- Host loops that a step of a sweep measured already. They depend on the problem's size and type, but not on the
-- step's parameters, the compiler's options or the device, so each step measures them once for each size.
--
-- They are not shared between steps: loops of different problems may have one name. A step that itself is a loop of the
-- host's measures it every time.
-- @module clue.walk.known_hosts
local json = require "clue.shared.json"
local row_of = require "clue.result.row"

local known_hosts = {}

local variable = "CLUE_WALK_HOSTS"

-- ---- in the sweep's process ----

local Store = {}
Store.__index = Store

--- Makes a store.
-- @treturn table with keep and setting
function known_hosts.new()
  return setmetatable({by_key = {}}, Store)
end

local function key_of(step, arguments)
  return step.path .. "\0" .. table.concat(arguments, "\0")
end

--- Keeps the host loops of a measured row.
-- @tparam table step
-- @tparam {string,...} arguments of all steps: the size and the type
-- @tparam table row
function Store:keep(step, arguments, row)
  local key = key_of(step, arguments)
  if self.by_key[key] or not row.host or row_of.is_of_host(row) then return end
  local list = json.list {row.host}
  for _, host in ipairs(row.beside or {}) do list[#list + 1] = host end
  self.by_key[key] = list
end

--- The setting that tells a step's process which host loops are known.
-- @tparam table step
-- @tparam {string,...} arguments as for @{keep}
-- @treturn ?string "NAME=VALUE"; nil if none are
function Store:setting(step, arguments)
  local list = self.by_key[key_of(step, arguments)]
  return list and ("%s=%s"):format(variable, json.line(list)) or nil
end

-- ---- in the step's process ----

--- Finds a host loop that is known.
-- @tparam table how as for @{clue.walk.host}
-- @treturn ?table what @{clue.walk.host} gave then, with reused = true; nil if the loop must be measured
function known_hosts.find(how)
  for _, host in ipairs(json.read(os.getenv(variable) or "[]")) do
    if host.name == how.name and host.extent == how.extent and host.compiler == how.compiler then
      host.reused = true
      return host
    end
  end
end

return known_hosts
