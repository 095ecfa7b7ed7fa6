--- What CLContextCreate's argument means, and which device a script's
-- --device names. If a text chose the ordinal (--device gpu, for an int input), the announcement repeats the text's
-- reason.
local binding = require "clue.binding"
local check = require "clue.mql5.check"
local choice = require "clue.device_choice"
local constants = require "clue.mql5.constants"
local device = require "clue.device"
local failure = require "clue.failure"
local options = require "clue.options"
local output = require "clue.output"
local FIRST_HANDLE = require("clue.mql5.properties").FIRST_HANDLE

local names, codes = constants.names, constants.errors

local devices = {}

local remembered = {} -- by ordinal: the device that a text chose

-- What device.pick chose, or nil and the reason why it chose none.
local function pick(spec, origin)
  local done, ordinal, why, again = failure.caught(device.pick, spec, origin)
  if done then return {ordinal = ordinal, why = why, again = again} end
  return nil, ordinal.text -- the error object's
end

-- ---- --device ---------------------------------------------------------------------------------------------------

--- The ordinal for an input that names a device.
-- @tparam ?string spec what the script was given, nil if nothing
-- @treturn ?number nil if neither spec nor --device nor the environment names a device, or if what names one is wrong
-- @treturn ?string what is wrong
function devices.input(spec)
  if not device.asked_for(spec) then return nil end
  local chosen, problem = pick(spec, spec and "--device" or nil)
  if not chosen then return nil, problem end
  remembered[chosen.ordinal] = chosen
  return chosen.ordinal
end

--- Makes CL_USE_ANY mean a device.
-- @tparam string spec
-- @treturn ?string what is wrong with it
function devices.set(spec)
  options.device = spec
  local _, problem = pick()
  return problem
end

-- ---- CLContextCreate --------------------------------------------------------------------------------------------

local function what_there_is()
  return choice.there_is(device.machine().devices)
end

local function best(kind, accept, missing)
  local ordinal, why, again = device.best(kind, accept)
  if not ordinal then return nil, (missing or why) .. what_there_is() end
  return {ordinal = ordinal, why = why, again = again}
end

local has_double = function(each) return each:has_double() end

--- Whether the script has inputs: then its --device is read. @{clue.mql5.inputs} replaces this.
-- @treturn boolean
function devices.has_inputs()
  return false
end

-- A script without inputs gets all options after its name, so a --device there chooses nothing.
local function note_unread_option()
  if options.quiet or rawget(_G, "OnStart") or devices.has_inputs() then return end
  for _, word in ipairs(arg or {}) do
    if tostring(word):find "^%-%-device" then
      output.err:write(("clue: note: %s comes after the script's name, so the script gets it; clue's own options "
        .. "come first: clue --device SPEC %s\n"):format(word, arg[0]))
      return
    end
  end
end

local classes = {
  [names.CL_USE_ANY] = function()
    note_unread_option()
    return pick()
  end,
  [names.CL_USE_CPU_ONLY] = function() return best("cpu") end,
  [names.CL_USE_GPU_ONLY] = function() return best("gpu") end,
  [names.CL_USE_GPU_DOUBLE_ONLY] = function() return best("gpu", has_double, "there is no GPU with double") end,
}

local function by_ordinal(ordinal)
  if ordinal < 0 or ordinal ~= math.floor(ordinal) then
    return nil, ("%s is neither an ordinal nor one of CL_USE_*"):format(check.show(ordinal))
  end
  local found = ordinal < FIRST_HANDLE and binding.device_of(ordinal) and device.get(ordinal)
  if not found then return nil, ("there is no device %s"):format(check.show(ordinal)) .. what_there_is() end
  return remembered[ordinal]
    or {ordinal = found.ordinal, why = "the script asks for it", again = "--device " .. found.address}
end

--- Finds the device for a context.
-- @tparam string name of the MQL5 function, for errors
-- @tparam ?number given
-- @treturn ?table ordinal, why and again; nil on failure
-- @treturn ?string the reason
-- @treturn ?number MQL5's code
function devices.choose(name, given)
  if given == nil then given = names.CL_USE_ANY end
  if type(given) ~= "number" then
    check.refuse(name, "device", "number", given, type(given) == "string" and
      'require("clue").device.pick("gpu") gives the number of a device, by class, place or part of its name' or nil)
  end
  local count = binding.device_count()
  local chosen, reason
  if count == 0 or not count then
    chosen, reason = pick()
  else
    chosen, reason = (classes[given] or by_ordinal)(given)
  end
  if chosen then return chosen end
  return nil, reason, count and count > 0 and codes.ERR_OPENCL_SELECTDEVICE or codes.ERR_OPENCL_NOT_SUPPORTED
end

--- Writes to stderr which device was taken, and which of its results are wrong. Once per process.
-- @tparam table chosen
function devices.announce(chosen)
  device.announce(chosen.ordinal, chosen.why, chosen.again)
  device.warn(chosen.ordinal)
end

return devices
