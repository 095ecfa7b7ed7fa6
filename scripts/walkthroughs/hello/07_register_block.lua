-- Step 7, beyond the author: each work-item computes a block of x in its registers, as large as the registers allow.
--
-- Step 6 has eight sums in each item. On a CPU they are one vector, and its next addition waits for the last: one
-- multiply-add in some four cycles, where two could begin in each. An element of B serves as many multiply-adds as an
-- item has values of x, and each of these sums is a chain of its own, so with 8 to 12 vectors, or 12 to 40 floats on a
-- GPU, the units need not wait for one result before they begin the next.
--
-- On a GPU an item has single floats, as far apart as the group has columns, so that neighbours read neighbouring
-- memory. The tile of B is divided among several items with the same x, whose sums are added at the end: this keeps
-- enough items on each unit though each computes much. On a CPU an item is a group of its own, has full vectors, and
-- reads B through the cache: a tile and its barriers would only cost. Some shapes take turns.
--
-- The work is X Y multiply-adds, which count as 2 X Y operations; the limit of `clue peak` counts a multiply-add as two
-- operations, too. (One sum of B, times each A[x], would be the same result with X + Y operations. All steps compute
-- each product, as the author does.)
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input)
input.int("_tile", 0, "floats of B in a tile, a multiple of 32; 0: each shape's own", 0, 65536)

