-- N-body, step 20, beyond the course: the fastest form for this device, of several that are measured in turn.
--
-- Step 19's vectors have four floats, whatever the hardware has: on a CPU with 16, three quarters of each register are
-- unused. On a GPU an item uses a body that it reads from the tile for a single interaction. The forms differ in three
-- ways. Several bodies per work-item are in the lanes of vectors: a body that was read serves all of them, and if the
-- hardware has vectors (a CPU) no sum crosses lanes. Several work-items per body help if there are fewer bodies than a
-- GPU needs items: each processes a part of every tile, and their sums are added in local memory. And there are other
-- roots than rsqrt(), which is within 2 units in the last place: native_rsqrt(), whose precision depends on the
-- hardware, and on CPUs, whose compilers turn rsqrt() into a root and a division, an estimate with Newton's steps. The
-- check decides whether they are precise enough.
local cl = require "clue"
local gain = require "clue.result.gain"
local group = require "clue.walk.group"
local nbody = require "clue.walk.nbody"
local row_of = require "clue.result.row"
local statistics = require "clue.result.statistics"
local walk = require "clue.walk"

nbody.inputs(input, "2048")

local KERNEL = [[
#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)
#if WIDTH == 1
typedef float real;
#define LOAD(from) (*(from))
#define STORE(value, to) (*(to) = (value))
#define AS_REAL as_float
#define AS_INTEGER as_int
#else
typedef NAME(float, WIDTH) real;
#define LOAD(from) NAME(vload, WIDTH)(0, from)
#define STORE(value, to) NAME(vstore, WIDTH)(value, 0, to)
#define AS_REAL NAME(as_float, WIDTH)
#define AS_INTEGER NAME(as_int, WIDTH)
#endif

/* A guess that halves the exponent, at most 3.4 % off, and three Newton steps, each of which squares the error. */
real newton_rsqrt(real x)
{
    const real half_x = 0.5f * x;
    real root = AS_REAL(0x5f375a86 - (AS_INTEGER(x) >> 1));
    for (int i = 0; i < 3; i++)
        root *= mad(-half_x * root, root, (real)(1.5f));
    return root;
}

#define PULL(other) { \
    const float4 body = other; \
    const real dx = body.x - own_x, dy = body.y - own_y, dz = body.z - own_z; \
    const real inverse = ROOT(mad(dx, dx, mad(dy, dy, mad(dz, dz, (real)(softening))))); \
    const real scale = body.w * inverse * (inverse * inverse); \
    pull_x = mad(scale, dx, pull_x); \
    pull_y = mad(scale, dy, pull_y); \
    pull_z = mad(scale, dz, pull_z); \
}

/* Groups of some items x PARTS; TILE bodies in local memory, a multiple of PARTS, or 0. */
__kernel void nbody(__global const float4 *position, __global const float4 *velocity, uint count, float step,
                    float softening, __global float4 *new_position, __global float4 *new_velocity,
                    __local float4 *tile)
{
    const uint here = get_local_id(0), part = get_local_id(1), items = get_local_size(0);
    const uint first_own = get_global_id(0) * WIDTH;
    float x[WIDTH], y[WIDTH], z[WIDTH];
    for (uint w = 0; w < WIDTH; w++) {
        const float4 own = position[min(first_own + w, count - 1)];
        x[w] = own.x;
        y[w] = own.y;
        z[w] = own.z;
    }
    const real own_x = LOAD(x), own_y = LOAD(y), own_z = LOAD(z);
    real pull_x = (real)(0), pull_y = (real)(0), pull_z = (real)(0);
#if TILE
    for (uint first = 0; first < count; first += TILE) {
        for (uint k = part * items + here; k < TILE; k += items * PARTS)
            tile[k] = first + k < count ? position[first + k] : (float4)(0);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
        for (uint k = 0; k < TILE / PARTS; k++)
            PULL(tile[part * (TILE / PARTS) + k])
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
#pragma unroll 2
    for (uint j = part; j < count; j += PARTS)
        PULL(position[j])
#endif
#if PARTS > 1
    __local float *sums = (__local float *)tile;
    __local float *own_sums = sums + (part * items + here) * 3 * WIDTH;
    STORE(pull_x, own_sums);
    STORE(pull_y, own_sums + WIDTH);
    STORE(pull_z, own_sums + 2 * WIDTH);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (part > 0)
        return;
    for (uint other = 1; other < PARTS; other++) {
        own_sums += items * 3 * WIDTH;
        pull_x += LOAD(own_sums);
        pull_y += LOAD(own_sums + WIDTH);
        pull_z += LOAD(own_sums + 2 * WIDTH);
    }
#endif
    STORE(pull_x, x);
    STORE(pull_y, y);
    STORE(pull_z, z);
    for (uint w = 0; w < WIDTH && first_own + w < count; w++) {
        const float4 own = position[first_own + w], speed = velocity[first_own + w];
        const float4 pull = (float4)(x[w], y[w], z[w], 0);
        float4 place = own + speed * step + 0.5f * step * step * pull;
        float4 faster = speed + pull * step;
        place.w = own.w;
        faster.w = speed.w;
        new_position[first_own + w] = place;
        new_velocity[first_own + w] = faster;
    }
}
]]

