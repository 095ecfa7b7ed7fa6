-- N-body, step 17: bodies are copied tile by tile to local memory, where all items of a group read them.
--
-- In step 16 every interaction begins with a load from global memory, 1 of 23 instructions; its sectors are no limit (1
-- a request), but the arithmetic waits until it has come. So the group copies bodies tile by tile to local memory: an
-- item loads 1 of 256 from global memory, and the others from local memory, which is nearer. The instructions stay the
-- same, 23. So the gain can only be what the waiting took.
--
-- Each item copies one body of the tile, so a body is read from global memory once per group and not once per item.
-- There are two barriers per tile: after it was filled, and after it was used. The tile is a __local argument, whose
-- size the host chooses together with the group's. After the last body a tile is filled with bodies without mass, which
-- do not pull, so the inner loop needs no test. Items after the last body reach every barrier and store nothing.
local cl = require "clue"
local group = require "clue.walk.group"
local nbody = require "clue.walk.nbody"
local walk = require "clue.walk"

nbody.inputs(input, "2048")
input.int("_group", 256, "work-items in a group, bodies in a tile; fewer if the device cannot", 1, 4096)

local BYTES = 16 -- of local memory for each body in a tile

local KERNEL = [[
__kernel void nbody(__global const float4 *position, __global const float4 *velocity, uint count, float step,
                    float softening, __global float4 *new_position, __global float4 *new_velocity,
                    __local float4 *tile)
{
    const uint i = get_global_id(0), here = get_local_id(0), size = get_local_size(0);
    const float4 own = i < count ? position[i] : (float4)(0);
    float4 pull = (float4)(0);
    for (uint first = 0; first < count; first += size) {
        tile[here] = first + here < count ? position[first + here] : (float4)(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < size; k++) {
            const float4 other = tile[k];
            const float4 d = other - own;
            const float inverse = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + softening);
            pull += other.w * inverse * inverse * inverse * d;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < count) {
        const float4 speed = velocity[i];
        float4 place = own + speed * step + 0.5f * step * step * pull;
        float4 faster = speed + pull * step;
        place.w = own.w;
        faster.w = speed.w;
        new_position[i] = place;
        new_velocity[i] = faster;
    }
}
]]

local row = {
  number = 17, name = "nbody_local", study = "nbody",
  change = "tiles of positions in local memory, passed as a __local argument",
  expect = {
    cpu = {"same", "the caches hold the bodies in both steps, and each interaction still takes a square root and a "
      .. "division, which last longest"},
    gpu = {"faster", "255 of 256 loads come from local memory, whose latency is shorter than a cache's"},
  },
  decides = {"local_mem_type", "local_mem_size", "max_work_group_size"},
}

function OnStart()
  local bodies = nbody.new{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local move = context:program(KERNEL):kernel "nbody"
  local size = group.size(move, _group, {
    bytes = function(items) return items * BYTES end,
    idle = function(none, items) return none, none, 0, 0, 1, none, none, cl.local_memory(items * BYTES) end,
  })
  local items = group.round_up(bodies.count, size)
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
        move(queue, {items}, {size}, now.position, now.velocity, bodies.count, bodies.step, bodies.softening,
          later.position, later.velocity, cl.local_memory(size * BYTES))
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
  row.notes = {("groups and tiles of %d bodies"):format(size), bodies:speed(row.times),
    bodies:drift(parts, row.times)}
  walk.report(bodies:row(row, context))
end
