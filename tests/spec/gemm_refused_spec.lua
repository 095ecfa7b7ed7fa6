-- context:gemm with kernels/gemm_tensor.cl, where no device has what it needs: it goes on without the kernel if a
-- driver refuses it, and gives it copies of factors whose rows it could not read.
-- suite: quick
-- builds: luajit lua54
-- process: shared

local algorithm = require "clue.compute.algorithm"
local cl = require "clue"
local plans = require "clue.gemm.plan"
local objects = require "objects"
local tensor_sets = require "clue.gemm.tensor_sets"
local wgmma = require "clue.gemm.wgmma"

-- Stands for the kernel on tensor cores: the same arguments, and it reads rows only where that one can.
local PLAIN = [[
kernel void gemm(const int M, const int N, const int K, const int alpha, global const char *A, const ulong a_first,
                 const int lda, global const char *B, const ulong b_first, const int ldb, const int beta,
                 global int *C, const ulong c_first, const int ldc)
{
    const int tiles = (N + 63) / 64, i = get_local_id(0);
    for (int e = i; e < 64 * 64; e += get_local_size(0)) {
        const int row = get_group_id(0) / tiles * 64 + e / 64, column = get_group_id(0) % tiles * 64 + e % 64;
        if (row >= M || column >= N)
            continue;
        int sum = (a_first | lda | b_first | ldb) % 4 ? 1000000 : 0;
        for (int k = 0; k < K; k++)
            sum += A[a_first + (size_t)row * lda + k] * B[b_first + (size_t)k * ldb + column];
        C[c_first + row * ldc + column] = alpha * sum;
    }
}
]]