-- items of a group in its first dimension, width: bodies per item, parts: items per body, tile: bodies in a tile, the
-- root. flush: numbers below float's normal range may become 0, which saves a test in the root (the softening keeps all
-- squares far above that range).
local FORMS = {
  cpu = {
    {items = 16, width = 8, parts = 1, tile = 0, root = "rsqrt"},
    {items = 16, width = 16, parts = 1, tile = 0, root = "rsqrt"},
    {items = 16, width = 16, parts = 1, tile = 0, root = "native_rsqrt"},
    {items = 16, width = 16, parts = 1, tile = 0, root = "newton_rsqrt"},
  },
  gpu = {
    {items = 256, width = 1, parts = 1, tile = 256, root = "rsqrt"},
    {items = 256, width = 1, parts = 1, tile = 256, root = "native_rsqrt"},
    {items = 256, width = 1, parts = 1, tile = 256, root = "rsqrt", flush = true},
    {items = 64, width = 2, parts = 4, tile = 512, root = "rsqrt", flush = true},
    {items = 64, width = 4, parts = 4, tile = 512, root = "rsqrt"},
    {items = 64, width = 4, parts = 4, tile = 512, root = "rsqrt", flush = true},
    {items = 64, width = 4, parts = 4, tile = 512, root = "native_rsqrt", flush = true},
    {items = 128, width = 4, parts = 2, tile = 512, root = "rsqrt", flush = true},
    {items = 32, width = 4, parts = 8, tile = 512, root = "rsqrt", flush = true},
    {items = 32, width = 8, parts = 8, tile = 512, root = "rsqrt", flush = true},
  },
}

local row = {
  number = 20, name = "nbody_beyond", study = "nbody",
  beyond = true, change = "several bodies per work-item, several work-items per body, native_rsqrt",
  note_of_author = "not in the course",
  expect = {
    cpu = function(on)
      local width = on.native_vector_width_float
      if width <= 4 then return "open", ("the native vector has %d floats, which step 19's float4 fills "
        .. "already"):format(width) end
      return "faster", ("the native vector has %d floats; step 19 fills 4 of them"):format(width)
    end,
    gpu = {"faster", "a body that was read serves several bodies of an item, and a tile is shared by several items of "
      .. "a body"},
  },
  decides = {"native_vector_width_float", "max_compute_units", "local_mem_size"},
}

-- Gives the form with smaller groups and tiles if there are too few bodies for it.
local function fitted(form, count)
  local items, tile = form.items, form.tile
  while items > 1 and (items / 2) * form.width >= count do items = items / 2 end
  while tile / 2 >= math.max(count, form.parts) do tile = tile / 2 end
  return {items = items, width = form.width, parts = form.parts, tile = tile, root = form.root, flush = form.flush}
end

local function label(form)
  return ("%d x %d items, %d bodies an item, %s, %s%s"):format(form.items, form.parts, form.width,
    form.tile > 0 and "tiles of " .. form.tile or "no tiles", form.root, form.flush and ", denormals 0" or "")
