--- cl.tuned(name, device, size): the parameters that `clue tune` found for a kernel.
--
--     local best = cl.tuned("sgemm", context.device, {n, n, n})
--     local parameters = best and best.parameters or {BM = 64, BN = 64}
--
-- They are in NAME.json, in the subfolder tuned of clue's cache folder (results of this machine) and among clue's own
-- kernels (results that come with clue): an entry for each device, driver and size.
-- @module clue.tuned
local argument = require "clue.argument"
local binding = require "clue.binding"
local devices = require "clue.device"
local json = require "clue.json"
local paths = require "clue.paths"
local read_file = require("clue.file").read

local tuned = {}

tuned.format = "clue tuned 1"

-- ---- files ----

--- The folder for results of this machine.
-- @treturn ?string nil if no variable names a place for it
function tuned.folder()
  local base = binding.cache_folder()
  return base and base .. "/tuned"
end

local function is_above_zero(value)
  return type(value) == "number" and value > 0 and value < math.huge
end

-- Whether all keys and values of a table are of their kinds.
local function holds(list, key_type, accepts)
  if type(list) ~= "table" then return false end
  for key, value in pairs(list) do
    if type(key) ~= key_type or not accepts(value) then return false end
  end
  return true
end

local function is_value(value)
  return type(value) ~= "table"
end

local function is_device(facts)
  return holds(facts, "string", is_value) and type(facts.name) == "string" and type(facts.kind) == "string"
    and (facts.compute_units == nil or is_above_zero(facts.compute_units))
end

-- Whether an entry is as clue writes it. Files of results are sent around and edited: others are passed over.
local function is_entry(entry)
  return type(entry) == "table" and is_device(entry.device) and holds(entry.parameters, "string", is_value)
    and (entry.size == nil or holds(entry.size, "number", is_above_zero))
end

--- Reads the entries of a file.
-- @tparam string path
-- @treturn {table,...} those that are as clue writes them; empty if there is no such file, or if it is not clue's
function tuned.read(path)
  local text = read_file(path)
  local done, document = pcall(json.decode, text or "")
  local entries = {}
  if not done or type(document) ~= "table" or document.format ~= tuned.format then return entries end
  for _, entry in ipairs(type(document.entries) == "table" and document.entries or {}) do
    if is_entry(entry) then entries[#entries + 1] = entry end
  end
  return entries
end

--- All entries of a name.
-- @tparam string name
-- @treturn {table,...} those of this machine first: device, driver, size, parameters, seconds as in the file; from:
--   "found" or "shipped"
function tuned.entries(name)
  local all, folder = {}, tuned.folder()
  local places = {{folder and folder .. "/" .. name .. ".json", "found"},
                  {paths.kernels .. "/tuned/" .. name .. ".json", "shipped"}}
  for _, place in ipairs(places) do
    for _, entry in ipairs(place[1] and tuned.read(place[1]) or {}) do
      entry.from = place[2]
      all[#all + 1] = entry
    end
  end
  return all
end

-- ---- distances ----

--- A device's facts, as entries have them.
-- @tparam device device
-- @treturn table name, driver, vendor, kind, compute_units
function tuned.facts(device)
  return {name = device.name, driver = device.driver_version, vendor = device.vendor, kind = device.kind,
          compute_units = device.max_compute_units}
end

-- How unlike two devices are; nil if one's parameters say nothing about the other.
local function device_distance(from, to)
  if from.kind ~= to.kind then return nil end
  if from.name == to.name then return from.driver == to.driver and 0 or 1 end
  local units = math.abs(math.log((from.compute_units or 1) / (to.compute_units or 1)))
  return (from.vendor == to.vendor and 2 or 100) + units
end

local function size_distance(from, to)
  if not to then return 0 end
  if not from or #from ~= #to then return math.huge end
  local sum = 0
  for i, size in ipairs(from) do sum = sum + math.abs(math.log(size / to[i])) end
  return sum
end

-- ---- results ----

local Tuned = {}

local function shown(size)
  local words = {}
  for i, each in ipairs(size or {}) do words[i] = ("%.14g"):format(each) end
  return table.concat(words, " x ")
end

function Tuned:__tostring()
  local names, words = {}, {}
  for name in pairs(self.parameters) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do words[i] = ("%s=%s"):format(name, tostring(self.parameters[name])) end
  return table.concat(words, " ") .. (self.note and ", " .. self.note or "")
end

-- Says in which ways an entry is not for what was asked for.
local function note_of(entry, device, size)
  local notes = {}
  if entry.device.name ~= device.name then
    notes[1] = ("of %s, the most similar device"):format(entry.device.name)
  elseif entry.device.driver ~= device.driver then
    notes[1] = ("of driver %s"):format(tostring(entry.device.driver))
  end
  if size and size_distance(entry.size, size) > 0 then
    notes[#notes + 1] = entry.size and ("of the nearest size, %s"):format(shown(entry.size)) or "of an unknown size"
  end
  return notes[1] and table.concat(notes, ", ") or nil
end

local function size_of(size)
  if type(size) == "number" then size = {size} end
  if size == nil then return nil end
  if not argument.is_plain(size) then argument.refuse("size", "a number or a list of numbers", size) end
  for i, each in ipairs(size) do
    if type(each) ~= "number" or each ~= each or each <= 0 then
      argument.refuse(("size[%d]"):format(i), "a number above 0", each)
    end
  end
  return size
end

--- Finds the parameters for a device and a size: those of the most similar device, and of its results those of the
-- nearest size.
-- @function clue.tuned
-- @tparam string name of the space
-- @tparam[opt] device|number device nil: the one that a context takes by itself
-- @tparam[opt] number|{number,...} size as the space gives it (size, else problem_size); nil: any
-- @treturn ?table parameters (value by name), device (the name of that for which they were found), size (a list), from
--   ("found": on this machine; "shipped": with clue), seconds, exact: whether device, driver and size are those asked
--   for; note: in which ways not, in words. tostring describes it. nil if there is nothing for a device of this kind
-- @treturn ?string then the reason
function tuned.find(name, device, size)
  argument.text(name, "name")
  local wanted, best, least = size_of(size), nil, nil
  local facts = tuned.facts(devices.get(device == nil and devices.pick() or devices.number(device, "device")))
  for _, entry in ipairs(tuned.entries(name)) do
    local far = device_distance(entry.device, facts)
    local key = far and {far, size_distance(entry.size, wanted)}
    if key and (not least or key[1] < least[1] or key[1] == least[1] and key[2] < least[2]) then
      best, least = entry, key
    end
  end
  if not best then
    local why = tuned.entries(name)[1] and "what was tuned is for another kind of device"
      or "nothing was tuned by this name, which is that of the space: its file's, without .lua"
    return nil, ("cl.tuned '%s': %s"):format(name, why)
  end
  local note = note_of(best, facts, wanted)
  return setmetatable({parameters = best.parameters, device = best.device.name, size = best.size, from = best.from,
                       seconds = best.seconds, exact = note == nil, note = note}, Tuned)
end

return tuned
