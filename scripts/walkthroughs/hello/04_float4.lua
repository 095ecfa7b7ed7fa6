-- Step 4: A and C as float4, so each work-item computes four neighbouring x, and there are a quarter as many
-- work-items.
--
-- In steps 1 to 3, each multiply-add needs a read of B, from whichever memory. Here, each element of B that is read
-- serves four independent sums: a quarter of the reads of B, and four times as many multiply-adds that need not wait
-- for each other. So up to four is to be expected; the author's cards gained 2.7 and 3.7, over a base that he does not
-- name. B comes from global memory again, without barriers. The kernel's text reads the vector of A for each element of
-- B: 0.25 accesses an operation by the count, half of which step 4r saves.
--
-- A and C are pointers to float4, which tells the compiler that each vector begins at a multiple of 16 bytes, so that
-- one instruction may read all of it; step 5v shows what else it does. So A and C are padded to whole vectors.
local cl = require "clue"
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input, 1024)

local KERNEL = [[
__kernel __attribute__((reqd_work_group_size(TPB, 1, 1)))
void outer_sum(__global const float4 *a, __global const float *b, __global float4 *c, const int x_count,
               const int y_count)
{
    const int x = get_global_id(0); /* of a vector */
    if (4 * x >= x_count) /* published: x >= x_count / 4 */
        return;
    float4 sum = 0;
    for (int y = 0; y < y_count; y++)
        sum += a[x] * b[y];
    c[x] = sum;
}
]]

local row = {
  number = 4, name = "float4", change = "A and C as float4: four x for each work-item, B from global memory",
  published = {
    {on = "RTX 2080", rate = 4218, unit = "GFLOPS", text = "2.7x, base not named"},
    {on = "GT 630", rate = 83, unit = "GFLOPS", text = "3.7x, base not named"},
  },
  expect = {
    cpu = function(on)
      return "open", ("preferred width %d: four sums are one vector, without copies and barriers; but the compiler may "
        .. "have computed step 3's work-items four at a time already"):format(on.preferred_vector_width_float)
    end,
    gpu = {"faster", "an element of B that was read serves four multiply-adds instead of one"},
  },
  decides = {"preferred_vector_width_float", "native_vector_width_float"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary,
                          multiple = 4} -- A and C of whole vectors
  local context = cl.context()
  local queue = context:queue()
  local kernel, group = s:kernel(context, KERNEL, s:group(context, _t))
  local a, b, c = context:buffer(s.a), context:buffer(s.b), context:buffer(s.c:bytes())
  local global = groups.round_up(math.ceil(s.x / 4), group)

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
  row.notes = {"finding: the published kernel drops the last X mod 4 elements; here A and C are padded"}
  walk.report(s:row(row, context))
end
