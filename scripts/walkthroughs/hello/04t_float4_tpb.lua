-- Step 4t: step 4 with several group sizes (TPB).
--
-- What step 4 asks of memory does not depend on the groups: 0.25 accesses an operation in all sizes. But the number of
-- work-items in a group decides how many groups a compute unit holds and how well the last ones fill the device; 64 and
-- 128 were best on the author's cards, 1.22 and 2.0 times as fast as 1024. The kernel is step 4's. Each size is
-- checked, then all run in turn, and the row shows the fastest.
local cl = require "clue"
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input)

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

local items -- of a launch, once OnStart() knows it

local row = {
  number = "4t", name = "float4_tpb", change = "step 4 with the best size of groups",
  published = {
    {on = "RTX 2080", rate = 5160, unit = "GFLOPS", text = "TPB 64"},
    {on = "GT 630", rate = 166, unit = "GFLOPS", text = "TPB 128"},
  },
  note_of_author = "on the GT 630 slightly above cuBLAS's matrix multiplication",
  expect = {
    cpu = function(on) return outer_sum.gain_of_groups(on, 1024, items) end,
    gpu = {"open", "where registers allow any size, units are full with each; where not, smaller groups leave less of "
      .. "a unit unused"},
  },
  decides = {"max_work_group_size", "max_compute_units"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary,
                          multiple = 4} -- A and C of whole vectors
  local context = cl.context()
  local queue = context:queue()
  local a, b, c = context:buffer(s.a), context:buffer(s.b), context:buffer(s.c:bytes())

  items = math.ceil(s.x / 4)
  local variants = {}
  for asked = 5, 10 do
    local kernel, group = s:kernel(context, KERNEL, s:group(context, 2 ^ asked))
    local global = groups.round_up(items, group)
    if group < 2 ^ asked then break end
    variants[#variants + 1] = {
      label = ("TPB %d"):format(group), value = group,
      flops = s.flops, bytes = s:bytes(), repeats = s.repeats,
      upload = function() queue:write_buffer(a, s.a) queue:write_buffer(b, s.b) end,
      reset = function() s.c:fill(0 / 0) queue:write_buffer(c, s.c) end,
      execute = function() kernel(queue, global, group, a, b, c, cl.int(s.x), cl.int(s.y)) end,
      read = function() queue:read_buffer(c, s.c) end,
    }
  end
  row.check = walk.verify_sweep(variants, s:passes())
  row.times, row.sweep = walk.sweep(variants)
  row.host = s:host()
  row.notes = {outer_sum.sweep_text(row.sweep)}
  walk.report(s:row(row, context))
end
