--- The properties that CLGetInfoInteger, CLGetInfoString and CLGetDeviceInfo take, and what answers for each.
-- MetaQuotes does not publish the values of these constants. Here each is OpenCL's own number of the property, so
-- CL_DEVICE_VENDOR means the same to CLGetInfoString and to CLGetDeviceInfo, and no number means two things. Properties
-- that OpenCL does not have are numbered from 0x5001, above OpenCL's numbers (0x0900 to 0x4FFF) and below handles
-- (65536 and more).
local known = require "clue.device_properties"

local properties = {names = {}}

-- The constant, what answers for it, and its number if device_properties does not have it.
local integers = {
  {"CL_DEVICE_COUNT", "count", 0x5001},
  {"CL_DEVICE_TYPE", "device"},
  {"CL_DEVICE_VENDOR_ID", "device"},
  {"CL_DEVICE_MAX_COMPUTE_UNITS", "device"},
  {"CL_DEVICE_MAX_CLOCK_FREQUENCY", "device"},
  {"CL_DEVICE_GLOBAL_MEM_SIZE", "device"},
  {"CL_DEVICE_LOCAL_MEM_SIZE", "device"},
  {"CL_BUFFER_SIZE", "buffer", 0x1102},
  {"CL_DEVICE_MAX_WORK_GROUP_SIZE", "device"},
  {"CL_KERNEL_WORK_GROUP_SIZE", "kernel", 0x11B0},
  {"CL_KERNEL_LOCAL_MEM_SIZE", "kernel", 0x11B2},
  {"CL_KERNEL_PRIVATE_MEM_SIZE", "kernel", 0x11B4},
  {"CL_LAST_ERROR", "last_error", 0x5002},
}

local strings = {
  {"CL_PLATFORM_NAME", "platform"},
  {"CL_PLATFORM_PROFILE", "platform"},
  {"CL_PLATFORM_VERSION", "platform"},
  {"CL_PLATFORM_VENDOR", "platform"},
  {"CL_PLATFORM_EXTENSIONS", "platform"},
  {"CL_DEVICE_NAME", "device"},
  {"CL_DEVICE_VENDOR", "device"},
  {"CL_DRIVER_VERSION", "device"},
  {"CL_DEVICE_PROFILE", "device"},
  {"CL_DEVICE_VERSION", "device"},
  {"CL_DEVICE_EXTENSIONS", "device"},
  {"CL_DEVICE_BUILT_IN_KERNELS", "device"},
  {"CL_DEVICE_OPENCL_C_VERSION", "device"},
  {"CL_ERROR_DESCRIPTION", "error_description", 0x5003},
}

-- What only CLGetDeviceInfo takes: the other numbers that MQL5 documents. Some of their answers are of no use to
-- scripts, and one has its name from before OpenCL 2.0.
local FIRST, LAST = 0x1000, 0x104B
local bytes = {
  {"CL_DEVICE_PLATFORM", "device", 0x1031},
  {"CL_DEVICE_QUEUE_PROPERTIES", "device", 0x102A},
  {"CL_DEVICE_PARENT_DEVICE", "device", 0x1042},
  {"CL_DEVICE_PARTITION_TYPE", "device", 0x1046},
  {"CL_DEVICE_REFERENCE_COUNT", "device", 0x1047},
}

local by_number = {}

local numbers = {} -- OpenCL's numbers, by the name of the constant
for _, what in ipairs {"platform", "device"} do
  for _, property in ipairs(known[what].list) do numbers[property.name] = property.number end
end

local function enter(list, reader)
  for _, entry in ipairs(list) do
    local name, source = entry[1], entry[2]
    local number = entry[3] or numbers[name]
    by_number[number] = by_number[number] or {name = name, source = source, number = number, reader = reader}
    properties.names[name] = number
  end
end

for _, property in ipairs(known.device.list) do
  local inside = property.number >= FIRST and property.number <= LAST
  if inside then bytes[#bytes + 1] = {property.name, "device"} end
end
enter(integers, "CLGetInfoInteger")
enter(strings, "CLGetInfoString")
enter(bytes, "CLGetDeviceInfo")

--- What a constant means.
-- @tparam number number a constant such as CL_DEVICE_NAME
-- @treturn ?table name, reader (the function that takes it), source ("device", "platform", "kernel", "buffer",
-- "count", "last_error", "error_description"), number; nil for any other number
function properties.find(number)
  return by_number[number]
end

return properties
