-- Step 2: a matrix product by several devices, divided by the rows of C.
--
-- Each device holds all of A and B, and computes the rows of C that it gets. Nothing else moves while they work but
-- the rows that are done, each once. Sixteen rows at least make a chunk, because groups compute tiles of C.
--
-- Each element is one sum in one order, whoever computes it. Devices may still differ in the last bit, where only one
-- of them fuses multiplications with additions.
local cl = require "clue"
local group = require "clue.walk.group"
local product = require "clue.walk.product"
local several = require "clue.walk.several_devices"
local sizes = require "clue.walk.size"
local walk = require "clue.walk"

several.inputs(input, "768", product.size_text)

local SIDE = 16 -- of a tile

local KERNEL = [[
/* The rows of C from `first` to `end` - 1. */
__kernel void product(__global const float *a, __global const float *b, __global float *c, uint first, uint end,
                      __local float *tile_a, __local float *tile_b)
{
    const uint side = get_local_size(0), column = get_local_id(0), row = get_local_id(1);
    const uint i = first + get_global_id(1), j = get_global_id(0);
    float value = 0;
    for (uint from = 0; from < K; from += side) {
        tile_a[row * side + column] = i < end && from + column < K ? a[i * K + from + column] : 0;
        tile_b[row * side + column] = from + row < K && j < N ? b[(from + row) * N + j] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < side; k++)
            value += tile_a[row * side + k] * tile_b[k * side + column];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < end && j < N)
        c[i * N + j] = value;
}
]]

local row = {
  number = 2, name = "product", study = "product", change = "rows of C, of which all cost the same",
  decides = {"max_compute_units", "max_clock_frequency"},
}

-- What a device needs: the matrices, which before() writes, and the kernel.
local function prepare(p, worker, c, inputs)
  local context, bytes = worker.context, 4 * SIDE * SIDE
  local multiply = context:program(p.defines .. KERNEL):kernel "product"
  local side = group.side(multiply, SIDE, {
    bytes = function(side) return 8 * side * side end,
    idle = function(none) return none, none, none, 0, 0, cl.local_memory(bytes), cl.local_memory(bytes) end,
  })
  local a, b = context:buffer(p.a:bytes(), "read_only"), context:buffer(p.b:bytes(), "read_only")
  inputs[#inputs + 1] = function() worker.queue:write_buffer(a, p.a):write_buffer(b, p.b) end
  return function(first, count)
    local tile = cl.local_memory(4 * side * side)
    multiply(worker.queue, {group.round_up(p.n, side), group.round_up(count, side)}, {side, side}, a, b, c, first,
      first + count, tile, tile)
  end
end

function OnStart()
  local p = product.new{size = sizes.of_study(_size, "product", "768"), type = "float", repeats = _repeat}
  local devices, inputs = several.devices(row, _with), {}
  local job = {
    alone = _alone,
    total = p.m, width = p.n, type = "float", bytes = 4, results = p.c, flops = p.flops, repeats = p.repeats,
    multiple = SIDE,
    forget = function(c)
      c:fill(0 / 0)
      for _, write in ipairs(inputs) do write() end
    end,
    setup = function(worker, c) return prepare(p, worker, c, inputs) end,
  }
  local variants = several.variants(devices, job)
  row.check = several.verify(variants, p:passes())
  for _, each in ipairs(variants) do each.reset = nil end -- the matrices stay the same from now on
  several.measure(row, devices, variants)
  walk.report(p:row(row, cl.context(devices[1])))
end
