--- What runs share and where they differ: clue, machine, device, driver, options. Two runs or many: all comparisons
-- take their conditions from here.
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local point = require "clue.result.point"

local conditions = {}

-- Numbers as in JSON: 48, not 48.0.
local function text_of(value)
  if not value or value == "" then return "-" end
  if value == true then return "yes" end
  if type(value) == "number" then return point.shown(value) end
  if type(value) == "table" then return "?" end
  return tostring(value)
end

-- A list of words; "''" for an empty one.
local function listed(words)
  if type(words) ~= "table" then return words end
  return table.concat(lists.map(words, function(word) return word == "" and "''" or tostring(word) end), ", ")
end

-- Assignments, whose order does not matter.
local function assignments(words)
  if type(words) ~= "table" then return words end
  local sorted = lists.map(words, tostring)
  table.sort(sorted)
  return table.concat(sorted, " ")
end

-- The values of each parameter of a tuner's space.
local function space_of(tune_params)
  if type(tune_params) ~= "table" then return nil end
  local words = {}
  for name, values in pairs(tune_params) do
    local shown = lists.map(type(values) == "table" and values or {values}, point.shown)
    words[#words + 1] = ("%s=%s"):format(tostring(name), table.concat(shown, ","))
  end
  return assignments(words)
end

local function machine(it) return it.machine or {} end
local function options(it) return it.of.options or {} end
local function tuner(it) return type(it.of.clue) == "table" and it.of.clue or {} end

local of_run = {
  {"clue", function(it) return it.clue end},
  {"system", function(it) return machine(it).system end},
  {"processor", function(it) return machine(it).processor end},
  {"cores", function(it) return machine(it).cores end},
  {"memory", function(it)
    local bytes = machine(it).memory
    return type(bytes) == "number" and figures.bytes(bytes)
  end},
  {"Lua", function(it) return machine(it).lua end},
  {"--size", function(it) return options(it).size end},
  {"--type", function(it) return options(it).type end},
  {"--set", function(it) return assignments(options(it).set) end},
  {"--options", function(it) return listed(options(it).build_options) end},
  {"CLUE_BUILD_OPTIONS", function(it) return options(it).environment end},
  {"--repeat", function(it) return options(it).repeats end},
  {"--until-stable", function(it) return options(it).until_stable end},
  {"tune_params", function(it) return space_of(tuner(it).tune_params) end},
  {"--strategy", function(it) return tuner(it).strategy end},
}

local of_device = {"kind", "platform", "platform_version", "version", "driver", "loader", "compute_units", "mhz"}

-- Adds a fact, with its text for each thing, unless all have the same.
local function add(list, what, things, get)
  local values = lists.map(things, function(thing) return text_of(get(thing)) end)
  local differ = lists.any(values, function(value) return value ~= values[1] end)
  if differ then list[#list + 1] = {what = what, values = values} end
end

--- The known facts in which runs differ.
-- @tparam {table,...} runs of: the document; clue, machine: its own
-- @treturn {table,...} what; values: a text for each run, "-" if a run does not have it
function conditions.of_runs(runs)
  local list = {}
  for _, entry in ipairs(of_run) do add(list, entry[1], runs, entry[2]) end
  return list
end

--- The known facts in which devices differ, besides name and address.
-- @tparam {table,...} devices as in a document
-- @treturn {table,...} as for @{of_runs}
function conditions.of_devices(devices)
  local list = {}
  for _, name in ipairs(of_device) do
    add(list, (name:gsub("_", " ")), devices, function(device) return device[name] end)
  end
  return list
end

-- Whether columns of one device differ in a fact.
local function differs_within(same, fact)
  return lists.any(same, function(column) return fact.values[column.number] ~= fact.values[same[1].number] end)
end

--- The known facts in which columns differ. Those of the devices, such as the driver, are of interest only between
-- columns of one device.
-- @tparam {table,...} columns of @{clue.show.compare.columns}
-- @treturn {table,...} as for @{of_runs}
function conditions.of_columns(columns)
  local list, devices = conditions.of_runs(columns), {}
  for c, column in ipairs(columns) do devices[c] = column.device end
  for _, fact in ipairs(conditions.of_devices(devices)) do
    local counts = false
    for _, column in ipairs(columns) do counts = counts or column.same and differs_within(column.same, fact) end
    if counts then list[#list + 1] = fact end
  end
  return list
end

return conditions
