--- The facts about a device that documents of `clue walk` and `clue peak` keep.
-- @module clue.result.device_facts
local binding = require "clue.binding"

--- Takes a device's facts.
-- @tparam device device
-- @treturn table ordinal, address, name, kind, platform, platform_version, driver, version, loader, compute_units, mhz
return function(device)
  return {ordinal = device.ordinal, address = device.address, name = device.name, kind = device.kind,
          platform = device.platform.name, platform_version = device.platform.version, driver = device.driver_version,
          version = device.version, loader = binding.loader_name(), compute_units = device.max_compute_units,
          mhz = device.max_clock_frequency}
end
