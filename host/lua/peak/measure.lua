--- Measures a device's limits in child processes, one for each group of limits: a driver that crashes or hangs costs
-- that group only. This process loads no driver.
--
--     local measure = require "clue.peak.measure"
--     local document = measure.device {device = "0:0", groups = {"compute", "global"}, seconds = 120}
--     print(document.flops.float, document.bandwidth.copy)
--
-- @module clue.peak.measure
local binding = require "clue.binding"
local host = require "clue.options"
local json = require "dkjson"
local signals = require "clue.shared.signals"
local take_lines = require("clue.text").take_lines
local walk_document = require "clue.walk.document"

local measure = {}

--- What the field `format` of a document says.
measure.format = "clue peak 1"

--- The groups of limits, in their order.
measure.groups = {"compute", "global", "local", "transfer", "latency"}

-- Bytes of its errors that are kept of a child.
local most_errors = 65536

local function list()
  return setmetatable({}, {__jsontype = "array"})
end

-- ---- children ----

local function last_lines(text, most)
  local lines, last = {}, list()
  for line in text:gmatch "[^\r\n]+" do lines[#lines + 1] = line end
  for i = math.max(1, #lines - most + 1), #lines do last[#last + 1] = lines[i] end
  return last
end

-- Follows a child to its end; on(value) gets each line of its results.
local function follow(child, on)
  local pending, errors, state = "", "", "running"
  while state == "running" do
    state = binding.child_wait(child, 0.2) or error(binding.error().text, 0)
    errors = (errors .. binding.child_take(child, "err")):sub(-most_errors)
    binding.child_take(child, "out") -- drivers talk there
    pending = take_lines(pending .. binding.child_take(child, "result"), function(line)
      on(json.decode(line) or {})
    end)
  end
  return state, errors
end

local function ending(state, value, seconds)
  if state == "timeout" then return "time limit", ("stopped after %g s (--time-limit)"):format(seconds) end
  if state == "signalled" then
    return "crashed", ("crashed: killed by %s"):format(signals[value] or "signal " .. value)
  end
  if value == 0 then return "no result", "ended without a result" end
  return "failed", ("failed with exit status %d"):format(value)
end

-- ---- a document ----

-- Measures one group; the limits that come are added to the document, and what went wrong.
local function run_group(document, group, how)
  local child = binding.child_start {
    arguments = {host.program, "--quiet", "-e",
                 ("require('clue.peak.inside').run(%q, %q)"):format(group, how.device)},
    seconds = how.seconds, result_descriptor = 3,
  } or error(binding.error().text, 0)
  local now, complete = nil, false
  local followed, state, errors = pcall(follow, child, function(value)
    if value.device then document.device = value.device end
    if value.limit then
      document.limits[#document.limits + 1] = value.limit
      now = nil
    end
    now = value.progress or now
    complete = complete or value.done
    if how.progress then how.progress(group, now) end
  end)
  local status = binding.child_value(child)
  binding.child_close(child)
  if not followed then error(state, 0) end
  if complete and state == "exited" and status == 0 then return end
  local word, text = ending(state, status, how.seconds)
  document.failures[#document.failures + 1] = {group = group, at = now, word = word, text = text,
                                               lines = last_lines(errors, 12)}
end

local function larger(now, value)
  return math.max(now or 0, value)
end

-- Cycles that all compute units have in a second; nil where nobody knows: the clock that is told is a GPU's own, but a
-- CPU's by name only.
local function cycles_of(document)
  local device, hertz = document.device, nil
  if device.kind == "gpu" or device.kind == "accelerator" then hertz = (device.mhz or 0) * 1e6 end
  for _, limit in ipairs(document.limits) do
    if limit.unit == "GHz" and limit.best and not limit.wrong then hertz = limit.best * 1e9 end
  end
  return hertz and hertz > 0 and hertz * (device.compute_units or 1) or nil
end

-- The limits of the fastest runs, whatever width they had. What a compute unit does in a cycle is there to be held
-- against its instruction set: lanes times units, times two for a multiply-add.
local function summarise(document)
  local cycles = cycles_of(document)
  document.flops, document.bandwidth, document.local_bandwidth = {}, {}, nil
  for _, limit in ipairs(document.limits) do
    local best = limit.best and not limit.wrong and limit.best * 1e9
    if best and limit.type then
      limit.per_cycle = cycles and best / cycles
      document.flops[limit.type] = larger(document.flops[limit.type], best)
    elseif best and limit.group == "global" then
      document.bandwidth[limit.way] = larger(document.bandwidth[limit.way], best)
    elseif best and limit.group == "local" then
      document.local_bandwidth = larger(document.local_bandwidth, best)
    end
  end
  return document
end

--- Measures a device.
-- @tparam table how device: its address, "0:0"; groups: which, all without; seconds: the limit of each group; progress:
--   called with the group and the name of the limit that is measured now; changed: called with the document after each
--   group
-- @treturn table the document: format, clue, started, finished, machine, device, limits, failures, flops, bandwidth,
--   local_bandwidth
function measure.device(how)
  local document = {format = measure.format, clue = host.version, started = walk_document.now(),
                    machine = walk_document.machine(), device = {address = how.device}, limits = list(),
                    failures = list()}
  for _, group in ipairs(how.groups or measure.groups) do
    run_group(document, group, how)
    summarise(document)
    if how.changed then how.changed(document) end
  end
  document.finished = walk_document.now()
  return document
end

--- Whether everything that was asked for is there and right.
-- @tparam table document
-- @treturn boolean
function measure.is_well(document)
  local measured = false
  for _, limit in ipairs(document.limits) do
    if limit.wrong or limit.failed then return false end
    measured = measured or limit.value ~= nil
  end
  return measured and #document.failures == 0
end

return measure
