--- Host loops that were measured already, in this walk or sweep. They depend on the problem, its size and its type, but
-- not on a step's kernel, its parameters or the device. So the steps of one problem measure a loop once, and are all
-- compared with the same times.
--
-- Loops of different problems may have one name: a step takes another's only if both name the same problem, by
-- `problem` of @{clue.walk.host} and of the row. A step that itself is a loop of the host's measures it every time.
local json = require "clue.shared.json"
local row_of = require "clue.result.row"

local known_hosts = {}

local Store = {}
Store.__index = Store

--- Makes a store.
-- @treturn table with keep and of
function known_hosts.new()
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
-- @treturn {table,...} as @{clue.walk.asked.settings} takes them
function Store:of(step, arguments)
  local key, list = key_of(step, arguments), json.list {}
  for _, entry in ipairs(self.entries) do
    local own = entry.key == key
    if own or entry.problem then list[#list + 1] = {problem = not own and entry.problem or nil, host = entry.host} end
  end
  return list
end

return known_hosts
