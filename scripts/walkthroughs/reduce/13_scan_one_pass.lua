-- Scan, step 13: one launch, which reads each number from memory once (Merrill and Garland's decoupled look-back).
--
-- Step 12 moves each number three times, and no scan can do with less than two: a gain of up to 1.5 is left where
-- memory is the limit. Each group takes the next tile, and publishes the tile's sum as soon as it has it. Then it looks
-- back: it adds the sums of the tiles before its own until it comes to one whose prefix, the sum of everything up to
-- its end, has been published, and publishes its own prefix. Then it scans its tile, which it still has in local
-- memory. A place holds a sum and what it is, and is written and read as a whole, by 64-bit atomics, so no fences are
-- needed. What limits now is the waiting: part of the group's lanes look back, and the others stand idle.
--
-- A group waits only for tiles that were taken before its own. That needs a device on which each group that has started
-- goes on, whatever the others do: OpenCL does not promise this, but GPUs keep it. On a CPU a group is one work-item,
-- which takes many tiles. A tile that it has added up is in the core's cache when it is scanned, and meanwhile the item
-- reads the next one. It does not wait for long: it adds up the tile before itself if that core is busy with other
-- work. How long a tile is best depends on the device, so some forms take turns, and the fastest is the row.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input)

local KERNEL = [[
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define TILE (SIZE * EACH)
#define WINDOW (SIZE < 32 ? SIZE : 32) /* tiles that a group looks back at together */
#define POLLS 256

/* What a place says of its tile: nothing yet, its sum, or the sum of everything up to its end. */
enum { NOTHING, SUM, PREFIX };

__kernel void clear(__global ulong *places, __global uint *next)
{
    places[get_global_id(0)] = 0;
    if (get_global_id(0) == 0)
        *next = 0;
}

static void publish(volatile __global ulong *place, uint kind, uint sum)
{
    atom_xchg(place, (ulong)kind << 32 | sum);
}

#if SIZE == 1
static uint sum_of(__global const uint *from, uint first, uint end)
{
    uint sum = 0;
    for (uint i = first; i < end; i++)
        sum += from[i];
    return sum;
}

/* The sum of everything before a tile. Adds up a tile itself if nobody has done so soon: a core may have other work. */
static uint look_back(volatile __global ulong *places, uint tile, __global const uint *from)
{
    uint before = 0;
    while (tile-- > 0) {
        ulong found = NOTHING;
        for (uint k = 0; k < POLLS && found >> 32 == NOTHING; k++)
            found = atom_or(places + tile, 0ul);
        before += found >> 32 == NOTHING ? sum_of(from, tile * TILE, tile * TILE + TILE) : (uint)found;
        if (found >> 32 == PREFIX)
            break;
    }
    return before;
}

/* An item takes one tile after the other. It takes and adds up the next one while it writes the sums of the last. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void scan(__global const uint *from, __global uint *to, uint count, volatile __global ulong *places,
          volatile __global uint *next)
{
    const uint tiles = (count + TILE - 1) / TILE;
    uint tile = atomic_inc(next), sum = 0;
    if (tile < tiles)
        sum = sum_of(from, tile * TILE, min(count, tile * TILE + TILE));
    while (tile < tiles) {
        const uint first = tile * TILE, end = min(count, first + TILE);
        uint i = first, before;
        if (tile > 0)
            publish(places + tile, SUM, sum);
        before = look_back(places, tile, from);
        publish(places + tile, PREFIX, before + sum);
        tile = atomic_inc(next);
        sum = 0;
        if (tile + 1 < tiles) { /* then both are whole */
            __global const uint *then = from + tile * TILE;
            for (; i < end; i++) {
                before += from[i];
                to[i] = before;
                sum += then[i - first];
            }
        } else if (tile < tiles) {
            sum = sum_of(from, tile * TILE, count);
        }
        for (; i < end; i++) {
            before += from[i];
            to[i] = before;
        }
    }
}
#else
#define AT(k) ((k) + (k) / 32) /* where a tile's k-th number is */

