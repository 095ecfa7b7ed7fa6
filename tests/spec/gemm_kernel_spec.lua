-- kernels/gemm.cl: variants that use each of its parameters, on shapes around their tiles, on PoCL and, with checks for
-- races, on Oclgrind.
-- suite: whole

local support = require "support"

local SCRIPT = [[
package.path = "tests/bench/parts/?.lua;" .. package.path
local check, gemm = require "gemm_check", require "gemm"
local context = require("clue").context()
local queue = context:queue()
local variant = gemm.variant("one", PARAMETERS)
local product = gemm.product(context, variant)
for _, shape in ipairs(check.shapes(variant)) do
  local worst, right = check.run(queue, product, check.data(queue, variant.type, shape))
  if not right then print("wrong", shape.M, shape.N, shape.K, worst) end
end
print "end"
]]

local BASE = "BM = 16, BN = 16, TM = 4, TN = 4"
local variants = {
  ["in its simplest form"] = BASE,
  ["with wide loads and two buffers"] = BASE .. ", BM = 32, A_WIDTH = 4, B_WIDTH = 4, BUFFERS = 2",
  ["with warps in blocks of 2 x 2, split fragments and an unrolled loop"] = BASE
    .. ", BM = 32, BN = 32, WM = 16, WN = 16, LANE_BLOCK = 2, SPLIT = 1, PAD = 4, BUFFERS = 2, UNROLL = 1, BAND = 2",
  ["with two fragments"] = BASE .. ", FRAGMENTS = 2, SPLIT = 1, B_WIDTH = 4",
  ["with slices"] = BASE .. ", BK = 16, SLICES = 4, FRAGMENTS = 2, BUFFERS = 2, SPLIT = 1, PAD = 4, B_WIDTH = 4",
  ["of single elements"] = BASE .. ", V = 1",
  ["of double"] = "type = 'double', V = 2, A_WIDTH = 2, B_WIDTH = 2, BUFFERS = 2, FRAGMENTS = 2, " .. BASE,
  ["of int"] = "type = 'int', A_WIDTH = 4, B_WIDTH = 4, BUFFERS = 2, FRAGMENTS = 2, " .. BASE,
  ["of half"] = "type = 'half', A_WIDTH = 4, B_WIDTH = 4, BUFFERS = 2, FRAGMENTS = 2, " .. BASE,
}

local function run(parameters, env)
  return support.run_script((SCRIPT:gsub("PARAMETERS", "{" .. parameters .. "}")), {}, env)
end

for name, parameters in pairs(variants) do
  describe("the matrix product " .. name, function()
    it("is right for any M, N and K on PoCL", function()
      local status, output, problems = run(parameters)
      assert.equal("end\n", output, problems)
      assert.equal(0, status)
    end)

    it("is right without races on Oclgrind", function()
      local _, output, problems = run(parameters, support.drivers("oclgrind", {OCLGRIND_DATA_RACES = "1"}))
      assert.equal("end\n", output, problems)
      assert.is_nil(problems:find "race")
      assert.is_nil(problems:find "Invalid")
    end)
  end)
end

describe("the check", function()
  it("finds a wrong factor, a row that is missing, a column too many, and rows in wrong places", function()
    local _, output, problems = support.run_script [[
package.path = "tests/bench/parts/?.lua;" .. package.path
local check, gemm = require "gemm_check", require "gemm"
local context = require("clue").context()
local queue = context:queue()
local product = gemm.product(context, gemm.variant("one", {BM = 16, BN = 16, TM = 4, TN = 4}))
for _, change in ipairs {{alpha = 1.001}, {M = 4}, {N = 5}, {ldc = 6}} do
  local data = check.data(queue, "float", {M = 5, N = 4, K = 3, lda = 4, ldb = 5, ldc = 7})
  for key, value in pairs(change) do data.problem[key] = value end
  print((select(2, check.run(queue, product, data))))
end
]]
    assert.equal(("false\n"):rep(4), output, problems)
  end)
end)
