--- What two runs share and where they differ: clue, machine, device, driver, options.
-- @module clue.compare.conditions
local figures = require "clue.shared.figures"

local conditions = {}

-- Numbers as in JSON: 48, not 48.0.
local function text_of(value)
  if not value or value == "" then return "-" end
  if type(value) == "number" then return ("%.14g"):format(value) end
  if type(value) == "table" then return "?" end
  return tostring(value)
end

-- A list of words; "''" for an empty one.
local function listed(words)
  if type(words) ~= "table" then return words end
  local shown = {}
  for i, word in ipairs(words) do shown[i] = word == "" and "''" or tostring(word) end
  return table.concat(shown, ", ")
end

local of_run = {
  {"clue", function(it) return it.clue end},
  {"system", function(it) return (it.machine or {}).system end},
  {"processor", function(it) return (it.machine or {}).processor end},
  {"cores", function(it) return (it.machine or {}).cores end},
  {"memory", function(it)
    local bytes = (it.machine or {}).memory
    return type(bytes) == "number" and figures.bytes(bytes)
  end},
  {"Lua", function(it) return (it.machine or {}).lua end},
  {"repeats", function(it) return (it.options or {}).repeats end},
  {"--size", function(it) return (it.options or {}).size end},
  {"--set", function(it) return listed((it.options or {}).set) end},
  {"--options", function(it) return listed((it.options or {}).build_options) end},
}

local of_device = {"name", "kind", "platform", "platform_version", "version", "driver", "loader", "compute_units",
                   "mhz"}

local function add(list, what, a, b)
  a, b = text_of(a), text_of(b)
  if a ~= b then list[#list + 1] = {what = what, a = a, b = b} end
end

--- The known facts of two runs that differ.
-- @tparam table a document
-- @tparam table b document
-- @treturn {table,...} what; a and b: texts
function conditions.of_runs(a, b)
  local list = {}
  for _, entry in ipairs(of_run) do add(list, entry[1], entry[2](a), entry[2](b)) end
  return list
end

--- The known facts of two devices that differ.
-- @tparam table a as in a document
-- @tparam table b
-- @treturn {table,...} as for @{of_runs}
function conditions.of_devices(a, b)
  local list = {}
  for _, name in ipairs(of_device) do add(list, (name:gsub("_", " ")), a[name], b[name]) end
  return list
end

--- The device that a document lists under an address.
-- @tparam table document
-- @tparam string address "0:0"
-- @treturn table with the address at least
function conditions.device(document, address)
  for _, device in ipairs(document.devices or {}) do
    if device.address == address then return device end
  end
  return {address = address}
end

return conditions
