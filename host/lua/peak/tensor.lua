--- Tensor cores: multiply-adds of half, TF32, double and char on NVIDIA's GPUs, by the instructions that
-- kernels/gemm_tensor.cl has, from registers alone.
--
-- Each warp multiplies matrices of ones again and again, and adds the products to several sums that do not wait for
-- each other. So every element of a sum counts the multiply-adds that it is made of, and a lost instruction shows.
-- Large products of half and TF32 use wgmma, which takes its factors from local memory (@{clue.gemm.wgmma}): it has
-- limits of its own.
local array = require "clue.array"
local series = require "clue.peak.series"
local tensor_sets = require "clue.gemm.tensor_sets"
local value = require "clue.value"
local wgmma = require "clue.gemm.wgmma"

local tensor = {}

local SUMS = 8 -- of a warp, side by side

-- A type's instruction multiplies 16 x k by k x 8. `one` fills a register with ones; `wgmma` is its KIND in
-- @{clue.gemm.wgmma}.
local kinds = {
  {name = "half", type = "half", k = 16, instruction = "f32.f16.f16.f32", sum = "float", register = "uint", p = 4,
   one = 0x3C003C00, wgmma = 1},
  {name = "TF32", type = "float", precision = "tf32", k = 8, instruction = "f32.tf32.tf32.f32", sum = "float",
   register = "uint", p = 4, one = 0x3F800000, wgmma = 2},
  {name = "double", type = "double", k = 8, instruction = "f64.f64.f64.f64", sum = "double", register = "double",
   p = 4, one = 1},
  {name = "char", type = "half", k = 32, instruction = "s32.s8.s8.s32", sum = "int", register = "uint", p = 4,
   one = 0x01010101}, -- on the same devices as half
}

local letters = {uint = "r", int = "r", float = "f", double = "d"}

local template = [[
#define MMA(c) \
  __asm__ volatile("mma.sync.aligned.m16n8k$k.row.col.$instruction {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, " \
                   "{%0, %1, %2, %3};" \
                   : "+$S"((c)[0]), "+$S"((c)[1]), "+$S"((c)[2]), "+$S"((c)[3]) : "$R"(one))
kernel void multiply(global $sum *to, const $register one, const uint rounds) {
  $sum c[$sums][4];
#pragma unroll
  for (int i = 0; i < $sums; i++) c[i][0] = c[i][1] = c[i][2] = c[i][3] = 0;
  for (uint r = 0; r < rounds; r++) {
#pragma unroll
    for (int i = 0; i < $sums; i++) MMA(c[i]);
  }
  int same = 1;
#pragma unroll
  for (int i = 0; i < $sums; i++)
    same &= c[i][0] == c[0][0] && c[i][1] == c[0][0] && c[i][2] == c[0][0] && c[i][3] == c[0][0];
  to[get_global_id(0)] = same ? c[0][0] : -1;
}
]]

local function source_of(kind)
  return (template:gsub("%$(%a+)", {k = tostring(kind.k), instruction = kind.instruction, sum = kind.sum,
                                    register = kind.register, S = letters[kind.sum], R = letters[kind.register],
                                    sums = tostring(SUMS)}))
end

-- Groups for each compute unit, their warps, and the most rounds: more sums would not be exact in float.
local groups_of_unit, warps, most_rounds = 4, 8, 2 ^ 16

-- Runs of a kernel whose work-items count k multiply-adds in each element in a round. `flops` are those of a warp.
local function measure(stand, kernel, kind, flops)
  local units, group = stand.units, 32 * warps
  local items = units * groups_of_unit * group
  local out = stand.context:buffer(items * array[kind.sum](1):bytes())
  stand.queue:write_buffer(out, array[kind.sum](items))
  local one = value[kind.register](kind.one)
  local measured = series.measure {
    unit = kind.sum == "int" and "GOPS" or "GFLOPS", least = 64, most = most_rounds,
    run = function(rounds) return stand:run(kernel, items, group, out, one, value.uint(rounds)) end,
    amount = function(rounds) return items / 32 * rounds * flops end,
    check = function(rounds) return stand:is_periodic(out, kind.sum, items, {rounds * kind.k}) end,
  }
  out:close()
  return measured
end

-- ---- wgmma ----

-- Four warps multiply 64 x k by k x 256, all ones, from local memory. Wherever the instruction looks for an element
-- within the 16 KiB, it finds a one.
local wgmma_source = [[
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void multiply(global float *to, const uint one, const uint rounds) {
  local uint ones[4096] __attribute__((aligned(1024)));
  for (uint i = get_local_id(0); i < 4096; i += 256) ones[i] = one;
  barrier(CLK_LOCAL_MEM_FENCE);
  __asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
  const ulong place = ((uint)(size_t)ones & 0x3FFFF) >> 4 | (ulong)1 << 16 | (ulong)8 << 32;
  float c[32][4];
#pragma unroll
  for (int i = 0; i < 32; i++) c[i][0] = c[i][1] = c[i][2] = c[i][3] = 0;
  for (uint r = 0; r < rounds; r++) {
    __asm__ volatile("//@wgmma.fence.sync.aligned;" ::: "memory");
    WGMMA_PRODUCT(c, place, place);
    WGMMA_PRODUCT(c, place, place);
    WGMMA_PRODUCT(c, place, place);
    WGMMA_PRODUCT(c, place, place);
    __asm__ volatile("//@wgmma.commit_group.sync.aligned;" ::: "memory");
    __asm__ volatile("//@wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  int same = 1;
#pragma unroll
  for (int i = 0; i < 32; i++)
    same &= c[i][0] == c[0][0] && c[i][1] == c[0][0] && c[i][2] == c[0][0] && c[i][3] == c[0][0];
  to[get_global_id(0)] = same ? c[0][0] : -1;
}
]]

local WGMMA_N, WGMMA_PRODUCTS = 256, 4 -- a round's

local function measure_wgmma(stand, kind)
  local source = wgmma.product(kind.wgmma, WGMMA_N, 0, 1) .. wgmma_source
  local k = WGMMA_PRODUCTS * kind.k
  return measure(stand, wgmma.built(stand.context, source, "", "multiply"),
    {k = k, sum = kind.sum, register = kind.register, one = kind.one}, 2 * 64 * WGMMA_N * k / 4)
end

-- ---- all of it ----

local function capability_of(device)
  return (device.compute_capability_major_nv or 0) * 10 + (device.compute_capability_minor_nv or 0)
end

--- Measures tensor cores.
-- @tparam table stand of clue.peak.stand
-- @tparam function each_limit see @{clue.peak.compute.run}; facts.tensor: the type that is multiplied, "half", "TF32",
--   "double", "char"
function tensor.run(stand, each_limit)
  local capability = capability_of(stand.device)
  if capability < 80 then
    return each_limit {name = "tensor cores", skipped = "clue uses those of NVIDIA's GPUs only, from 8.0 on"}
  end
  for _, kind in ipairs(kinds) do
    local has = tensor_sets.kind(capability, kind.type, kind.precision)
    local facts = {tensor = kind.name, name = "tensor cores, " .. kind.name}
    facts.skipped = not has and "no such instruction" or nil
    each_limit(facts, function()
      return measure(stand, stand.context:program(source_of(kind)):kernel "multiply", kind,
        SUMS * 2 * 16 * 8 * kind.k)
    end)
  end
  for _, kind in ipairs(capability == 90 and kinds or {}) do
    if kind.wgmma then
      each_limit({tensor = kind.name, name = ("tensor cores, %s by wgmma"):format(kind.name)},
        function() return measure_wgmma(stand, kind) end)
    end
  end
end

return tensor
