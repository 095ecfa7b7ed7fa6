-- Step 5: A, B and C as float8. Each work-item computes eight x and reads eight elements of B at once.
--
-- Step 4 reads B once for four multiply-adds. Here, an element of B serves eight, and one wide read of B serves 64
-- multiply-adds: by the count, 0.035 accesses of global memory an operation instead of 0.25, nearly half of them the
-- vector of A, which step 5r reads once. With eight sums, twice as many multiply-adds run side by side. The last Y
-- mod 8 elements of B are processed one by one; A and C are padded to whole vectors. An item needs more registers than
-- before (eight sums, eight values of A and eight of B), so a unit holds fewer items, which small groups fill better.
-- The author found groups of 128 best (step 5t).
--
-- Reading is no limit any more. On a CPU, what is left is the wait for each sum's last addition. The author takes
-- cuBLAS's matrix product as the measure of what the card can do. Step 23 of mql5 runs cuBLAS if it is installed, 21
-- and 22 OpenBLAS and CLBlast.
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
    const int x = get_global_id(0), whole = y_count / 8; /* of vectors */
    if (8 * x >= x_count)
        return;
    float8 sum = 0;
    for (int i = 0; i < whole; i++) {
        const float8 part = b[i];
        sum += a[x] * part.s0;
        sum += a[x] * part.s1;
        sum += a[x] * part.s2;
        sum += a[x] * part.s3;
        sum += a[x] * part.s4;
        sum += a[x] * part.s5;
        sum += a[x] * part.s6;
        sum += a[x] * part.s7;
    }
    __global const float *rest = (__global const float *)(b + whole);
    for (int i = 0; i < y_count % 8; i++)
        sum += a[x] * rest[i];
    c[x] = sum;
}
]]

local row = {
  number = 5, name = "float8", change = "A, B and C as float8: eight x for each work-item, eight elements of B a read",
  published = {
    {on = "RTX 2080", rate = 5594, unit = "GFLOPS", text = "TPB 128"},
    {on = "GT 630", rate = 214, unit = "GFLOPS", text = "TPB 128 to 512"},
  },
  note_of_author = "on both cards very close to cuBLAS's matrix multiplication, or above it",
  expect = {
    cpu = function(on)
      local width = on.preferred_vector_width_float
      if width >= 8 then
        return "faster", ("preferred width %d: eight sums are one vector, and take as long as step 4's "
          .. "four"):format(width)
      end
      return "open", ("preferred width %d: eight sums are two vectors, which need not wait for each "
        .. "other"):format(width)
    end,
    gpu = {"faster", "B is read once for 64 multiply-adds instead of four, which pays if the registers still suffice"},
  },
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary,
                          multiple = 8} -- A and C of whole vectors
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
  row.notes = {"finding: the published kernel writes C past X unless it is padded to 8; here A and C are"}
  walk.report(s:row(row, context))
end
