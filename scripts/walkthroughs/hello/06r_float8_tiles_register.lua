-- Step 6r, beyond the author: step 6 with the vector of A read once, into a register.
--
-- With B in local memory, the vector of A is nearly all that step 6's text reads from global memory. Read once, before
-- the loop, that leaves 0.0079 accesses an operation by the count, instead of 0.020; the longer B, the fewer are left.
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
    const float8 own = 8 * x < x_count ? a[x] : (float8)(0);
    float8 sum = 0;
    for (int start = 0; start < whole; start += TPB) {
        if (start + mine < whole)
            tile[mine] = b[start + mine];
        barrier(CLK_LOCAL_MEM_FENCE);
        const int count = min(TPB, whole - start);
        for (int i = 0; i < count; i++) {
            const float8 part = tile[i];
            sum += own * part.s0;
            sum += own * part.s1;
            sum += own * part.s2;
            sum += own * part.s3;
            sum += own * part.s4;
            sum += own * part.s5;
            sum += own * part.s6;
            sum += own * part.s7;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    __global const float *rest = (__global const float *)(b + whole);
    for (int i = 0; i < y_count % 8; i++)
        sum += own * rest[i];
    if (8 * x < x_count)
        c[x] = sum;
}
]]

local row = {
  number = "6r", name = "float8_tiles_register", beyond = true,
  change = "step 6 with A[x] read once, into a register",
  expect = {
    cpu = {"same", "a[x] is in the nearest cache each time, if the compiler reads it again at all"},
    gpu = {"same", "nothing is stored in the loop, so a compiler may keep a[x] in a register by itself"},
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
  walk.report(s:row(row, context))
end
