--- MQL5's queries: CLGetInfoInteger, CLGetInfoString, CLGetDeviceInfo. A device's ordinal may stand for a handle; a
-- handle means the device of its context.
local binding = require "clue.binding"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local errors = require "clue.mql5.errors"
local info = require "clue.device_info"
local properties = require "clue.mql5.properties"
local unsigned = require("clue.bytes").unsigned
local with_article = require("clue.shown").with_article

local codes = constants.errors
local CL_LAST_ERROR = properties.names.CL_LAST_ERROR
local FIRST_HANDLE = properties.FIRST_HANDLE

local questions = {names = {}}
for name, value in pairs(properties.names) do questions.names[name] = value end

-- ---- where answers come from ------------------------------------------------------------------------------------

local function of_platform(id, property)
  local ordinal = binding.device_of(id)
  local platform = ordinal and binding.device_locate(ordinal)
  return platform and binding.platform_bytes(platform, property.number)
end

-- Why a handle is of the wrong kind, with MQL5's code; nothing if the kind is right, or if the binding will say why it
-- is no handle.
local function kind_reason(kind, id, property)
  local found = binding.handle_kind(id)
  if found == kind or not found then return nil end
  return ("%s needs a %s, but %.0f is %s"):format(property.name, kind, id, with_article(found)),
    codes.ERR_OPENCL_INVALID_HANDLE
end

local function of_kernel(id, property)
  local reason, code = kind_reason("kernel", id, property)
  if reason then return nil, reason, code end
  return binding.kernel_group_bytes(id, property.number)
end

local function of_buffer(id, property)
  local reason, code = kind_reason("buffer", id, property)
  if reason then return nil, reason, code end
  return binding.memory_size(id)
end

local function describe_error(id)
  local code = id == CL_LAST_ERROR and errors.last_opencl_code() or id
  if code >= FIRST_HANDLE then
    return nil, ("%.0f is a handle, not an error code: give CL_LAST_ERROR, or what CLGetInfoInteger(0, CL_LAST_ERROR) "
      .. "returned"):format(code), codes.ERR_INVALID_PARAMETER
  end
  return binding.error_name(code) or ("unknown OpenCL error %.0f"):format(code)
end

-- Each returns the bytes or the value; nil if the binding failed; or nil, a reason and its code.
local sources = {
  buffer = of_buffer,
  count = function() return binding.device_count() end,
  device = function(id, property) return binding.device_bytes(id, property.number) end,
  error_description = describe_error,
  kernel = of_kernel,
  last_error = function() return errors.last_opencl_code() end,
  platform = of_platform,
}

-- ---- asking -----------------------------------------------------------------------------------------------------

local EXAMPLES = {CLGetInfoInteger = "CL_DEVICE_MAX_COMPUTE_UNITS", CLGetInfoString = "CL_DEVICE_NAME"}

local function property_reason(name, value)
  local property = properties.find(value)
  if property and property.reader == name then return nil end
  if property then return ("ask %s for %s"):format(property.reader, property.name) end
  return ("%s is none of %s's properties, such as %s"):format(check.show(value), name, EXAMPLES[name])
end

-- Returns the answer, or nil and the message.
local function ask(name, handle, value)
  local reason = check.small(name, 1, handle, "handle")
  local code = codes.ERR_OPENCL_INVALID_HANDLE
  check.number(name, 2, value, "constant such as " .. EXAMPLES[name])
  if not reason then reason, code = property_reason(name, value), codes.ERR_INVALID_PARAMETER end
  local answer
  if not reason then
    local property = properties.find(value)
    answer, reason, code = sources[property.source](handle, property)
  end
  if answer then return answer end
  if reason then return nil, errors.fail(name, code, reason) end
  return nil, (errors.fail_of_binding(name))
end

--- A property that is a number.
-- @tparam number handle any handle, or the ordinal of a device; CL_DEVICE_COUNT and CL_LAST_ERROR ignore it,
-- CL_BUFFER_SIZE needs a buffer, CL_KERNEL_* a kernel
-- @tparam number property CL_DEVICE_COUNT, CL_DEVICE_TYPE (bits such as CL_DEVICE_GPU),
-- CL_DEVICE_VENDOR_ID, CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_MAX_CLOCK_FREQUENCY (MHz), CL_DEVICE_GLOBAL_MEM_SIZE,
-- CL_DEVICE_LOCAL_MEM_SIZE, CL_BUFFER_SIZE (bytes), CL_DEVICE_MAX_WORK_GROUP_SIZE, CL_KERNEL_WORK_GROUP_SIZE
-- (work-items), CL_KERNEL_LOCAL_MEM_SIZE, CL_KERNEL_PRIVATE_MEM_SIZE (bytes), CL_LAST_ERROR: OpenCL's code of the
-- last CL call that OpenCL, or clue's checks before it, refused; 0 if there was none. ResetLastError() keeps it
-- @treturn number -1 and the message on failure
function questions.names.CLGetInfoInteger(handle, property)
  local answer, message = ask("CLGetInfoInteger", handle, property)
  if not answer then return -1, message end
  return type(answer) == "string" and unsigned(answer) or answer
