-- Step 6: as step 5, with B staged in local memory as tiles of float8.
--
-- What step 5 reads from global memory is one float8 of B and one of A for 64 multiply-adds. With B in local memory,
-- 0.020 accesses an operation are left of 0.035, most of them the vector of A (step 6r reads it once). But
-- there was little to save, and two barriers for each tile come on top. Each work-item copies one float8 of a tile as
-- long as the group; the last Y mod 8 elements come from global memory. Work-items beyond X compute results that nobody
-- reads, so that every work-item reaches every barrier. The author's tile has a fixed length of 1024, which limits TPB;
-- here the tile is as long as the group.
local cl = require "clue"
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input, 128)

local KERNEL = [[
__kernel __attribute__((reqd_work_group_size(TPB, 1, 1)))
void outer_sum(__global const float8 *a, __global const float8 *b, __global float8 *c, const int x_count,
               const int y_count)
{
    __local float8 tile[TPB];
    const int x = get_global_id(0), mine = get_local_id(0), whole = y_count / 8; /* of vectors */
    const int own = min(x, (x_count - 1) / 8); /* published: x */
    float8 sum = 0;
    for (int start = 0; start < whole; start += TPB) {
        if (start + mine < whole)
            tile[mine] = b[start + mine];
        barrier(CLK_LOCAL_MEM_FENCE);
        const int count = min(TPB, whole - start);
        for (int i = 0; i < count; i++) {
            const float8 part = tile[i];
            sum += a[own] * part.s0;
            sum += a[own] * part.s1;
            sum += a[own] * part.s2;
            sum += a[own] * part.s3;
            sum += a[own] * part.s4;
            sum += a[own] * part.s5;
            sum += a[own] * part.s6;
            sum += a[own] * part.s7;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    __global const float *rest = (__global const float *)(b + whole);
    for (int i = 0; i < y_count % 8; i++)
        sum += a[own] * rest[i];
    if (8 * x < x_count)
        c[x] = sum;
}
]]

local row = {
  number = 6, name = "float8_tiles", change = "as step 5, with B staged in local memory as tiles of float8",
  note_of_author = "on a GT 625 the build log shows 31 registers, 32800 bytes of shared and 64 of constant memory",
  expect = {
    cpu = {"same", "the loop over a tile is that of step 5, and an element that is copied serves all of the group's "
      .. "work-items, so copies cost little"},
    gpu = {"open", "one read of B serves 64 multiply-adds already, so what is left to gain is the waiting for it"},
  },
  decides = {"local_mem_type", "local_mem_size"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary,
                          multiple = 8} -- A and C of whole vectors
  local context = cl.context()
  local queue = context:queue()
  local kernel, group = s:kernel(context, KERNEL, s:group(context, _t, 32))
  local a, b, c = context:buffer(s.a), context:buffer(s.b), context:buffer(s.c:bytes())
  local global = groups.round_up(math.ceil(s.x / 8), group)

  local parts = {
    flops = s.flops, bytes = s:bytes(), repeats = s.repeats,
    upload = function() queue:write_buffer(a, s.a) queue:write_buffer(b, s.b) end,
    reset = function() s.c:fill(0 / 0) queue:write_buffer(c, s.c) end,
    execute = function() kernel(queue, global, group, a, b, c, cl.int(s.x), cl.int(s.y)) end,
    read = function() queue:read_buffer(c, s.c) end,
  }
  row.check = walk.verify(parts, s:passes())
  row.times = walk.run(parts)
  row.host = s:host()
  row.notes = {
    "finding: the published kernel writes C past X unless it is padded to 8; here A and C are",
    "finding: its tile of 1024 allows no larger groups; here the tile is as long as the group",
  }
  walk.report(s:row(row, context))
end
