-- Mapping, 2: the matrix product, dimension 0 of the range mapped to columns.
--
-- Step 1 takes 17 sectors for a multiply-add of a warp, 16 of them for A. In the same product by the same work-items,
-- neighbours in dimension 0 now belong to consecutive columns: they read B and write C consecutively, and share one
-- element of A, which is read once and broadcast. A device that reads memory in lines reads each line once. A warp has
-- 16 columns of 2 rows here, so a request for A or B touches 2 sectors: 4 for a multiply-add instead of 17. Where
-- sectors are the limit, that is a gain of 4.2. What limits now: two loads for each multiply-add, which tiles in local
-- memory make fewer (mql5 12).
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void multiply(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const size_t column = get_global_id(0), row = get_global_id(1);
    if (row >= M || column >= N)
        return;
    REALTYPE sum = 0;
    for (size_t k = 0; k < K; k++)
        sum += a[row * K + k] * b[k * N + column];
    c[row * N + column] = sum;
}
]]

local row = {
  number = 2, name = "columns_first", study = "mapping",
  change = "dimension 0 of the range is the column: neighbours read B and write C consecutively",
  note_of_author = "faster on both cards; the same result",
  expect = {
    cpu = {"same", "each item's loop over k is the same, one float at a time; only a driver that computes neighbours "
      .. "in the lanes of a vector gains, as a GPU does"},
    gpu = {"faster", "4 sectors for a multiply-add of a warp of 32, instead of 17"},
  },
  decides = {"global_mem_cacheline_size", "preferred_work_group_size_multiple"},
}

function OnStart()
  local p = product.new{size = sizes.of_study(_size, "mapping", "480"), type = _type, repeats = _repeat}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "multiply"
  local side = group.side(multiply, 16)
  local rows, columns = group.round_up(p.m, side), group.round_up(p.n, side)

  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)
  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function() multiply(queue, {columns, rows}, {side, side}, a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {
    ("groups of %d x %d work-items"):format(side, side),
    "finding: the course says that the mapping does not affect A; but at step 1 neighbours read A a whole row apart, "
      .. "and here they share each of its elements",
  }
  walk.report(p:row(row, context))
end