end

--- A property that is a text.
-- @tparam number handle any handle, or the ordinal of a device; for CL_ERROR_DESCRIPTION an error code of OpenCL or
-- CL_LAST_ERROR
-- @tparam number property CL_PLATFORM_NAME, _PROFILE, _VERSION, _VENDOR, _EXTENSIONS, CL_DEVICE_NAME, _VENDOR,
-- _PROFILE, _VERSION, _EXTENSIONS, _BUILT_IN_KERNELS, _OPENCL_C_VERSION, CL_DRIVER_VERSION, CL_ERROR_DESCRIPTION
-- @param ... nothing: MQL5's third parameter is the second result
-- @treturn boolean
-- @treturn string "" on failure; "unknown OpenCL error N" for a code that OpenCL does not define
-- @treturn ?string the message on failure
function questions.names.CLGetInfoString(handle, property, ...)
  check.output("CLGetInfoString", 3, "the text is the second result: ok, text = ...", ...)
  local answer, message = ask("CLGetInfoString", handle, property)
  if not answer then return false, "", message end
  return true, info.text(answer)
end

-- ---- raw bytes --------------------------------------------------------------------------------------------------

local function id_reason(id)
  local property = properties.find(id)
  if property and property.source ~= "device" then
    return ("%s is not a property of a device: ask %s for it"):format(property.name, property.reader)
  elseif id < 0x1000 or id > 0x4FFF then
    return ("%s is not a number of a device's property: those are 0x1000 to 0x4FFF"):format(check.show(id))
  end
end

local function check_data(data)
  check.array("CLGetDeviceInfo", 3, data)
  if data:type() ~= "uchar" then check.refuse("CLGetDeviceInfo", 3, "uchar array", data, "array.uchar(0) makes one") end
end

-- Puts the bytes at the start of an array, which grows if it is too short. Returns the reason if it cannot.
local function store(data, bytes)
  if #data < #bytes and binding.array_owner(data) then
    return ("the property has %d bytes, data only %.0f, and it cannot grow because it lies in a buffer"):format(#bytes,
      #data)
  end
  if #data < #bytes then data:resize(#bytes) end
  binding.array_set_bytes(data, 0, bytes)
end

--- Any property of a device, as bytes.
-- @tparam number handle any handle, or the ordinal of a device
-- @tparam number property_id CL_DRIVER_VERSION, CL_DEVICE_VENDOR or any other CL_DEVICE_*; or OpenCL's number, also of
-- an extension
-- @tparam array data of uchar, which gets the bytes at its start; it grows if it is too short, else it keeps its size
-- @param ... nothing: MQL5's fourth parameter is the second result
-- @treturn boolean
-- @treturn number how many bytes there are, 0 on failure
-- @treturn ?string the message on failure, which leaves data unchanged
function questions.names.CLGetDeviceInfo(handle, property_id, data, ...)
  local reason = check.small("CLGetDeviceInfo", 1, handle, "handle")
  local bad_id = check.small("CLGetDeviceInfo", 2, property_id, "property") or id_reason(property_id)
  check_data(data)
  check.output("CLGetDeviceInfo", 4, "the size is the second result: ok, size = ...", ...)
  if reason then return false, 0, errors.fail("CLGetDeviceInfo", codes.ERR_OPENCL_INVALID_HANDLE, reason) end
  if bad_id then return false, 0, errors.fail("CLGetDeviceInfo", codes.ERR_INVALID_PARAMETER, bad_id) end
  local bytes = binding.device_bytes(handle, property_id)
  if not bytes then return false, 0, (errors.fail_of_binding("CLGetDeviceInfo")) end
  local full = store(data, bytes)
  if full then return false, 0, errors.fail("CLGetDeviceInfo", codes.ERR_INVALID_PARAMETER, full) end
  return true, #bytes
end

return questions
