--- The matrix product of GPUs, for @{clue.gemm}: kernels/gemm.cl or, on tensor cores, kernels/gemm_tensor.cl, as
-- @{clue.gemm.plan} says; with one row or column, kernels/gemv.cl (@{clue.gemm.vectors}).
-- @module clue.gemm.gpu
local algorithm = require "clue.compute.algorithm"
local argument = require "clue.argument"
local array = require "clue.array"
local candidates = require "clue.gemm.candidates"
local copies = require "clue.gemm.copies"
local error_object = require "clue.error"
local gpu_sets = require "clue.gemm.gpu_sets"
local plans = require "clue.gemm.plan"
local programs = require "clue.program"
local ranking = require "clue.device_ranking"
local sizes = require "clue.compute.sizes"
local storage = require "clue.gemm.storage"
local sums = require "clue.gemm.sums"
local tensor_sets = require "clue.gemm.tensor_sets"
local types = require "clue.compute.types"
local vectors = require "clue.gemm.vectors"
local wgmma = require "clue.gemm.wgmma"

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
          c = types.bytes(storage.result(type_name))}, sets = sets, is_given = given ~= nil,
          plain = candidates.plain(sets[1].of == tensor_sets and all or sets), kernels = {}, launched = {},
          found = candidates.found(context, type_name, bytes, options), prepared = {}, count = 0,
          options = programs.options(options.options)}
end

-- ---- running ------------------------------------------------------------------------------------------------------

-- The kernel of a set for a product; each is built once. That of gemm.cl does not depend on how many groups share K.
local function kernel_of(self, set, call)
  local is_tensor = set.of == tensor_sets
  local traits = is_tensor and tensor_sets.traits(set.parameters, call) or gpu_sets.traits(self, set.parameters, call)
  local key = (is_tensor and set or set.base or set).name .. " " .. storage.key(traits)
  if not self.kernels[key] then
    local defines = {}
    for name, value in pairs(set.parameters) do defines[name] = (is_tensor or name ~= "SPLITS") and value or nil end
    for name, value in pairs(traits) do defines[name] = value end
    local words = programs.options {self.options, defines = defines}
    local source = ('#include "%s"\n'):format(set.of.file)
    self.kernels[key] = defines.WGMMA == 1 and wgmma.kernel(self.context, defines, words)
      or programs.new(self.context, source, words):kernel "gemm"
  end
  return self.kernels[key], traits
end

local MOST_TURNS = 65535 -- of loops on a device that ends them

-- Refuses a K whose loops a device would end. Compilers that unroll the inner loops leave fewer turns.
local function check_turns(self, p, k)
  local doubt = ranking.doubt(self.context.device)
  if not doubt or not doubt.wrong then return end
  local copied, splits = p.BK * (p.BM + p.BN) / gpu_sets.items(p), p.SPLITS or 1
  local turns = p.BK / p.SLICES * (1 + p.TM + p.TN + p.TM * (p.TN + 1)) + 4 * (copied + 1)
  local most = math.floor((MOST_TURNS - 4 * p.TM * p.TN * p.SLICES) / turns) * p.BK
  if math.ceil(math.ceil(k / p.BK) / splits) * p.BK > most then
    argument.fail("K is %.0f, but %.0f is the most on %s: there %s", k, splits * most, doubt.label, doubt.wrong)
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
  local splits = p.SPLITS or 1
  if of == gpu_sets then check_turns(self, p, call.k) end
  local items, tiles = of.items(p), math.ceil(call.m / p.BM) * math.ceil(call.n / p.BN)
  local groups = of == tensor_sets and tensor_sets.groups(p, tiles, units) or tiles
  local kernel, traits = kernel_of(self, part.set, call)
  local made = {kernel = kernel, global = groups * items, items = items, part = part,
                m = call.m, n = call.n, lda = call.lda, ldb = call.ldb, a_offset = call.a_offset,
                b_offset = call.b_offset, c_offset = call.c_offset}
  if of == gpu_sets then
    if splits > 1 then
      made.adding = sums.new(kernel.program.gemm_sum, made.m, made.n, splits, traits.C_WIDTH, self.bytes)
      made.partial = made.adding.bytes
    end
    return made
  end
  made.maps = p.WGMMA == 1 and groups * 256
  if splits > 1 then
    made.arrived = tiles * tensor_sets.counters(splits)
    made.partial = tiles * splits * p.BM * p.BN * self.bytes
  end
  add_copies(self, made, call, p)
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
    if not self.is_given and vectors.suits(call) then
      made[1] = vectors.step(self, call, units)
      return made
    end
    for i, part in ipairs(plans.of(self, units, call)) do made[i] = step_of(self, call, part, units) end
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

-- A product of groups that share K, and the sum of theirs.
local function launch_shared(queue, previous, call, step)
  local partial = algorithm.scratch(queue, "gemm", step.partial)
  local event = algorithm.step(queue, previous, step.kernel, {step.global, step.adding.splits}, {step.items, 1}, step.m,
    step.n, call.k, call.alpha, call.a, step.a_offset, step.lda, call.b, step.b_offset, step.ldb, 0, partial, 0, step.n)
  return (sums.add(queue, event, step.adding, partial, call, step.c_offset))
end

local function launch(self, queue, previous, call, step)
  if step.adding then return launch_shared(queue, previous, call, step) end
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

local run_step

-- Launches a step that may fail. If memory is short for groups' sums, each tile of C gets one group, and if it is for
-- copies of factors, this product alone is computed by other kernels; so are all from then on if a driver refuses the
-- kernel for tensor cores, as it may at the first launch.
local function launch_carefully(self, queue, previous, call, step)
  local done, result = pcall(launch, self, queue, previous, call, step)
  if done then
    self.launched[step.kernel] = true
    return result
  end
  local part, is_short = step.part, error_object.is(result) and short_of_memory[result.code]
  if is_short and step.partial and part.set.base then
    local whole = {set = part.set.base, top = part.top, left = part.left, m = part.m, n = part.n}
    return run_step(self, queue, previous, call, step_of(self, call, whole, sizes.of(queue).units))
  end
  if part.set.of == gpu_sets then error(result, 0) end
  local function without() return (gpu.run(self, algorithm.behind(queue, previous), part_of(call, part))) end
  if self.sets == self.plain then return without() end -- an earlier part of C was refused
  local sets, prepared = self.sets, self.prepared
  local event = without_tensors(self, result, without)
  if step.copied and is_short then
    self.sets, self.prepared, self.recent, self.refused = sets, prepared, nil, nil
  end
  return event
end

function run_step(self, queue, previous, call, step)
  if step.view then return (vectors.launch(queue, call, step)) end
  local is_sure = step.part.set.of == gpu_sets or self.launched[step.kernel] and not step.copied
  return ((is_sure and not step.partial and launch or launch_carefully)(self, queue, previous, call, step))
end

--- Enqueues a product.
-- @tparam table self of @{new}
-- @tparam queue queue
-- @tparam table call as @{clue.gemm} checked it
-- @treturn event
function gpu.run(self, queue, call)
  local steps, event = steps_of(self, call, sizes.of(queue).units), nil
  for i = 1, #steps do
    event = run_step(self, queue, event, call, steps[i])
  end
  return event
end

return gpu