describe("context:gemm where a driver refuses the kernel for tensor cores", function()
  local real, file = tensor_sets.kind, tensor_sets.file
  local context, queue

  -- A file that is missing stands for text that is refused: PoCL takes inline PTX, and ends the process at the launch.
  setup(function()
    context, queue = objects.context()
    tensor_sets.kind = function(_, type_name) return ({float = 2, char = 3})[type_name] end
    tensor_sets.file = "no_gemm_tensor.cl"
  end)
  teardown(function() tensor_sets.kind, tensor_sets.file = real, file end)

  local function multiply(gemm)
    local ones, c = context:buffer(cl.array.float(64, 1)), context:buffer(256)
    gemm(queue, 8, 8, 8, ones, ones, c)
    return objects.contents(queue, c)[64]
  end

  -- Options that no other test has, so that the product is made here.
  local function new(options)
    options.form, options.options = "gpu", options.options or {defines = {REFUSED = 1}}
    return context:gemm("float", options)
  end

  it("computes without it from then on", function()
    local gemm = new {parameters = {TENSOR = 1}}
    assert.equal(tensor_sets, gemm.made.sets[1].of)
    assert.equal(8, multiply(gemm))
    assert.is_truthy(tostring(gemm.made.refused):find "no_gemm_tensor.cl")
    assert.equal(gemm.made.plain, gemm.made.sets)
    assert.equal(8, multiply(gemm))
  end)

  it("does so if a driver refuses the launch", function()
    local gemm = new {parameters = {TENSOR = 1, STAGES = 3}}
    local made = gemm.made
    setmetatable(made.kernels, {__index = function(_, name)
      return name:find "^own" and setmetatable({}, {__call = function() error("refused", 0) end}) or nil
    end})
    assert.equal(8, multiply(gemm))
    assert.equal(made.plain, made.sets)
  end)

  it("tells what is wrong with the script's own options", function()
    local gemm = new {parameters = {TENSOR = 1}, options = {defines = {kernel = "nothing"}}}
    assert.is_truthy(objects.refusal(multiply, gemm))
    assert.equal(tensor_sets, gemm.made.sets[1].of)
  end)

  it("names what its device lacks", function()
    assert.matches("^context:gemm: parameters.WGMMA = 1 needs a device of compute capability 9.0, not ",
      objects.refusal(new, {parameters = {TENSOR = 1, WGMMA = 1}}))
    local kind = tensor_sets.kind
    finally(function() tensor_sets.kind = kind end)
    tensor_sets.kind = function(_, _, precision) return precision == "tf32" and 2 or nil end
    assert.matches('has no tensor cores that clue uses for float: precision = "tf32" allows them$',
      objects.refusal(new, {parameters = {TENSOR = 1, STAGES = 4}}))
  end)

  it("refuses a binary without the instructions to change", function()
    assert.same({false, "the program's binary is no PTX"},
      {pcall(wgmma.built, context, "kernel void f(void) {}", "", "f")})
  end)

  -- A product of char whose rows need copies, by a kernel that stands for the one on tensor cores.
  local M, N, K = 70, 131, 37
  local function with_copies(words)
    local gemm = context:gemm("char", {form = "gpu", options = {defines = {NUMBER_OF_TEST = words}},
      parameters = {TENSOR = 1, BM = 64, BN = 64, BK = 32, WM = 32, WN = 32}})
    local plain = context:program(PLAIN):kernel "gemm"
    setmetatable(gemm.made.kernels, {__index = function(_, name) return name:find "^own" and plain or nil end})
    return gemm
  end

  -- Whether it is right with numbers that depend on a seed.
  local function is_right(gemm, seed)
    local a, b, c = cl.array.char(2 + M * 39), cl.array.char(3 + K * 133), cl.array.int(M * N)
    for i = 0, #a - 1 do a[i] = i * seed % 23 - 11 end
    for i = 0, #b - 1 do b[i] = i * seed % 19 - 9 end
    local to = context:buffer(4 * M * N)
    gemm(queue, {lda = 39, ldb = 133, a_offset = 2, b_offset = 3}, M, N, K, context:buffer(a), context:buffer(b), to)
    queue:read_buffer(to, c)
    for row = 0, M - 1, 23 do
      for column = 0, N - 1, 26 do
        local sum = 0
        for k = 0, K - 1 do sum = sum + a[2 + row * 39 + k] * b[3 + k * 133 + column] end
        if sum ~= c[row * N + column] then return false end
      end
    end
    return true
  end

  it("gives its kernel copies of factors whose rows begin where it cannot read them, for each part of C", function()
    local plan = plans.of
    function plans.of(self, ...)
      local set = plan(self, ...)[1].set
      return {{set = set, top = 0, left = 0, m = 64, n = N}, {set = set, top = 64, left = 0, m = M - 64, n = 67},
              {set = set, top = 64, left = 67, m = M - 64, n = N - 67}}
    end
    local gemm = with_copies(1)
    local first, second = is_right(gemm, 7), is_right(gemm, 5) -- by the steps of the first
    plans.of = plan
    assert.same({true, true}, {first, second})
    assert.is_nil(gemm.made.refused)
    assert.equal(3, #gemm.made.recent)
    assert.equal(tensor_sets, gemm.made.recent[1].part.set.of)
    assert.equal(K, gemm.made.recent[2].copied.b.rows)
  end)

  it("computes a product without it for which memory is short", function()
    local gemm, scratch = with_copies(2), algorithm.scratch
    for _, seed in ipairs {7, 5} do -- at the first launch, and later
      function algorithm.scratch(_, name)
        algorithm.scratch = scratch
        error(cl.error.new {call = "clCreateBuffer", name = "CL_MEM_OBJECT_ALLOCATION_FAILURE", code = -4,
                            text = name}, 0)
      end
      assert.is_true(is_right(gemm, seed))
      assert.equal(scratch, algorithm.scratch)
      assert.is_nil(gemm.made.refused)
      assert.is_true(is_right(gemm, seed))
      assert.equal(tensor_sets, gemm.made.recent[1].part.set.of)
    end
  end)

  it("goes on without its kernel for each part of C if a driver refuses the launch", function()
    local gemm, plan = with_copies(3), plans.of
    setmetatable(gemm.made.kernels, {__index = function(_, name)
      return name:find "^own" and setmetatable({}, {__call = function() error("refused", 0) end}) or nil
    end})
    function plans.of(self, ...)
      plans.of = plan
      local set = plan(self, ...)[1].set
      return {{set = set, top = 0, left = 0, m = 64, n = N}, {set = set, top = 64, left = 0, m = M - 64, n = N}}
    end
    local is_done, right = pcall(is_right, gemm, 7)
    plans.of = plan
    assert.same({true, true}, {is_done, right})
    assert.equal("refused", gemm.made.refused)
  end)
end)

describe("a product whose groups share K", function()
  it("has one group for each tile of C where memory is short for their sums", function()
    local context, queue = objects.context()
    local gemm, k, scratch = context:gemm("float", {form = "gpu"}), 4000, algorithm.scratch
    local ones, to = context:buffer(cl.array.float(4 * k, 1)), context:buffer(64)
    local function failing(code)
      function algorithm.scratch()
        algorithm.scratch = scratch
        error(cl.error.new {call = "clCreateBuffer", name = "an error", code = code, text = "no"}, 0)
      end
      local is_done, problem = pcall(gemm, queue, 4, 4, k, ones, ones, to)
      assert.equal(scratch, algorithm.scratch)
      return is_done or problem.code
    end
    for _, code in ipairs {-61, -4} do
      queue:fill_buffer(to, cl.float(0))
      assert.is_true(failing(code))
      assert.equal(k, objects.contents(queue, to)[16])
      assert.is_true(gemm.made.recent[1].adding.splits > 1)
    end
    assert.equal(-5, failing(-5))
  end)
end)
