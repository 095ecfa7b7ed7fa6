--- Shared by steps about features that a device may lack: queries for them, and the pragma that enables an extension.
-- @module clue.walk.extension
local counted = require("clue.text").count
local problem = require "clue.walk.problem"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

local extension = {}

--- Declares the inputs of every step:
-- --size and --repeat.
-- @tparam table input the script's `input`
function extension.inputs(input)
  problem.inputs(input, "1000003", "number of elements, if the step has any")
end

--- The number of elements for a step. Ends the script if
-- --size is wrong.
-- @tparam string text of --size
-- @tparam[opt] int most
-- @treturn int
function extension.count(text, most)
  local count = problem.passed(sizes.count(sizes.of_study(text, "extensions", "1000003")))
  return math.min(count, most or 2 ^ 30)
end

--- How many times a step is to run, see @{clue.walk.problem.runs}.
extension.repeats = problem.runs

--- The extensions of a device.
-- @tparam device device
-- @treturn {string,...} sorted
function extension.names(device)
  local names, seen = {}, {}
  for name in (device.extensions or ""):gmatch "%S+" do
    if not seen[name] then names[#names + 1] = name end
    seen[name] = true
  end
  table.sort(names)
  return names
end

--- Skips a step unless the device has every extension that it needs.
-- @tparam table row as for @{clue.walk.skip}
-- @tparam context context
-- @tparam string ... their names
function extension.need(row, context, ...)
  for _, name in ipairs {...} do
    if not context.device:has_extension(name) then walk.skip(row, "the device has no " .. name, context) end
  end
end

--- Skips a step unless the device has one of several extensions.
-- @tparam table row as for @{clue.walk.skip}
-- @tparam context context
-- @tparam string ... their names, the best first
-- @treturn string the first that the device has
function extension.need_one(row, context, ...)
  for _, name in ipairs {...} do
    if context.device:has_extension(name) then return name end
  end
  return walk.skip(row, "the device has no " .. table.concat({...}, " or "), context)
end

--- Skips a step unless the device can be divided in a certain way.
-- @tparam table row as for @{clue.walk.skip}
-- @tparam context context
-- @tparam string way "equally", "by_counts", "by_affinity_domain"
-- @tparam int units the least number of compute units that it needs
function extension.need_partition(row, context, way, units)
  local ways, can = context.device.partition_properties or {}, false
  for _, each in ipairs(ways) do can = can or each == way end
  if not can then
    walk.skip(row, ("the device cannot be divided %s (CL_DEVICE_PARTITION_PROPERTIES: %s)"):format(way:gsub("_", " "),
      #ways > 0 and table.concat(ways, ", ") or "none"), context)
  end
  if context.device.max_compute_units < units then
    walk.skip(row, ("needs %s, but the device has %d"):format(counted(units, "compute unit"),
      context.device.max_compute_units), context)
  end
end

--- The line of a kernel's source that enables extensions.
-- @tparam string ... their names
-- @treturn string
function extension.pragma(...)
  local lines = {}
  for i, name in ipairs {...} do lines[i] = ("#pragma OPENCL EXTENSION %s : enable\n"):format(name) end
  return table.concat(lines)
end

--- Counts how often each byte occurs, on the host.
-- @tparam array values of uchar
-- @treturn table by byte
function extension.histogram(values)
  local bins = {}
  for byte = 0, 255 do bins[byte] = 0 end
  for i = 0, #values - 1 do
    local byte = values[i]
    bins[byte] = bins[byte] + 1
  end
  return bins
end

--- Compares bins with those of the host.
-- @param bins found, by byte
-- @tparam table expected
-- @treturn boolean
-- @treturn ?string what is wrong
function extension.same_bins(bins, expected)
  for byte = 0, 255 do
    if bins[byte] ~= expected[byte] then
      return false, ("value %d is counted %.0f times, should be %.0f"):format(byte, bins[byte], expected[byte])
    end
  end
  return true
end

return extension
