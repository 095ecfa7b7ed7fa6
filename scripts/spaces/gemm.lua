-- A space for `clue tune`: the parameters of context:gemm, the product of matrices. What it finds, context:gemm uses on
-- this device, for products of about that size.
--
--     clue tune scripts/spaces/gemm.lua cpu                          # C = A B, 1024 x 1024, float
--     clue tune scripts/spaces/gemm.lua gpu 4096 --device gpu
--     clue tune scripts/spaces/gemm.lua gpu 1000x3000x500 double     # A is 1000 x 500, B is 500 x 3000
--
-- kernels/gemm_cpu.cl and kernels/gemm.cl explain the parameters.
local cl = require "clue"
local gpu_sets = require "clue.gemm.gpu_sets"

-- ---- what to tune ----

local form, type_name, m, n, k = nil, "float", 1024, 1024, 1024
for _, word in ipairs(arg) do
  local rows, columns, depth = word:match "^(%d+)x(%d+)x(%d+)$"
  if word == "cpu" or word == "gpu" then
    form = word
  elseif word == "float" or word == "double" or word == "int" or word == "half" then
    type_name = word
  elseif rows or tonumber(word) then
    m, n, k = tonumber(rows or word), tonumber(columns or word), tonumber(depth or word)
  else
    error(("'%s' is neither cpu nor gpu, a type, nor a size such as 512 or 1000x3000x500"):format(word), 0)
  end
end
if math.min(m, n, k) < 1 then error("the sizes must be 1 or more", 0) end
if not form then error("which form of the product? clue tune scripts/spaces/gemm.lua cpu|gpu [SIZE] [TYPE]", 0) end

local bytes = ({float = 4, double = 8, int = 4, half = 4})[type_name] -- of a number that is computed with

-- ---- parameters ----

local cpu = {
  tune_params = {
    WIDTH = {16 / bytes, 32 / bytes, 64 / bytes}, MR = {3, 6, 12}, NV = {1, 2, 3, 4},
    KC = {512 / bytes, 1024 / bytes, 1536 / bytes, 2048 / bytes, 3072 / bytes}, NP = {4, 8, 16, 24, 32, 64},
    PREFETCH = {0, 1}, DIRECT = {0, 24, 48, 96, 192}, CACHE = {2 ^ 17, 2 ^ 18, 2 ^ 19, 2 ^ 20, 2 ^ 21},
  },
  restrictions = {function(p) return p.MR * p.NV + p.NV < 32 end}, -- registers
}

-- What context:gemm itself has for vectors of 64, 32 and 16 bytes.
cpu.first = {}
for i, register in ipairs {64, 32, 16} do
  cpu.first[i] = {WIDTH = register / bytes, MR = register == 64 and 12 or 6, NV = 2, KC = 1536 / bytes,
                  NP = 1024 / register, PREFETCH = 1, DIRECT = 48, CACHE = 2 ^ 20}
end

local widest = 16 / bytes
local gpu = {
  tune_params = {
    BM = {16, 32, 64, 128, 256}, BN = {16, 32, 64, 128, 256}, BK = {8, 16, 32}, WM = {16, 32, 64}, WN = {16, 32, 64},
    TM = {4, 8, 16}, TN = {4, 8}, SLICES = {1, 2, 4, 8}, V = {widest}, A_WIDTH = {1, widest}, B_WIDTH = {widest},
    PAD = {widest}, BUFFERS = {1, 2, 3}, ASYNC = type_name == "half" and {0} or {0, 1}, FRAGMENTS = {1, 2},
    SPLIT = {0, 1}, LANE_BLOCK = {1, 2}, BAND = {1, 8}, UNROLL = {0, 1},
  },
  restrictions = {
    function(p) return not gpu_sets.fault(p) end,
    function(p) return gpu_sets.items(p) >= 32 and gpu_sets.items(p) <= 512 end,
    function(p) return gpu_sets.memory(p, bytes) <= 48 * 1024 end,
    function(p) return p.TM * p.TN * bytes <= 512 end, -- registers
    function(p)
      return gpu_sets.is_shared(p, p.BK, p.BM, p.A_WIDTH) and gpu_sets.is_shared(p, p.BN, p.BK, p.B_WIDTH)
    end,
    function(p) return p.UNROLL == 0 or p.BUFFERS > 1 end,
  },
}

local function has(list, wanted)
  for _, value in ipairs(list) do
    if value == wanted then return true end
  end
end

local function is_valid(p)
  for name, values in pairs(gpu.tune_params) do
    if not has(values, p[name]) then return false end
  end
  for _, restriction in ipairs(gpu.restrictions) do
    if not restriction(p) then return false end
  end
  return true
end

-- The sets of context:gemm, of which it takes one for each product.
gpu.first = {}
for _, set in ipairs(gpu_sets.list) do
  local p = gpu_sets.complete(set)
  if (not set.types or set.types[type_name]) and is_valid(p) then gpu.first[#gpu.first + 1] = p end
end

-- ---- the product ----

local a, b = cl.array[type_name](m * k), cl.array[type_name](k * n)
if type_name == "int" then
  a:random(-9, 9, 1)
  b:random(-9, 9, 2)
else
  a:random(-1, 1, 1)
  b:random(-1, 1, 2)
end

local data -- of a process: buffers, and C as the form computes it with its own parameters

local function prepare(context, queue)
  data = {a = context:buffer(a), b = context:buffer(b), c = context:buffer(m * n * a:bytes() / (m * k)),
          expected = cl.array[type_name](m * n)}
  context:gemm(type_name, {form = form, parameters = {}})(queue, m, n, k, data.a, data.b, data.c)
  queue:read_buffer(data.c, data.expected)
end

local space = form == "cpu" and cpu or gpu
space.name = ("gemm_%s_%s"):format(form, type_name)
space.size = {m, n, k}
space.flops = 2 * m * n * k
space.metrics = {[type_name == "int" and "GOPS" or "GFLOPS"] = function(_, s) return 2 * m * n * k / s / 1e9 end}

function space.launch(p, context, queue)
  if not data then prepare(context, queue) end
  local gemm = context:gemm(type_name, {form = form, parameters = p})
  queue:fill_buffer(data.c, cl.uchar(255)) -- no result of an earlier configuration
  return function() return gemm(queue, m, n, k, data.a, data.b, data.c) end
end

local tolerance = ({float = 1e-6, double = 1e-15, int = 0, half = 1e-3})[type_name] * k

function space.verify(_, _, queue)
  local found = cl.array[type_name](m * n)
  queue:read_buffer(data.c, found)
  local same, at = found:allclose(data.expected, {relative = tolerance, absolute = tolerance})
  return same, at and ("C[%d][%d] is %s instead of %s"):format(math.floor(at / n), at % n, found[at], data.expected[at])
end

return space
