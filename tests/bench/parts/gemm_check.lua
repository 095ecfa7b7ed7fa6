--- Checks variants of kernels/gemm.cl against a plain kernel, in all of C's memory: also what lies between its rows and
-- in front of them must be left alone.
local cl = require "clue"
local gemm = require "gemm"
local check = {}

-- The arguments are those of gemm.cl. TOTAL is a type whose sums are exact, or as exact as the device can.
local REFERENCE = [[
#ifndef RESULT
#define RESULT STORED
#endif
#if HALF
#define LOAD(p, i) vload_half(i, p)
#define STORE(v, p, i) vstore_half(v, i, p)
#else
#define LOAD(p, i) (p)[i]
#define STORE(v, p, i) (p)[i] = (v)
#endif
kernel void reference(const int M, const int N, const int K, const TOTAL alpha, global const STORED *A,
  const ulong a_first, const int lda, global const STORED *B, const ulong b_first, const int ldb, const TOTAL beta,
  global RESULT *C, const ulong c_first, const int ldc)
{
  const int n = get_global_id(0), m = get_global_id(1);
  if (m >= M || n >= N) return;
  const size_t a_step = TURNED_A ? lda : 1, b_step = TURNED_B ? 1 : ldb;
  A += a_first + (TURNED_A ? (size_t)m : (size_t)m * lda);
  B += b_first + (TURNED_B ? (size_t)n * ldb : (size_t)n);
  C += c_first + (size_t)m * ldc + n;
  TOTAL sum = 0;
  for (int k = 0; k < K; k++) sum += (TOTAL)LOAD(A, k * a_step) * LOAD(B, k * b_step);
  STORE(beta == 0 ? alpha * sum : alpha * sum + beta * LOAD(C, 0), C, 0);
}
]]

-- NaN counts as equal to NaN: the memory that nobody may write holds it.
local WORST = {
  float = "x[i] == y[i] || isnan(x[i]) && isnan(y[i]) ? 0 : isnan(x[i] - y[i]) ? INFINITY : fabs(x[i] - y[i])",
  int = "x[i] == y[i] ? 0 : 1",
  half = "fabs(vload_half(i, (global const half *)x) - vload_half(i, (global const half *)y))",
}
WORST.double = WORST.float

-- The type of C's elements.
local function result_of(type_name) return type_name == "char" and "int" or type_name end

-- The greatest difference of two buffers.
local function difference(queue, type_name, x, y)
  local stored = type_name == "half" and "ushort" or result_of(type_name)
  local result = type_name == "double" and "double" or "float"
  return queue.context:reduction(("const %s *x, const %s *y"):format(stored, stored),
    {type = result, map = WORST[result_of(type_name)], reduce = "fmax(a, b)", identity = 0})(queue, x, y)
end

local function reference_program(context, type_name, p)
  local fp64 = context.device:has_extension "cl_khr_fp64"
  local total = result_of(type_name) == "int" and "int" or fp64 and "double" or "float"
  return context:program(REFERENCE, {defines = {
    TOTAL = total, STORED = type_name, RESULT = result_of(type_name),
    HALF = type_name == "half", TURNED_A = p.transpose_a and 1 or 0,
    TURNED_B = p.transpose_b and 1 or 0}})
end

local stored_types = {tf32 = "float"} -- of types of variants that are not their elements
local ELEMENT = {float = 4, double = 8, int = 4, half = 2, char = 1}
local LOWEST, HIGHEST = {int = -9, char = -128}, {int = 9, char = 127} -- of the whole numbers

-- A buffer of random numbers, which the host makes: on Oclgrind a kernel takes longer for them than for the product.
local function random_buffer(queue, type_name, count, seed)
  local numbers = cl.array[type_name](math.max(1, count))
  return queue.context:buffer(numbers:random(LOWEST[type_name] or -1, HIGHEST[type_name] or 1, seed))
end

