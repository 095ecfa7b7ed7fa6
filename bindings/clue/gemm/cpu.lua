--- The matrix product of CPUs, for @{clue.gemm}: kernels/gemm_cpu.cl with parameters for the device's vector width, and
-- how a product is divided among its cores.
-- @module clue.gemm.cpu
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local array = require "clue.array"
local found = require "clue.gemm.found"
local programs = require "clue.program"
local sizes = require "clue.compute.sizes"
local sums = require "clue.gemm.sums"

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
local JOIN, ADD = 2 ^ 20, 16 -- as many multiplications cost a second kernel, and a sum that it adds

local function up(number, unit) return math.ceil(number / unit) * unit end

-- Blocks of equal size, in whole units.
local function even(total, unit, parts) return up(math.max(math.ceil(total / parts), 1), unit) end

-- What a step along K costs in a block.
local function step_cost(rows, columns, least)
  return rows * columns + (rows > least and COPY_B * columns or 0) + COPY_A * rows
end

-- Into how many parts K is divided, so that no thread is idle, and what the thread with the most blocks and parts costs
-- then; 1 if all of K costs less.
local function parts_of(units, blocks, m, n, k, step, most)
  local parts, whole = math.floor(math.min(units / blocks, most)), math.ceil(blocks / units) * k * step
  if parts < 2 then return 1, whole end
  local price = math.ceil(k / parts) * step + JOIN + ADD * parts * m * n / units
  if price < whole then return parts, price end
  return 1, whole
end

--- How a product is divided: the cheapest of the divisions into few blocks, and into parts of K where there are fewer
-- blocks than compute units.
-- @tparam table parameters of @{parameters}
-- @tparam number units compute units
-- @tparam number m rows
-- @tparam number n columns
-- @tparam number k
-- @tparam number least blocks of more rows copy B
-- @tparam number most parts of K
-- @treturn number rows of a block
-- @treturn number columns
-- @treturn number parts of K
function cpu.blocks(parameters, units, m, n, k, least, most)
  local row, column = parameters.MR, parameters.WIDTH * parameters.NV
  local least_m, least_n = math.ceil(m / ROWS), math.ceil(n / (column * parameters.NP))
  local more = m * n * k <= SMALL and 0 or 2 * units
  if more == 0 then most = 1 end
  local best, mblk, nblk, divided
  for down = least_m, least_m + more do
    for across = least_n, least_n + more do
      local rows, columns = even(m, row, down), even(n, column, across)
      local blocks = math.ceil(m / rows) * math.ceil(n / columns)
      local step = step_cost(math.min(rows, up(m, row / 3)), math.min(columns, up(n, parameters.WIDTH)), least)
      local parts, price = parts_of(units, blocks, m, n, math.max(k, 1), step, most)
      if not best or price < best then best, mblk, nblk, divided = price, rows, columns, parts end
    end
  end
  return mblk, nblk, divided
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

local function digit(is_true) return is_true and 1 or 0 end

local function kernel_of(self, set, call, thin)
  local key = 8 * thin + 4 * digit(call.transpose_c) + 2 * digit(call.transpose_a) + digit(call.transpose_b)
  if not set.kernels[key] then
    local p = set.parameters
    local defines = {REAL = self.type_name, BYTES = self.bytes, WIDTH = p.WIDTH, MR = p.MR, NV = p.NV,
                     A_PITCH = set.pitch, A_PANEL = set.panel, SCRATCH = set.room,
                     PREFETCH = p.PREFETCH, THIN = thin, TRANSPOSED_A = digit(call.transpose_a),
                     TRANSPOSED_B = digit(call.transpose_b), TRANSPOSED_C = digit(call.transpose_c)}
    local words = programs.options {self.options, defines = defines}
    set.kernels[key] = programs.new(self.context, '#include "gemm_cpu.cl"\n', words):kernel "gemm_cpu"
  end
  return set.kernels[key]
end

-- The kernel that adds the sums of parts of K.
local function sum_kernel(self)
  if not self.sum then
    local words = programs.options {self.options, defines = {REAL = self.type_name}}
    self.sum = programs.new(self.context, '#include "gemm_sum.cl"\n', words):kernel "gemm_sum"
  end
  return self.sum
end

local FEW = 8 -- columns at most that the kernel has a form for, if A is stored by rows
local COLUMNS = 131072 -- bytes of them that stay in the second cache

