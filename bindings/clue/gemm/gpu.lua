--- The matrix product of GPUs, for @{clue.gemm}: kernels/gemm.cl with the parameter set that takes least time for a
-- product, as far as the costs in @{clue.gemm.gpu_sets} say, and the division of products whose last tiles are thin.
-- @module clue.gemm.gpu
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local tuner = require "clue.gemm.found"
local gpu_sets = require "clue.gemm.gpu_sets"
local programs = require "clue.program"
local ranking = require "clue.device_ranking"
local sizes = require "clue.compute.sizes"
local storage = require "clue.gemm.storage"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

local gpu = {}

-- ---- sets for a device --------------------------------------------------------------------------------------------

-- What sets may use of a device.
local function facts_of(device)
  local attributes = device:has_extension "cl_nv_device_attribute_query"
  return {vendor = attributes and "nvidia", copies = attributes and device.compute_capability_major_nv >= 8,
          memory = device.local_mem_size, items = device.max_work_group_size}
end

-- A set's parameters for a type. A vector has at most 16 bytes.
local function adapted(set, bytes)
  local p = gpu_sets.complete(set)
  local most = 16 / bytes
  if p.V > most then
    for _, name in ipairs {"V", "A_WIDTH", "B_WIDTH"} do p[name] = math.min(p[name], most) end
  end
  return p
end

local function fits(facts, p, bytes)
  return gpu_sets.items(p) <= facts.items and gpu_sets.memory(p, bytes) <= facts.memory
end

