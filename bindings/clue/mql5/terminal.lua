--- TerminalInfoInteger, for the one property that OpenCL scripts query, and IsStopped.
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local binding = require "clue.binding"
local device = require "clue.device"
local errors = require "clue.mql5.errors"
local options = require "clue.options"

local terminal = {}

-- The highest version of all devices, 0x00010002 for 1.2; 0 if there are no devices.
local function opencl_support()
  if (binding.device_count() or 0) == 0 then return 0 end
  local highest = 0
  for _, each in ipairs(device.machine().devices) do
    local major, minor = (each.version or ""):match("^OpenCL (%d+)%.(%d+)")
    if major then highest = math.max(highest, tonumber(major) * 65536 + tonumber(minor)) end
  end
  return highest
end

--- A property of the terminal.
-- @tparam number property TERMINAL_OPENCL_SUPPORT
-- @treturn number the highest OpenCL version of any device, 0x00010002 for 1.2, 0 if there is no device;
-- for any other property 0 and the message
function terminal.TerminalInfoInteger(property)
  check.number("TerminalInfoInteger", 1, property)
  if property == constants.names.TERMINAL_OPENCL_SUPPORT then return opencl_support() end
  local reason = ("the property must be TERMINAL_OPENCL_SUPPORT, not %s"):format(check.show(property))
  return 0, errors.fail("TerminalInfoInteger", constants.errors.ERR_INVALID_PARAMETER, reason)
end

--- Whether the script is to end: Ctrl-C was pressed. From the first call on, the first Ctrl-C does not end the script,
-- so that it can end its loop and free what it has made. The next one ends it.
-- @treturn boolean
function terminal.IsStopped()
  return options.stopped ~= nil and options.stopped()
end

return {names = terminal}
