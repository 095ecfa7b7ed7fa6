-- Step 4b, beyond the series: step 4 with indices of 32 bits.
--
-- The author's indices are of type size_t, which has 64 bits on most devices, though no index here needs more than 32.
-- GPUs calculate with 32 bits, and take two instructions for an addition of 64, so 32 are often advised. But an address
-- has 64 bits in any case, and an index of 32 must be extended for each: by the count for 64 x 64 x 64, this step has
-- 239.5 instructions a work-item, step 4 has 208.0. The sectors are the same, 32 a request for A. So which is faster
-- depends on the compiler, and on whether instructions are the limit at all.
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "100x200x300")
input.int("_groups", 4, "work-groups in each dimension", 1)
input.int("_local", 32, "work-items in each group and dimension; fewer if the device cannot", 1)

local KERNEL = [[
__kernel void product(__global const REALTYPE *a, __global const REALTYPE *b, __global REALTYPE *c,
                      uint rows, uint cols, uint result_cols)
{
    for (uint i = get_global_id(0); i < rows; i += get_global_size(0))
        for (uint j = get_global_id(1); j < result_cols; j += get_global_size(1)) {
            REALTYPE value = 0;
            for (uint k = 0; k < cols; k++)
                value += a[i * cols + k] * b[k * result_cols + j];
            c[i * result_cols + j] = value;
        }
}
]]

local row = {
  number = "4b", name = "indices_of_32_bits", beyond = true,
  change = "step 4 with indices of 32 bits instead of size_t",
  expect = {
    cpu = {"open", "an index of 32 bits is extended to 64 for each address, and must wrap around, which a compiler "
      .. "that makes vectors has to respect"},
    gpu = {"open", "units calculate with 32 bits, but addresses have 64; and the reads of A, 32 sectors a request, may "
      .. "be what takes the time"},
  },
  decides = {"max_compute_units", "max_work_group_size"},
}

function OnStart()
  local p = product.new{size = _size, type = _type, repeats = _repeat, range = {0, 1}}
  local context = cl.context()
  walk.need(row, context, {type = p.type})
  local queue = context:queue()
  local multiply = context:program(p.defines .. KERNEL):kernel "product"
  local side = group.side(multiply, _local, {
    idle = function(none) return none, none, none, 0, 0, 0 end,
  })
  local items = _groups * side -- in each dimension

  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)
  local parts = {
    flops = p.flops, bytes = p:bytes(), repeats = p.repeats,
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function() multiply(queue, {items, items}, {side, side}, a, b, c, p.m, p.k, p.n) end,
    read = function() queue:read_buffer(c, p.c) end,
  }
  row.check = walk.verify(parts, p:passes())
  row.times = walk.run(parts)
  row.host = p:host "linear_rows"
  walk.report(p:row(row, context))
end