-- The sets that a device can run, each with all of its parameters.
local function candidates(device, type_name, bytes, portable)
  local facts, found = facts_of(device), {}
  for _, set in ipairs(gpu_sets.list) do
    local p = adapted(set, bytes)
    local usable = not set.types or set.types[type_name]
    if usable and (not set.vendor or set.vendor == facts.vendor) and (p.ASYNC == 0 or facts.copies and not portable)
       and fits(facts, p, bytes) then
      local cost = set.cost
      if bytes == 8 and not set.types then cost = {2 * cost[1], 2 * cost[2]} end
      found[#found + 1] = {name = set.name, parameters = p, cost = cost, share = set.share or 1}
    end
  end
  return found
end

local least_values = {PAD = 0, ASYNC = 0, SPLIT = 0, UNROLL = 0}

-- The set of a script's own parameters.
local function own(given, device, bytes)
  for name, value in pairs(given) do
    argument.word(name, gpu_sets.known, "parameter of products on GPUs")
    argument.whole(value, "parameters." .. name, least_values[name] or 1)
  end
  local p, facts = gpu_sets.complete(given), facts_of(device)
  local items, memory, fault = gpu_sets.items(p), gpu_sets.memory(p, bytes), gpu_sets.fault(p)
  if p.ASYNC == 1 and not facts.copies then
    argument.fail("parameters.ASYNC = 1 needs an NVIDIA device of compute capability 8.0 or more, not %s", device.name)
  elseif fault then
    argument.fail("parameters: %s", fault)
  elseif not fits(facts, p, bytes) then
    argument.fail("the parameters need groups of %.0f work-items with %.0f bytes of local memory; %s has %.0f and %.0f",
      items, memory, device.name, facts.items, facts.memory)
  end
  return {name = "own", parameters = p, cost = {1, 1}, share = 1}
end

-- What a tuner found; nil if the script gives parameters itself.
local function found_for(context, type_name, bytes, options)
  if options.parameters then return nil end
  return tuner.new(context.device, "gpu", type_name, function(parameters)
    return pcall(own, parameters, context.device, bytes) and not (options.portable and parameters.ASYNC == 1)
  end)
end

--- Makes the products of a type. Their kernels are built when they are needed.
-- @tparam context context
-- @tparam string type_name "float", "double", "int" or "half"
-- @tparam number stored bytes of an element
-- @tparam table options parameters: in place of those of a set; portable: no set with instructions of one vendor;
--   options: of the build
-- @treturn table for @{run}
function gpu.new(context, type_name, stored, options)
  local bytes = type_name == "half" and 4 or stored -- of a number that is computed with
  local sets = options.parameters and {own(options.parameters, context.device, bytes)}
    or candidates(context.device, type_name, bytes, options.portable)
  if #sets == 0 then
    argument.fail("%s has too little local memory, or too small groups, for products of %s", context.device.name,
      type_name)
  end
  return {context = context, type_name = type_name, bytes = bytes, stored = stored, sets = sets, kernels = {},
          found = found_for(context, type_name, bytes, options), prepared = {}, count = 0,
          options = programs.options(options.options)}
end

-- ---- what a product allows ----------------------------------------------------------------------------------------

-- Whether all numbers are multiples of one.
local function multiples(of, ...)
  for i = 1, select("#", ...) do
    if select(i, ...) % of ~= 0 then return false end
  end
  return true
end

-- Whether the rows of a matrix may be read by vectors of a width.
local function is_even(call, name, width, stored_bytes)
  local _, start = storage.place(call[name])
  return multiples(width, call[name .. "_columns"], call["ld" .. name], start / stored_bytes + call[name .. "_offset"])
end

-- The widest loads of a matrix whose tile has `extent` rows or columns of C.
local function load_width(p, along_k, extent, even)
  local length, rows = along_k and p.BK or extent, along_k and extent or p.BK
  local width = even and (along_k and p.A_WIDTH or p.B_WIDTH) or 1
  return gpu_sets.is_shared(p, length, rows, width) and width or 1
end

-- ---- plans --------------------------------------------------------------------------------------------------------

local START = 5000 -- ns; what a launch costs, and the first and last copies of a group
local LEAD = 32 -- steps along K that the first copies of a group cost
local NARROW = 1.04 -- times the cost with narrow loads, of sets that a tuner found

-- The time of a set for m x n numbers of C, in nanoseconds.
local function time_of(set, units, m, n, k, narrow)
  local p = set.parameters
  local rounds = math.ceil(math.ceil(m / p.BM) * math.ceil(n / p.BN) / (units * set.share))
  return START + rounds * (k + LEAD) * set.cost[narrow and 2 or 1]
end

-- The set that takes least time, and that time.
local function cheapest(sets, ...)
  local best, least
  for _, set in ipairs(sets) do
    local time = time_of(set, ...)
    if not least or time < least then best, least = set, time end
  end
  return best, least
end

-- The parts of C, if those below and to the right of whole tiles are computed by themselves; and the time of it.
local function divided(sets, units, m, n, k, narrow, p)
  local down, across = m - m % p.BM, n - n % p.BN
  if down == 0 or across == 0 then return nil, math.huge end
  local parts, time = {}, 0
  local function add(top, left, rows, columns)
    if rows == 0 or columns == 0 then return end
    local set, part = cheapest(sets, units, rows, columns, k, narrow)
    parts[#parts + 1] = {set = set, top = top, left = left, m = rows, n = columns}
    time = time + part
  end
  add(0, 0, down, across)
  add(down, 0, m - down, n)
  add(0, across, down, n - across)
  return parts, time
end

-- The parts of C that take least time with these sets, and that time.
local function new_plan(sets, units, m, n, k, narrow)
  local set, least = cheapest(sets, units, m, n, k, narrow)
  local best = {{set = set, top = 0, left = 0, m = m, n = n}}
  for _, each in ipairs(sets) do
    local parts, time = divided(sets, units, m, n, k, narrow, each.parameters)
    if time < least then best, least = parts, time end
  end
  return best, least
end

-- The sets for a product: what a tuner found for about its size, and clue's. The tuner measured clue's sets too, so at
-- the size that it was found for it takes less time than they do. From that follows a cost, in the unit of theirs: it
-- tells whether the set is the best for another size, and whether parts of C are better computed by themselves.
local function sets_for(self, m, n, k)
  local entry = self.found and self.found:of(m, n, k)
  if not entry then return self.sets end
  if not entry.sets then
    local set = {name = "found for " .. table.concat(entry.size, " x "), cost = {1, 1}, share = 1,
                 parameters = gpu_sets.complete(entry.parameters)}
    local units, rows, columns, depth = self.context.device.max_compute_units, unpack(entry.size)
    local _, least = new_plan(self.sets, units, rows, columns, depth)
    local cost = 0.999 * (least - START) / (time_of(set, units, rows, columns, depth) - START)
    set.cost = {cost, NARROW * cost}
    entry.sets = {set, unpack(self.sets)}
  end
  return entry.sets
end

--- How a product is computed.
-- @tparam table self of @{new}
-- @tparam number units compute units
-- @tparam table call as @{clue.gemm} checked it
-- @treturn {table,...} the parts of C, in order: set (name, parameters), top and left (the first row and column), m, n
function gpu.plan(self, units, call)
  local wide, stored = 16 / self.bytes, self.stored
  local narrow = not (is_even(call, "a", wide, stored) and is_even(call, "b", wide, stored)
                      and is_even(call, "c", wide, stored))
  return (new_plan(sets_for(self, call.m, call.n, call.k), units, call.m, call.n, call.k, narrow))
end

-- ---- running ------------------------------------------------------------------------------------------------------

-- What a kernel must know of a product: how A and B are stored, the widths of loads, the type of offsets in tiles.
local function traits_of(self, p, call)
  local longest = math.max(call.lda * math.max(p.BM, p.BK), call.ldb * math.max(p.BN, p.BK))
  return {
    TRANSPOSED_A = call.transpose_a and 1 or 0, TRANSPOSED_B = call.transpose_b and 1 or 0,
    A_WIDTH = load_width(p, not call.transpose_a, p.BM, is_even(call, "a", p.V, self.stored)),
    B_WIDTH = load_width(p, call.transpose_b, p.BN, is_even(call, "b", p.V, self.stored)),
    C_WIDTH = is_even(call, "c", p.V, self.stored) and p.V or 1, OFFSET = longest < 2 ^ 31 and "int" or "long",
  }
end

-- The kernel of a set for a product; each is built once.
local function kernel_of(self, set, traits)
  local key = ("%s %d %d %d %d %d %s"):format(set.name, traits.TRANSPOSED_A, traits.TRANSPOSED_B, traits.A_WIDTH,
    traits.B_WIDTH, traits.C_WIDTH, traits.OFFSET)
  if not self.kernels[key] then
    local half, defines = self.type_name == "half", {}
    for name, value in pairs(set.parameters) do defines[name] = value end
    for name, value in pairs(traits) do defines[name] = value end
    defines.REAL, defines.REAL_BYTES, defines.HALF = half and "float" or self.type_name, self.bytes, half and 1 or 0
    local words = programs.options {self.options, defines = defines}
    self.kernels[key] = programs.new(self.context, '#include "gemm.cl"\n', words):kernel "gemm"
  end
  return self.kernels[key]
end

local MOST_ROUNDS = 65535 -- of loops on a device that ends them

-- Refuses a K whose loops a device would end. Compilers that unroll the inner loops leave fewer rounds.
local function check_rounds(self, p, k)
  local doubt = ranking.doubt(self.context.device)
  if not doubt or not doubt.wrong then return end
  local copies = p.BK * (p.BM + p.BN) / gpu_sets.items(p)
  local rounds = p.BK / p.SLICES * (1 + p.TM + p.TN + p.TM * (p.TN + 1)) + 4 * (copies + 1)
  local most = math.floor((MOST_ROUNDS - 4 * p.TM * p.TN * p.SLICES) / rounds) * p.BK
  if k > most then
    argument.fail("K is %.0f, but %.0f is the most on %s: there %s", k, most, doubt.label, doubt.wrong)
  end
end

-- The call that computes a part of another's C.
local function part_of(call, part)
  local made = {}
  for name, value in pairs(call) do made[name] = value end
  made.m, made.n = part.m, part.n
  made.a_columns, made.b_columns = call.transpose_a and part.m or call.k, call.transpose_b and call.k or part.n
  made.c_columns = part.n
  made.a_offset = call.a_offset + part.top * (call.transpose_a and 1 or call.lda)
  made.b_offset = call.b_offset + part.left * (call.transpose_b and call.ldb or 1)
  made.c_offset = call.c_offset + part.top * call.ldc + part.left
  return made
end

-- What is launched for a part.
local function step_of(self, call, set)
  local p = set.parameters
  check_rounds(self, p, call.k)
  local items, groups = gpu_sets.items(p), math.ceil(call.m / p.BM) * math.ceil(call.n / p.BN)
  return {kernel = kernel_of(self, set, traits_of(self, p, call)), global = groups * items, items = items, m = call.m,
          n = call.n, a_offset = call.a_offset, b_offset = call.b_offset, c_offset = call.c_offset}
end

-- What steps depend on besides memory, of which only the alignment matters.
local deciding = {"m", "n", "k", "lda", "ldb", "ldc", "a_offset", "b_offset", "c_offset", "transpose_a", "transpose_b"}

local function starts_of(call)
  local _, a = storage.place(call.a)
  local _, b = storage.place(call.b)
  local _, c = storage.place(call.c)
  return a % 16 * 256 + b % 16 * 16 + c % 16
end

local function is_same(made, call, units, starts)
  if made.units ~= units or made.starts ~= starts then return false end
  for i = 1, #deciding do
    if made[deciding[i]] ~= call[deciding[i]] then return false end
  end
  return true
end

local function prepare(self, call, units, starts)
  local made = {units = units, starts = starts}
  for _, name in ipairs(deciding) do made[name] = call[name] end
  for i, part in ipairs(gpu.plan(self, units, call)) do made[i] = step_of(self, part_of(call, part), part.set) end
  return made
end

local MOST_PREPARED = 1000

-- The steps of a product. They are kept; the last product's are found without the text that names the others'.
local function steps_of(self, call, units)
  local starts = starts_of(call)
  if self.recent and is_same(self.recent, call, units, starts) then return self.recent end
  local words = {units, starts}
  for i, name in ipairs(deciding) do words[i + 2] = tostring(call[name]) end
  local key = table.concat(words, " ")
  if not self.prepared[key] then
    self.count = self.count + 1
    if self.count > MOST_PREPARED then self.prepared, self.count = {}, 1 end
    self.prepared[key] = prepare(self, call, units, starts)
  end
  self.recent = self.prepared[key]
  return self.recent
end

local function launch(queue, previous, call, step)
  return (algorithm.step(queue, previous, step.kernel, step.global, step.items, step.m, step.n, call.k, call.alpha,
    call.a, step.a_offset, call.lda, call.b, step.b_offset, call.ldb, call.beta, call.c, step.c_offset, call.ldc))
end

--- Enqueues a product.
-- @tparam table self of @{new}
-- @tparam queue queue
-- @tparam table call as @{clue.gemm} checked it
-- @treturn event
function gpu.run(self, queue, call)
  local steps, event = steps_of(self, call, sizes.of(queue).units), nil
  for i = 1, #steps do event = launch(queue, event, call, steps[i]) end
  return event
end

return gpu
