-- Step 5t: step 5 with several group sizes (TPB).
--
-- The limit of step 5 may be how many work-items a unit holds. The more registers an item needs, the fewer items fit a
-- unit, and groups come whole: of a large group either all items fit, or none. So small groups leave less of the
-- registers unused. The kernel is step 5's. The build log has the registers on NVIDIA's cards; --maxrregcount limits
-- them. On an H200 the log has 64 registers for groups of 32, and 32 for the others; since the kernel took at most 5.1
-- % longer in groups of 512 and 1024 than in the best, registers alone do not explain it.
local cl = require "clue"
local groups = require "clue.walk.group"
local outer_sum = require "clue.walk.outer_sum"
local walk = require "clue.walk"

outer_sum.inputs(input)

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

local items -- of a launch, once OnStart() knows it

local row = {
  number = "5t", name = "float8_tpb", change = "step 5 with the best size of groups",
  published = {
    {on = "RTX 2080", text = "best at TPB 128"},
    {on = "GT 630", text = "best at TPB 128 to 512"},
  },
  expect = {
    cpu = function(on) return outer_sum.gain_of_groups(on, 128, items) end,
    gpu = {"open", "the compiler may give an item other registers in other groups, and smaller groups fill a unit "
      .. "better"},
  },
  decides = {"max_work_group_size", "max_compute_units"},
}

function OnStart()
  local s = outer_sum.new{size = _size, repeats = _repeat, maxrregcount = _maxrregcount, log = _log, binary = _binary,
                          multiple = 8} -- A and C of whole vectors
  local context = cl.context()
  local queue = context:queue()
  local a, b, c = context:buffer(s.a), context:buffer(s.b), context:buffer(s.c:bytes())

  items = math.ceil(s.x / 8)
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
