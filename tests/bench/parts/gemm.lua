--- Variants of kernels/gemm.cl: built from tables of its parameters, launched, and checked against a plain kernel.
local cl = require "clue"
local gemm = {}

local FOLDER = debug.getinfo(1, "S").source:match "^@(.*)/" or "."

-- The simplest form. Each variant names what it has instead.
local PLAIN = {
  HALF = 0, BM = 64, BN = 64, BK = 8, TM = 8, TN = 8, SLICES = 1, V = 4, A_WIDTH = 1, B_WIDTH = 1, PAD = 0,
  BUFFERS = 1, ASYNC = 0, FRAGMENTS = 1, SPLIT = 0, LANE_BLOCK = 1, BAND = 1, UNROLL = 0,
}

local BYTES = {float = 4, double = 8, int = 4}

--- Completes a variant.
-- @tparam string name
-- @tparam table parameters those of the kernel that differ from its simplest form; type: "float" (default), "double",
--   "int" or "half"; options: a list of build options
-- @treturn table name, type, options, defines
function gemm.variant(name, parameters)
  local defines = {}
  for key, value in pairs(PLAIN) do defines[key] = value end
  for key, value in pairs(parameters) do defines[key] = value end
  local type_name = parameters.type or "float"
  defines.type, defines.options = nil, nil
  defines.REAL = type_name == "half" and "float" or type_name
  defines.REAL_BYTES = BYTES[defines.REAL]
  defines.HALF = type_name == "half" and 1 or 0
  defines.WM, defines.WN = defines.WM or defines.BM, defines.WN or defines.BN
  return {name = name, type = type_name, options = parameters.options or {}, defines = defines}
end

--- The work-items of a group.
function gemm.items(variant)
  local d = variant.defines
  return d.SLICES * d.BM / d.TM * d.BN / d.TN
end

-- Whether all numbers are multiples of one.
local function multiples(of, ...)
  for i = 1, select("#", ...) do
    if select(i, ...) % of ~= 0 then return false end
  end
  return true
end

-- The widths of loads that a problem allows.
local function widths(variant, p)
  local d = variant.defines
  local a = multiples(d.V, p.K, p.lda, p.a_first) and d.A_WIDTH or 1
  local b = multiples(d.V, p.N, p.ldb, p.ldc, p.b_first, p.c_first) and d.B_WIDTH or 1
  return a, b
end

--- A problem: sizes, and for the rest what a dense product has.
-- @tparam table given M, N, K; alpha, beta, lda, ldb, ldc, a_first, b_first, c_first
-- @treturn table all of these
function gemm.problem(given)
  local p = {alpha = 1, beta = 0, lda = given.K, ldb = given.N, ldc = given.N, a_first = 0, b_first = 0, c_first = 0}
  for key, value in pairs(given) do p[key] = value end
  return p
end

-- The program of a variant for a problem's widths; each is built once in a context.
local built = setmetatable({}, {__mode = "k"})

--- The program that computes a problem.
function gemm.program(context, variant, problem)
  local a, b = widths(variant, problem)
  local programs = built[context] or {}
  built[context] = programs
  local key = ("%s %d %d"):format(variant.name, a, b)
  if not programs[key] then
    local options = {defines = {}}
    for name, value in pairs(variant.defines) do options.defines[name] = value end
    options.defines.A_WIDTH, options.defines.B_WIDTH = a, b
    for i, option in ipairs(variant.options) do options[i] = option end
    if context.device:has_extension "cl_nv_compiler_options" then options[#options + 1] = "-cl-nv-verbose" end
    programs[key] = context:program(cl.read_file(FOLDER .. "/../../../kernels/gemm.cl"), options)
  end
  return programs[key]
end

--- A function that launches the product and returns its event.
-- @tparam table queue
-- @tparam table variant
-- @tparam table p from gemm.problem
-- @tparam table a buffers
-- @tparam table b
-- @tparam table c
function gemm.launcher(queue, variant, p, a, b, c)
  local kernel = gemm.program(queue.context, variant, p):kernel "gemm"
  local d, items = variant.defines, gemm.items(variant)
  kernel:set_args(p.M, p.N, p.K, p.alpha, a, p.a_first, p.lda, b, p.b_first, p.ldb, p.beta, c, p.c_first, p.ldc)
  local groups = math.ceil(p.M / d.BM) * math.ceil(p.N / d.BN)
  return function() return kernel(queue, groups * items, items) end
end

return gemm
