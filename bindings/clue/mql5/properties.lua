--- The properties that CLGetInfoInteger, CLGetInfoString and CLGetDeviceInfo take, and what answers for each.
-- MetaQuotes does not publish the values of these constants. Here each is OpenCL's own number of the property, so
-- CL_DEVICE_VENDOR means the same to CLGetInfoString and to CLGetDeviceInfo, and no number means two things. Properties
-- that OpenCL does not have are numbered from 0x5001, above OpenCL's numbers (0x0900 to 0x4FFF) and below handles.
local known = require "clue.device_properties"

local properties = {names = {}}

--- The least handle, clue.h's CLUE_FIRST_HANDLE; smaller numbers are those of devices.
properties.FIRST_HANDLE = 65536

-- The constants that device_properties does not have, or has only by a newer name.
local numbers = {
  CL_DEVICE_COUNT = 0x5001, CL_LAST_ERROR = 0x5002, CL_ERROR_DESCRIPTION = 0x5003, CL_BUFFER_SIZE = 0x1102,
  CL_KERNEL_WORK_GROUP_SIZE = 0x11B0, CL_KERNEL_LOCAL_MEM_SIZE = 0x11B2, CL_KERNEL_PRIVATE_MEM_SIZE = 0x11B4,
  CL_DEVICE_PLATFORM = 0x1031, CL_DEVICE_QUEUE_PROPERTIES = 0x102A, CL_DEVICE_PARENT_DEVICE = 0x1042,
  CL_DEVICE_PARTITION_TYPE = 0x1046, CL_DEVICE_REFERENCE_COUNT = 0x1047,
}
for _, what in ipairs {"platform", "device"} do
  for _, property in ipairs(known[what].list) do numbers[property.name] = property.number end
end

local by_number = {}

local function enter(reader, source, names)
  for name in names:gmatch "%S+" do
    local number = numbers[name]
    by_number[number] = by_number[number] or {name = name, source = source, number = number, reader = reader}
    properties.names[name] = number
  end
end

enter("CLGetInfoInteger", "count", "CL_DEVICE_COUNT")
enter("CLGetInfoInteger", "last_error", "CL_LAST_ERROR")
enter("CLGetInfoInteger", "buffer", "CL_BUFFER_SIZE")
enter("CLGetInfoInteger", "kernel", "CL_KERNEL_WORK_GROUP_SIZE CL_KERNEL_LOCAL_MEM_SIZE CL_KERNEL_PRIVATE_MEM_SIZE")
enter("CLGetInfoInteger", "device", [[CL_DEVICE_TYPE CL_DEVICE_VENDOR_ID CL_DEVICE_MAX_COMPUTE_UNITS
  CL_DEVICE_MAX_CLOCK_FREQUENCY CL_DEVICE_GLOBAL_MEM_SIZE CL_DEVICE_LOCAL_MEM_SIZE CL_DEVICE_MAX_WORK_GROUP_SIZE]])
enter("CLGetInfoString", "error_description", "CL_ERROR_DESCRIPTION")
enter("CLGetInfoString", "platform", [[CL_PLATFORM_NAME CL_PLATFORM_PROFILE CL_PLATFORM_VERSION CL_PLATFORM_VENDOR
  CL_PLATFORM_EXTENSIONS]])
enter("CLGetInfoString", "device", [[CL_DEVICE_NAME CL_DEVICE_VENDOR CL_DRIVER_VERSION CL_DEVICE_PROFILE
  CL_DEVICE_VERSION CL_DEVICE_EXTENSIONS CL_DEVICE_BUILT_IN_KERNELS CL_DEVICE_OPENCL_C_VERSION]])

-- What only CLGetDeviceInfo takes: the other numbers that MQL5 documents. Some of their answers are of no use to
-- scripts, and one has its name from before OpenCL 2.0.
enter("CLGetDeviceInfo", "device", [[CL_DEVICE_PLATFORM CL_DEVICE_QUEUE_PROPERTIES CL_DEVICE_PARENT_DEVICE
  CL_DEVICE_PARTITION_TYPE CL_DEVICE_REFERENCE_COUNT]])
local FIRST, LAST = 0x1000, 0x104B
for _, property in ipairs(known.device.list) do
  if property.number >= FIRST and property.number <= LAST then enter("CLGetDeviceInfo", "device", property.name) end
end

--- What a constant means.
-- @tparam number number a constant such as CL_DEVICE_NAME
-- @treturn ?table name, reader (the function that takes it), source ("device", "platform", "kernel", "buffer",
-- "count", "last_error", "error_description"), number; nil for any other number
function properties.find(number)
  return by_number[number]
end

--- The constants that a function takes.
-- @tparam string reader "CLGetInfoInteger", "CLGetInfoString"
-- @treturn table numbers by name
function properties.read_by(reader)
  local found = {}
  for name, number in pairs(properties.names) do
    if by_number[number].reader == reader then found[name] = number end
  end
  return found
end

return properties
