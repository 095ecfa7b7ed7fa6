-- A space to change: `clue tune` looks for the values of its parameters with which the kernel is fastest here.
--
--     clue tune NAME.lua                  # tries all of them; docs/reference/tuning.md explains the fields
--     clue tune NAME.lua --device gpu
--
-- Every result is compared with that of `reference`, so write there values with which the kernel is surely right.
local cl = require "clue"

local count = 2^20
local x, y = cl.array.float(count), cl.array.float(count)
x:random(0, 1, 1)

return {
  kernel_name = "scale",
  source = [[
kernel void scale(global const float *x, global float *y)
{
    const size_t first = get_global_id(0) * ITEMS;
    for (int k = 0; k < ITEMS; k++)
        y[first + k] = 2 * x[first + k];
}
]],
  tune_params = {block_size_x = {32, 64, 128, 256}, ITEMS = {1, 2, 4, 8}}, -- block_size_x: work-items in a group
  restrictions = {function(p) return p.block_size_x * p.ITEMS <= 1024 end},
  problem_size = count,
  global_size = function(p) return count / p.ITEMS end,
  arguments = {x, y},
  reference = {block_size_x = 64, ITEMS = 1},
  bytes = 8 * count,
  metrics = {["GB/s"] = function(_, seconds) return 8 * count / seconds / 1e9 end},
}
