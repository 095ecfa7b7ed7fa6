--- The matrix product of GPUs, for @{clue.gemm}: kernels/gemm.cl or, on tensor cores, kernels/gemm_tensor.cl, with the
-- parameter set that takes least time for a product, as far as the costs in @{clue.gemm.gpu_sets} and
-- @{clue.gemm.tensor_sets} say, and the division of products whose last tiles are thin.
-- @module clue.gemm.gpu
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local array = require "clue.array"
local candidates = require "clue.gemm.candidates"
local copies = require "clue.gemm.copies"
local error_object = require "clue.error"
local gpu_sets = require "clue.gemm.gpu_sets"
local programs = require "clue.program"
local ranking = require "clue.device_ranking"
local sizes = require "clue.compute.sizes"
local storage = require "clue.gemm.storage"
local tensor_sets = require "clue.gemm.tensor_sets"
local types = require "clue.compute.types"
local wgmma = require "clue.gemm.wgmma"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

local gpu = {}

--- Makes the products of a type. Their kernels are built when they are needed.
-- @tparam context context
-- @tparam string type_name "float", "double", "int", "half" or "char"
-- @tparam number stored bytes of an element
-- @tparam table options parameters: in place of those of a set; portable: no set with instructions of one vendor;
--   precision: "tf32" allows products of float by TF32; options: of the build
-- @treturn table for @{run}
function gpu.new(context, type_name, stored, options)
  local bytes = types.bytes(storage.sum(type_name)) -- of a number that is computed with
  local given, all = options.parameters, candidates.of(context.device, type_name, bytes, options)
  local sets = given and {candidates.own(given, context.device, type_name, bytes, options)} or all
  if #sets == 0 then
    argument.fail("%s has too little local memory, or too small groups, for products of %s", context.device.name,
      type_name)
  end
  return {context = context, type_name = type_name, bytes = bytes, stored = {a = stored, b = stored,
          c = types.bytes(storage.result(type_name))}, sets = sets,
          plain = candidates.plain(sets[1].of == tensor_sets and all or sets), kernels = {}, launched = {},
          found = candidates.found(context, type_name, bytes, options), prepared = {}, count = 0,
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
local function is_even(call, name, width, stored)
  local _, start = storage.place(call[name])
  return multiples(width, call[name .. "_columns"], call["ld" .. name], start / stored[name] + call[name .. "_offset"])
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
local COLUMNS = 1.08 -- the same with B stored by columns and one fragment; tuners store it by rows

-- The time of a set for m x n numbers of C, in nanoseconds. `columns` has the index of its cost, and what else its time
-- depends on.
local function time_of(set, columns, units, m, n, k)
  local p, column = set.parameters, columns[set]
  local cost = set.cost[column.index] or set.cost[1]
  local tiles, splits = math.ceil(m / p.BM) * math.ceil(n / p.BN), p.SPLITS or 1
  local rounds = math.ceil(tiles * splits / (units * set.share))
  local more = splits > 1 and set.of.joining(p, tiles) or 0
  if set.of == tensor_sets then more = more + tensor_sets.reading(p, column, m, n, k) end
  return START + more + (k / splits + LEAD) * math.max(rounds * cost, set.alone)
end

-- The set that takes least time, of those that columns has, and that time.
local function cheapest(sets, columns, ...)
  local best, least = nil, math.huge
  for _, set in ipairs(sets) do
    local time = columns[set] and time_of(set, columns, ...) or math.huge
    if time < least then best, least = set, time end
  end
  return best, least
end

-- The parts of C, if those below and to the right of whole tiles are computed by themselves; and the time of it.
local function divided(sets, columns, units, m, n, k, p)
  local down, across = m - m % p.BM, n - n % p.BN
  if down == 0 or across == 0 then return nil, math.huge end
  local parts, time = {}, 0
  local function add(top, left, rows, width)
    if rows == 0 or width == 0 then return end
    local set, part = cheapest(sets, columns, units, rows, width, k)
    parts[#parts + 1] = {set = set, top = top, left = left, m = rows, n = width}
    time = time + part
  end
  add(0, 0, down, across)
  add(down, 0, m - down, n)
  add(0, across, down, n - across)
  return parts, time
end

-- The parts of C that take least time with these sets, and that time.
local function new_plan(sets, columns, units, m, n, k)
  local set, least = cheapest(sets, columns, units, m, n, k)
  local best = {{set = set, top = 0, left = 0, m = m, n = n}}
  for _, each in ipairs(sets) do
    if (each.parameters.SPLITS or 1) == 1 then -- others have the tiles of one of these
      local parts, time = divided(sets, columns, units, m, n, k, each.parameters)
      if time < least then best, least = parts, time end
    end
  end
  return best, least
end

-- What the time of each set depends on besides the extents; nil if it cannot compute the product.
local function columns_of(self, sets, call)
  local wide, stored, columns = 16 / self.bytes, self.stored, {}
  local narrow = not (is_even(call, "a", wide, stored) and is_even(call, "b", wide, stored)
                      and is_even(call, "c", wide, stored))
  for _, set in ipairs(sets) do
    if set.of == gpu_sets then
      columns[set] = {index = narrow and 2 or call.transpose_b and 3 or 1}
    else
      columns[set] = tensor_sets.column(set.parameters, call)
    end
  end
  return columns
end

-- The sets for a product: what a tuner found for about its size, and clue's. The tuner measured clue's sets of the same
-- kernel too, so at the size that it was found for it takes less time than they do. From that follows a cost, in the
-- unit of theirs: it tells whether the set is the best for another size, and whether parts of C are better computed by
-- themselves.
local function sets_for(self, m, n, k)
  local entry = self.found and self.found:of(m, n, k)
  if not entry then return self.sets end
  if not entry.set then
    local set = candidates.new_set(gpu_sets, "found for " .. table.concat(entry.size, " x "),
      gpu_sets.complete(entry.parameters), {1, 1}, {})
    local units, rows, columns, depth = self.context.device.max_compute_units, unpack(entry.size)
    local wide = {[set] = {index = 1}}
    for _, each in ipairs(self.plain) do wide[each] = wide[set] end
    local _, least = new_plan(self.plain, wide, units, rows, columns, depth)
    local cost = 0.999 * (least - START) / (time_of(set, wide, units, rows, columns, depth) - START)
    set.cost = {cost, NARROW * cost, set.parameters.FRAGMENTS == 1 and COLUMNS * cost or cost}
    entry.set = set
  end
  return {entry.set, unpack(self.sets)}
end

local MOST_COPIED, SHARE = 2 ^ 31, 1 / 8 -- bytes; of the device's memory

--- How a product is computed.
-- @tparam table self of @{new}
-- @tparam number units compute units
-- @tparam table call as @{clue.gemm} checked it
-- @treturn {table,...} the parts of C, in order: set (name, parameters), top and left (the first row and column), m, n
function gpu.plan(self, units, call)
  local sets = sets_for(self, call.m, call.n, call.k)
  call.most_copied = math.min(MOST_COPIED, SHARE * self.context.device.global_mem_size)
  local columns = columns_of(self, sets, call)
  if not next(columns) then -- of a script's own set
    sets, columns = self.plain, columns_of(self, self.plain, call)
  end
  return (new_plan(sets, columns, units, call.m, call.n, call.k))
end

-- ---- running ------------------------------------------------------------------------------------------------------

-- What a kernel must know of a product: how A and B are stored, the widths of loads, the type of offsets in tiles.
local function traits_of(self, p, call)
  local longest = math.max(call.lda * math.max(p.BM, p.BK), call.ldb * math.max(p.BN, p.BK))
  local name = self.type_name
  return {
    REAL = storage.sum(name), REAL_BYTES = self.bytes,
    HALF = name == "half" and 1 or 0, CHAR = name == "char" and 1 or 0,
    TRANSPOSED_A = call.transpose_a and 1 or 0, TRANSPOSED_B = call.transpose_b and 1 or 0,
    A_WIDTH = load_width(p, not call.transpose_a, p.BM, is_even(call, "a", p.V, self.stored)),
    B_WIDTH = load_width(p, call.transpose_b, p.BN, is_even(call, "b", p.V, self.stored)),
    C_WIDTH = is_even(call, "c", p.V, self.stored) and p.V or 1, OFFSET = longest < 2 ^ 31 and "int" or "long",
  }
end

-- The kernel of a set for a product; each is built once.
local function kernel_of(self, set, call)
  local traits = set.of == tensor_sets and tensor_sets.traits(set.parameters, call)
    or traits_of(self, set.parameters, call)
  local key = set.name .. " " .. storage.key(traits)
  if not self.kernels[key] then
    local defines = {}
    for name, value in pairs(set.parameters) do defines[name] = value end
    for name, value in pairs(traits) do defines[name] = value end
    local words = programs.options {self.options, defines = defines}
    local source = ('#include "%s"\n'):format(set.of.file)
    self.kernels[key] = defines.WGMMA == 1 and wgmma.kernel(self.context, defines, words)
      or programs.new(self.context, source, words):kernel "gemm"
  end
  return self.kernels[key]
end

local MOST_ROUNDS = 65535 -- of loops on a device that ends them

-- Refuses a K whose loops a device would end. Compilers that unroll the inner loops leave fewer rounds.
local function check_rounds(self, p, k)
  local doubt = ranking.doubt(self.context.device)
  if not doubt or not doubt.wrong then return end
  local copied = p.BK * (p.BM + p.BN) / gpu_sets.items(p)
  local rounds = p.BK / p.SLICES * (1 + p.TM + p.TN + p.TM * (p.TN + 1)) + 4 * (copied + 1)
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
  made.a_rows, made.b_rows = call.transpose_a and call.k or part.m, call.transpose_b and part.n or call.k
  made.c_columns = part.n
  made.a_offset = call.a_offset + part.top * (call.transpose_a and 1 or call.lda)
  made.b_offset = call.b_offset + part.left * (call.transpose_b and call.ldb or 1)
  made.c_offset = call.c_offset + part.top * call.ldc + part.left
  return made
end

-- Adds to a step what is copied for it, and the distances of rows and first elements that its kernel sees then.
local function add_copies(self, made, call, p)
  local copied = tensor_sets.copied(p, call)
  if copied.size == 0 then return end
  self.copies = self.copies or copies.new(self.context, tensor_sets.bytes[p.KIND])
  if copied.a then made.lda, made.a_offset = copied.a.pitch, 0 end
  if copied.b then made.ldb, made.b_offset = copied.b.pitch, 0 end
  made.copied = copied
end

-- What is launched for a part.
local function step_of(self, call, part, units)
  local p, of = part.set.parameters, part.set.of
  call = part_of(call, part)
  if of == gpu_sets then check_rounds(self, p, call.k) end
  local items, tiles = of.items(p), math.ceil(call.m / p.BM) * math.ceil(call.n / p.BN)
  local splits = p.SPLITS or 1
  local groups = of == tensor_sets and tensor_sets.groups(p, tiles, units) or tiles
  local made = {kernel = kernel_of(self, part.set, call), global = groups * items, items = items, part = part,
                maps = p.WGMMA == 1 and groups * 256, arrived = splits > 1 and tiles,
                partial = splits > 1 and tiles * splits * p.BM * p.BN * tensor_sets.sum_bytes(p),
                m = call.m, n = call.n, lda = call.lda, ldb = call.ldb, a_offset = call.a_offset,
                b_offset = call.b_offset, c_offset = call.c_offset}
  if of == tensor_sets then add_copies(self, made, call, p) end
  return made
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

-- Products on tensor cores that a driver refuses are computed without: then its other kernels are of use. What is wrong
-- with a script's build options or memory is told when these fail, too.
local function without_tensors(self, problem, work)
  if self.sets == self.plain then error(problem, 0) end
  local sets, prepared = self.sets, self.prepared
  self.sets, self.prepared, self.recent, self.refused = self.plain, {}, nil, problem
  local done, result = pcall(work)
  if done then return result end
  self.sets, self.prepared, self.refused = sets, prepared, nil
  error(result, 0)
end

local function prepare(self, call, units, starts)
  local function steps()
    local made = {units = units, starts = starts}
    for _, name in ipairs(deciding) do made[name] = call[name] end
    for i, part in ipairs(gpu.plan(self, units, call)) do made[i] = step_of(self, call, part, units) end
    return made
  end
  local done, result = pcall(steps)
  return done and result or without_tensors(self, result, steps)
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
    local made = prepare(self, call, units, starts)
    self.prepared[key] = made
  end
  self.recent = self.prepared[key]
  return self.recent
end

local arrivals = setmetatable({}, {__mode = "k"}) -- by queue: zeros, which kernels leave as they were

-- Zeros for the tiles of a product whose groups share them. Commands in order share them, too.
local function arrived_of(queue, tiles)
  if queue.out_of_order then return (queue.context:buffer(array.int(tiles))) end
  local owner = rawget(queue, "queue") or queue
  local kept = arrivals[owner]
  if not kept or kept.size < 4 * tiles then
    kept = queue.context:buffer(array.int(2 * tiles))
    arrivals[owner] = kept
  end
  return kept
end

-- What the groups of a step need to share tiles of C; nothing if they do not.
local function sharing(queue, step)
  if not step.arrived then return end
  return algorithm.scratch(queue, "gemm", step.partial), arrived_of(queue, step.arrived)
end

-- A factor as a step's kernel takes it, behind the event of its copy if there is one.
local function factor_of(self, queue, previous, call, step, name)
  local copy = step.copied and step.copied[name]
  if not copy then return previous, call[name] end
  return copies.copy(self.copies, queue, previous, name, copy, call[name])
end

local function launch(self, queue, previous, call, step)
  local a, b
  previous, a = factor_of(self, queue, previous, call, step, "a")
  previous, b = factor_of(self, queue, previous, call, step, "b")
  if step.part.set.parameters.WGMMA == 1 then
    local t = wgmma.typed(step, call)
    return (algorithm.step(queue, previous, step.kernel, step.global, step.items, t.m, t.n, t.k, t.alpha, a,
      t.a_offset, t.lda, b, t.b_offset, t.ldb, t.beta, call.c, t.c_offset, t.ldc,
      algorithm.scratch(queue, "gemm maps", step.maps), sharing(queue, step)))
  end
  return (algorithm.step(queue, previous, step.kernel, step.global, step.items, step.m, step.n, call.k, call.alpha,
    a, step.a_offset, step.lda, b, step.b_offset, step.ldb, call.beta, call.c, step.c_offset, call.ldc,
    sharing(queue, step)))
end

-- CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_INVALID_BUFFER_SIZE
local short_of_memory = {[-4] = true, [-6] = true, [-61] = true}

-- Launches a kernel for tensor cores that a driver may refuse, as it may at the first launch, or whose factors are
-- copied: if memory is short for that, this product alone is computed by other kernels.
local function launch_carefully(self, queue, previous, call, step)
  local done, result = pcall(launch, self, queue, previous, call, step)
  if done then
    self.launched[step.kernel] = true
    return result
  end
  local function without() return (gpu.run(self, algorithm.behind(queue, previous), part_of(call, step.part))) end
  if self.sets == self.plain then return without() end -- an earlier part of C was refused
  local sets, prepared = self.sets, self.prepared
  local event = without_tensors(self, result, without)
  if step.copied and error_object.is(result) and short_of_memory[result.code] then
    self.sets, self.prepared, self.recent, self.refused = sets, prepared, nil, nil
  end
  return event
end

--- Enqueues a product.
-- @tparam table self of @{new}
-- @tparam queue queue
-- @tparam table call as @{clue.gemm} checked it
-- @treturn event
function gpu.run(self, queue, call)
  local steps, event = steps_of(self, call, sizes.of(queue).units), nil
  for i = 1, #steps do
    local step = steps[i]
    local is_sure = step.part.set.of == gpu_sets or self.launched[step.kernel] and not step.copied
    event = (is_sure and launch or launch_carefully)(self, queue, event, call, step)
  end
  return event
end

return gpu
