-- Step 5v, beyond the author: step 5r by vload8() and vstore8() on pointers to float.
--
-- Step 5r needs padded arrays, which cost the host a copy if it has others. No padding is needed here, since a vector
-- may begin at any float: the last X mod 8 elements are computed one by one. But then the compiler knows only that
-- addresses are multiples of 4 bytes, so there is nothing to gain in the kernel, only to lose. For NVIDIA's cards it
-- makes eight loads of one float (ld.global.f32) of a vload8(), and two of four floats (ld.global.v4.f32) of a read
-- through a pointer to float8: 294 instructions in the loop instead of 270 for the same multiply-adds, 1.09 times as
-- many. `clue asm` shows them for this step and for step 5r. On x86, one instruction loads a vector from any address.
-- PoCL's loop has 23 instructions instead of 11, but the same chain of eight multiply-adds, each of which waits for the
-- one before.
local cl = require "clue"
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input, 128)

local KERNEL = [[
static float one_sum(float own, __global const float *b, int y_count)
{
    float sum = 0;
    for (int y = 0; y < y_count; y++)
        sum += own * b[y];
    return sum;
}

__kernel __attribute__((reqd_work_group_size(TPB, 1, 1)))
void outer_sum(__global const float *a, __global const float *b, __global float *c, const int x_count,
               const int y_count)
{
    const int first = 8 * get_global_id(0), whole = y_count / 8;
    if (first + 8 <= x_count) {
        const float8 own = vload8(0, a + first);
        float8 sum = 0;
        for (int i = 0; i < whole; i++) {
            const float8 part = vload8(i, b);
            sum += own * part.s0;
            sum += own * part.s1;
            sum += own * part.s2;
            sum += own * part.s3;
            sum += own * part.s4;
            sum += own * part.s5;
            sum += own * part.s6;
            sum += own * part.s7;
        }
        for (int y = whole * 8; y < y_count; y++)
            sum += own * b[y];
        vstore8(sum, 0, c + first);
    } else {
        for (int x = first; x < x_count; x++)
            c[x] = one_sum(a[x], b, y_count);
    }
}
]]

local row = {
  number = "5v", name = "unaligned", beyond = true,
  change = "as step 5r by vload8 and vstore8 on pointers to float: no padding, but no alignment either",
  note_of_author = "not in the tutorial, whose vectors are pointers to float8",
  expect = {
    cpu = {"same", "the processor loads vectors from any address, and each multiply-add waits for the one before in "
      .. "both steps, which hides further instructions"},
    gpu = {"slower", "the compiler knows only that addresses are multiples of 4 bytes, and makes eight loads of one "
      .. "float instead of two of four"},
  },
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary}
  local context = cl.context()
  local queue = context:queue()
  local kernel, group = s:kernel(context, KERNEL, s:group(context, _t))
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
