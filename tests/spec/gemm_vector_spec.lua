-- Products whose C is one row or one column, in the form for GPUs: kernels/gemv.cl, and how they are divided. All types
-- and forms on Oclgrind, with checks for races; on PoCL, which compiles each for half a second, one by rows and one by
-- columns, in float, without its optimiser.
-- suite: whole
-- cost: 15

local support = require "support"
local vectors = require "clue.gemm.vectors"

local SCRIPT = [[
package.path = "tests/bench/parts/?.lua;" .. package.path
local check = require "gemm_check"
local cl = require "clue"
local context = cl.context()
local queue = context:queue()

-- M or N, and K: in less than one batch of loads and in several, and so long that groups share it.
local function shapes_of(type_name)
  if arg[1] ~= "all" then return {{33, 257}} end
  local list = {{1, 0}, {1, 1}, {3, 7}, {100, 3}, {9, 130}}
  if type_name == "float" or type_name == "half" then list[5], list[6] = {19, 257}, {1, 4200} end
  if type_name == "float" then list[7] = {1, 18000} end -- rows are loaded by 16 bytes, and need more
  return list
end
local both = {transpose_a = true, transpose_b = true}
local forms = arg[1] == "all" and {{}, {transpose_a = true}, {transpose_b = true}, both} or {both}

-- The kernels of a shape have all four forms in float. In other types they have two: of X by rows and of X by columns.
local function has(type_name, i, j)
  return type_name == "float" or (j == 1 or j == 4) == (i % 2 == 1)
end
for _, type_name in ipairs(arg[1] == "all" and {"float", "double", "int", "half", "char"} or {"float"}) do
  local product, launches, shared = context:gemm(type_name, {form = "gpu"}), 0, false
  for i, shape in ipairs(shapes_of(type_name)) do
    for j, form in ipairs(shape[2] < 10000 and forms or {{}}) do
      for turn = 0, has(type_name, i, j) and 1 or -1 do
        local p = {M = turn == 0 and shape[1] or 1, N = turn == 0 and 1 or shape[1], K = shape[2]}
        for name, value in pairs(form) do p[name] = value end
        if (i + j) % 2 == 0 then -- rows with gaps, factors
          local a_row, b_row = p.transpose_a and p.M or p.K, p.transpose_b and p.K or p.N
          p.lda, p.ldb, p.ldc, p.a_first, p.b_first, p.c_first = a_row + 8, b_row + 4 * turn, p.N + 3, 16, 8 * turn, 5
          p.alpha, p.beta = -2, 3
        end
        local worst, right = check.run(queue, product, check.data(queue, type_name, p))
        if not right then print("wrong", type_name, p.M, p.N, p.K, j, worst) end
        collectgarbage() -- Oclgrind looks at all memory for races
        launches, shared = launches + 1, shared or product.made.recent[1].adding ~= nil
      end
    end
  end
  print(type_name, launches, shared)
end
]]

describe("a product with one row or column", function()
  it("is right in all types and forms, without races, on Oclgrind", function()
    local _, output, problems = support.run_script(SCRIPT, {"all"},
      support.drivers("oclgrind", {OCLGRIND_DATA_RACES = "1", OCLGRIND_MAX_WGSIZE = "256"}))
    assert.equal("float\t50\ttrue\ndouble\t20\tfalse\nint\t20\tfalse\nhalf\t24\ttrue\nchar\t20\tfalse\n", output,
      problems)
    assert.is_nil(problems:find "race")
    assert.is_nil(problems:find "Invalid")
  end)

  it("is right on PoCL", function()
    local status, output, problems = support.run_script(SCRIPT, {}, support.unoptimised {})
    assert.equal("float\t2\tfalse\n", output, problems)
    assert.equal(0, status)
  end)

  it("does not read C where beta is 0, nor A and B where alpha is 0", function()
    local _, output, problems = support.run_script([[
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local gemm = context:gemm("float", {form = "gpu"})
local nan, ones = context:buffer(cl.array.float(64, 0 / 0)), context:buffer(cl.array.float(64, 1))
for _, transpose in ipairs {false, true} do
  local to, read = context:buffer(cl.array.float(8, 0 / 0)), cl.array.float(8)
  gemm(queue, {transpose_a = transpose}, 8, 1, 8, ones, ones, to)
  queue:read_buffer(to, read)
  io.write(read[7], " ")
  gemm(queue, {alpha = 0, beta = 0.5, transpose_a = transpose}, 8, 1, 8, nan, nan, to)
  queue:read_buffer(to, read)
  print(read[7])
end]], {}, support.drivers "oclgrind")
    assert.equal("8 4\n8 4\n", output, problems)
  end)
end)

describe("the division of a product with one row or column", function()
  local H200 = {units = 132, most = 1024}

  local function division(is_by_columns, width, bytes, m, k, device)
    return vectors.division(is_by_columns, width, bytes, m, k, device or H200)
  end

  it("has groups enough for all compute units", function()
    for _, is_by_columns in ipairs {true, false} do
      for _, size in ipairs {{4096, 4096}, {64, 1000000}, {1000000, 64}, {16384, 16384}, {1, 10000000}} do
        local by = division(is_by_columns, 4, 4, size[1], size[2])
        assert.is_true(by.tiles * by.splits >= 120, ("%d x %d: %d"):format(size[1], size[2], by.tiles * by.splits))
      end
    end
  end)

  it("shares K only where groups are few and K is long", function()
    for _, is_by_columns in ipairs {true, false} do
      assert.equal(1, division(is_by_columns, 4, 4, 4096, 4096).splits)
      assert.equal(1, division(is_by_columns, 4, 4, 16, 300).splits)
      assert.is_true(division(is_by_columns, 4, 4, 64, 1000000).splits > 8)
    end
  end)

  it("covers all of K, by shares that vectors of the widest load divide", function()
    for _, is_by_columns in ipairs {true, false} do
      for _, k in ipairs {1, 300, 20000, 999996, 2 ^ 31 - 16} do
        local by = division(is_by_columns, 4, 4, 5, k)
        assert.is_true(by.share * by.splits >= k and by.share * (by.splits - 1) < k)
        assert.equal(0, by.share % by.WIDTH)
      end
    end
  end)

  it("fits into the groups of the device", function()
    for most = 0, 10 do
      for _, is_by_columns in ipairs {true, false} do
        for _, k in ipairs {0, 3, 64, 4096} do
          local by = division(is_by_columns, 4, 4, 1000, k, {units = 8, most = 2 ^ most})
          assert.is_true(by.ACROSS * by.DOWN <= 2 ^ most, 2 ^ most)
        end
      end
    end
  end)

  it("keeps loops short where the device ends them", function()
    local by = division(true, 4, 4, 100000, 2 ^ 30, {units = 2, most = 1024, ends_loops = "ends loops"})
    assert.is_true(by.share / by.DOWN * (4 + 4 * by.WIDTH) < 65536)
  end)
end)
