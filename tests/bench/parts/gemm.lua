--- Variants of kernels/gemm.cl and kernels/gemm_tensor.cl: sets of their parameters, run by context:gemm.
local gpu_sets = require "clue.gemm.gpu_sets"
local tensor_sets = require "clue.gemm.tensor_sets"
local gemm = {}

--- Completes a variant.
-- @tparam string name
-- @tparam table parameters as for context:gemm, in its GPU form; type: "float" (default), "double", "int", "half",
--   "char", or "tf32" for float with that precision; options: a list of build options. Fields of a set of gpu_sets.list
--   do not matter
-- @treturn table name, type, options, parameters
function gemm.variant(name, parameters)
  local made
  if parameters.TENSOR then
    made = tensor_sets.complete(parameters)
    made.TENSOR = 1
  else
    made = gpu_sets.complete(parameters)
    made.type, made.options = nil, nil
  end
  return {name = name, type = parameters.type or "float", options = parameters.options or {}, parameters = made}
end

--- What context:gemm takes for a type of variants.
-- @tparam string type_name
-- @tparam table options of context:gemm
-- @treturn string
-- @treturn table
function gemm.type(type_name, options)
  if type_name ~= "tf32" then return type_name, options end
  options.precision = "tf32"
  return "float", options
end

--- A problem: sizes, and for the rest what a dense product has.
-- @tparam table given M, N, K; alpha, beta, lda, ldb, ldc, a_first, b_first, c_first, transpose_a, transpose_b
-- @treturn table all of these
function gemm.problem(given)
  local p = {alpha = 1, beta = 0, lda = given.transpose_a and given.M or given.K, ldc = given.N,
             ldb = given.transpose_b and given.K or given.N, a_first = 0, b_first = 0, c_first = 0}
  for key, value in pairs(given) do p[key] = value end
  p.lda, p.ldb = math.max(p.lda, 1), math.max(p.ldb, 1)
  return p
end

--- The product of a variant.
function gemm.product(context, variant)
  local options = {}
  for i, option in ipairs(variant.options) do options[i] = option end
  if context.device:has_extension "cl_nv_compiler_options" then options[#options + 1] = "-cl-nv-verbose" end
  return context:gemm(gemm.type(variant.type, {form = "gpu", parameters = variant.parameters, options = options}))
end

--- The programs that were built for a product so far.
-- @tparam table product of gemm.product
-- @treturn {program,...}
function gemm.programs(product)
  local list = {}
  for _, kernel in pairs(product.made.kernels) do list[#list + 1] = kernel.program end
  return list
end

--- A function that launches a product and returns its event.
-- @tparam table queue
-- @tparam table product of context:gemm
-- @tparam table p from gemm.problem
-- @tparam table a buffers
-- @tparam table b
-- @tparam table c
function gemm.launcher(queue, product, p, a, b, c)
  local where = {alpha = p.alpha, beta = p.beta, lda = p.lda, ldb = p.ldb, ldc = p.ldc, a_offset = p.a_first,
                 b_offset = p.b_first, c_offset = p.c_first, transpose_a = p.transpose_a, transpose_b = p.transpose_b}
  return function() return (product(queue, where, p.M, p.N, p.K, a, b, c)) end
end

-- A kernel that keeps the device busy until the products that are timed are all enqueued.
local BLOCKER = [[
kernel void block(const uint rounds, global uint *x)
{
  uint y = 1;
  for (uint i = 0; i < rounds; i++) y = y * 1664525 + 1013904223;
  *x = y;
}
]]
local BLOCK_SECONDS, TRIAL_ROUNDS = 3e-3, 100000

--- A function that times products: batch(launch, count) calls launch so many times, and returns the mean time of a
-- product in seconds, {kernels = of its event, events = from end to end}. The products follow each other at once if
-- they can be enqueued in 3 ms.
-- @tparam table queue
function gemm.timer(queue)
  local kernel, memory = queue.context:program(BLOCKER):kernel "block", queue.context:buffer(4)
  local trial = kernel(queue, 1, 1, TRIAL_ROUNDS, memory):time()
  local rounds = math.floor(math.min(TRIAL_ROUNDS * BLOCK_SECONDS / trial, 2 ^ 31))
  return function(launch, count)
    local events, sum = {}, 0
    kernel(queue, 1, 1, rounds, memory)
    for i = 1, count do events[i] = launch() end
    queue:finish()
    for i = 1, count do sum = sum + events[i]:time() end
    return {kernels = sum / count, events = (events[count].ended - events[1].ended) / (count - 1)}
  end
end

return gemm