local KERNEL = [[
#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)
#if LANES == 1
typedef float real;
#define LOAD(from) (*(from))
#define STORE(value, to) (*(to) = (value))
#else
typedef NAME(float, LANES) real;
#define LOAD(from) NAME(vload, LANES)(0, from)
#define STORE(value, to) NAME(vstore, LANES)(value, 0, to)
#endif
#ifdef FP_FAST_FMAF
#define MULTIPLY_ADD fma
#else
#define MULTIPLY_ADD mad
#endif
#define COLUMNS (TPB / PARTS)

/* Groups of COLUMNS items x PARTS. An item has BLOCK vectors of LANES x, COLUMNS vectors apart. The elements of B come
 * in tiles of TILE, of which each part has a share; 0: from global memory, and there is one part. */
__kernel __attribute__((reqd_work_group_size(TPB, 1, 1)))
void outer_sum(__global const float *a, __global const float *b, __global float *c, const int x_count,
               const int y_count)
{
    const int here = get_local_id(0) % COLUMNS, part = get_local_id(0) / COLUMNS;
    const int first = (get_group_id(0) * COLUMNS * BLOCK + here) * LANES;
    real own[BLOCK], sum[BLOCK];
    float some[LANES];
#pragma unroll
    for (int k = 0; k < BLOCK; k++) {
        const int x = first + k * COLUMNS * LANES;
        for (int lane = 0; lane < LANES; lane++)
            some[lane] = x + lane < x_count ? a[x + lane] : 0;
        own[k] = LOAD(some);
        sum[k] = 0;
    }
#if TILE
    __local float4 tile[TILE / 4];
    for (int start = 0; start < y_count; start += TILE) {
        for (int i = get_local_id(0); i < TILE; i += TPB)
            ((__local float *)tile)[i] = start + i < y_count ? b[start + i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
        for (int i = 0; i < TILE / 4 / PARTS; i++) {
            const float4 four = tile[part * (TILE / 4 / PARTS) + i];
#pragma unroll
            for (int k = 0; k < BLOCK; k++)
                sum[k] = MULTIPLY_ADD(own[k], (real)(four.s0), sum[k]);
#pragma unroll
            for (int k = 0; k < BLOCK; k++)
                sum[k] = MULTIPLY_ADD(own[k], (real)(four.s1), sum[k]);
#pragma unroll
            for (int k = 0; k < BLOCK; k++)
                sum[k] = MULTIPLY_ADD(own[k], (real)(four.s2), sum[k]);
#pragma unroll
            for (int k = 0; k < BLOCK; k++)
                sum[k] = MULTIPLY_ADD(own[k], (real)(four.s3), sum[k]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    for (int y = 0; y < y_count; y++) {
        const real one = b[y];
#pragma unroll
        for (int k = 0; k < BLOCK; k++)
            sum[k] = MULTIPLY_ADD(own[k], one, sum[k]);
    }
#endif
#if PARTS > 1
    __local float sums[(PARTS - 1) * BLOCK * COLUMNS];
#pragma unroll
    for (int k = 0; k < BLOCK; k++)
        if (part > 0)
            sums[((part - 1) * BLOCK + k) * COLUMNS + here] = sum[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (part > 0)
        return;
    for (int other = 0; other < PARTS - 1; other++) {
#pragma unroll
        for (int k = 0; k < BLOCK; k++)
            sum[k] += sums[(other * BLOCK + k) * COLUMNS + here];
    }
#endif
#pragma unroll
    for (int k = 0; k < BLOCK; k++) {
        const int x = first + k * COLUMNS * LANES;
        STORE(sum[k], some);
        for (int lane = 0; lane < LANES; lane++)
            if (x + lane < x_count)
                c[x + lane] = some[lane];
    }
}
]]

-- columns x parts: items of a group; block: vectors of an item; lanes: of a vector; tile: floats of B, or 0.
local FORMS = {
  cpu = {
    {columns = 1, parts = 1, block = 8, lanes = 16, tile = 0},
    {columns = 1, parts = 1, block = 12, lanes = 16, tile = 0},
    {columns = 1, parts = 1, block = 12, lanes = 8, tile = 0},
  },
  gpu = {
    {columns = 32, parts = 4, block = 12, lanes = 1, tile = 1024},
    {columns = 32, parts = 4, block = 16, lanes = 1, tile = 1024},
    {columns = 32, parts = 4, block = 24, lanes = 1, tile = 1024},
    {columns = 32, parts = 4, block = 32, lanes = 1, tile = 1024},
    {columns = 32, parts = 2, block = 32, lanes = 1, tile = 1024},
    {columns = 32, parts = 4, block = 40, lanes = 1, tile = 1024},
    {columns = 32, parts = 8, block = 32, lanes = 1, tile = 1024},
    {columns = 32, parts = 4, block = 32, lanes = 1, tile = 2048},
  },
}

local row = {
  number = 7, name = "register_block",
  beyond = true, change = "a block of x in each work-item's registers, B's tile divided among items",
  note_of_author = "not in the tutorial",
  expect = {
    cpu = function(on)
      return "faster", ("native width %d: 8 to 12 vectors of sums that do not wait for each other, instead of "
        .. "one"):format(on.native_vector_width_float)
    end,
    gpu = {"open", "more sums for each element of B; but where step 6 has come near the device's limit, little is "
      .. "left"},
  },
  decides = {"native_vector_width_float", "max_compute_units"},
}

-- Makes the parts of one form, like those of the previous steps; nil if the device has no such groups.
local function parts_of(form, context, queue, s, buffers)
  local size, tile = form.columns * form.parts, form.tile > 0 and _tile > 0 and _tile or form.tile
  local bytes = 4 * (tile + (form.parts - 1) * form.block * form.columns)
  if size > context.device.max_work_group_size or bytes > context.device.local_mem_size then return nil end
  local kernel, group = s:kernel(context, KERNEL, size, {PARTS = form.parts, BLOCK = form.block, LANES = form.lanes,
    TILE = tile})
  if group < size then return nil end
  local global = math.ceil(s.x / (form.columns * form.block * form.lanes)) * group
  local a, b, c = buffers[1], buffers[2], buffers[3]
  return {
    label = ("%d x %d items, %d vectors of %d, %s"):format(form.columns, form.parts, form.block, form.lanes,
      tile > 0 and "tiles of " .. tile or "no tiles"), value = form.block * form.lanes,
    flops = s.flops, bytes = s:bytes(), repeats = s.repeats,
    upload = function() queue:write_buffer(a, s.a) queue:write_buffer(b, s.b) end,
    reset = function() s.c:fill(0 / 0) queue:write_buffer(c, s.c) end,
    execute = function() kernel(queue, global, group, a, b, c, cl.int(s.x), cl.int(s.y)) end,
    read = function() queue:read_buffer(c, s.c) end,
  }
end

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary}
  local context = cl.context()
  local queue = context:queue()
  if _tile % 32 ~= 0 then walk.skip(row, ("tile %d is no multiple of 32"):format(_tile), context) end
  local buffers = {context:buffer(s.a), context:buffer(s.b), context:buffer(s.c:bytes())}
  local variants = {}
  for _, form in ipairs(context.device.kind == "cpu" and FORMS.cpu or FORMS.gpu) do
    variants[#variants + 1] = parts_of(form, context, queue, s, buffers)
  end
  if #variants == 0 then walk.skip(row, "its groups are too large for every form", context) end
  row.check = walk.verify_sweep(variants, s:passes())
  local fastest
  row.times, row.sweep, fastest = walk.sweep(variants)
  row.host = s:host()
  row.notes = {outer_sum.sweep_text(row.sweep), (ceiling.multiply_add(context, fastest))}
  walk.report(s:row(row, context))
end
