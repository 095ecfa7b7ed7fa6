--- Parts of devices (OpenCL: sub-devices): translates what device:partition{...} was given for OpenCL.
-- Used by clue.device, which makes the objects.
local binding = require "clue.binding"
local argument = require "clue.argument"
local error_object = require "clue.error"

local ways = {equally = 0x1086, by_counts = 0x1087, by_affinity_domain = 0x1088} -- CL_DEVICE_PARTITION_*
local known = {equally = "checked", by_counts = "checked", by_affinity_domain = "checked"}
local domains = { -- CL_DEVICE_AFFINITY_DOMAIN_*
  numa = 1, l4_cache = 2, l3_cache = 4, l2_cache = 8, l1_cache = 16, next_partitionable = 32,
}

local partition = {}

local readers = {}

function readers.equally(given)
  return {argument.whole(given, "equally", 1, 2 ^ 31)}
end

function readers.by_counts(given)
  if not argument.is_plain(given) then
    argument.refuse("by_counts", "a list of the compute units of each part", given)
  end
  if #given == 0 then argument.fail("by_counts must be a list of the compute units of each part, but it is empty") end
  for i, count in ipairs(given) do argument.whole(count, ("by_counts[%d]"):format(i), 1, 2 ^ 31) end
  return given
end

function readers.by_affinity_domain(given)
  return {argument.word(given, domains, "affinity domain")}
end

--- Divides a device. Raises an error object if it cannot be divided like this.
-- @tparam number id an ordinal, or the handle of a part
-- @tparam table how one of equally = n, by_counts = {n, ...}, by_affinity_domain = name
-- @treturn {number,...} handles of the parts
function partition.handles(id, how)
  local one_of = "one of {equally = n}, {by_counts = {n, ...}} and {by_affinity_domain = name}"
  if how == nil then argument.refuse("how", one_of, how) end
  argument.options(how, "how", known)
  local way, given = next(how)
  if way == nil or next(how, way) ~= nil then argument.fail("how must be %s", one_of) end
  return error_object.check(binding.device_partition(id, ways[way], readers[way](given)))
end

return partition
