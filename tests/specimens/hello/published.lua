-- The kernels of hello as published: the faults that the walkthrough mends, one at a time, written from their
-- description. Prints what the checks of the walkthrough say; what Oclgrind says goes to standard error.
local cl = require "clue"
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input, 16)
input.choice("_fault", {"staged_once", "fixed_stride", "tiles", "float4", "float8", "local_index"}, "tiles", "which")

local HEAD = [[
__kernel void outer_sum(__global const float *a, __global const float *b, __global float *c, const int x_count,
                        const int y_count)
]]

local KERNELS = {
  -- Step 2: all of B in 12000 floats.
  staged_once = [[
{
    __local float stage[STAGE];
    const int x = get_global_id(0);
    for (int i = get_local_id(0); i < min(STAGE, y_count); i += get_local_size(0))
        stage[i] = b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    if (x >= x_count)
        return;
    for (int i = 0; i < min(STAGE, y_count); i++)
        sum += a[x] * stage[i];
    c[x] = sum;
}
]],
  -- Step 2 with groups that are smaller than the stride it copies with.
  fixed_stride = [[
{
    __local float stage[STAGE];
    const int x = get_global_id(0);
    for (int i = get_local_id(0); i < y_count; i += 1024)
        stage[i] = b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    if (x >= x_count)
        return;
    for (int i = 0; i < y_count; i++)
        sum += a[x] * stage[i];
    c[x] = sum;
}
]],
  -- Step 3: the last tile is read past B's end, and A past X.
  tiles = [[
{
    __local float tile[TPB];
    const int x = get_global_id(0), mine = get_local_id(0);
    const float own = a[x];
    float sum = 0;
    for (int first = 0; first < y_count; first += TPB) {
        tile[mine] = b[first + mine];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TPB && first + i < y_count; i++)
            sum += own * tile[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < x_count)
        c[x] = sum;
}
]],
  -- Step 4: the last X mod 4 are nobody's.
  float4 = [[
{
    const int x = get_global_id(0);
    if (x >= x_count / 4)
        return;
    float4 sum = 0;
    for (int y = 0; y < y_count; y++)
        sum += vload4(x, a) * b[y];
    vstore4(sum, x, c);
}
]],
  -- Steps 5 and 6: whole vectors are written whatever X is.
  float8 = [[
{
    const int x = get_global_id(0);
    if (8 * x >= x_count)
        return;
    float8 sum = 0;
    for (int y = 0; y < y_count; y++)
        sum += vload8(x, a) * b[y];
    vstore8(sum, x, c);
}
]],
  -- What the author met as CL_INVALID_COMMAND_QUEUE at clFinish: an index outside local memory.
  local_index = [[
{
    __local float tile[TPB];
    const int x = get_global_id(0);
    tile[get_local_id(0) + 1] = b[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < x_count)
        c[x] = tile[1];
}
]],
}

function OnStart()
  local s = outer_sum.new{size = _size}
  local context = cl.context()
  local queue = context:queue()
  local options = {defines = {TPB = _t, STAGE = math.min(12000, context.device.local_mem_size / 4)}}
  local kernel = context:program(HEAD .. KERNELS[_fault], options):kernel "outer_sum"
  local a, b, c = context:buffer(s.a), context:buffer(s.b), context:buffer(s.c:bytes())
  local check = walk.verify({
    upload = function() queue:write_buffer(a, s.a) queue:write_buffer(b, s.b) end,
    reset = function() s.c:fill(0 / 0) queue:write_buffer(c, s.c) end,
    execute = function()
      kernel(queue, groups.round_up(s.x, _t), _t, a, b, c, cl.int(s.x), cl.int(s.y))
    end,
    read = function() queue:read_buffer(c, s.c) end,
  }, s:passes())
  print(check.verified and "verified" or "WRONG: " .. check.text)
end