end

-- Makes the parts of one form, like those of the previous steps; nil if the device cannot run it.
local function parts_of(form, context, queue, bodies, now, later)
  local bytes = math.max(16, 16 * form.tile, form.parts > 1 and form.items * form.parts * 12 * form.width or 0)
  if bytes > context.device.local_mem_size then return nil end
  local move = context:program(KERNEL, {"-cl-mad-enable", form.flush and "-cl-denorms-are-zero" or nil, defines = {
    WIDTH = form.width, PARTS = form.parts, TILE = form.tile, ROOT = form.root}}):kernel "nbody"
  local idle = function(none) return none, none, 0, 0, 1, none, none, cl.local_memory(bytes) end
  if not group.fits(move, {form.items, form.parts}, {idle = idle}) then return nil end
  local items = group.round_up(math.ceil(bodies.count / form.width), form.items)
  return {
    label = label(form), value = form.width, form = form,
    flops = bodies.flops, bytes = bodies:bytes(), repeats = bodies.repeats,
    upload = function()
      queue:write_buffer(now.position, bodies.position)
      queue:write_buffer(now.velocity, bodies.velocity)
    end,
    reset = function() bodies:forget(queue, later) end,
    execute = function()
      for _ = 1, bodies.frames do
        move(queue, {items, form.parts}, {form.items, form.parts}, now.position, now.velocity, bodies.count,
          bodies.step, bodies.softening, later.position, later.velocity, cl.local_memory(bytes))
        now, later = later, now
      end
    end,
    read = function()
      queue:read_buffer(now.position, bodies.found.position)
      queue:read_buffer(now.velocity, bodies.found.velocity)
    end,
  }
end

-- A native_rsqrt() that is too imprecise is allowed, so the step only notes it; any other wrong form is the step's
-- fault.
local function right_ones(variants, passes)
  local right = {}
  for _, variant in ipairs(variants) do
    local check = walk.verify(variant, passes)
    if check.verified then
      right[#right + 1], row.check = variant, row.check or check
    elseif variant.form.root == "native_rsqrt" then
      row.notes[#row.notes + 1] = ("native_rsqrt is not exact enough here: %s: %s"):format(variant.label, check.text)
    else
      row.check = {verified = false, text = variant.label .. ": " .. check.text}
      return {variant}
    end
  end
  return right
end

-- Notes what other roots, and denormals that may be 0, gain over rsqrt() in the same form.
local function tell_roots(sweep)
  local times_of = {}
  for _, entry in ipairs(sweep) do times_of[entry.label] = entry.times[row_of.judged(entry)] end
  for _, entry in ipairs(sweep) do
    local exact = times_of[(entry.label:gsub("%l+_rsqrt", "rsqrt"):gsub(", denormals 0", ""))]
    local times = times_of[entry.label]
    if exact and exact ~= times then
      row.notes[#row.notes + 1] = ("gain over rsqrt alone: %s (%s)"):format(
        gain.text(statistics.paired_gain(exact, times)), entry.label)
    end
  end
end

function OnStart()
  local bodies = nbody.new{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local now, later = bodies:buffers(context), bodies:buffers(context)
  local variants = {}
  row.notes = {}
  for _, form in ipairs(context.device.kind == "cpu" and FORMS.cpu or FORMS.gpu) do
    variants[#variants + 1] = parts_of(fitted(form, bodies.count), context, queue, bodies, now, later)
  end
  if #variants == 0 then walk.skip(row, "its groups and local memory are too small for every form", context) end
  local right = right_ones(variants, bodies:passes())
  row.times, row.sweep = walk.sweep(right)
  local fastest = right[1]
  for i, entry in ipairs(row.sweep) do
    if entry.times == row.times then fastest = right[i] end
  end
  tell_roots(row.sweep)
  row.host = bodies:host "serial"
  row.notes[#row.notes + 1] = "fastest: " .. fastest.label
  row.notes[#row.notes + 1] = bodies:speed(row.times)
  row.notes[#row.notes + 1] = bodies:drift(fastest, row.times)
  walk.report(bodies:row(row, context))
end
