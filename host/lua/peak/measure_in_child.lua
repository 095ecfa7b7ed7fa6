--- Runs in the child processes of `clue peak`: measures one group of limits on one device.
--
-- Only clue.peak.measure calls this, in processes that it starts. Each result is sent at once, as a line of JSON
-- through descriptor 3, so a crash does not lose what was measured before.
local failure = require "clue.failure"
local facts_of = require("clue.result.device").facts
local send = require("clue.shared.parent").send

local measuring = {}

local modules = {
  compute = "clue.peak.compute", tensor = "clue.peak.tensor", global = "clue.peak.global",
  ["local"] = "clue.peak.local_memory", caches = "clue.peak.caches", transfer = "clue.peak.transfer",
  latency = "clue.peak.latency",
}

local function text_of(problem)
  return failure.text(problem)
end

-- Measures one limit. If a driver refuses it (too many registers, no memory), the others are still measured.
local function limit_of(group, facts, measure)
  local limit = facts
  limit.group = group
  if limit.skipped then return limit end
  local done, measured = pcall(measure)
  if not done then
    limit.failed = text_of(measured)
    return limit
  end
  for name, value in pairs(measured) do limit[name] = value end
  return limit.times and require("clue.peak.series").summarise(limit) or limit
end

--- Measures a group of limits, and sends each; or why there are no more.
-- @tparam string group "compute", "tensor", "global", "local", "caches", "transfer" or "latency"
-- @tparam string device its address
-- @tparam string ... the names of the limits, "float, at most"; none: all
function measuring.run(group, device, ...)
  local names = {...}
  local function is_wanted(facts)
    for _, name in ipairs(names) do
      if name == facts.name then return true end
    end
    return #names == 0
  end
  local done, problem = pcall(function()
    local devices = require "clue.device"
    local ordinal = devices.pick(device)
    send {device = facts_of(devices.get(ordinal))}
    require(modules[group]).run(require("clue.peak.stand").new(ordinal), function(facts, measure)
      if not is_wanted(facts) then return end
      send {progress = facts.name}
      send {limit = limit_of(group, facts, measure)}
    end)
    send {done = true}
  end)
  if done then return end
  send {failed = text_of(problem)}
  error() -- without words: the parent has them
end

return measuring
