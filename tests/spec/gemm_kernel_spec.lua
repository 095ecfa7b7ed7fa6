-- kernels/gemm.cl: variants that use each of its parameters, on shapes around their tiles: all on Oclgrind, with
-- checks for races, those of other types than float in one form of transposes; on PoCL, where a program takes seconds,
-- that form of two variants in float, of one in double and of one in half, without its optimiser.
-- suite: whole
-- cost: 20

local support = require "support"

-- One process for all variants: a compiler takes longer to start than to compile another of them.
local SCRIPT = [[
package.path = "tests/bench/parts/?.lua;" .. package.path
local check, gemm = require "gemm_check", require "gemm"
local context = require("clue").context()
local queue = context:queue()
local known = {}

-- Most variants have shapes in common.
local function data_of(type_name, shape)
  local words = {type_name}
  for key, value in pairs(shape) do words[#words + 1] = key .. "=" .. tostring(value) end
  table.sort(words)
  local key = table.concat(words, " ")
  known[key] = known[key] or check.data(queue, type_name, shape)
  return known[key]
end

local BASE = {BM = 16, BN = 16, TM = 4, TN = 4}
local variants = {
  {},
  {BM = 32, A_WIDTH = 4, B_WIDTH = 4, BUFFERS = 2},
  -- warps in blocks of 2 x 2, split fragments and an unrolled loop
  {BM = 32, BN = 32, WM = 16, WN = 16, LANE_BLOCK = 2, SPLIT = 1, PAD = 4, BUFFERS = 2, UNROLL = 1, BAND = 2},
  {FRAGMENTS = 2, SPLIT = 1, B_WIDTH = 4, SPLITS = 3},
  {BK = 16, SLICES = 4, FRAGMENTS = 2, BUFFERS = 2, SPLIT = 1, PAD = 4, B_WIDTH = 4},
  {V = 1, SPLITS = 9},
  {type = "double", V = 2, A_WIDTH = 2, B_WIDTH = 2, BUFFERS = 2, FRAGMENTS = 2},
  {type = "int", A_WIDTH = 4, B_WIDTH = 4, BUFFERS = 2, FRAGMENTS = 2},
  {type = "half", A_WIDTH = 4, B_WIDTH = 4, BUFFERS = 2, FRAGMENTS = 2, SPLITS = 2},
  {type = "char", A_WIDTH = 4, B_WIDTH = 4, BUFFERS = 2, FRAGMENTS = 2},
}
for i, parameters in ipairs(variants) do
  for key, value in pairs(BASE) do parameters[key] = parameters[key] or value end
  local variant, count = gemm.variant("one", parameters), 0
  local product = gemm.product(context, variant)
  local is_chosen = arg[1] == "all" or ({[3] = true, [4] = true, [7] = true, [9] = true})[i]
  local all_forms = arg[1] == "all" and variant.type == "float"
  local every = parameters.SPLITS == 9 and 2 or 1 -- each product has nine times the groups
  for j, shape in ipairs(is_chosen and check.shapes(variant) or {}) do
    local form = (shape.transpose_a and 1 or 0) + (shape.transpose_b and 2 or 0)
    if (all_forms or form == i % 4) and (j - 1) % every == 0 then
      local worst, right = check.run(queue, product, data_of(variant.type, shape))
      if not right then print("wrong: variant", i, shape.M, shape.N, shape.K, worst) end
      count = count + 1
    end
  end
  if is_chosen then print(i, count > 0) end
end
]]

local expected = ""
for i = 1, 10 do expected = expected .. i .. "\ttrue\n" end
local some = "3\ttrue\n4\ttrue\n7\ttrue\n9\ttrue\n"

describe("the matrix product", function()
  it("is right on PoCL", function()
    local status, output, problems = support.run_script(SCRIPT, {}, support.unoptimised {})
    assert.equal(some, output, problems)
    assert.equal(0, status)
  end)

  it("is right for any M, N and K, without races, on Oclgrind", function()
    local _, output, problems = support.run_script(SCRIPT, {"all"},
      support.drivers("oclgrind", {OCLGRIND_DATA_RACES = "1"}))
    assert.equal(expected, output, problems)
    assert.is_nil(problems:find "race")
    assert.is_nil(problems:find "Invalid")
  end)
end)

describe("the check", function()
  it("finds a wrong factor, a row that is missing, a column too many, and rows in wrong places", function()
    local _, output, problems = support.run_script([[
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
]], {}, support.drivers "oclgrind")
    assert.equal(("false\n"):rep(4), output, problems)
  end)
end)
