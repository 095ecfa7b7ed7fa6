-- Bodies attract each other. They are structs, which the kernel and the script share by one declaration.
--
-- bodies[i] is a body in the memory of the host: its fields can be read and set from Lua, and the whole array is
-- written to the device at once. The settings are a struct too, passed by value.
local cl = require "clue"

input.int("_count", 1024, "bodies", 2)
input.int("_steps", 10, "steps of time", 1)
input.double("_dt", 0.01, "seconds in a step")

local types = cl.structs [[
typedef struct {
    float4 position, velocity; /* .w is not used */
    float mass;
} body;

typedef struct {
    uint count;
    float dt, softening; /* softening: keeps near bodies from flying apart */
} settings;
]]

local KERNEL = [[
kernel void advance(global const body *before, global body *after, const settings s)
{
    const uint i = get_global_id(0);
    body own = before[i];
    float4 pull = 0;
    for (uint k = 0; k < s.count; k++) {
        const float4 way = before[k].position - own.position;
        const float square = dot(way, way) + s.softening * s.softening;
        pull += way * (before[k].mass / (square * sqrt(square)));
    }
    own.velocity += pull * s.dt;
    own.position += own.velocity * s.dt;
    after[i] = own;
}
]]

-- The velocity of one body after the first step, computed on the host.
local function expected(bodies, i, s)
  local own, pull = bodies[i], {x = 0, y = 0, z = 0}
  for k = 0, #bodies - 1 do
    local other = bodies[k]
    local square, way = s.softening ^ 2, {}
    for axis in pairs(pull) do
      way[axis] = other.position[axis] - own.position[axis]
      square = square + way[axis] ^ 2
    end
    for axis in pairs(pull) do pull[axis] = pull[axis] + way[axis] * other.mass / square ^ 1.5 end
  end
  for axis in pairs(pull) do pull[axis] = own.velocity[axis] + pull[axis] * s.dt end
  return pull
end

local function check(bodies, after, s)
  for i = 0, #bodies - 1, math.ceil(#bodies / 16) do
    for axis, right in pairs(expected(bodies, i, s)) do
      local found = after[i].velocity[axis]
      if math.abs(found - right) > 1e-3 * (s.dt / 10 + math.abs(right)) or found ~= found then
        error(("body %d: velocity.%s is %g, should be %g"):format(i, axis, found, right))
      end
    end
  end
end

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local advance = context:program(types .. KERNEL):kernel "advance"
  local bodies, random = types.body:array(_count), cl.array.float(4 * _count):random(-1, 1, 1)
  for i, body in bodies:each() do
    body.position = {random[4 * i], random[4 * i + 1], random[4 * i + 2], 0}
    body.mass = (1 + random[4 * i + 3]) / _count
  end
  local s = types.settings {count = _count, dt = _dt, softening = 0.05}

  local before, after = context:buffer(bodies), context:buffer(bodies:bytes())
  local moved, seconds = types.body:array(_count), 0
  for step = 1, _steps do
    seconds = seconds + advance(queue, _count, nil, before, after, s):time()
    if step == 1 then
      queue:read_buffer(after, moved)
      check(bodies, moved, s)
    end
    before, after = after, before
  end
  queue:read_buffer(before, moved)
  print(("%d bodies right; %d steps in %.3f ms; body 0 is now at %s"):format(_count, _steps, seconds * 1e3,
    tostring(moved[0].position)))
end
