-- What pages call space.lua: a tuning space that is searched in a second.
local cl = require "clue"
local n = 64
local x, y = cl.array.float(n * n):random(0, 1, 1), cl.array.float(n * n)
return {
  kernel_name = "twice",
  source = [[
    kernel void twice(global const float *x, global float *y)
    {
        size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
        y[i] = 2 * x[i];
    }]],
  tune_params = {block_size_x = {16, 32}, block_size_y = {1, 2}},
  problem_size = {n, n},
  arguments = {x, y},
  reference = {block_size_x = 16, block_size_y = 1},
  metrics = {["GFLOP/s"] = function(_, seconds) return n * n / seconds / 1e9 end},
}
