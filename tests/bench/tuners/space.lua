-- The space of product.cl for `clue tune`; kernel_tuner_run.py has the same one.
local cl = require "clue"
local folder = arg[0]:match "^(.*)/[^/]*$" or "."
local N = tonumber(os.getenv "TUNERS_N" or 512)
local a, b, c = cl.array.float(N * N), cl.array.float(N * N), cl.array.float(N * N)
a:random(-1, 1, 1)
b:random(-1, 1, 2)

return {
  name = "tuners_product",
  kernel_name = "product",
  source = cl.read_file(folder .. "/product.cl"),
  options = {defines = {N = N}},
  tune_params = {
    block_size_x = {4, 8, 16, 32, 64}, block_size_y = {1, 2, 4, 8, 16}, WX = {1, 2, 4, 8}, WY = {1, 2, 4, 8},
    TK = {4, 8, 16, 32}, LOCAL = {0, 1},
  },
  restrictions = {
    function(p) return p.block_size_x * p.block_size_y >= 16 and p.block_size_x * p.block_size_y <= 512 end,
    function(p) return p.block_size_x * p.WX <= 256 and p.block_size_y * p.WY <= 128 end,
    function(p) return (p.block_size_x * p.WX + p.block_size_y * p.WY) * p.TK * 4 <= 32768 end,
  },
  problem_size = {N, N},
  global_size = function(p) return {N / p.WX, N / p.WY} end,
  arguments = {a, b, c},
  reference = {block_size_x = 16, block_size_y = 1, WX = 1, WY = 1, TK = 32, LOCAL = 0}, -- three plain loops
  rtol = 0, atol = 1e-3,
  metrics = {GFLOPS = function(_, seconds) return 2 * N ^ 3 / seconds / 1e9 end},
  flops = 2 * N ^ 3,
}
