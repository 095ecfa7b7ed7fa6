-- Transposition, step 8d, beyond the course: the form for CPUs, whose blocks are transposed in registers.
--
-- On a CPU, steps 6 to 8c are not limited by memory, but by instructions: a tile in local memory is one more copy, and
-- work-items are a loop around single floats (13 instructions for one in step 8's machine code by PoCL). Here a group
-- is one item. It reads 16 x 16 floats into 16 vectors and exchanges their elements in four rounds: pairs, pairs of
-- pairs, ... With AVX-512 that is a loop of 164 instructions for 256 floats. With so few, memory can become the limit.
--
-- It does so for a strip of WIDE columns and TALL rows, whose rows are read in long runs, and keeps the result in the
-- core's cache. From there each row of the result gets a run of whole lines, which are written past the caches: an
-- ordinary store would first read the line that it overwrites. The 16 rows after a strip's last whole line are kept for
-- the next strip, which is brought to the cache while this one is written. The shuffles, the stores past the caches and
-- the prefetches are the compiler's own functions; the kernel does without them if it has none.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local move = require "clue.walk.move"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "2003x1501", "N, or WxH: the plane has H rows of W floats")

local KERNEL = [[
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if __has_builtin(__builtin_shufflevector) /* one driver's shuffle2() goes through memory */
#define MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define MIX(a, b, ...) shuffle2(a, b, (uint16)(__VA_ARGS__))
#endif
#if PAST_CACHES && __has_builtin(__builtin_nontemporal_store)
#define STORE(value, to) __builtin_nontemporal_store(value, to)
#else
#define STORE(value, to) (*(to) = (value))
#endif
#if __has_builtin(__builtin_prefetch) && (defined(__x86_64__) || defined(__aarch64__)) /* SPIR-V has none */
#define BRING(from) __builtin_prefetch(from)
#else
#define BRING(from)
#endif
#define LINE 16 /* floats */
#define STRIDE (TALL + LINE)

/* Transposes 16 x 16 floats. A quarter of a vector has 4 lanes: the first two rounds stay within quarters. */
static void transpose_block(float16 *r)
{
    float16 t[16];
#pragma unroll
    for (int i = 0; i < 16; i += 2) {
        t[i] = MIX(r[i], r[i + 1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
        t[i + 1] = MIX(r[i], r[i + 1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    }
#pragma unroll
    for (int i = 0; i < 16; i += 4) {
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r[i + 2 * k] = MIX(t[i + k], t[i + k + 2], 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
            r[i + 2 * k + 1] = MIX(t[i + k], t[i + k + 2], 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
        }
    }
#pragma unroll
    for (int i = 0; i < 16; i += 8) {
#pragma unroll
        for (int k = i; k < i + 4; k++) {
            t[k] = MIX(r[k], r[k + 4], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
            t[k + 4] = MIX(r[k], r[k + 4], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
        }
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        r[k] = MIX(t[k], t[k + 8], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
        r[k + 8] = MIX(t[k], t[k + 8], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    }
}

/* Brings rows y to before `end` of a strip to `kept`, where they become columns from `at` on. */
static void read_rows(__global const float *strip, float *kept, uint y, uint end, uint at, uint wide, uint width)
{
    for (; y + 16 <= end; y += 16, at += 16) {
        __global const float *from = strip + (size_t)y * width;
        for (uint x = 0; x + 16 <= wide; x += 16) {
            float16 r[16];
#pragma unroll
            for (uint k = 0; k < 16; k++)
                r[k] = vload16(0, from + (size_t)k * width + x);
            transpose_block(r);
#pragma unroll
            for (uint k = 0; k < 16; k++)
                vstore16(r[k], 0, kept + (x + k) * STRIDE + at);
        }
        for (uint x = wide / 16 * 16; x < wide; x++)
            for (uint k = 0; k < 16; k++)
                kept[x * STRIDE + at + k] = from[(size_t)k * width + x];
    }
    for (; y < end; y++, at++)
        for (uint x = 0; x < wide; x++)
            kept[x * STRIDE + at] = strip[(size_t)y * width + x];
}

/* An item moves strips of WIDE columns and TALL rows, one below the other. A strip writes from the first whole line of
 * a row of the result on; the first strip of all also what is before it, and the last one all that is left. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void transpose(__global const float *from, __global float *to, uint width, uint height, uint strips)
{
    const uint left = get_group_id(1) * WIDE, wide = min(width - left, (uint)WIDE);
    const uint begin = get_group_id(0) * strips * TALL, end = min(height, begin + strips * TALL);
    __global const float *strip = from + left;
    float kept[WIDE * STRIDE] __attribute__((aligned(64)));
    if (begin > 0 && begin + LINE > height)
        return; /* the strip before was the last one */
    for (uint y = begin, have = 0; y < end; y += TALL, have = LINE) {
        const bool last = y + TALL + LINE > height;
        const uint rows = last ? height - y : TALL + LINE;
        read_rows(strip, kept, y + have, y + rows, have, wide, width);
        for (uint x = 0; x < wide; x++) {
            const size_t start = (size_t)(left + x) * height + y;
            const uint shift = (LINE - start % LINE) % LINE, first = y == 0 ? 0 : shift;
            const uint stop = last ? rows : TALL + shift;
            float *row = kept + x * STRIDE;
            uint k = first;
            for (; k < min(shift, stop); k++)
                to[start + k] = row[k];
            for (; k + LINE <= stop; k += LINE)
                STORE(vload16(0, row + k), (__global float16 *)(to + start + k));
            for (; k < stop; k++)
                to[start + k] = row[k];
            if (!last)
                vstore16(vload16(0, row + TALL), 0, row);
            if (y + 2 * TALL + LINE <= height && x + 16 <= wide)
                for (uint n = x * (TALL / 16); n < (x + 1) * (TALL / 16); n++)
                    BRING(strip + (size_t)(y + TALL + LINE + n / (WIDE / 16)) * width + n % (WIDE / 16) * 16);
        }
        if (last)
            break;
    }
}
]]

-- wide, tall: columns and rows of a strip, multiples of 16; past: whether it is written past the caches.
local FORMS = {
  {wide = 512, tall = 128, past = 1}, {wide = 256, tall = 128, past = 1}, {wide = 512, tall = 64, past = 1},
  {wide = 128, tall = 128, past = 1}, {wide = 64, tall = 64, past = 0}, {wide = 256, tall = 64, past = 0},
}

local row = {
  number = "8d", name = "in_registers", study = "transpose",
  beyond = true, change = "for CPUs: blocks of 16 x 16 in registers, long runs of reads, whole lines past the caches",
  expect = {
    cpu = function(on)
      return "faster", ("16 vectors of 16 floats are exchanged at once (native width %d), instead of one float after "
        .. "the other, and lines are written without being read"):format(on.native_vector_width_float)
    end,
    gpu = {"slower", "a group is one work-item, and leaves the other lanes of its warp without work"},
  },
  decides = {"native_vector_width_float", "global_mem_cacheline_size", "global_mem_cache_size"},
}

-- How many strips an item moves: so many that each compute unit has several items.
local function strips_of(form, plane, units)
  local columns, strips = math.ceil(plane.width / form.wide), math.ceil(plane.height / form.tall)
  return math.max(1, math.min(strips, math.floor(columns * strips / (8 * units))))
end

-- Makes the parts of one form, like those of the previous steps.
local function parts_of(form, context, queue, plane, from, to)
  local program = context:program(KERNEL, {defines = {WIDE = form.wide, TALL = form.tall, PAST_CACHES = form.past}})
  local transpose, strips = program:kernel "transpose", strips_of(form, plane, context.device.max_compute_units or 1)
  local groups = {math.ceil(plane.height / (form.tall * strips)), math.ceil(plane.width / form.wide)}
  return {
    label = ("%d columns x %d rows%s"):format(form.wide, form.tall, form.past == 1 and ", past the caches" or ""),
    value = form.wide, bytes = plane.traffic, rate = "GB/s", repeats = plane.repeats,
    upload = function() queue:write_buffer(from, plane.from) end,
    reset = function() plane:forget(queue, to) end,
    execute = function() transpose(queue, groups, {1, 1}, from, to, plane.width, plane.height, strips) end,
    read = function() queue:read_buffer(to, plane.to) end,
  }
end

function OnStart()
  local plane = move.plane{size = sizes.of_study(_size, "transpose", "2003x1501"), repeats = _repeat,
                           transposed = true}
  local context = cl.context()
  if context.device.kind ~= "cpu" then walk.skip(row, "for CPUs: a work-group is one work-item", context) end
  if context.device.native_vector_width_float == 1 then -- llvmpipe, which compiles 16 such vectors for half a minute
    walk.skip(row, "its work-items have no vector registers: the native vector width is 1 float", context)
  end
  if plane.width * plane.height >= 2 ^ 32 then walk.skip(row, "its kernel counts elements in 32 bits", context) end
  local queue = context:queue()
  local from, to = context:buffer(plane.from, "read_only"), context:buffer(plane.to)
  local variants = {}
  for i, form in ipairs(FORMS) do variants[i] = parts_of(form, context, queue, plane, from, to) end
  row.check = walk.verify_sweep(variants, plane:passes())
  local fastest
  row.times, row.sweep, fastest = walk.sweep(variants)
  row.notes = {"fastest: " .. fastest.label, ceiling.copying(context, fastest)}
  walk.report(plane:row(row, context))
end
