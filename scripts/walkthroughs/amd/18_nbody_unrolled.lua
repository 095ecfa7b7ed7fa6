-- N-body, step 18: the inner loop unrolled by 4.
--
-- Step 17's loop has a test and a jump for each interaction, beside the 20 operations and a load. Unrolled by 4, there
-- is one test and jump for four interactions: 568 branches of warps instead of 2096, for 256 bodies. But the count of
-- all instructions does not fall; it rises by 3 % (6138 a work-item instead of 5943), as the place of each of the four
-- bodies is calculated. What is left to gain are four independent roots in progress at once. This helps if the hardware
-- or its compiler does not look so far ahead by itself. The course saw 30 % more frames per second on an HD 5670.
local cl = require "clue"
local group = require "clue.walk.group"
local nbody = require "clue.walk.nbody"
local walk = require "clue.walk"

nbody.inputs(input, "2048")
input.int("_group", 256, "work-items in a group, bodies in a tile; fewer if the device cannot", 1, 4096)

local BYTES = 16 -- of local memory for each body in a tile

local KERNEL = [[
float4 pull_of(float4 other, float4 own, float softening)
{
    const float4 d = other - own;
    const float inverse = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + softening);
    return other.w * inverse * inverse * inverse * d;
}

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
        uint k = 0;
        for (; k + 4 <= size; k += 4) {
            pull += pull_of(tile[k], own, softening);
            pull += pull_of(tile[k + 1], own, softening);
            pull += pull_of(tile[k + 2], own, softening);
            pull += pull_of(tile[k + 3], own, softening);
        }
        for (; k < size; k++) /* groups that are not a multiple of 4 */
            pull += pull_of(tile[k], own, softening);
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
  number = 18, name = "nbody_unrolled", study = "nbody", change = "the inner loop unrolled by 4",
  published = {{on = "HD 5670", text = "30 % more frames per second than without"}},
  expect = {
    cpu = {"same", "the square root and the division remain, one each for an interaction, and a processor begins the "
      .. "next ones by itself"},
    gpu = {"open", "a quarter of the branches, but no fewer instructions; what it gains is four interactions in "
      .. "progress at once, and nothing if the compiler unrolls step 17's loop by itself"},
  },
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