--- The data of a problem, and what a correct kernel makes of it.
-- @tparam table queue
-- @tparam string type_name "float", "double", "int", "half", "char"
-- @tparam table given for gemm.problem
-- @treturn table problem, a, b, c and expected (buffers), and reset(): fills c
function check.data(queue, type_name, given)
  type_name = stored_types[type_name] or type_name
  local p, context = gemm.problem(given), queue.context
  local c_count, result = p.c_first + p.M * p.ldc, result_of(type_name)
  local data = {
    problem = p, type = type_name,
    a = random_buffer(queue, type_name, p.a_first + (p.transpose_a and p.K or p.M) * p.lda, 1),
    b = random_buffer(queue, type_name, p.b_first + (p.transpose_b and p.N or p.K) * p.ldb, 2),
    c = context:buffer(c_count * ELEMENT[result]), expected = context:buffer(c_count * ELEMENT[result]),
  }
  local start = p.beta ~= 0 and random_buffer(queue, result, c_count, 3)
  local function fill(buffer)
    if start then return queue:copy_buffer(start, buffer) end
    local nan = (type_name == "float" or type_name == "double") and 0 / 0 or 77
    queue:fill_buffer(buffer, cl[type_name == "half" and "short" or result](nan))
  end
  function data.reset() fill(data.c) end
  fill(data.expected)
  local kernel = reference_program(context, type_name, p):kernel "reference"
  kernel:set_args(p.M, p.N, p.K, p.alpha, data.a, p.a_first, p.lda, data.b, p.b_first, p.ldb, p.beta, data.expected,
    p.c_first, p.ldc)
  kernel(queue, {math.ceil(p.N / 16) * 16, math.ceil(p.M / 16) * 16}, {16, 16}):wait()
  return data
end

local EPSILON = {float = 2 ^ -23, double = 2 ^ -52, int = 0, half = 2 ^ -10, tf32 = 2 ^ -11, char = 0}

--- Runs a product once and compares.
-- @tparam table queue
-- @tparam table product of context:gemm
-- @tparam table data from check.data
-- @tparam ?string type_name of the variant, if that is not its elements'
-- @treturn number the greatest error
-- @treturn boolean whether that is within the rounding of sums of K products of numbers from -1 to 1
-- @treturn function launches it again
function check.run(queue, product, data, type_name)
  local p = data.problem
  local launch = gemm.launcher(queue, product, p, data.a, data.b, data.c)
  data.reset()
  launch():wait()
  local worst = difference(queue, data.type, data.c, data.expected)
  local bound = EPSILON[type_name or data.type] * (math.abs(p.alpha) + math.abs(p.beta)) * (8 + p.K)
  return worst, worst <= bound, launch
end

--- Shapes that try a variant's edges: 1, primes, around its tile, tall, wide, K = 0 and 1, rows with gaps, offsets,
-- factors.
-- @tparam table variant
-- @treturn {table,...} for gemm.problem
function check.shapes(variant)
  local d = variant.parameters
  return {
    {M = 1, N = 1, K = 1}, {M = d.BM, N = d.BN, K = d.BK}, {M = d.BM - 1, N = d.BN + 1, K = d.BK + 1},
    {M = d.BM + 1, N = d.BN - 1, K = 3 * d.BK - 1}, {M = d.BM, N = d.BN + 4, K = 7 * d.BK + 4},
    {M = 5, N = 4, K = 0}, {M = 3 * d.BM + 5, N = 3, K = 20}, {M = 3, N = 3 * d.BN + 8, K = 17},
    {M = 33, N = 20, K = 24, alpha = 2, beta = 3, lda = 28, ldb = 24, ldc = 32, a_first = 4, b_first = 8, c_first = 12},
    {M = 33, N = 19, K = 23, alpha = 2, beta = -1, lda = 29, ldb = 25, ldc = 33, a_first = 3, b_first = 7, c_first = 5},
    {M = 9, N = 9, K = 9, alpha = 0, beta = 2},
    {M = d.BM + 4, N = d.BN + 8, K = 2 * d.BK + 4, transpose_a = true},
    {M = d.BM + 4, N = d.BN + 8, K = 2 * d.BK + 4, transpose_b = true},
    {M = d.BM - 1, N = d.BN + 1, K = d.BK + 1, transpose_a = true, transpose_b = true},
    {M = 33, N = 19, K = 23, alpha = 2, beta = -1, lda = 35, ldb = 25, ldc = 33, a_first = 3, b_first = 7, c_first = 5,
     transpose_a = true, transpose_b = true},
  }
end

return check
