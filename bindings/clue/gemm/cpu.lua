--- The matrix product of CPUs, for @{clue.gemm}: kernels/gemm_cpu.cl with parameters for the device's vector width, and
-- how a product is divided among its cores.
-- @module clue.gemm.cpu
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local array = require "clue.array"
local found = require "clue.gemm.found"
local programs = require "clue.program"
local sizes = require "clue.compute.sizes"

local cpu = {}

-- Tiles by the width of vectors, in registers of so many bytes. AVX-512 has 32 of them: 12 x 2 sums, a row of B and a
-- number of A; AVX2 and others have 16.
local tiles = {[64] = {MR = 12, NV = 2}, [32] = {MR = 6, NV = 2}, [16] = {MR = 6, NV = 2}}
local PANEL = 1536 -- bytes of a row of A that are multiplied at a time
local BLOCK = 786432 -- bytes of a block of B
local PAD = 80 -- bytes behind a row of a panel of A, so that its rows do not share sets of the cache

local function vector_bytes(device, type_name, bytes)
  local width = device["native_vector_width_" .. type_name]
  return math.max(16, math.min(64, 2 ^ math.floor(math.log(math.max(width, 1) * bytes) / math.log(2) + 0.5)))
end

--- The parameters of the kernel.
-- @tparam device device
-- @tparam string type_name "float", "double" or "int"
-- @tparam number bytes of a number
-- @treturn table WIDTH, MR, NV, KC, NP, PREFETCH: see the head of gemm_cpu.cl; DIRECT: rows of C for which copies of B
--   would cost more than they save; CACHE: bytes of B that stay in the second cache, so that B need not be copied
function cpu.parameters(device, type_name, bytes)
  local register = vector_bytes(device, type_name, bytes)
  local tile, width = tiles[register], register / bytes
  local kc = PANEL / bytes
  local clang = device.name:find "^pthread" or device.name:find "^basic" or device.name:find "^cpu"
  return {WIDTH = width, MR = tile.MR, NV = tile.NV, KC = kc, NP = BLOCK / (kc * bytes * width * tile.NV),
          PREFETCH = clang and 1 or 0, DIRECT = 48, CACHE = 2 ^ 20}
end

-- ---- how a product is divided -----------------------------------------------------------------------------------

local ROWS = 4096 -- most rows of a block of C
local COPY_B, COPY_A = 8, 8 -- a number that is copied costs as many multiplications
local SMALL = 2 ^ 20 -- multiplications that are not worth a second thread

local function up(number, unit) return math.ceil(number / unit) * unit end

-- Blocks of equal size, in whole units.
local function even(total, unit, parts) return up(math.max(math.ceil(total / parts), 1), unit) end

-- What a division costs: the blocks of the thread that has the most of them.
local function cost(units, m, n, mblk, nblk, least)
  local turns = math.ceil(math.ceil(m / mblk) * math.ceil(n / nblk) / units)
  return turns * (mblk * nblk + (mblk > least and COPY_B * nblk or 0) + COPY_A * mblk)
end

--- How C is divided into blocks: the cheapest of the divisions into few blocks.
-- @tparam table parameters of @{parameters}
-- @tparam number units compute units
-- @tparam number m rows
-- @tparam number n columns
-- @tparam number k
-- @tparam number least blocks of more rows copy B
-- @treturn number rows of a block
-- @treturn number columns
function cpu.blocks(parameters, units, m, n, k, least)
  local row, column = parameters.MR, parameters.WIDTH * parameters.NV
  local least_m, least_n = math.ceil(m / ROWS), math.ceil(n / (column * parameters.NP))
  local most = m * n * k <= SMALL and 0 or 2 * units
  local best, mblk, nblk
  for down = least_m, least_m + most do
    for across = least_n, least_n + most do
      local rows, columns = even(m, row, down), even(n, column, across)
      local price = cost(units, m, n, rows, columns, least)
      if not best or price < best then best, mblk, nblk = price, rows, columns end
    end
  end
  return mblk, nblk
end

-- ---- running ----------------------------------------------------------------------------------------------------

local counters = setmetatable({}, {__mode = "k"}) -- by queue: the next block, and how many groups are done

-- The counter of a queue's products. Each kernel leaves it as it was, so commands in order share one.
local function counter(queue)
  local owner = rawget(queue, "queue") or queue
  if queue.out_of_order then return (queue.context:buffer(array.int(2))) end
  counters[owner] = counters[owner] or queue.context:buffer(array.int(2))
  return counters[owner]
