--- Imaginary machines: replaces the binding's functions for platforms and devices, so that specs can choose among
-- cards that this machine lacks. Properties are raw bytes, as a driver gives them.
local binding = require "clue.binding"

local fake = {}

local replaced = {}

local function bytes_of(number, count)
  local bytes = {}
  for i = 1, count do
    bytes[i] = string.char(number % 256)
    number = math.floor(number / 256)
  end
  return table.concat(bytes)
end

local types = {default = 1, cpu = 2, gpu = 4, accelerator = 8, custom = 16}

local function type_bits(words)
  local bits = 0
  for word in words:gmatch("%a+") do bits = bits + types[word] end
  return bits
end

local function unhex(text)
  return (text:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

local function pci_bytes(address)
  local numbers = {}
  for part in address:gmatch("%x+") do numbers[#numbers + 1] = bytes_of(tonumber(part, 16), 4) end
  return table.concat(numbers)
end

-- The properties of a device by OpenCL's numbers.
local function device_properties(device)
  local extensions = device.extensions or ""
  if device.uuid then extensions = extensions .. " cl_khr_device_uuid" end
  if device.pci then extensions = extensions .. " cl_khr_pci_bus_info" end
  return {
    [0x102B] = device.name .. "\0",
    [0x102C] = (device.vendor or "ACME") .. "\0",
    [0x1000] = bytes_of(type_bits(device.type), 8),
    [0x1002] = bytes_of(device.units or 1, 4),
    [0x100C] = bytes_of(device.mhz or 1000, 4),
    [0x1027] = bytes_of(device.available == false and 0 or 1, 4),
    [0x101F] = bytes_of(device.memory or 2 ^ 30, 8),
    [0x1023] = bytes_of(device.local_memory or 2 ^ 15, 8),
    [0x102D] = "1.0\0",
    [0x102F] = (device.version or "OpenCL 1.2 fake") .. "\0",
    [0x1030] = extensions .. "\0",
    [0x1032] = bytes_of(device.double and 63 or 0, 8),
    [0x106A] = (device.uuid or device.plain_uuid) and unhex(device.uuid or device.plain_uuid),
    [0x410F] = device.pci and pci_bytes(device.pci),
  }
end

local function replace(name, by)
  if not replaced[name] then replaced[name] = binding[name] end
  binding[name] = by
end

--- Replaces the machine's platforms: {name =, vendor =, suffix =, devices = {{name =, type = "gpu", units =,
-- mhz =, vendor =, uuid =, plain_uuid = (without the extension), pci =, double =, extensions =, version =,
-- available =}, ...}}.
-- @tparam {table,...} platforms
-- @treturn table by device ordinal: a set of the numbers of all properties that are queried from now on
function fake.install(platforms)
  local devices, asked = {}, {}
  for p, platform in ipairs(platforms) do
    for i, device in ipairs(platform.devices) do
      devices[#devices + 1] = {platform = p - 1, index = i - 1, properties = device_properties(device)}
      asked[#devices - 1] = {}
    end
  end
  replace("platform_count", function() return #platforms end)
  replace("drivers_add", function() return true end)
  replace("drivers_added", function() return false end)
  replace("device_count", function() return #devices end)
  replace("device_locate", function(ordinal)
    local found = devices[ordinal + 1]
    if found then return found.platform, found.index end
  end)
  replace("error", function() return {detail = "there is no OpenCL device"} end)
  replace("device_of", function(id) return devices[id + 1] and id or nil end)
  replace("platform_bytes", function(index, property)
    local platform = platforms[index + 1]
    return ({
      [0x0901] = "OpenCL 1.2 fake\0",
      [0x0902] = platform.name .. "\0",
      [0x0903] = (platform.vendor or "ACME") .. "\0",
      [0x0904] = "cl_khr_icd\0",
      [0x0920] = (platform.suffix or "FAKE") .. "\0",
    })[property]
  end)
  replace("device_bytes", function(ordinal, property)
    asked[ordinal][property] = true
    return devices[ordinal + 1].properties[property]
  end)
  return asked
end

--- Restores the real machine.
function fake.restore()
  for name, original in pairs(replaced) do binding[name] = original end
  replaced = {}
end

return fake