-- The product, with C's columns as rows and A and B exchanged if that is the form for few columns, or, where A is
-- stored by columns, that for few rows; and how many columns the form for few has, or 0.
local function form_of(parameters, call)
  local few = math.min(FEW, parameters.WIDTH * parameters.NV)
  local is_thin, is_low = call.n <= few, call.m <= few and call.transpose_b
  if is_thin and not call.transpose_a then return call, call.n end
  if not is_thin and not is_low then return call, 0 end
  local made = {}
  for name, value in pairs(call) do made[name] = value end
  made.m, made.n, made.transpose_c = call.n, call.m, true
  made.a, made.a_offset, made.lda, made.transpose_a = call.b, call.b_offset, call.ldb, not call.transpose_b
  made.b, made.b_offset, made.ldb, made.transpose_b = call.a, call.a_offset, call.lda, not call.transpose_a
  return made, is_low and made.n or 0
end

-- The most rows of a block of C that reads B where it is.
local function direct_rows(self, parameters, call)
  if call.transpose_b then return 0 end
  return call.k * call.ldb * self.bytes <= parameters.CACHE and math.huge or parameters.DIRECT
end

-- How a product is divided. thin: how many columns the form for few has, or 0; least: see cpu.blocks.
local function new_division(self, set, units, call, thin, least)
  local line, m, n, k = 64 / self.bytes, call.m, call.n, call.k
  local most = math.min(k / line, units * set.room / (m * n)) -- their sums take as much as all groups' `room`
  local mblk, nblk, parts = cpu.blocks(set.parameters, units, m, n, k, least, most)
  local share = even(k, line, parts)
  parts = math.max(math.ceil(k / share), 1)
  local longest = thin == 0 and set.parameters.KC
    or math.floor(math.min(COLUMNS / self.bytes, set.room) / thin / line - 1) * line
  local jobs = math.ceil(m / mblk) * math.ceil(n / nblk) * parts
  return {units = units, m = m, n = n, k = k, thin = thin, least = least, mblk = mblk, nblk = nblk, share = share,
          parts = parts, kblk = even(share, line, math.ceil(share / longest)), direct = digit(mblk <= least),
          -- PoCL gives the first thread several groups at once, so that as many groups as threads leave some without
          groups = jobs == 1 and 1 or math.min(jobs, units + 1)}
end

-- The same; the last one is kept, since many products of a shape often follow each other.
local function division_of(self, set, units, call, thin)
  local kept, least = set.division, direct_rows(self, set.parameters, call)
  if not (kept and kept.m == call.m and kept.n == call.n and kept.k == call.k and kept.units == units
          and kept.thin == thin and kept.least == least) then
    kept = new_division(self, set, units, call, thin, least)
    set.division = kept
  end
  return kept
end

-- Enqueues the kernel for a product, or, with C's memory for its sums, for those of parts of K.
local function multiply(self, queue, set, by, call, alpha, beta, c, c_offset, ldc)
  local room = algorithm.scratch(queue, "gemm", by.groups * set.room * self.bytes)
  return (kernel_of(self, set, call, by.thin)(queue, by.groups, 1, call.m, call.n, call.k, alpha, call.a, call.a_offset,
    call.lda, call.b, call.b_offset, call.ldb, beta, c, c_offset, ldc, by.mblk, by.nblk, by.kblk, by.share, by.direct,
    counter(queue), room))
end

--- Enqueues a product.
-- @tparam table self of @{new}
-- @tparam queue queue
-- @tparam table call as @{clue.gemm} checked it
-- @treturn event
function cpu.run(self, queue, call)
  local set = set_of(self, call.m, call.n, call.k)
  local own, thin = form_of(set.parameters, call)
  local by = division_of(self, set, sizes.of(queue).units, own, thin)
  if by.parts == 1 then
    return (multiply(self, queue, set, by, own, call.alpha, call.beta, call.c, call.c_offset, call.ldc))
  end
  local adding = sums.new(sum_kernel(self), call.m, call.n, by.parts, 1, self.bytes, 1)
  local partial = algorithm.scratch(queue, "gemm sums", adding.bytes)
  return (sums.add(queue, multiply(self, queue, set, by, own, 1, 0, partial, 0, call.n), adding, partial, call,
    call.c_offset))
end

return cpu
