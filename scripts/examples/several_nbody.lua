-- Bodies that attract each other, moved by several devices: each moves a part of them, and needs all positions.
--
-- After each step the host has the new positions of all bodies, and gives them to all devices. Workers are made once,
-- so from the second step on they know their rates. The total momentum must stay what it was: 0.
local cl = require "clue"

input.int("_count", 2048, "bodies", 2)
input.int("_steps", 5, "steps of time", 1)
input.string("_devices", "all", "the devices, as --device names them")

local STEP = 0.001

local KERNEL = [[
/* Two float4 a body: the position with the mass, the velocity. */
kernel void move(global const float4 *before, global float4 *after, const uint first, const uint count,
                 const float step)
{
    const uint i = first + get_global_id(0);
    const float4 own = before[2 * i];
    float4 pull = 0;
    for (uint k = 0; k < count; k++) {
        const float4 way = before[2 * k] - own;
        const float square = way.x * way.x + way.y * way.y + way.z * way.z + 0.01f;
        pull += way * (before[2 * k].w / (square * sqrt(square)));
    }
    const float4 velocity = before[2 * i + 1] + (float4)(pull.xyz, 0) * step;
    after[2 * i] = (float4)(own.xyz + velocity.xyz * step, own.w);
    after[2 * i + 1] = velocity;
}
]]

-- The sum of mass times velocity in one direction, and of its absolute values.
local function momentum(bodies, axis)
  local sum, size = 0, 0
  for i = 0, _count - 1 do
    local one = bodies[8 * i + 3] * bodies[8 * i + 4 + axis]
    sum, size = sum + one, size + math.abs(one)
  end
  return sum, size
end

function OnStart()
  local bodies, writes = cl.array.float(8 * _count), {}
  local random = cl.array.float(4 * _count):random(-1, 1, 1)
  for i = 0, _count - 1 do
    for axis = 0, 2 do bodies[8 * i + axis] = random[4 * i + axis] end
    bodies[8 * i + 3] = (1.5 + random[4 * i + 3]) / _count
  end
  local workers = cl.workers(_devices, function(worker)
    local context, queue = worker.context, worker.queue
    local move = context:program(KERNEL):kernel "move"
    local before, after = context:buffer(bodies:bytes()), context:buffer(bodies:bytes())
    writes[worker.index] = function() queue:write_buffer(before, bodies) end
    return function(first, count)
      move(queue, count, nil, before, after, first, _count, STEP)
      return queue:read_buffer(after, bodies, {offset = 32 * first, first = 8 * first, count = 8 * count,
        blocking = false})
    end
  end)

  local done
  for _ = 1, _steps do
    for _, write in pairs(writes) do write() end
    done = workers:run(_count)
  end
  for axis = 0, 2 do
    local sum, size = momentum(bodies, axis)
    assert(size > 0 and math.abs(sum) < 1e-3 * size, ("momentum %d is %g of %g"):format(axis, sum, size))
  end
  print(("%d steps of %d bodies, total momentum 0; the last: %s"):format(_steps, _count, tostring(done)))
end
