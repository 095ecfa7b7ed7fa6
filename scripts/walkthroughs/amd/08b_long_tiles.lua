-- Transposition, step 8b, beyond the course: taller tiles, so that the rows of the result are written in long runs.
--
-- The counts of step 8 are the least possible: 4 sectors and one line a request, one pass of local memory. They do not
-- show the edges of what a group writes. A tile's column becomes a run in a row of the result. Memory is written in
-- whole units of 32 or 64 bytes, and both ends of a run share theirs with the neighbouring groups: the shorter the
-- runs, the more writes are of parts. Of the 5 sectors that a run of 32 floats touches, 2 are written in part; of the
-- 17 of a run of 128, also 2. So tiles are taller here, with rows for runs of 64 or 128.
--
-- Three more things changed. The groups are numbered along the rows of the result, so groups that run at the same time
-- write neighbouring runs. Each item first reads all of its values into registers, so many reads are in progress at
-- once. And inside the plane no bounds are tested. No count tells them apart; several forms take turns, and the fastest
-- is the row.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local group = require "clue.walk.group"
local move = require "clue.walk.move"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

move.inputs(input, "2003x1501", "N, or WxH: the plane has H rows of W floats")

local KERNEL = [[
#define EACH (WIDE * TALL / SIZE) /* values of an item */

/* A group moves a tile of WIDE columns and TALL rows. SIZE, its items, is a multiple of both, or divides them. */
__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void transpose(__global const float *from, __global float *to, uint width, uint height)
{
    __local float tile[TALL * (WIDE + 1)];
    const uint top = get_group_id(0) * TALL, left = get_group_id(1) * WIDE, item = get_local_id(0);
    const uint column = item % WIDE, line = item / WIDE;
    const uint row = item % TALL, place = item / TALL; /* of the column that becomes a row */
    const bool inside = left + WIDE <= width && top + TALL <= height;
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
    for (uint k = 0; k < EACH; k++) {
        const uint x = place + k * (SIZE / TALL);
        if (inside || (left + x < width && top + row < height))
            to[(left + x) * height + top + row] = tile[row * (WIDE + 1) + x];
    }
}
]]

-- wide, tall: columns and rows of a tile; size: items of a group.
local FORMS = {
  {wide = 64, tall = 64, size = 256}, {wide = 32, tall = 128, size = 128}, {wide = 64, tall = 128, size = 256},
  {wide = 64, tall = 128, size = 1024},
}

local row = {
  number = "8b", name = "long_tiles", study = "transpose",
  beyond = true,
  change = "taller tiles for long runs of writes, many reads in progress, groups along the result's rows",
  expect = {
    cpu = {"faster", "no bounds are tested inside the plane, and rows of the result are written in runs of 64 or 128 "
      .. "floats, not 32"},
    gpu = {"faster", "runs of up to 128 floats write 2 of 17 sectors in part, runs of 32 2 of 5; 8 to 32 reads of an "
      .. "item are in progress"},
  },
  decides = {"local_mem_size", "max_work_group_size"},
}

-- Makes the parts of one form, like those of the previous steps; nil if the device cannot run it.
local function parts_of(form, context, queue, plane, from, to)
  local bytes = 4 * (form.tall) * (form.wide + 1)
  if bytes > context.device.local_mem_size then return nil end
  local program = context:program(KERNEL, {defines = {WIDE = form.wide, TALL = form.tall, SIZE = form.size}})
  local transpose = program:kernel "transpose"
  local idle = function(none) return none, none, 0, 0 end
  if not group.fits(transpose, {form.size}, {idle = idle}) then return nil end
  local groups = {math.ceil(plane.height / form.tall), math.ceil(plane.width / form.wide)}
  return {
    label = ("%d columns x %d rows by %d items"):format(form.wide, form.tall, form.size), value = form.size,
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
