--- Programs with Hopper's instruction wgmma, for @{clue.gemm.gpu}. NVIDIA's OpenCL compiles for sm_90, which lacks it.
-- But a program's binary is PTX, and the driver takes PTX for sm_90a, too. So the instructions of
-- kernels/gemm_tensor.cl are comments that begin with //@, and the program is built again from its binary without these
-- signs.
-- @module clue.gemm.wgmma
local programs = require "clue.program"
local value = require "clue.value"

local wgmma = {}

-- The extent along K, and the types of sums and factors, by the kernel's KIND.
local kinds = {"k16.f32.f16.f16", "k8.f32.tf32.tf32"}

--- The instruction for 64 x n x 16 elements of half, or 64 x n x 8 of TF32, as a macro: its sums are registers, and
-- inline PTX must name each.
-- @tparam number kind 1: half; 2: TF32, which takes A by rows and B by columns only
-- @tparam number n
-- @tparam number transposed_a 1: A is stored by columns
-- @tparam number transposed_b 1: B is
-- @treturn string WGMMA_PRODUCT(c, a, b)
function wgmma.product(kind, n, transposed_a, transposed_b)
  local names, sums = {}, {}
  for i = 0, n / 2 - 1 do
    names[i + 1], sums[i + 1] = "%" .. i, ('"+f"((c)[%d][%d])'):format(math.floor(i / 4), i % 4)
  end
  local forms = kind == 1 and (", %d, %d"):format(transposed_a, 1 - transposed_b) or ""
  return ([[
#define WGMMA_PRODUCT(c, a, b) \
    __asm__ volatile("//@{ .reg .pred yes; setp.ne.b32 yes, 1, 0; wgmma.mma_async.sync.aligned.m64n%d%s " \
                     "{%s}, %%%d, %%%d, yes, 1, 1%s; }" : %s : "l"(a), "l"(b) : "memory")
]]):format(n, kinds[kind], table.concat(names, ", "), n / 2, n / 2 + 1, forms, table.concat(sums, ", "))
end

--- Builds a kernel whose source has instructions as comments that begin with //@.
-- @tparam context context
-- @tparam string source
-- @tparam string words build options
-- @tparam string name of the kernel
-- @tparam ?number resident so many groups are to fit on a compute unit at once, which limits the registers
-- @treturn kernel its binary need not tell the types of its arguments
function wgmma.built(context, source, words, name, resident)
  local ptx, count = programs.new(context, source, words):binary():gsub("//@", "")
  if count == 0 then error("the program's binary is no PTX", 0) end
  if resident then ptx = ptx:gsub("%.reqntid [^\n]*", ("%%0\n.minnctapersm %d"):format(resident)) end
  return programs.from_binary(context, (ptx:gsub("%.target sm_90,", ".target sm_90a,"))):kernel(name)
end

--- Builds the kernel.
-- @tparam context context
-- @tparam table defines of kernels/gemm_tensor.cl
-- @tparam string words build options, with these definitions
-- @treturn kernel its arguments are @{typed}
function wgmma.kernel(context, defines, words)
  local source = wgmma.product(defines.KIND, defines.BN, defines.TRANSPOSED_A, defines.TRANSPOSED_B)
  return wgmma.built(context, source .. '#include "gemm_tensor.cl"\n', words, "gemm", defines.RESIDENT)
end

-- The arguments of a step whose values its product decides, by their types.
local types = {m = "int", n = "int", k = "int", lda = "int", ldb = "int", ldc = "int", a_offset = "ulong",
               b_offset = "ulong", c_offset = "ulong", alpha = "float", beta = "float"}

--- Makes the numbers of a step typed, since a kernel's binary need not tell types. Those of the last call are kept.
-- @tparam table step its field typed is made
-- @tparam table call alpha, beta, k, lda, ldb, ldc
-- @treturn table m, n, k, lda, ldb, ldc, a_offset, b_offset, c_offset, alpha, beta
function wgmma.typed(step, call)
  local made = step.typed
  if made and made.for_alpha == call.alpha and made.for_beta == call.beta then return made end
  made = {for_alpha = call.alpha, for_beta = call.beta}
  for name, type_name in pairs(types) do made[name] = value[type_name](step[name] or call[name]) end
  step.typed = made
  return made
end

return wgmma
