--- OpenCL through clue.h: platforms and devices.
-- Plain functions; results come back as Lua values, a failure as nil (binding.error() then tells).
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local result = require "clue.ffi.result"

local int, long, typed = argument.int, argument.long, argument.typed
local int_out, int_result, bytes_of = result.int_out, result.int, result.bytes

local binding = {}

local int_out2 = ffi.new("int32_t[1]")

--- @treturn string name and version of the ICD loader, "" where it does not tell
function binding.loader_name()
  return ffi.string(C.clue_loader_name())
end

--- @treturn ?number how many platforms there are
function binding.platform_count()
  return int_result(C.clue_platform_count(int_out))
end

--- @treturn ?number how many devices all platforms have
function binding.device_count()
  return int_result(C.clue_device_count(int_out))
end

--- Where a device stands.
-- @tparam number ordinal counted over all platforms, from 0
-- @treturn ?number its platform, from 0
-- @treturn ?number its index there, from 0
function binding.device_locate(ordinal)
  int(ordinal, 1, "device_locate")
  if C.clue_device_locate(int_out, int_out2, ordinal) ~= 0 then return nil end
  return int_out[0], int_out2[0]
end

--- The device of anything.
-- @tparam number id an ordinal or any handle
-- @treturn ?number the ordinal that it means
function binding.device_of(id)
  int(id, 1, "device_of")
  return int_result(C.clue_device_of(int_out, id))
end

--- What a platform tells of itself.
-- @tparam number platform from 0
-- @tparam number property CL_PLATFORM_*
-- @treturn ?string the property's raw bytes
function binding.platform_bytes(platform, property)
  int(platform, 1, "platform_bytes")
  int(property, 2, "platform_bytes")
  return bytes_of(C.clue_platform_info, platform, property)
end

--- What a device tells of itself.
-- @tparam number id an ordinal or any handle
-- @tparam number property CL_DEVICE_*
-- @treturn ?string the property's raw bytes
function binding.device_bytes(id, property)
  int(id, 1, "device_bytes")
  int(property, 2, "device_bytes")
  return bytes_of(C.clue_device_info, id, property)
end

--- Divides a device.
-- @tparam number id an ordinal, or the handle of a part
-- @tparam number property CL_DEVICE_PARTITION_*
-- @tparam table values numbers: compute units of each part; of the first, the second, ...; or a domain
-- @treturn ?table handles of its parts
function binding.device_partition(id, property, values)
  int(id, 1, "device_partition")
  int(property, 2, "device_partition")
  typed(values, "table", 3, "device_partition")
  local count = #values
  local cells = ffi.new("int64_t[?]", math.max(count, 1))
  for i = 1, count do cells[i - 1] = long(values[i], 3, "device_partition") end
  if C.clue_device_partition(nil, int_out, 0, id, property, cells, count) ~= 0 then return nil end
  local made = int_out[0]
  local handles = ffi.new("int32_t[?]", math.max(made, 1))
  if C.clue_device_partition(handles, int_out, made, id, property, cells, count) ~= 0 then return nil end
  local parts = {}
  for i = 1, int_out[0] do parts[i] = handles[i - 1] end
  return parts
end

return binding
