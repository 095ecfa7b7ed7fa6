-- Step 3: n-body by several devices, each of which moves a part of the bodies.
--
-- Every body pulls every other one, so each device needs all positions, and each step of time ends when all devices
-- have ended theirs: the new state is collected on the host, and goes to all devices before the next step. That
-- costs bytes in proportion to the bodies, the step itself operations in proportion to their square.
--
-- A work-item goes through all bodies, one after the other. So a chunk of few bodies takes nearly as long as one of
-- thousands on a GPU, which has room for them all. The rates show it, and each device gets all of its part at once.
-- A group reads the bodies in tiles, into local memory: if each work-item reads them by itself, the cache decides about
-- the time, and half of the bodies may take longer than all.
local cl = require "clue"
local group = require "clue.walk.group"
local nbody = require "clue.walk.nbody"
local several = require "clue.walk.several_devices"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

several.inputs(input, "8192", "number of bodies")

local GROUP = 256

local KERNEL = [[
/* A body is eight floats: position and mass, velocity. Moves bodies `first` to `end` - 1. */
__kernel void nbody(__global const float4 *before, __global float4 *after, uint first, uint end, uint count,
                    float step, float softening, __local float4 *tile)
{
    const uint i = first + get_global_id(0), mine = min(i, count - 1);
    const uint place_in_tile = get_local_id(0), size = get_local_size(0);
    const float4 own = before[2 * mine], speed = before[2 * mine + 1];
    float4 pull = (float4)(0);
    for (uint begin = 0; begin < count; begin += size) {
        const uint next = begin + place_in_tile;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[place_in_tile] = next < count ? before[2 * next] : (float4)(0); /* behind the last body: without mass */
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < size; k++) {
            const float4 other = tile[k], d = other - own;
            const float inverse = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + softening);
            pull += other.w * inverse * inverse * inverse * d;
        }
    }
    if (i >= end)
        return;
    float4 place = own + speed * step + 0.5f * step * step * pull, faster = speed + pull * step;
    place.w = own.w;
    faster.w = speed.w;
    after[2 * i] = place;
    after[2 * i + 1] = faster;
}
]]

local row = {
  number = 3, name = "nbody", study = "nbody", change = "bodies; every device reads all of them",
  decides = {"max_compute_units", "max_clock_frequency"},
}

-- The bodies as the kernel has them, and back.
local function pack(bodies, state)
  for i = 0, bodies.count - 1 do
    for k = 0, 3 do
      state[8 * i + k], state[8 * i + 4 + k] = bodies.position[4 * i + k], bodies.velocity[4 * i + k]
    end
  end
end

local function unpack_into(found, state)
  for i = 0, #state / 8 - 1 do
    for k = 0, 3 do
      found.position[4 * i + k], found.velocity[4 * i + k] = state[8 * i + k], state[8 * i + 4 + k]
    end
  end
end

-- A pass that fills and compares the bodies in the kernel's form.
local function packed(bodies, pass, states)
  return {name = pass.name,
    prepare = function()
      pass.prepare()
      pack(bodies, states.first)
    end,
    check = function()
      unpack_into(bodies.found, states.after)
      return pass.check()
    end}
end

function OnStart()
  local bodies = nbody.new{size = sizes.of_study(_size, "nbody", "8192"), repeats = _repeat}
  local devices, count = several.devices(row, _with), bodies.count
  local states = {first = cl.array.float(8 * count), after = cl.array.float(8 * count)}
  local job = {
    alone = _alone,
    total = count, width = 8, type = "float", bytes = 4, results = states.after, flops = bodies.flops,
    repeats = bodies.repeats, multiple = GROUP,
    forget = function(after) after:fill(0 / 0) end,
    frames = function() return bodies.frames end,
  }
  function job.setup(worker, after)
    local before = worker.context:buffer(32 * count)
    local move = worker.context:program(KERNEL):kernel "nbody"
    local size = group.size(move, GROUP) -- the driver's own choice depends on the number of items, and may be bad
    local function enqueue(first, items)
      move(worker.queue, group.round_up(items, size), size, before, after, first, first + items, count, bodies.step,
        bodies.softening, cl.local_memory(16 * size))
    end
    return enqueue, function(frame) -- before it
      worker.queue:write_buffer(before, frame == 1 and states.first or states.after, {blocking = false})
    end
  end
  local variants = several.variants(devices, job)
  local passes = bodies:passes()
  for i, pass in ipairs(passes) do passes[i] = packed(bodies, pass, states) end
  row.check = several.verify(variants, passes)
  several.measure(row, devices, variants)
  walk.report(bodies:row(row, cl.context(devices[1])))
end
