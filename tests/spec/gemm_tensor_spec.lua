-- kernels/gemm_tensor.cl, without a GPU: tests/emulated/gemm_tensor.cc runs it on the host.
-- suite: whole
-- cost: 30

local support = require "support"
local tensor_sets = require "clue.gemm.tensor_sets"

local EMULATED = "tests/emulated/gemm_tensor.cc"
local standard

-- The compiler reads C++'s own headers once, not for each program: that is half of its time.
setup(function()
  standard = support.folder() .. "/standard.h"
  local lines = {}
  for line in support.read(EMULATED):gmatch "#include <[^\n]*\n" do lines[#lines + 1] = line end
  support.write(table.concat(lines), standard)
  assert.equal("", support.output_of(("c++ -w -O0 -x c++-header %s -o %s.gch 2>&1"):format(standard, standard)))
end)

-- Builds and runs a variant; returns what the program prints.
local function run(defines, sizes)
  local words = {"BAND=2", "PARTIAL=0", "SPLITS=1", "C_WIDE=2"}
  words[#words + 1] = "COUNTED=" .. tensor_sets.counters(defines.SPLITS or 1)
  for name, value in pairs(defines) do words[#words + 1] = ("%s=%d"):format(name, value) end
  local program = support.folder() .. "/gemm_tensor"
  local command = ("c++ -w -O0 -include %s -I kernels -D%s %s -o %s 2>&1 && %s %s"):format(standard,
    table.concat(words, " -D"), EMULATED, program, program, sizes)
  return support.output_of(command)
end

local function with(variant, changes)
  local made = {}
  for name, value in pairs(variant) do made[name] = value end
  for name, value in pairs(changes) do made[name] = value end
  return made
end

local double = {KIND = 0, BM = 64, BN = 64, BK = 16, WM = 32, WN = 16, STAGES = 3, A_COPY = 8, B_COPY = 8, C_WIDE = 1}
local half = {KIND = 1, BM = 64, BN = 64, BK = 32, WM = 32, WN = 32, STAGES = 3, A_COPY = 4, B_COPY = 4}
local tf32 = {KIND = 2, BM = 64, BN = 64, BK = 16, WM = 32, WN = 32, STAGES = 2, A_COPY = 4, B_COPY = 4, C_WIDE = 1}
local char = {KIND = 3, BM = 64, BN = 64, BK = 64, WM = 32, WN = 32, STAGES = 3, A_COPY = 4, B_COPY = 4, C_WIDE = 1}
local wgmma = {KIND = 1, WGMMA = 1, BM = 128, BN = 128, BK = 32, WM = 64, WN = 128, STAGES = 2, A_COPY = 16,
               B_COPY = 16}
-- Its factors are copied along K first: A by rows, B by columns.
local tf32_wgmma = with(wgmma, {KIND = 2, BK = 16, TRANSPOSED_A = 0, TRANSPOSED_B = 1, C_WIDE = 4})
-- M, N, K, alpha, beta, the first elements and least gaps between rows, and a unit of rows' distances
local odd, even, fours = "61 67 37 2 0 1 1", "66 130 34 -1 1 2 1", "60 132 100 -1 1 4 4"
local eights = "131 139 77 -1 1 8 8"

-- What the kernel does by clue's formula: products, loads and passes.
local function counted(variant, sizes)
  local m, n, k = sizes:match "(%d+) (%d+) (%d+)"
  local counts = tensor_sets.counts(tensor_sets.complete(variant, variant.KIND), {m = tonumber(m), n = tonumber(n),
    k = tonumber(k), transpose_a = variant.TRANSPOSED_A == 1, transpose_b = variant.TRANSPOSED_B == 1})
  return ("%d %d %d"):format(counts.products, counts.loads, counts.passes)
end

describe("the kernel for tensor cores", function()
  for name, case in pairs {double = {double, odd}, half = {half, even}, TF32 = {tf32, odd}, char = {char, fours},
                           wgmma = {wgmma, eights}} do
    local banks = name ~= "wgmma" and " and meets in no bank" or "" -- which reads and copies without work-items
    it(("is right%s, transposed or not: %s"):format(banks, name), function()
      -- But for double, how A is loaded does not depend on how B is stored: two forms have all ways.
      for _, form in ipairs(name == "double" and {0, 1, 2, 3} or {1, 2}) do
        local variant = with(case[1], {TRANSPOSED_A = form % 2, TRANSPOSED_B = math.floor(form / 2)})
        local output = run(variant, case[2])
        local counts = output:match(name == "wgmma" and "^right 0%.00 0%.00 (.*)\n$" or "^right 1%.00 [01]%.00 (.*)\n$")
        assert.is_truthy(counts, ("form %d: %s"):format(form, output))
        assert.equal(counted(variant, case[2]), counts, "form " .. form)
      end
    end)
  end

  it("is right with wide copies, rows that end within one, K divided among groups, and an empty K", function()
    local plain = {TRANSPOSED_A = 0, TRANSPOSED_B = 0}
    local function wide(elements, more)
      return with(with(plain, {A_COPY = 16, B_COPY = 16, C_WIDE = elements}), more or {})
    end
    for i, case in ipairs {
      {with(double, wide(2)), "128 64 64 1 1 0 1"}, {with(half, wide(8)), "64 72 40 1 0 8 8"},
      {with(half, wide(8, {PARTIAL = 1})), "61 67 35 1 2 8 8"},
      {with(tf32, wide(4, {PARTIAL = 1})), "3 197 5 1 0 4 4"},
      {with(char, wide(4, {PARTIAL = 1})), "61 195 77 3 1 16 16"},
      {with(char, {TRANSPOSED_A = 1, TRANSPOSED_B = 0, BM = 128, BN = 128, WM = 64, SPLITS = 2, C_WIDE = 4}),
       "130 132 200 1 -2 4 4"},
      {with(double, with(plain, {SPLITS = 4})), odd},
      {with(double, with(plain, {SPLITS = 35})), "5 4 571 2 -1 0 1"}, {with(wgmma, with(plain, {SPLITS = 2})), eights},
      {with(wgmma, wide(8, {TRANSPOSED_A = 1, TRANSPOSED_B = 1, BM = 64, BN = 192, WN = 192})), "70 203 140 2 0 8 8"},
      {with(wgmma, with(plain, {BK = 16, WM = 128, STAGES = 4})), "5 4 0 1 2 8 8"},
      {tf32_wgmma, eights}, {with(tf32_wgmma, {BM = 64, BN = 64, WN = 64, BK = 32, SPLITS = 4}), "70 61 200 -1 2 4 4"},
      {with(double, plain), "5 4 0 1 2 0 1"},
    } do
      local output = run(case[1], case[2])
      local counts = output:match "^right %S+ %S+ (.*)\n$"
      assert.is_truthy(counts, ("case %d: %s"):format(i, output))
      assert.equal(counted(case[1], case[2]), counts, "case " .. i)
    end
  end)

  it("is not run with rows that copies cannot take", function()
    local output = run(with(half, {TRANSPOSED_A = 0, TRANSPOSED_B = 0}), "65 66 34 1 0 1 1")
    assert.is_truthy(output:find "not aligned")
  end)
end)
