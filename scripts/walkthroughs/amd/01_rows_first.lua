-- Mapping, 1: the matrix product, dimension 0 of the range mapped to rows.
--
-- Neighbours in dimension 0 run together (a warp or wavefront, the lanes of a CPU's vector). Here they belong to
-- consecutive rows: what they read of A and write to C is a whole row apart, so each needs a separate piece of memory.
-- This limits the step on a GPU: a warp of 32 in groups of 16 x 16 has 16 rows of 2 columns, so its request for A
-- touches 16 sectors of 32 bytes, and the one for B only 1. A multiply-add of the warp takes both: 17 sectors.
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

product.inputs(input, "480")

local KERNEL = [[
__kernel void multiply(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c)
{
    const size_t row = get_global_id(0), column = get_global_id(1);
    if (row >= M || column >= N)
        return;
    REALTYPE sum = 0;
    for (size_t k = 0; k < K; k++)
        sum += a[row * K + k] * b[k * N + column];
    c[row * N + column] = sum;
}
]]

local row = {
  number = 1, name = "rows_first", study = "mapping",
  change = "dimension 0 of the range is the row: neighbours read A and write C a whole row apart",
  note_of_author = "shown on a GeForce 285 and an 8800; the figures cannot be read off the charts",
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
    execute = function() multiply(queue, {rows, columns}, {side, side}, a, b, c) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  row.notes = {("groups of %d x %d work-items"):format(side, side)}
  walk.report(p:row(row, context))
end