/* Scans the values of a group's items. Item k works on the k-th block of a round. */
static void scan_values(__local uint *values)
{
    const uint here = get_local_id(0);
    for (uint reach = 1; reach < SIZE; reach *= 2) { /* up: both parts of a block, at its end */
        const uint end = (here + 1) * 2 * reach - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (end < SIZE)
            values[end] += values[end - reach];
    }
    for (uint reach = SIZE / 4; reach > 0; reach /= 2) { /* down: the sum at its end, to the middle of the next */
        const uint end = (here + 1) * 2 * reach - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (end + reach < SIZE)
            values[end + reach] += values[end];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

static ulong wait_for(volatile __global ulong *place)
{
    ulong found;
    do
        found = atom_or(place, 0ul);
    while (found >> 32 == NOTHING);
    return found;
}

/* The sum of everything before a tile. In each round the first items look at a tile each, the nearest first. */
static uint look_back(volatile __global ulong *places, uint tile, __local uint *found, __local uint *nearest)
{
    const uint here = get_local_id(0);
    uint before = 0, last;
    do {
        if (here == 0)
            *nearest = WINDOW;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (here < WINDOW) {
            const ulong place = here < tile ? wait_for(places + tile - 1 - here) : (ulong)PREFIX << 32;
            found[here] = (uint)place;
            if (place >> 32 == PREFIX)
                atomic_min(nearest, here);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        last = *nearest;
        for (uint k = 0; k < WINDOW && k <= last; k++)
            before += found[k];
        tile -= WINDOW;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (last == WINDOW);
    return before;
}

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void scan(__global const uint *from, __global uint *to, uint count, volatile __global ulong *places,
          volatile __global uint *next)
{
    __local uint numbers[AT(TILE)], values[SIZE], taken, found[WINDOW], nearest;
    const uint here = get_local_id(0);
    if (here == 0)
        taken = atomic_inc(next);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = taken, first = tile * TILE;
    const bool whole = first + TILE <= count; /* then no bounds are tested */
    uint own[EACH], before;
#pragma unroll
    for (uint k = 0; k < EACH; k++)
        own[k] = whole || first + here + k * SIZE < count ? from[first + here + k * SIZE] : 0;
#pragma unroll
    for (uint k = 0; k < EACH; k++)
        numbers[AT(here + k * SIZE)] = own[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    own[0] = numbers[AT(here * EACH)];
#pragma unroll
    for (uint k = 1; k < EACH; k++)
        own[k] = own[k - 1] + numbers[AT(here * EACH + k)];
    values[here] = own[EACH - 1];
    scan_values(values);
    if (here == 0 && tile > 0)
        publish(places + tile, SUM, values[SIZE - 1]);
    before = look_back(places, tile, found, &nearest);
    if (here == 0)
        publish(places + tile, PREFIX, before + values[SIZE - 1]);
    before += here > 0 ? values[here - 1] : 0;
#pragma unroll
    for (uint k = 0; k < EACH; k++)
        numbers[AT(here * EACH + k)] = before + own[k];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < EACH; k++)
        if (whole || first + here + k * SIZE < count)
            to[first + here + k * SIZE] = numbers[AT(here + k * SIZE)];
}
#endif
]]

-- size: work-items of a group, each: numbers of an item in a tile, groups: for each compute unit (one for each tile).
local FORMS = {
  cpu = {
    {size = 1, each = 8192, groups = 8}, {size = 1, each = 16384, groups = 8}, {size = 1, each = 32768, groups = 8},
    {size = 1, each = 65536, groups = 8},
  },
  gpu = {{size = 256, each = 8}, {size = 256, each = 16}, {size = 128, each = 16}, {size = 512, each = 8}},
}

local row = {
  number = 13, name = "scan_one_pass", study = "scan",
  change = "one launch: each group looks back at the sums of those before it, and the numbers are read once",
  expect = {
    cpu = {"faster", "an item adds number after number in a short loop, without barriers, instead of 104 instructions "
      .. "for each"},
    gpu = {"faster", "each number goes through memory twice instead of three times"},
  },
  decides = {"global_mem_cache_size", "local_mem_size", "max_compute_units"},
}

-- Makes the parts of one form, like those of the previous steps.
local function parts_of(form, context, queue, scan, from, to)
  local program, size = group.program(context, KERNEL, {
    kernel = "scan", size = form.size, defines = {EACH = form.each},
    bytes = function(items) return items > 1 and 4 * (form.each * items * 33 / 32 + items + 64) or 0 end,
    idle = function(none) return none, none, 0, none, none end,
  })
  local kernel, clear = program:kernel "scan", program:kernel "clear"
  local tiles = math.ceil(scan.count / (size * form.each))
  local groups = form.groups and math.min(tiles, form.groups * (context.device.max_compute_units or 1)) or tiles
  local places, next_tile = context:buffer(8 * tiles), context:buffer(4)
  return {
    label = ("%s of %d, %d numbers of an item in a tile"):format(counted(groups, "group"), size, form.each),
    value = size * form.each,
    bytes = scan.traffic, rate = "GB/s", repeats = scan.repeats,
    upload = function() queue:write_buffer(from, scan.values) end,
    reset = function() scan:forget(queue, to) end,
    execute = function()
      clear(queue, tiles, nil, places, next_tile)
      kernel(queue, groups * size, size, from, to, scan.count, places, next_tile)
    end,
    read = function() queue:read_buffer(to, scan.found) end,
  }
end

function OnStart()
  local scan = numbers.scan{size = _size, repeats = _repeat}
  local context = cl.context()
  for _, name in ipairs {"base", "extended"} do
    local extension = ("cl_khr_int64_%s_atomics"):format(name)
    if not context.device:has_extension(extension) then walk.skip(row, "no " .. extension, context) end
  end
  local queue = context:queue()
  local from, to = context:buffer(scan.values:bytes(), "read_only"), context:buffer(scan.found:bytes())
  local variants = {}
  for i, form in ipairs(context.device.kind == "cpu" and FORMS.cpu or FORMS.gpu) do
    variants[i] = parts_of(form, context, queue, scan, from, to)
  end
  row.check = walk.verify_sweep(variants, scan:passes())
  local fastest
  row.times, row.sweep, fastest = walk.sweep(variants)
  row.host = scan:host()
  row.notes = {"fastest: " .. fastest.label, ceiling.copying(context, fastest)}
  walk.report(scan:row(row, context))
end
