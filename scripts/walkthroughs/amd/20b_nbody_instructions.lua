-- N-body, step 20b, beyond the course: how close the kernel comes to what its instructions allow.
--
-- Step 20's fastest form on an H200 has 13.4 instructions for an interaction, and reaches three quarters of what these
-- allow. So hardly an instruction is left to save, but up to a quarter of the time. An interaction takes 12
-- instructions of arithmetic (3 differences, 3 multiply-adds for the square of the distance, 3 multiplications for the
-- cube and the mass, 3 multiply-adds for the pull) and a root. If a device begins as many of them in a second as `clue
-- peak` has multiply-adds, no form can be faster than that rate divided by the count. (Some CPUs have further units for
-- additions, and can be.) The rest is overhead: each body that is read from a tile is one more instruction for all of
-- an item's own bodies, and the loop has about four in each round. So the loop is unrolled, by more if an item has
-- fewer bodies. More items in a group keep more warps ready while roots are on their way.
--
-- On a CPU the root is a square root and a division, which take long on some processors, or Newton's, which takes 12
-- instructions: both take turns. There, mad() may become a multiplication and an addition, and Newton's steps a loop:
-- fma() and a loop that is unrolled made that form 1.3 times as fast (`clue asm --counts` shows the instructions).
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local group = require "clue.walk.group"
local nbody = require "clue.walk.nbody"
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

/* FUSED is a multiply-add: fma() on a CPU, where one driver makes two instructions of mad(). */

/* A guess that halves the exponent, at most 3.4 % off, and three Newton steps, each of which squares the error. */
real newton_rsqrt(real x)
{
    const real half_x = 0.5f * x;
    real root = AS_REAL(0x5f375a86 - (AS_INTEGER(x) >> 1));
#pragma unroll
    for (int i = 0; i < 3; i++)
        root *= FUSED(-half_x * root, root, (real)(1.5f));
    return root;
}

#define PULL(other) { \
    const float4 body = other; \
    const real dx = body.x - own_x, dy = body.y - own_y, dz = body.z - own_z; \
    const real inverse = ROOT(FUSED(dx, dx, FUSED(dy, dy, FUSED(dz, dz, (real)(softening))))); \
    const real scale = body.w * inverse * (inverse * inverse); \
    pull_x = FUSED(scale, dx, pull_x); \
    pull_y = FUSED(scale, dy, pull_y); \
    pull_z = FUSED(scale, dz, pull_z); \
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
#pragma unroll UNROLL
        for (uint k = 0; k < TILE / PARTS; k++)
            PULL(tile[part * (TILE / PARTS) + k])
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
#pragma unroll UNROLL
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
-- root, unroll: bodies in a round of the loop.
local FORMS = {
  cpu = {
    {items = 16, width = 16, parts = 1, tile = 0, root = "newton_rsqrt", unroll = 1},
    {items = 16, width = 16, parts = 1, tile = 0, root = "newton_rsqrt", unroll = 2},
    {items = 16, width = 16, parts = 1, tile = 0, root = "newton_rsqrt", unroll = 4},
    {items = 16, width = 16, parts = 1, tile = 0, root = "rsqrt", unroll = 1},
    {items = 16, width = 16, parts = 1, tile = 0, root = "rsqrt", unroll = 2},
  },
  gpu = {
    {items = 64, width = 4, parts = 4, tile = 512, root = "rsqrt", unroll = 8},
    {items = 64, width = 4, parts = 4, tile = 1024, root = "rsqrt", unroll = 16},
    {items = 64, width = 2, parts = 4, tile = 512, root = "rsqrt", unroll = 4},
    {items = 128, width = 2, parts = 4, tile = 512, root = "rsqrt", unroll = 4},
    {items = 128, width = 2, parts = 4, tile = 1024, root = "rsqrt", unroll = 8},
    {items = 128, width = 2, parts = 8, tile = 1024, root = "rsqrt", unroll = 4},
    {items = 64, width = 1, parts = 8, tile = 1024, root = "rsqrt", unroll = 8},
  },
}

