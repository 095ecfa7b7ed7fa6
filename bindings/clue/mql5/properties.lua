--- The properties that CLGetInfoInteger and CLGetInfoString take, and where each comes from.
-- MetaQuotes does not publish the values of these constants. Here they count from 20481: no handles (65536 and more),
-- no ordinals, and none of OpenCL's own numbers (0x1000 to 0x4FFF), which CLGetDeviceInfo takes under the same names;
-- so one in the other's place is found and told.
local known = require "clue.device_properties"

local properties = { names = {} }

local FIRST = 0x5001

-- The constant, what answers for it, and OpenCL's number where device_properties does not have it.
local integers = {
  { "CL_DEVICE_COUNT", "count" },
  { "CL_DEVICE_TYPE", "device" },
  { "CL_DEVICE_VENDOR_ID", "device" },
  { "CL_DEVICE_MAX_COMPUTE_UNITS", "device" },
  { "CL_DEVICE_MAX_CLOCK_FREQUENCY", "device" },
  { "CL_DEVICE_GLOBAL_MEM_SIZE", "device" },
  { "CL_DEVICE_LOCAL_MEM_SIZE", "device" },
  { "CL_BUFFER_SIZE", "buffer" },
  { "CL_DEVICE_MAX_WORK_GROUP_SIZE", "device" },
  { "CL_KERNEL_WORK_GROUP_SIZE", "kernel", 0x11B0 },
  { "CL_KERNEL_LOCAL_MEM_SIZE", "kernel", 0x11B2 },
  { "CL_KERNEL_PRIVATE_MEM_SIZE", "kernel", 0x11B4 },
  { "CL_LAST_ERROR", "last_error" },
}

local strings = {
  { "CL_PLATFORM_NAME", "platform" },
  { "CL_PLATFORM_PROFILE", "platform" },
  { "CL_PLATFORM_VERSION", "platform" },
  { "CL_PLATFORM_VENDOR", "platform" },
  { "CL_PLATFORM_EXTENSIONS", "platform" },
  { "CL_DEVICE_NAME", "device" },
  { "CL_DEVICE_VENDOR", "device" },
  { "CL_DRIVER_VERSION", "device" },
  { "CL_DEVICE_PROFILE", "device" },
  { "CL_DEVICE_VERSION", "device" },
  { "CL_DEVICE_EXTENSIONS", "device" },
  { "CL_DEVICE_BUILT_IN_KERNELS", "device" },
  { "CL_DEVICE_OPENCL_C_VERSION", "device" },
  { "CL_ERROR_DESCRIPTION", "error_description" },
}

local by_value, by_number = {}, {}

local numbers = {} -- OpenCL's, by the name of the constant
for _, what in ipairs { "platform", "device" } do
  for _, property in ipairs(known[what].list) do
    numbers[property.name] = property.number
    if what == "device" then by_number[property.number] = property.name end
  end
end

local function enter(list, first, reader)
  for i, entry in ipairs(list) do
    local name, source, number = entry[1], entry[2], entry[3]
    local value = first + i - 1
    by_value[value] = { name = name, source = source, number = number or numbers[name], reader = reader }
    properties.names[name] = value
  end
end
enter(integers, FIRST, "CLGetInfoInteger")
enter(strings, FIRST + #integers, "CLGetInfoString")

--- What a constant means.
-- @tparam number value as a script names it, CL_DEVICE_NAME
-- @treturn ?table name, reader (the function that takes it), source ("device", "platform", "kernel", "buffer",
-- "count", "last_error", "error_description"), number (OpenCL's); nil for any other number
function properties.find(value)
  return by_value[value]
end

--- The name of one of OpenCL's numbers.
-- @tparam number number 0x102B
-- @treturn ?string "CL_DEVICE_NAME"
function properties.opencl_name(number)
  return by_number[number]
end

return properties
