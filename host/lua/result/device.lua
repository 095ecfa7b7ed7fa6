--- Devices in documents: the facts that are kept, their limits, and which devices are of one kind.
local binding = require "clue.binding"
local map = require("clue.shared.list").map

local device = {}

--- The facts that documents keep.
-- @tparam device of
-- @treturn table ordinal, address, name, kind, platform, platform_version, driver, version, loader, compute_units, mhz
function device.facts(of)
  return {ordinal = of.ordinal, address = of.address, name = of.name, kind = of.kind,
          platform = of.platform.name, platform_version = of.platform.version, driver = of.driver_version,
          version = of.version, loader = binding.loader_name(), compute_units = of.max_compute_units,
          mhz = of.max_clock_frequency}
end

--- The device that a document lists under an address.
-- @tparam table document
-- @tparam string address "0:0"
-- @treturn ?table its facts
-- @treturn ?int its place in the list
function device.find(document, address)
  for i, each in ipairs(document.devices or {}) do
    if each.address == address then return each, i end
  end
end

--- The same; of a device that is not in the list, what is known: its address.
-- @tparam table document
-- @tparam string address
-- @treturn table its facts
-- @treturn int its place in the list, or behind it
function device.at(document, address)
  local found, place = device.find(document, address)
  return found or {address = address}, place or #(document.devices or {}) + 1
end

--- A run with its device, as views take it.
-- @tparam table document
-- @tparam table run of the document
-- @treturn table run; device (its address), rows, left_out: the run's; facts: of the device, as far as they are known;
--   called: the device's name, or its address; place: of the device in the list, or behind it; peak: the device's
--   limits, nil if the document has none
function device.of_run(document, run)
  local facts, place = device.find(document, run.device)
  local first = (run.rows or {})[1]
  facts = facts or first and first.device or {address = run.device}
  return {run = run, device = run.device, rows = run.rows, left_out = run.left_out, facts = facts,
          place = place or #(document.devices or {}) + 1, peak = facts.peak,
          called = facts.name or facts.address}
end

--- The highest of a device's bandwidths of global memory.
-- @tparam table peak the device's limits, see @{clue.peak.measure}
-- @treturn ?number bytes in a second; nil if none was measured
function device.bandwidth(peak)
  local best
  for _, value in pairs(peak.bandwidth or {}) do
    if type(value) == "number" and value > 0 then best = math.max(best or 0, value) end
  end
  return best
end

local fields = {"platform", "name", "driver", "compute_units"}

--- What tells kinds of devices apart: platform, name, driver and number of compute units. Virtual machines show
-- different parts of one processor under its name. Limits are kept for a kind, and times of two kinds never mixed.
-- @tparam table facts of @{facts}, or some with these names
-- @treturn {string,...} platform, name, driver, compute units; "" for what is unknown
function device.kind(facts)
  return map(fields, function(name) return tostring(facts[name] or ""):gsub("%.0$", "") end)
end

return device
