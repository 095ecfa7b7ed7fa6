-- How many passes local memory's banks take for a warp's request: what was measured, and what `clue count` says.
--
-- passes: Nsight Compute's wavefronts for each access, on an H200 (driver 580.159.04; docs/measurements holds all of
-- them, and cycles). tests/spec/count_passes_spec.lua holds `clue count` to them; tests/bench/local_memory measures
-- them as OpenCL kernels, on the GPU that is there.
--
-- `index` is the element of `type` that lane l accesses; only lanes for which `lanes` holds do.
local list = {
  {access = "load", type = "float", index = "0", passes = 1},
  {access = "load", type = "float", index = "l", passes = 1},
  {access = "load", type = "float2", index = "l", passes = 2},
  {access = "load", type = "float2", index = "l % 16", passes = 2},
  {access = "load", type = "float2", index = "l / 2", passes = 1},
  {access = "load", type = "float2", index = "0", passes = 1},
  {access = "load", type = "float4", index = "l", passes = 4},
  {access = "load", type = "float4", index = "2 * l", passes = 8},
  {access = "load", type = "float4", index = "l / 2", passes = 2},
  {access = "load", type = "float4", index = "0", passes = 2},
  {access = "load", type = "float4", index = "l / 16", passes = 2},
  {access = "load", type = "float4", index = "l / 4", passes = 2},
  {access = "load", type = "float4", index = "l / 8", passes = 2},
  {access = "load", type = "float4", index = "l % 16", passes = 4},
  {access = "load", type = "float4", index = "l % 8", passes = 4},
  {access = "load", type = "float4", index = "l % 4", passes = 4},
  {access = "load", type = "float4", index = "2 * (l % 16)", passes = 8},
  {access = "store", type = "float4", index = "l", passes = 4},
  {access = "store", type = "float4", index = "2 * l", passes = 8},
  {access = "increment", type = "uint", index = "0", passes = 1},
  {access = "add", type = "uint", index = "0", passes = 32},
  {access = "add", type = "uint", index = "l % 2", passes = 16},
  {access = "add", type = "uint", index = "l % 4", passes = 8},
  {access = "max", type = "uint", index = "0", passes = 32},
  {access = "max", type = "uint", index = "l % 2", passes = 16},
  {access = "max", type = "uint", index = "l % 4", passes = 8},

  {access = "load", type = "float", index = "2 * l", passes = 2},
  {access = "load", type = "float", index = "32 * l", passes = 32},
  {access = "load", type = "float2", index = "l / 4", passes = 1},
  {access = "load", type = "float2", index = "l ^ 2", passes = 2},
  {access = "load", type = "float2", index = "l / 4 * 2 + l % 2", passes = 1},
  {access = "load", type = "float2", index = "l", lanes = "l % 2 == 0", passes = 2},
  {access = "load", type = "float4", index = "l / 4 * 2 + l % 2", passes = 2},
  {access = "load", type = "float4", index = "l", lanes = "l % 2 == 0", passes = 4},
  {access = "load", type = "float4", index = "l", lanes = "l < 16", passes = 2},
  {access = "load", type = "float8", index = "l", requests = 2, passes = 16},
  {access = "load", type = "float8", index = "0", requests = 2, passes = 4},
  {access = "load", type = "float16", index = "l", requests = 4, passes = 64},
  {access = "load", type = "double", index = "l", passes = 2},
  -- Four loads of 4 bytes, as NVIDIA's OpenCL compiler makes them and cycles tell. CUDA's makes one of 16 bytes.
  {access = "vload4", type = "float", index = "l", requests = 4, passes = 16},
  {access = "store", type = "float2", index = "l", passes = 2},
  {access = "store", type = "float2", index = "l / 2", passes = 2},
  {access = "store", type = "float4", index = "l / 2", passes = 4},
  {access = "increment", type = "uint", index = "l", passes = 1},
  {access = "increment", type = "uint", index = "32 * l", passes = 32},
  {access = "add", type = "uint", index = "l", passes = 1},
  {access = "add", type = "uint", index = "32 * l", passes = 32},
}

-- For one group. The eight accesses of an iteration lie multiples of 128 bytes apart, so all have the pattern. `step`
-- is 0, which the compiler cannot know: it makes a request of each access, and does not add up by itself what lanes do
-- to one word. With CYCLES, each work-item writes when it began and ended, by NVIDIA's clock of its multiprocessor.
local SOURCE = [[
#ifdef CYCLES
#define CLOCK(to) __asm__ volatile("mov.u32 %%0, %%%%clock;" : "=r"(to) : : "memory")
#else
#define CLOCK(to) to = 0
#endif
kernel void pattern(global %s *out, global uint *times_out, uint step, uint times)
{
    local %s tile[%d];
    const uint l = get_local_id(0) %% 32;
    uint at = %s + step * l, value = l + step, began, ended;
    %s sum = 0;
    for (uint i = get_local_id(0); i < %d; i += get_local_size(0))
        tile[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    CLOCK(began);
    if (%s)
        for (uint i = 0; i < times; i++) {
#pragma unroll
            for (uint k = 0; k < 8; k++)
                %s;
            at += step;
        }
    CLOCK(ended);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = sum + tile[l];
    times_out[2 * get_local_id(0)] = began;
    times_out[2 * get_local_id(0) + 1] = ended;
}
]]

local BYTES = {float = 4, uint = 4, float2 = 8, double = 8, float4 = 16, float8 = 32, float16 = 64}

local STATEMENTS = {
  load = "sum += tile[at + k * %d]", vload4 = "sum += dot(vload4(0, tile + 4 * at + k * %d), (float4)(1))",
  store = "tile[at + k * %d] = sum", increment = "atomic_inc(tile + at + k * %d)",
  add = "atomic_add(tile + at + k * %d, value)", max = "atomic_max(tile + at + k * %d, value)",
}

local patterns = {list = list}

--- "load float4 [l % 16]"
-- @tparam table pattern of list
-- @treturn string
function patterns.name(pattern)
  return ("%s %s [%s]%s"):format(pattern.access, pattern.type, pattern.index,
    pattern.lanes and " if " .. pattern.lanes or "")
end

--- The text of a pattern's kernel: 8 accesses a work-item, `times` times.
-- @tparam table pattern of list
-- @treturn string
-- @treturn string the statement that accesses
function patterns.source(pattern)
  local apart = 128 / BYTES[pattern.type]
  local statement = STATEMENTS[pattern.access]:format(apart)
  local elements = (pattern.index:find "32 %*" and 1024 or 128) + 8 * apart
  return SOURCE:format(pattern.type, pattern.type, elements, pattern.index, pattern.type, elements,
    pattern.lanes or "true", statement), statement
end

for _, pattern in ipairs(list) do
  pattern.requests = pattern.requests or 1
end

return patterns
