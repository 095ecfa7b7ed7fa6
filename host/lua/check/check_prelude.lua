--- Runs in the process that `clue check` starts, before the script: reports the calls that fail, besides what
-- @{clue.simulator.simulator_prelude} does.
local around = require("clue.shared.follow").around
local binding = require "clue.binding"
local error_object = require "clue.error"
local mql5_errors = require "clue.mql5.errors"
local send = require("clue.shared.parent").send
local simulator = require "clue.simulator.simulator_prelude"
local tries = require "clue.check.tries"
local where = require "clue.where"

local prelude = {}

-- ---- work-groups ----

-- Groups so small that a range has several: work-items race within a group as well as across groups.
local WANTED, MOST = {8, 8, 4}, 256

-- The smallest divisor beside 1.
local function smallest(size)
  for by = 2, math.min(size, MOST) do
    if size % by == 0 then return by end
  end
  return 1
end

--- The work-group for a range whose call gives none: in each dimension 8 work-items, or the next size below that
-- divides the range; if only 1 does, the next above.
-- @tparam {number,...} global
-- @tparam[opt] {number,...} wanted sizes instead of 8, 8 and 4 (1 where there is none)
-- @treturn {number,...}
function prelude.group_for(global, wanted)
  local left, group = wanted and math.huge or MOST, {}
  for i, size in ipairs(global) do
    local by = simulator.divisor(size, math.min((wanted or WANTED)[i] or 1, size), 1)
    if by == 1 and not wanted then by = smallest(size) end
    group[i] = by <= left and by or 1
    left = math.floor(left / group[i])
  end
  return group
end

-- ---- calls that fail ----

-- MQL5's calls fail quietly: each failure is a finding, but for those that only follow from an earlier one. Objects
-- raise: clue.check.run looks whether anybody caught it.
local function report_calls()
  local fail, new = mql5_errors.fail, error_object.new
  function mql5_errors.fail(name, code, reason, record)
    if not (record and record.cause == "failed") then
      local line, _, caller = where.line()
      send {call = {name = name, where = line, caller = caller, text = ("error %d: %s"):format(code, reason)}}
    end
    return fail(name, code, reason, record)
  end
  function error_object.new(record)
    local object = new(record)
    send {raised = {where = object.where, text = object.text, name = object.call}}
    return object
  end
end

-- ---- layers ----

-- Remedies are in the words of the layer that launched the kernel: MQL5's, or that of objects.
local function report_layer()
  local layer = "objects"
  for name, its in pairs {kernel_execute = "mql5", queue_execute = "objects"} do
    around(name, function(execute, ...)
      if layer ~= its then send {layer = its} end
      layer = its
      return execute(...)
    end)
  end
end

-- ---- calls to repeat ----

-- Captures the first call of each kernel, in folders of its own.
local function capture_calls(folder)
  local known, count = {}, 0
  local function capture(kernel)
    local name = binding.kernel_name(kernel)
    if not name or known[name] then return end
    count, known[name] = count + 1, true
    local path = ("%s/call-%d"):format(folder, count)
    if pcall(require("clue.capture").start, name, path) then send {captured = path} end
  end
  around("kernel_execute", function(execute, kernel, ...)
    capture(kernel)
    return execute(kernel, ...)
  end)
  around("queue_execute", function(execute, queue, kernel, ...)
    capture(kernel)
    return execute(queue, kernel, ...)
  end)
end

--- Prepares the process.
-- @tparam table how step: whether the script is a walkthrough's step; group: sizes of work-groups for launches that
--   give none; tried: which of @{clue.check.tries.groups} they get instead; capture: a folder for the first call of
--   each kernel
function prelude.start(how)
  local tried = tries.groups[how.tried]
  local function group(global) return prelude.group_for(global, tried and tried[#global] or how.group) end
  simulator.start {step = how.step, group = group}
  report_calls()
  report_layer()
  if how.capture then capture_calls(how.capture) end
end

return prelude
