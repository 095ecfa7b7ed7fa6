--- Shared by the steps of the walkthrough amd that ask one question of a device, and by those about features that it
-- may lack: their size, how variants compare, checks, queries for features, the pragma that enables an extension.
-- @module clue.walk.amd
local figures = require "clue.shared.figures"
local lists = require "clue.shared.list"
local problem = require "clue.walk.problem"
local row_of = require "clue.result.row"
local sizes = require "clue.walk.size"
local text = require "clue.text"
local walk = require "clue.walk"

local amd = {}

--- Declares the inputs of a step:
-- --size and --repeat.
-- @tparam table input the script's `input`
-- @tparam[opt="1000003"] string default the size
-- @tparam[opt] string description of the size
function amd.inputs(input, default, description)
  problem.inputs(input, default or "1000003", description or "number of elements, if the step has any")
end

--- The number of elements for a step. Ends the script if
-- --size is wrong.
-- @tparam string size of --size
-- @tparam string name of the question
-- @tparam string default if the size is a list without this question
-- @tparam[opt] int most
-- @treturn int
function amd.count(size, name, default, most)
  return math.min(problem.passed(sizes.count(sizes.of_study(size, name, default))), most or 2 ^ 30)
end

--- The same for a step about an extension.
-- @tparam string size of --size
-- @tparam[opt] int most
-- @treturn int
function amd.elements(size, most)
  return amd.count(size, "extensions", "1000003", most)
end

--- How many times a step is to run, see @{clue.walk.problem.runs}.
amd.repeats = problem.runs

--- How many times as long as another variant of a sweep one took, by medians.
-- @tparam table one entry of a sweep
-- @tparam table other
-- @treturn string "3.42"
function amd.times_as_long(one, other)
  return figures.ratio(row_of.time(one).median / row_of.time(other).median)
end

-- ---- rounds ----

local function modulo_product(a, b)
  local low = b % 65536
  return (a * low + a * ((b - low) / 65536) % 65536 * 65536) % 2 ^ 32
end

-- What `rounds` rounds do to every x: 5^n x + (5^n - 1) / 4 modulo 2^32, by doubling n.
local function rounds_as_one(rounds)
  local factor, summand, step_factor, step_summand = 1, 0, 5, 1
  while rounds > 0 do
    if rounds % 2 == 1 then
      factor = modulo_product(factor, step_factor)
      summand = (modulo_product(summand, step_factor) + step_summand) % 2 ^ 32
    end
    step_summand = (modulo_product(step_summand, step_factor) + step_summand) % 2 ^ 32
    step_factor = modulo_product(step_factor, step_factor)
    rounds = math.floor(rounds / 2)
  end
  return factor, summand
end

--- Checks the results of x <- 5 x + 1 modulo 2^32, a number of times: work of any length that the host computes at
-- once. They began with their own place: 0, 1, 2, ...
-- @tparam array found of uint
-- @tparam int rounds
-- @treturn boolean
-- @treturn ?string what is wrong
function amd.check_rounds(found, rounds)
  local factor, summand = rounds_as_one(rounds)
  for i = 0, #found - 1 do
    local expected = (modulo_product(i, factor) + summand) % 2 ^ 32
    if found[i] ~= expected then
      return false, ("x %d after %d rounds is %.0f, should be %.0f"):format(i, rounds, found[i], expected)
    end
  end
  return true
end

-- ---- extensions ----

--- The extensions of a device.
-- @tparam device device
-- @treturn {string,...} sorted
function amd.names(device)
  return lists.keys(text.set(device.extensions or ""))
end

--- Skips a step unless the device has every extension that it needs.
-- @tparam table row as for @{clue.walk.skip}
-- @tparam context context
-- @tparam string ... their names
function amd.need(row, context, ...)
  for _, name in ipairs {...} do
    if not context.device:has_extension(name) then walk.skip(row, "the device has no " .. name, context) end
  end
end

--- Skips a step unless the device has one of several extensions.
-- @tparam table row as for @{clue.walk.skip}
-- @tparam context context
-- @tparam string ... their names, the best first
-- @treturn string the first that the device has
function amd.need_one(row, context, ...)
  for _, name in ipairs {...} do
    if context.device:has_extension(name) then return name end
  end
  return walk.skip(row, "the device has no " .. table.concat({...}, " or "), context)
end

--- Skips a step unless the device can be divided in a certain way.
-- @tparam table row as for @{clue.walk.skip}
-- @tparam context context
-- @tparam string way "equally", "by_counts", "by_affinity_domain"
function amd.need_partition(row, context, way)
  local ways = context.device.partition_properties or {}
  if not lists.any(ways, function(each) return each == way end) then
    walk.skip(row, ("the device cannot be divided %s (CL_DEVICE_PARTITION_PROPERTIES: %s)"):format(way:gsub("_", " "),
      #ways > 0 and table.concat(ways, ", ") or "none"), context)
  end
  if context.device.max_compute_units < 2 then
    walk.skip(row, ("needs 2 compute units, but the device has %d"):format(context.device.max_compute_units), context)
  end
end

--- The line of a kernel's source that enables extensions.
-- @tparam string ... their names
-- @treturn string
function amd.pragma(...)
  local lines = {}
  for i, name in ipairs {...} do lines[i] = ("#pragma OPENCL EXTENSION %s : enable\n"):format(name) end
  return table.concat(lines)
end

--- Counts how often each byte occurs, on the host.
-- @tparam array values of uchar
-- @treturn table by byte
function amd.histogram(values)
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
function amd.same_bins(bins, expected)
  for byte = 0, 255 do
    if bins[byte] ~= expected[byte] then
      return false, ("value %d is counted %.0f times, should be %.0f"):format(byte, bins[byte], expected[byte])
    end
  end
  return true
end

return amd
