--- Measures a device's limits in child processes, one for each group of limits: a driver that crashes or hangs
-- affects only that group. This process loads no driver.
--
--     local measure = require "clue.peak.measure"
--     local document = measure.device {device = "0:0", groups = {"compute", "global"}, seconds = 120}
--     print(document.flops.float, document.bandwidth.copy)
local child = require "clue.shared.child"
local clue_options = require "clue.options"
local joined = require("clue.shared.list").joined
local list = require("clue.shared.json").list
local walk_document = require "clue.result.document"

local measure = {}

--- The value of the field `format` of a document.
measure.format = "clue peak 1"

--- The groups of limits, in their order.
measure.groups = {"compute", "tensor", "global", "local", "caches", "transfer", "latency"}

--- The name of the time of a kernel that does nothing.
measure.launch = "empty kernel"

-- ---- a document ----

-- Measures one group. Adds the limits to the document as they come, and what went wrong.
local function run_group(document, group, how)
  local now, complete, failed = nil, false, nil
  local words = joined({group, how.device}, how.names)
  local seen = child.call("clue.peak.measure_in_child", "run", words, {seconds = how.seconds,
    results = function(value)
      if value.device then document.device = value.device end
      if value.limit then
        document.limits[#document.limits + 1] = value.limit
        now = nil
      end
      now = value.progress or now
      complete = complete or value.done
      failed = failed or value.failed
      if how.progress then how.progress(group, now) end
    end}):follow()
  if complete and seen:is_well() then return end
  local word, text = seen:reason()
  document.failures[#document.failures + 1] = {group = group, at = now, word = word, text = failed or text,
                                               lines = list(failed and {} or seen:last_errors(12))}
end

local function larger(now, value)
  return math.max(now or 0, value)
end

-- The cycles of all compute units in a second; nil if unknown. The reported clock is right for a GPU, but for a CPU
-- it is only nominal.
local function cycles_of(document)
  local device, hertz = document.device, nil
  if device.kind == "gpu" or device.kind == "accelerator" then hertz = (device.mhz or 0) * 1e6 end
  for _, limit in ipairs(document.limits) do
    if limit.unit == "GHz" and limit.best and not limit.wrong then hertz = limit.best * 1e9 end
  end
  return hertz and hertz > 0 and hertz * (device.compute_units or 1) or nil
end

-- What a limit of caches is: bytes or stores in a second, or the seconds of a load.
local function add_cache(document, limit)
  if limit.unit == "ns" then
    document.loads[limit.way] = limit.best * 1e-9
  else
    document[limit.way == "stores" and "cache_stores" or "cache_bandwidth"] = limit.best * 1e9
  end
end

-- The limits of the fastest runs, at any width. The work of a compute unit in one cycle can be compared with its
-- instruction set: lanes times units, times two for a multiply-add.
local function summarise(document)
  local cycles = cycles_of(document)
  document.flops, document.tensor, document.bandwidth, document.loads = {}, {}, {}, {}
  document.local_bandwidth, document.cache_bandwidth, document.cache_stores, document.launch = nil, nil, nil, nil
  for _, limit in ipairs(document.limits) do
    local best = limit.best and not limit.wrong and limit.best * 1e9
    if best and limit.type then
      limit.per_cycle = cycles and best / cycles
      document.flops[limit.type] = larger(document.flops[limit.type], best)
    elseif best and limit.tensor then
      limit.per_cycle = cycles and best / cycles
      document.tensor[limit.tensor] = larger(document.tensor[limit.tensor], best)
    elseif best and limit.group == "global" then
      document.bandwidth[limit.way] = larger(document.bandwidth[limit.way], best)
    elseif best and limit.group == "local" then
      document.local_bandwidth = larger(document.local_bandwidth, best)
    elseif best and limit.group == "caches" then
      add_cache(document, limit)
    elseif best and limit.name == measure.launch then
      document.launch = limit.best * 1e-6
    end
  end
  return document
end

--- Measures a device.
-- @tparam table how device: its address, "0:0"; groups: which (default: all); names: of the limits to measure
--   (default: all); seconds: the limit of each group; progress: called with the group and the name of the limit that is
--   being measured; changed: called with the document after each group
-- @treturn table the document: format, clue, started, finished, machine, device, limits, failures, flops, bandwidth,
--   tensor (operations a second of tensor cores, by type), local_bandwidth, cache_bandwidth (of the cache that all
--   units share), cache_stores (to a line of it each, in a second), loads (seconds of one, by what serves it:
--   near, shared, memory), launch (seconds of a kernel that does nothing)
function measure.device(how)
  local document = {format = measure.format, clue = clue_options.version, started = walk_document.now(),
                    machine = walk_document.machine(), device = {address = how.device}, limits = list {},
                    failures = list {}}
  for _, group in ipairs(how.groups or measure.groups) do
    run_group(document, group, how)
    summarise(document)
    if how.changed then how.changed(document) end
  end
  document.finished = walk_document.now()
  return document
end

--- Whether every requested limit was measured and is right.
-- @tparam table document
function measure.is_well(document)
  local measured = false
  for _, limit in ipairs(document.limits) do
    if limit.wrong or limit.failed then return false end
    measured = measured or limit.value ~= nil
  end
  return measured and #document.failures == 0
end

return measure
