-- N-body, step 16: one work-item per body, which reads all bodies from global memory.
--
-- The host's plain loop computes one of n * n interactions after the other, on one core. The bodies do not depend on
-- one another, so each gets a work-item here: a device with U units could be U times as fast, and a further L times if
-- it computes L items at once.
--
-- All items read the same body at the same time. If that is one transfer for all of them, or comes from a cache, memory
-- is not a bottleneck: 16 bytes serve 20 operations of every item. If not, n items read n bodies each, 16 n * n bytes
-- in all. Counted, a warp's request touches 1 sector, and 1 of the 23 instructions of an interaction is that load. What
-- limits now: arithmetic, in which the root is the longest, and the wait for each body.
local cl = require "clue"
local nbody = require "clue.walk.nbody"
local walk = require "clue.walk"

nbody.inputs(input, "2048")

local KERNEL = [[
__kernel void nbody(__global const float4 *position, __global const float4 *velocity, uint count, float step,
                    float softening, __global float4 *new_position, __global float4 *new_velocity)
{
    const uint i = get_global_id(0);
    const float4 own = position[i], speed = velocity[i];
    float4 pull = (float4)(0);
    for (uint j = 0; j < count; j++) {
        const float4 other = position[j];
        const float4 d = other - own; /* d.w is not used; the softening keeps the body's own pull 0 */
        const float inverse = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + softening);
        pull += other.w * inverse * inverse * inverse * d;
    }
    float4 place = own + speed * step + 0.5f * step * step * pull;
    float4 faster = speed + pull * step;
    place.w = own.w;
    faster.w = speed.w;
    new_position[i] = place;
    new_velocity[i] = faster;
}
]]

local row = {
  number = 16, name = "nbody_global", study = "nbody",
  change = "one work-item per body, all bodies read from global memory",
  expect = {
    cpu = function(on)
      local units = on.max_compute_units
      if units < 2 then return "open", "one compute unit, as the host's loop has one core" end
      return "faster", ("%d compute units share what the host's loop does on one core"):format(units)
    end,
    gpu = function(on)
      return "faster", ("%d compute units, each with many lanes, instead of one core"):format(on.max_compute_units)
    end,
  },
  decides = {"global_mem_cache_type", "global_mem_cache_size"},
}

function OnStart()
  local bodies = nbody.new{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local move = context:program(KERNEL):kernel "nbody"
  local now, later = bodies:buffers(context), bodies:buffers(context)
  local parts = {
    flops = bodies.flops, bytes = bodies:bytes(), repeats = bodies.repeats,
    upload = function()
      queue:write_buffer(now.position, bodies.position)
      queue:write_buffer(now.velocity, bodies.velocity)
    end,
    reset = function() bodies:forget(queue, later) end,
    execute = function()
      for _ = 1, bodies.frames do
        move(queue, {bodies.count}, nil, now.position, now.velocity, bodies.count, bodies.step, bodies.softening,
          later.position, later.velocity)
        now, later = later, now
      end
    end,
    read = function()
      queue:read_buffer(now.position, bodies.found.position)
      queue:read_buffer(now.velocity, bodies.found.velocity)
    end,
  }
  row.check = walk.verify(parts, bodies:passes())
  row.times = walk.run(parts)
  row.host = bodies:host "serial"
  row.notes = {bodies:speed(row.times), bodies:drift(parts, row.times)}
  walk.report(bodies:row(row, context))
end
