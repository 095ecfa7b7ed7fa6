--- Parts of devices (OpenCL: sub-devices): what device:partition{...} was asked for, as OpenCL takes it.
-- Used by clue.device, which makes the objects.
local binding = require "clue.binding"
local error_object = require "clue.error"

local ways = {equally = 0x1086, by_counts = 0x1087, by_affinity_domain = 0x1088} -- CL_DEVICE_PARTITION_*
local domains = { -- CL_DEVICE_AFFINITY_DOMAIN_*
  numa = 1, l4_cache = 2, l3_cache = 4, l2_cache = 8, l1_cache = 16, next_partitionable = 32,
}

local partition = {}

local function refuse(message, ...)
  error(error_object.new {text = ("device:partition: " .. message):format(...)}, 0)
end

local function is_count(value)
  return type(value) == "number" and value % 1 == 0 and value >= 1 and value < 2 ^ 31
end

local readers = {}

function readers.equally(given)
  if is_count(given) then return {given} end
  return refuse("equally = the compute units of each part, not %s", tostring(given))
end

function readers.by_counts(given)
  if type(given) ~= "table" or #given == 0 then
    refuse("by_counts = {compute units of the first part, of the second, ...}, not %s", tostring(given))
  end
  for i, count in ipairs(given) do
    if not is_count(count) then refuse("by_counts: part %d cannot have %s compute units", i, tostring(count)) end
  end
  return given
end

function readers.by_affinity_domain(given)
  if domains[given] then return {domains[given]} end
  return refuse("by_affinity_domain = \"numa\", \"l4_cache\", \"l3_cache\", \"l2_cache\", \"l1_cache\" or "
    .. "\"next_partitionable\", not %s", tostring(given))
end

--- Divides a device; raises an error object where it cannot be divided so.
-- @tparam number id an ordinal, or the handle of a part
-- @tparam table how one of equally = n, by_counts = {n, ...}, by_affinity_domain = name
-- @treturn {number,...} handles of the parts
function partition.handles(id, how)
  local way, given
  if type(how) == "table" then way, given = next(how) end
  if not ways[way] or next(how, way) ~= nil then
    refuse("one of {equally = n}, {by_counts = {n, ...}} and {by_affinity_domain = name} is needed")
  end
  return error_object.check(binding.device_partition(id, ways[way], readers[way](given)))
end

return partition
