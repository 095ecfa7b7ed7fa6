-- Step 11, beyond the article: step 4 in work-groups of a chosen size. The author wished for this; MQL5 of 2012 left
-- the choice to the driver.
--
-- The limit of step 4 is the sectors that a warp asks for. If its 32 work-items are 32 rows of C, that is 32 for A and
-- 1 for B, for 32 multiply-adds. A group of 8 x 8 has 8 rows and 4 columns in a warp: 8 sectors for A and 4 for B.
-- Twelve instead of 33 make a gain of up to 2.75. The work-items of a group also run on one compute unit and share its
-- cache: a group of 1 x 64 elements of C needs one row of A and 64 columns of B; a group of 8 x 8 needs 8 and 8.
--
-- On a GPU, dimension 0 decides which work-items run side by side. On a CPU device, a group is a loop in one thread.
-- The shapes and the driver's own choice, which is step 4, run in turn, and the row shows the fastest.
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void matr_mul_chosen_groups(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const int row = get_global_id(0), column = get_global_id(1);
    if (row >= M || column >= N) /* the global size is rounded up to whole groups */
        return;
    REALTYPE sum = 0;
    for (int k = 0; k < K; k++)
        sum += a[row * K + k] * b[column * K + k];
    c[row * N + column] = sum;
}
]]

local SHAPES = {{1, 64}, {64, 1}, {8, 8}, {16, 16}, {4, 64}, {64, 4}} -- rows x columns of C

local row = {
  number = 11, name = "matr_mul_chosen_groups",
  beyond = true, change = "step 4 in work-groups of the best of several shapes",
  expect = {
    cpu = {"same", "a group is a loop in one thread, which computes one element after the other in any shape"},
    gpu = {"faster", "in groups of 8 x 8 or 4 x 64, a warp asks for 12 sectors for A and B instead of 33"},
  },
  decides = {"max_work_group_size", "max_compute_units"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, b = "columns"}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "matr_mul_chosen_groups"
  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)

  local function variant(label, global, shape)
    return {
      label = label, value = label, flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
      upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
      reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
      execute = function() multiply(queue, global, shape, a, b, c) end,
      read = function() queue:read_buffer(c, p.c) end,
    }
  end

  local variants = {variant("driver's", {p.m, p.n})}
  for _, shape in ipairs(SHAPES) do
    local global = {group.round_up(p.m, shape[1]), group.round_up(p.n, shape[2])}
    if group.fits(multiply, shape) then
      variants[#variants + 1] = variant(("%d x %d"):format(shape[1], shape[2]), global, shape)
    end
  end
  for _, each in ipairs(variants) do
    row.check = walk.verify(each, p:passes())
    if not row.check.verified then break end
  end
  row.times, row.sweep = walk.sweep(variants)
  row.host = p:host "linear_columns"
  walk.report(p:row(row, context))
end