-- Instructions of a root.
local roots = {cpu = {rsqrt = 2, newton_rsqrt = 12}, gpu = {rsqrt = 1}}

local ARITHMETIC, ROUND = 12, 4 -- of an interaction, and of a round of the loop

-- Instructions of one interaction: an instruction of a CPU computes all of an item's bodies.
local function instructions(form, cpu)
  local own, root = cpu and 1 or form.width, roots[cpu and "cpu" or "gpu"][form.root]
  return ARITHMETIC + root + 1 / own + ROUND / (form.unroll * own), root
end

local row = {
  number = "20b", name = "nbody_instructions", study = "nbody",
  beyond = true, change = "as many interactions as the count of instructions allows",
  note_of_author = "not in the course",
  expect = {
    cpu = {"open", "fma() saves 6 of 24 instructions where step 20's mad() becomes two each; but that gains nothing "
      .. "while the square root and the division take longer"},
    gpu = {"open", "12 instructions and a root are the least, and step 20 has 13.4 on an H200, so only units that wait "
      .. "less can gain more"},
  },
  decides = {"native_vector_width_float", "max_compute_units", "local_mem_size"},
}

-- Gives the form with smaller groups and tiles if there are too few bodies for it.
local function fitted(form, count)
  local items, tile = form.items, form.tile
  while items > 1 and (items / 2) * form.width >= count do items = items / 2 end
  while tile / 2 >= math.max(count, form.parts) do tile = tile / 2 end
  return {items = items, width = form.width, parts = form.parts, tile = tile, root = form.root,
    unroll = form.unroll}
end

local function label(form)
  return ("%d x %d items, %d bodies an item, %s, %s, unrolled by %d"):format(form.items, form.parts, form.width,
    form.tile > 0 and "tiles of " .. form.tile or "no tiles", form.root, form.unroll)
end

-- Makes the parts of one form, like those of the previous steps; nil if the device cannot run it.
local function parts_of(form, context, queue, bodies, now, later)
  local bytes = math.max(16, 16 * form.tile, form.parts > 1 and form.items * form.parts * 12 * form.width or 0)
  if bytes > context.device.local_mem_size then return nil end
  local move = context:program(KERNEL, {"-cl-mad-enable", "-cl-denorms-are-zero", defines = {
    WIDTH = form.width, PARTS = form.parts, TILE = form.tile, ROOT = form.root, UNROLL = form.unroll,
    FUSED = context.device.kind == "cpu" and "fma" or "mad"}}):kernel "nbody"
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

-- The count of instructions, and the share of the rate that it allows.
local function add_notes(fastest, context, bodies)
  local form = fastest.form
  local count, root = instructions(form, context.device.kind == "cpu")
  local issued = setmetatable({flops = 2 * count * bodies.count ^ 2}, {__index = fastest})
  row.notes[#row.notes + 1] = ("%.4g instructions an interaction: %d of arithmetic, %d for the root, the rest loads "
    .. "and the loop"):format(count, ARITHMETIC, root)
  row.notes[#row.notes + 1] = "a multiply-add for each: " .. (ceiling.multiply_add(context, issued))
end

function OnStart()
  local bodies = nbody.new{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local now, later = bodies:buffers(context), bodies:buffers(context)
  local variants = {}
  for _, form in ipairs(context.device.kind == "cpu" and FORMS.cpu or FORMS.gpu) do
    variants[#variants + 1] = parts_of(fitted(form, bodies.count), context, queue, bodies, now, later)
  end
  if #variants == 0 then walk.skip(row, "its groups and local memory are too small for every form", context) end
  row.check = walk.verify_sweep(variants, bodies:passes())
  local fastest
  row.times, row.sweep, fastest = walk.sweep(variants)
  row.host = bodies:host "serial"
  row.notes = {"fastest: " .. fastest.label, bodies:speed(row.times)}
  add_notes(fastest, context, bodies)
  row.notes[#row.notes + 1] = bodies:drift(fastest, row.times)
  walk.report(bodies:row(row, context))
end
