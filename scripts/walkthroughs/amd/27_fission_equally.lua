-- Extensions, step 27: device fission, equally: two halves of a device that do different work at once.
--
-- A device may be divided into sub-devices, which have contexts and queues of their own (cl_ext_device_fission, and
-- OpenCL 1.2 itself). CL_DEVICE_PARTITION_PROPERTIES says how; the step checks it first, because some drivers crash on
-- a request that they do not support. Here one half follows 3n + 1 down to 1, and the other finds greatest common
-- divisors; first one after the other, then both at once. Their events show whether they ran at the same time.
local amd = require "clue.walk.amd"
local binding = require "clue.binding"
local cl = require "clue"
local walk = require "clue.walk"

amd.inputs(input)

local KERNEL = [[
__kernel void steps_to_1(__global uint *results)
{
    ulong n = get_global_id(0) + 1;
    uint steps = 0;
    for (; n > 1; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    results[get_global_id(0)] = steps;
}

__kernel void divisor(__global uint *results)
{
    uint a = get_global_id(0) + 1, b = get_global_size(0) * 3 + 2;
    while (b > 0) {
        const uint rest = a % b;
        a = b;
        b = rest;
    }
    results[get_global_id(0)] = a;
}
]]

local row = {
  number = 27, name = "fission_equally", study = "extensions",
  change = "a device divided equally: two different kernels at once on its halves",
  decides = {"partition_properties", "partition_max_sub_devices", "max_compute_units"},
}

local right = {}

function right.steps_to_1(i)
  local n, steps = i + 1, 0
  while n > 1 do
    n, steps = n % 2 == 1 and 3 * n + 1 or n / 2, steps + 1
  end
  return steps
end

function right.divisor(i, count)
  local a, b = i + 1, count * 3 + 2
  while b > 0 do a, b = b, a % b end
  return a
end

-- Makes what a sub-device needs to run one of the kernels.
local function worker(part, name, count)
  local context = cl.context(part)
  local queue, found = context:queue(), cl.array.uint(count)
  local results, kernel = context:buffer(found), context:program(KERNEL):kernel(name)
  local self = {name = name, found = found}
  function self.reset() found:fill(2 ^ 32 - 1) queue:write_buffer(results, found) end
  function self.start() self.event = kernel(queue, {count}, nil, results) queue:flush() end
  function self.read() queue:read_buffer(results, found) end
  function self.check()
    for i = 0, count - 1 do
      local expected = right[name](i, count)
      if found[i] ~= expected then
        return false, ("%s of %d is %d, should be %d"):format(name, i + 1, found[i], expected)
      end
    end
    return true
  end
  return self
end

local function seconds_of(run)
  local start = binding.now()
  run()
  return binding.now() - start
end

-- Returns how long the two ran at the same time, by the device's timer; nil if it has none.
local function overlap(one, other)
  if not (one.started and other.started) then return nil end
  return math.max(0, math.min(one.ended, other.ended) - math.max(one.started, other.started))
end

function OnStart()
  local context = cl.context()
  amd.need_partition(row, context, "equally")
  local half, count = math.floor(context.device.max_compute_units / 2), amd.elements(_size, 2 ^ 18)
  local parts_of_device = context.device:partition{equally = half}
  local one = worker(parts_of_device[1], "steps_to_1", count)
  local other = worker(parts_of_device[2], "divisor", count)
  local parts = {
    repeats = amd.repeats(_repeat), together = true,
    reset = function() one.reset() other.reset() end,
    execute = function() one.start() other.start() one.event:wait() other.event:wait() end,
    read = function() one.read() other.read() end,
  }
  row.check = walk.verify(parts, {{
    name = "every result of both halves", prepare = function() end,
    check = function()
      local is_right, why = one.check()
      if is_right then is_right, why = other.check() end
      return is_right, why
    end,
  }})
  row.times = walk.run(parts)
  local in_turn = seconds_of(function() one.start() one.event:wait() other.start() other.event:wait() end)
  local at_once = seconds_of(parts.execute)
  row.notes = {
    ("%d sub-devices of %d of %d compute units"):format(#parts_of_device, half, context.device.max_compute_units),
    ("one after the other %.3g ms, at once %.3g ms by the host's clock"):format(in_turn * 1e3, at_once * 1e3),
  }
  local together = overlap(one.event, other.event)
  row.notes[#row.notes + 1] = together and ("by their events the kernels took %.3g and %.3g ms, %.3g ms of it at the "
    .. "same time"):format(one.event:time() * 1e3, other.event:time() * 1e3, together * 1e3)
    or "the device's timer is not reliable: the kernels' overlap is unknown"
  row.notes[#row.notes + 1] = "the kernel time is the sum of both kernels'"
  row.problem, row.context = ("two kernels of %d work-items"):format(count), context
  walk.report(row)
end
