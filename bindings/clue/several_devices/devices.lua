--- Which devices a script means when it names several. Used by cl.split and cl.workers.
-- @module clue.several_devices.devices
local argument = require "clue.argument"
local device = require "clue.device"
local options = require "clue.options"
local output = require "clue.output"
local shown = require "clue.shown"

local devices = {}

local allowed = "a text such as \"all\" or \"0:0,1:0\", a device, its number, a context, or a list of these"

local announced = false

-- Says once per process which devices a text means.
local function announce(list, why)
  if #list == 1 then
    return device.announce(list[1].device.ordinal, why, "--device " .. list[1].device.address)
  end
  if announced or options.quiet then return end
  announced = true
  local names, addresses = {}, {}
  for i, entry in ipairs(list) do
    names[i], addresses[i] = entry.device:describe(), entry.device.address
  end
  output.err:write(("clue: devices %s; --device %s picks them again\n"):format(table.concat(names, " and "),
    table.concat(addresses, ",")))
end

local function add_text(list, text)
  local ordinals, why = device.select(text)
  local found = {}
  for i, ordinal in ipairs(ordinals) do
    found[i] = {device = device.get(ordinal)}
    list[#list + 1] = found[i]
  end
  announce(found, why)
end

-- Adds what one entry means.
local function add(list, given, name)
  if given == nil or type(given) == "string" then return add_text(list, given) end
  if type(given) == "number" then
    list[#list + 1] = {device = device.get(argument.whole(given, name, 0, 2 ^ 31))}
  elseif device.is(given) then
    given:id() -- refuses a part that was closed
    list[#list + 1] = {device = given}
  elseif shown.kind_of(given) == "context" and given.handle then
    for _, each in ipairs(given.devices) do list[#list + 1] = {device = each, context = given} end
  else
    argument.refuse(name, allowed, given)
  end
end

--- The devices that a parameter means. A device that a list names twice comes twice. Raises an error object if there is
-- no such device.
-- @param given a text as --device takes it, a device or a part of one, its ordinal, a context (all of its devices), or
--   a list of these; nil: what --device or CLUE_DEVICE names, else the best device
-- @tparam string name of the parameter, for messages
-- @treturn {table,...} device; context: the one that the script gave, or nil
function devices.of(given, name)
  local list = {}
  if not argument.is_plain(given) then
    add(list, given, name)
    return list
  end
  local count = argument.list(given, name)
  if count == 0 then argument.fail("%s must name a device at least, but the list is empty", name) end
  for i = 1, count do add(list, given[i], ("%s[%d]"):format(name, i)) end
  return list
end

return devices
