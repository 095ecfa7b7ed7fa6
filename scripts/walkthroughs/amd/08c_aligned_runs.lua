-- Transposition, step 8c, beyond the course: every run of writes begins where a unit of memory does.
--
-- Of the 17 sectors that a run of 128 floats in step 8b touches, two are written in part, and once more by the next
-- group. Runs that begin where a unit of memory does touch 16: a gain of 1.06 in writing, and more only if a part costs
-- more than a whole (a device may read a unit to change a part of it).
--
-- The rows of the result begin at any multiple of 4 bytes, since their length is the plane's height. So each group
-- moves its runs, row by row, to the next multiple of ALIGN floats. Its tile has ALIGN more rows for that, 6 to 13 %
-- more to read, which the neighbouring group has just read, so they come from the cache. Every unit is written whole,
-- by one group. Only at the ends of rows are there parts.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "2003x1501", "N, or WxH: the plane has H rows of W floats")

local KERNEL = [[
#define LINES (TALL + ALIGN)
#define EACH (WIDE * LINES / SIZE)

/* A group moves a tile of WIDE columns and about TALL rows: its runs begin at multiples of ALIGN floats. SIZE, its
 * items, is a multiple of WIDE and TALL, or divides them, and divides WIDE * LINES. */
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void transpose(__global const float *from, __global float *to, uint width, uint height)
{
    __local float tile[LINES * (WIDE + 1)];
    const uint top = get_group_id(0) * TALL, left = get_group_id(1) * WIDE, item = get_local_id(0);
    const uint column = item % WIDE, line = item / WIDE;
    const uint row = item % TALL, place = item / TALL; /* of the column that becomes a row */
    const bool inside = left + WIDE <= width && top + LINES <= height;
    float own[EACH];
#pragma unroll
    for (uint k = 0; k < EACH; k++) {
        const uint y = line + k * (SIZE / WIDE);
        own[k] = inside || (left + column < width && top + y < height) ? from[(top + y) * width + left + column] : 0;
    }
#pragma unroll
    for (uint k = 0; k < EACH; k++)
        tile[(line + k * (SIZE / WIDE)) * (WIDE + 1) + column] = own[k];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < WIDE * TALL / SIZE; k++) {
        const uint x = place + k * (SIZE / TALL), start = (left + x) * height; /* of this row of the result */
        const uint shift = (ALIGN - start % ALIGN) % ALIGN;
        if (left + x < width && top + shift + row < height)
            to[start + top + shift + row] = tile[(shift + row) * (WIDE + 1) + x];
        if (top == 0 && row < shift && left + x < width && row < height) /* before the first multiple */
            to[start + row] = tile[row * (WIDE + 1) + x];
    }
}
]]

-- wide, tall: columns and rows of a tile; size: items of a group; align: floats of a unit.
local FORMS = {
  {wide = 64, tall = 64, size = 256, align = 8}, {wide = 64, tall = 128, size = 512, align = 8},
  {wide = 64, tall = 128, size = 512, align = 16}, {wide = 32, tall = 128, size = 256, align = 8},
  {wide = 32, tall = 128, size = 256, align = 16},
}

local row = {
  number = "8c", name = "aligned_runs", study = "transpose",
  beyond = true, change = "each run of writes begins at a whole unit of memory",
  expect = {
    cpu = {"open", "a CPU's cache puts the parts of a line together before it writes them, so there is little to gain; "
      .. "the additional rows, 6 to 13 %, cost"},
    gpu = {"open", "16 whole sectors a run instead of 15 and two parts, but 6 to 13 % more rows to read from the "
      .. "cache"},
  },
  decides = {"local_mem_size", "global_mem_cacheline_size"},
}

-- Makes the parts of one form, like those of the previous steps; nil if the device cannot run it.
local function parts_of(form, context, queue, plane, from, to)
  local bytes = 4 * (form.tall + form.align) * (form.wide + 1)
  if bytes > context.device.local_mem_size then return nil end
  local program = context:program(KERNEL, {defines = {WIDE = form.wide, TALL = form.tall, SIZE = form.size,
    ALIGN = form.align}})
  local transpose = program:kernel "transpose"
  local idle = function(none) return none, none, 0, 0 end
  if not group.fits(transpose, {form.size}, {idle = idle}) then return nil end
  local groups = {math.ceil(plane.height / form.tall), math.ceil(plane.width / form.wide)}
  return {
    label = ("%d columns x %d rows by %d items, runs at multiples of %d"):format(form.wide, form.tall, form.size,
      form.align), value = form.size,
    bytes = plane.traffic, rate = "GB/s", repeats = plane.repeats,
    upload = function() queue:write_buffer(from, plane.from) end,
    reset = function() plane:forget(queue, to) end,
    execute = function()
      transpose(queue, {groups[1] * form.size, groups[2]}, {form.size, 1}, from, to, plane.width, plane.height)
    end,
    read = function() queue:read_buffer(to, plane.to) end,
  }
end

function OnStart()
  local plane = move.plane{size = sizes.of_study(_size, "transpose", "2003x1501"), repeats = _repeat,
                           transposed = true}
  local context = cl.context()
  if plane.width * plane.height >= 2 ^ 32 then walk.skip(row, "its kernel counts elements in 32 bits", context) end
  local queue = context:queue()
  local from, to = context:buffer(plane.from, "read_only"), context:buffer(plane.to)
  local variants = {}
  for _, form in ipairs(FORMS) do variants[#variants + 1] = parts_of(form, context, queue, plane, from, to) end
  if #variants == 0 then walk.skip(row, "its groups and local memory are too small for every form", context) end
  row.check = walk.verify_sweep(variants, plane:passes())
  local fastest
  row.times, row.sweep, fastest = walk.sweep(variants)
  row.notes = {"fastest: " .. fastest.label, ceiling.copying(context, fastest)}
  walk.report(plane:row(row, context))
end
