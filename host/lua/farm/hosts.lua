--- The machines of a farm: a file with a line for each, or the nodes of a Slurm allocation.
--
--     # host           devices        settings
--     node1
--     ann@node2        gpu:0,gpu:1    clue=/opt/clue/bin/clue
--     ssh://node3:2222 name=lab       POCL_MAX_PTHREAD_COUNT=4
--     :                pocl
--
-- A host is what ssh takes, or a colon for this machine. Devices are chosen as with --device; without a choice, all
-- GPUs and accelerators of the host, or else its CPU. Settings: name= (for files and messages), clue= (the program on
-- the host), and environment variables.
local open = require("clue.file").open
local transport = require "clue.farm.transport"

local hosts = {}

-- "ssh://ann@node3:2222" gives "node3_2222", which does for a file.
local function plain_name(address)
  if address == ":" then return "here" end
  local name = address:gsub("^ssh://", ""):gsub("^[^@]*@", ""):gsub("[^%w.-]", "_"):gsub("^[^%w]+", "")
  return name ~= "" and name or "host"
end

-- Takes one setting of a line. Returns what is wrong, or nil.
local function set(host, name, value)
  if host.given[name] then return ("%s= is there twice"):format(name) end
  host.given[name] = true
  if name == "clue" then
    if value == "" then return "clue= needs the program on the host, such as clue=/opt/clue/bin/clue" end
    host.clue = value
  elseif name == "name" then
    if not value:find "^[%w][%w._-]*$" then
      return ("name=%s: a name has letters, digits, '.', '_' and '-' only"):format(value)
    end
    host.name = value
  elseif name:find "^[A-Z_][A-Z0-9_]*$" then
    host.environment[#host.environment + 1] = {name = name, value = value}
  else
    return ("there is no setting '%s='; there are name=, clue=, and environment variables in capitals"):format(name)
  end
end

local function read_line(line)
  local host
  for word in line:gmatch "%S+" do
    local name, value = word:match "^([%a_][%w_]*)=(.*)$"
    local why
    if not host then
      if word:find "^%-" or name then return nil, ("'%s' is no host, with which a line begins"):format(word) end
      host = {address = word, name = plain_name(word), environment = {}, given = {}}
    elseif name then
      why = set(host, name, value)
    elseif host.devices then
      why = ("'%s' and '%s': give one choice of devices; several have commas between them"):format(host.devices, word)
    else
      host.devices = word
    end
    if why then return nil, why end
  end
  if host then host.given = nil end
  return host
end

--- A name that nobody has yet: the one that is wanted, or that with a number.
-- @tparam string name
-- @tparam table taken those that are, by name; gets this one
function hosts.unique(name, taken)
  local found, number = name, 1
  while taken[found] do
    number = number + 1
    found = ("%s-%d"):format(name, number)
  end
  taken[found] = true
  return found
end

-- Gives hosts of one name numbers: a machine may have a line for each of its drivers.
local function make_unique(list)
  local taken = {}
  for _, host in ipairs(list) do host.name = hosts.unique(host.name, taken) end
  return list
end

--- Reads a file of hosts.
-- @tparam string path
-- @treturn {table,...} address, name, environment: {{name, value}, ...}; devices, clue: nil if not given. Raises what
--   is wrong, with the line
function hosts.read(path)
  local file, why = open(path)
  if not file then error("--hosts: " .. why, 0) end
  local list, number = {}, 0
  for line in file:lines() do
    number = number + 1
    if number == 1 then line = line:gsub("^\239\187\191", "") end -- some editors mark UTF-8 so
    local host, problem = read_line((line:gsub("^#.*", ""):gsub("%s#.*", "")))
    if problem then error(("--hosts: %s:%d: %s"):format(path, number, problem), 0) end
    list[#list + 1] = host
  end
  file:close()
  if not list[1] then
    error(("--hosts: %s has no hosts: write one on each line, ':' for this machine"):format(path), 0)
  end
  return make_unique(list)
end

--- The nodes of the Slurm allocation that we are in.
-- @tparam ?string devices the choice of devices on each
-- @treturn {table,...} as from @{read}. Raises if there is no allocation
function hosts.of_slurm(devices)
  local nodes = os.getenv "SLURM_JOB_NODELIST"
  if not nodes then
    error("--slurm: there is no allocation here: start it with salloc or sbatch (SLURM_JOB_NODELIST is not set)", 0)
  end
  local text, list = transport.output_of({"scontrol", "show", "hostnames", nodes}, 30), {}
  for node in text:gmatch "%S+" do
    list[#list + 1] = {address = node, name = plain_name(node), environment = {}, devices = devices}
  end
  return make_unique(list)
end

return hosts
