-- N-body, step 19: vectorised. Four other bodies at once, their x in one float4, their y in another.
--
-- In the steps before, a float4 holds a body's x, y, z and mass, so a quarter of each vector operation is wasted, and
-- the square of the distance is a sum across the vector, which takes shuffles, and a root of a single number. Here the
-- tile is transposed on its way to local memory, and each operation does the work of four interactions: 6.1 vector
-- instructions for an interaction instead of 24. A device with vectors of four can gain up to 4. The course saw about
-- 10 % more on AMD's cards of the time, whose units process vectors; for units that process one float at a time, one
-- operation becomes four.
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
                    __local float *tile)
{
    const uint i = get_global_id(0), here = get_local_id(0), size = get_local_size(0);
    const float4 own = i < count ? position[i] : (float4)(0);
    __local float *x = tile, *y = tile + size, *z = tile + 2 * size, *mass = tile + 3 * size;
    float4 pull_x = (float4)(0), pull_y = (float4)(0), pull_z = (float4)(0);
    for (uint first = 0; first < count; first += size) {
        const float4 brought = first + here < count ? position[first + here] : (float4)(0);
        x[here] = brought.x;
        y[here] = brought.y;
        z[here] = brought.z;
        mass[here] = brought.w;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < size / 4; k++) {
            const float4 dx = vload4(k, x) - own.x, dy = vload4(k, y) - own.y, dz = vload4(k, z) - own.z;
            const float4 inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            const float4 scale = vload4(k, mass) * inverse * inverse * inverse;
            pull_x += scale * dx;
            pull_y += scale * dy;
            pull_z += scale * dz;
        }
        for (uint k = size / 4 * 4; k < size; k++) { /* groups that are not a multiple of 4 */
            const float dx = x[k] - own.x, dy = y[k] - own.y, dz = z[k] - own.z;
            const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            const float scale = mass[k] * inverse * inverse * inverse;
            pull_x.x += scale * dx;
            pull_y.x += scale * dy;
            pull_z.x += scale * dz;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float4 pull = (float4)(dot(pull_x, (float4)(1)), dot(pull_y, (float4)(1)), dot(pull_z, (float4)(1)), 0);
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
  number = 19, name = "nbody_vectors", study = "nbody",
  change = "four other bodies at once in vectors, the tile turned round",
  published = {{on = "AMD", text = "about 10 % more"}},
  expect = {
    cpu = function(on)
      local width = on.native_vector_width_float
      if width < 4 then return "open", ("the native vector has %d floats, so a float4 is divided"):format(width) end
      return "faster", ("one instruction takes four square roots, and one four divisions; the native vector has %d "
        .. "floats"):format(width)
    end,
    gpu = function(on)
      local width = on.native_vector_width_float
      if width >= 4 then return "faster", ("the native vector width is %d, and all four floats are "
        .. "used"):format(width) end
      return "same", ("the native vector width is %d, so an operation on a float4 becomes four"):format(width)
    end,
  },
  decides = {"native_vector_width_float", "preferred_vector_width_float"},
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