end

local least_values = {PREFETCH = 0, DIRECT = 0, CACHE = 0}

-- A set of parameters with what follows from them; a script's own replace those for the device.
local function new_set(device, type_name, bytes, given)
  local p, line = cpu.parameters(device, type_name, bytes), 64 / bytes
  for name, value in pairs(given or {}) do
    argument.word(name, p, "parameter of products on CPUs")
    p[name] = argument.whole(value, "parameters." .. name, least_values[name] or 1)
  end
  if p.KC % line ~= 0 then argument.fail("parameters.KC must be a multiple of %d, got %d", line, p.KC) end
  local pitch = p.KC + PAD / bytes
  local panel = up(p.MR * pitch, line)
  return {parameters = p, pitch = pitch, panel = panel, room = up(panel + p.KC * p.WIDTH * p.NV * p.NP, 4096),
          kernels = {}}
end

--- Makes the kernels of a type, which are built when they are needed.
-- @tparam context context
-- @tparam string type_name "float", "double" or "int"
-- @tparam number bytes of a number
-- @tparam table options parameters: replace those of @{parameters} and those that a tuner found; options: of the build
-- @treturn table for @{run}
function cpu.new(context, type_name, bytes, options)
  local self = {context = context, bytes = bytes, type_name = type_name, options = programs.options(options.options),
                set = new_set(context.device, type_name, bytes, options.parameters)}
  if not options.parameters then
    self.found = found.new(context.device, "cpu", type_name, function(parameters)
      return (pcall(new_set, context.device, type_name, bytes, parameters))
    end)
  end
  return self
end

-- The set for a product.
local function set_of(self, m, n, k)
  local entry = self.found and self.found[1] and self.found:of(m, n, k)
  if not entry then return self.set end
  entry.set = entry.set or new_set(self.context.device, self.type_name, self.bytes, entry.parameters)
  return entry.set
end

local function kernel_of(self, set, call)
  local key = (call.transpose_a and 2 or 0) + (call.transpose_b and 1 or 0)
  if not set.kernels[key] then
    local p = set.parameters
    local defines = {REAL = self.type_name, BYTES = self.bytes, WIDTH = p.WIDTH, MR = p.MR, NV = p.NV,
                     A_PITCH = set.pitch, A_PANEL = set.panel, SCRATCH = set.room,
                     PREFETCH = p.PREFETCH, TRANSPOSED_A = call.transpose_a and 1 or 0,
                     TRANSPOSED_B = call.transpose_b and 1 or 0}
    local words = programs.options {self.options, defines = defines}
    set.kernels[key] = programs.new(self.context, '#include "gemm_cpu.cl"\n', words):kernel "gemm_cpu"
  end
  return set.kernels[key]
end

-- The most rows of a block of C that reads B where it is.
local function direct_rows(self, parameters, call)
  if call.transpose_b then return 0 end
  return call.k * call.ldb * self.bytes <= parameters.CACHE and math.huge or parameters.DIRECT
end

--- Enqueues a product.
-- @tparam table self of @{new}
-- @tparam queue queue
-- @tparam table call as @{clue.gemm} checked it
-- @treturn event
function cpu.run(self, queue, call)
  local units, m, n, k = sizes.of(queue).units, call.m, call.n, call.k
  local set = set_of(self, m, n, k)
  local least = direct_rows(self, set.parameters, call)
  local mblk, nblk = cpu.blocks(set.parameters, units, m, n, k, least)
  local jobs = math.ceil(m / mblk) * math.ceil(n / nblk)
  -- PoCL gives the first thread several groups at once, so that as many groups as threads leave some threads without
  local groups = jobs == 1 and 1 or math.min(jobs, units + 1)
  local kblk = even(k, 64 / self.bytes, math.ceil(math.max(k, 1) / set.parameters.KC))
  local room = algorithm.scratch(queue, "gemm", groups * set.room * self.bytes)
  return (kernel_of(self, set, call)(queue, groups, 1, m, n, k, call.alpha, call.a, call.a_offset, call.lda, call.b,
    call.b_offset, call.ldb, call.beta, call.c, call.c_offset, call.ldc, mblk, nblk, kblk, mblk <= least and 1 or 0,
    counter(queue), room))
end

return cpu
