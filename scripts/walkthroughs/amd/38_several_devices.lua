-- Devices, step 38: one problem over several devices.
--
-- The devices of one platform can share a context, with a queue for each. Here each computes an equal part of the
-- results, in a buffer of its own: two devices that write one buffer would have to take turns. All parts are started
-- before the first is waited for. Equal devices should take half the time; of unequal ones the slower decides, which
-- a division by their speed would mend. POCL_DEVICES="pthread pthread" lets PoCL show a CPU as two devices, which
-- share its cores.
local cl = require "clue"
local counted = require("clue.text").count
local device = require "clue.device"
local group = require "clue.walk.group"
local several = require "clue.walk.several_devices"
local amd = require "clue.walk.amd"
local walk = require "clue.walk"

amd.inputs(input, "1000003", "how many work-items")

local ROUNDS = 500

-- x <- 5 x + 1 modulo 2^32, which clue.walk.amd checks. The number of rounds is an argument, so that no compiler
-- computes them in advance.
local KERNEL = [[
__kernel void turns(__global uint *results, const uint first, const uint count, const uint rounds)
{
    const uint i = get_global_id(0);
    if (i < count) {
        uint x = first + i;
        for (uint k = 0; k < rounds; k++)
            x = 5 * x + 1;
        results[i] = x;
    }
}
]]

local row = {
  number = 38, name = "several_devices", study = "devices", type = "int", beyond = true,
  change = "the same work on one device, and divided between all devices of the platform",
  decides = {"max_compute_units", "max_clock_frequency"},
}

-- The devices of the same platform and kind, the chosen one first.
local function alike(chosen)
  local all = {chosen}
  for _, each in ipairs(device.machine().devices) do
    if each.address ~= chosen.address and each.address:match "^%d+" == chosen.address:match "^%d+"
      and each.kind == chosen.kind then
      all[#all + 1] = each
    end
  end
  return all
end

-- A part of the results on one device.
local function worker(context, program, on, found, first, count)
  local queue, kernel = context:queue{device = on}, program:kernel "turns"
  local results, self = context:buffer(4 * math.max(1, count)), {} -- one device may have nothing to do
  local size, nothing = group.size(kernel, 64), cl.array.uint(math.max(1, count))
  function self.reset() queue:write_buffer(results, nothing) end
  function self.start()
    self.event = kernel(queue, group.round_up(math.max(1, count), size), size, results, first, count, ROUNDS)
    queue:flush()
  end
  function self.wait() self.event:wait() end
  function self.read()
    if count > 0 then queue:read_buffer(results, found, {first = first, count = count}) end
  end
  return self
end

-- The parts of a step that divides the work between some devices.
local function divided(context, program, devices, count)
  local found, workers, first = cl.array.uint(count), {}, 0
  for i, on in ipairs(devices) do
    local until_here = math.floor(count * i / #devices)
    workers[i] = worker(context, program, on, found, first, until_here - first)
    first = until_here
  end
  local function each(name)
    return function() for _, one in ipairs(workers) do one[name]() end end
  end
  local start, wait = each "start", each "wait"
  return {
    label = counted(#devices, "device"), value = #devices, flops = 2 * ROUNDS * count,
    repeats = amd.repeats(_repeat), together = true, reset = function() found:fill(0) each "reset" () end,
    execute = function() start() wait() end, read = each "read",
    check = function() return amd.check_rounds(found, ROUNDS) end,
  }
end

function OnStart()
  local count = amd.count(_size, "devices", "1000003", 2 ^ 26)
  local chosen = device.pick()
  local devices = alike(device.get(chosen))
  local context = cl.context(devices)
  if #devices < 2 then
    local hint = context.device.platform.name == "Portable Computing Language"
      and "; POCL_DEVICES=\"pthread pthread\" shows this CPU as two" or ""
    walk.skip(row, "the platform has one device of this kind only" .. hint, context)
  end
  local program = context:program(KERNEL)
  local variants = {divided(context, program, {devices[1]}, count), divided(context, program, devices, count)}
  row.check = walk.verify_sweep(variants, function(variant)
    return {{name = "every result", prepare = function() end, check = variant.check}}
  end)
  row.times, row.sweep = walk.sweep(variants)
  row.unlike = several.are_unlike(devices)
  row.notes = {("one device takes %s times as long as %d"):format(amd.times_as_long(row.sweep[1], row.sweep[2]),
    #devices), "the kernel time is the sum of all devices' kernels"}
  row.problem, row.context = ("%d chains of %d integer multiplications and additions"):format(count, ROUNDS), context
  walk.report(row)
end
