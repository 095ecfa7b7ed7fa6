-- How the GPU form of context:gemm chooses its parameter sets for devices that are not here, and divides products.
-- suite: quick
-- builds: luajit lua54
-- process: shared

local gpu = require "clue.gemm.gpu"
local plans = require "clue.gemm.plan"
local gpu_sets = require "clue.gemm.gpu_sets"
local tensor_sets = require "clue.gemm.tensor_sets"
local cl = require "clue"
local objects = require "objects"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")
local UNITS = 132
local memory = cl.context():buffer(4)

-- A context whose device has no more than what the form asks for.
local function context_of(given)
  local device = {name = "made up", platform = {name = "made up"}, local_mem_size = 49152, max_work_group_size = 1024,
                  global_mem_size = 2 ^ 33, max_compute_units = UNITS}
  for name, value in pairs(given) do device[name] = value end
  function device.has_extension() return given.compute_capability_major_nv ~= nil end
  return {device = device}
end

local function nvidia(major, minor)
  return {compute_capability_major_nv = major, compute_capability_minor_nv = minor}
end
local HOPPER = nvidia(9, 0)

local function call_of(m, n, k)
  return {m = m, n = n, k = k, a = memory, b = memory, c = memory, lda = k, ldb = n, ldc = n, a_offset = 0,
          b_offset = 0, c_offset = 0, a_columns = k, b_columns = n, c_columns = n, a_rows = m, b_rows = k,
          transpose_a = false, transpose_b = false, most_kept = 2 ^ 30}
end

local function new(device, type_name, options)
  local bytes = ({float = 4, double = 8, int = 4, half = 2, char = 1})[type_name]
  return gpu.new(context_of(device), type_name, bytes, options or {})
end

local function plan(device, type_name, m, n, k, options)
  return plans.of(new(device, type_name, options), UNITS, call_of(m, n, k))
end

describe("the plan of a product", function()
  it("has asynchronous copies on NVIDIA's devices that can, unless they are not wanted", function()
    assert.equal(1, plan(HOPPER, "float", 4096, 4096, 4096)[1].set.parameters.ASYNC)
    assert.equal(1, plan(nvidia(8, 0), "double", 4096, 4096, 4096)[1].set.parameters.ASYNC)
    assert.equal(0, plan(nvidia(7, 0), "half", 4096, 4096, 4096)[1].set.parameters.ASYNC)
    assert.equal(0, plan(HOPPER, "float", 4096, 4096, 4096, {portable = true})[1].set.parameters.ASYNC)
    assert.equal(0, plan(nvidia(7, 5), "float", 4096, 4096, 4096)[1].set.parameters.ASYNC)
    assert.equal(0, plan({}, "float", 4096, 4096, 4096)[1].set.parameters.ASYNC)
  end)

  it("has smaller tiles for smaller products, enough for all compute units", function()
    for _, type_name in ipairs {"float", "double", "int", "half", "char"} do
      local large = plan(HOPPER, type_name, 4096, 4096, 4096)[1].set.parameters
      local small = plan(HOPPER, type_name, 512, 512, 512)[1].set.parameters
      assert.is_true(large.BM * large.BN >= 2 * small.BM * small.BN)
    end
  end)

  it("converts char on its way to local memory, so copies are not asynchronous", function()
    for _, set in ipairs(new(HOPPER, "char").sets) do assert.not_equal(1, set.parameters.ASYNC) end
    assert.equal("parameters.ASYNC = 1 is not for char, which is converted on the way to local memory",
      objects.refusal(new, HOPPER, "char", {parameters = {ASYNC = 1, BUFFERS = 2}}))
  end)

  it("loads two fragments where B is stored by columns", function()
    local call = call_of(4096, 4096, 4096)
    assert.equal("large", plans.of(new(HOPPER, "float"), UNITS, call)[1].set.name)
    call.transpose_b = true
    assert.equal("large, two fragments", plans.of(new(HOPPER, "float"), UNITS, call)[1].set.name)
  end)

  it("keeps to a device's local memory and groups", function()
    for _, type_name in ipairs {"float", "double", "int", "half", "char"} do
      local bytes = type_name == "double" and 8 or 4
      for _, set in ipairs(new({local_mem_size = 16384, max_work_group_size = 64}, type_name).sets) do
        assert.equal(gpu_sets, set.of)
        assert.is_true(gpu_sets.items(set.parameters) <= 64 and gpu_sets.memory(set.parameters, bytes) <= 16384)
      end
    end
    assert.equal("made up has too little local memory, or too small groups, for products of float",
      objects.refusal(new, {local_mem_size = 512}, "float"))
  end)

  it("computes the last row and column of 4097 by themselves, each element of C once", function()
    local parts, area = plan(HOPPER, "float", 4097, 4097, 4097), 0
    assert.same({0, 0, 4096, 4096}, {parts[1].top, parts[1].left, parts[1].m, parts[1].n})
    for i, part in ipairs(parts) do
      area = area + part.m * part.n
      for j = 1, i - 1 do
        local other = parts[j]
        assert.is_true(part.top >= other.top + other.m or part.left >= other.left + other.n
          or other.top >= part.top + part.m or other.left >= part.left + part.n)
      end
    end
    assert.equal(4097 * 4097, area)
  end)

  it("divides K where C has too few tiles for all compute units, but not what a script's parameters say", function()
    for _, type_name in ipairs {"float", "double", "half", "int"} do
      for _, device in ipairs {HOPPER, nvidia(7, 0), {}} do
        local parts = plan(device, type_name, 64, 64, 2 ^ 20)
        assert.equal(1, #parts)
        assert.is_true(parts[1].set.parameters.SPLITS >= 64)
        assert.equal(1, plan(device, type_name, 8192, 8192, 8192)[1].set.parameters.SPLITS or 1)
      end
    end
    assert.is_nil(plan(HOPPER, "float", 64, 64, 2 ^ 20, {parameters = {}})[1].set.parameters.SPLITS)
    assert.equal(3, plan(HOPPER, "float", 64, 64, 64, {parameters = {SPLITS = 3}})[1].set.parameters.SPLITS)
    assert.is_nil(plan(HOPPER, "float", 64, 64, 1)[1].set.parameters.SPLITS)
  end)

  it("gives each group that shares K a part of it", function()
    for k = 1000, 3000, 7 do
      local p = plan({}, "float", 64, 64, k)[1].set.parameters
      local along, splits = math.ceil(k / p.BK), p.SPLITS or 1
      assert.is_true((splits - 1) * math.ceil(along / splits) < along)
    end
  end)

  it("keeps the groups' sums within an eighth of the device's memory", function()
    local function kept(memory_size)
      local p = plan({global_mem_size = memory_size}, "float", 256, 256, 2 ^ 20)[1].set.parameters
      return (p.SPLITS or 1) * 2 ^ 18
    end
    assert.is_true(kept(2 ^ 36) > 2 ^ 21)
    assert.is_true(kept(2 ^ 24) <= 2 ^ 21)
  end)

  it("takes what a tuner found, but not for thin parts of C", function()
    local entry = {size = {4096, 4096, 4096}, parameters = {BM = 128, BN = 128}}
    local function plan_with(size, by_columns)
      local self, call = new(HOPPER, "float"), call_of(size, size, size)
      self.found, call.transpose_b = {of = function() return entry end}, by_columns
      return plans.of(self, UNITS, call)
    end
    local whole = plan_with(4096)
    assert.equal(1, #whole)
    assert.equal("found for 4096 x 4096 x 4096", whole[1].set.name)
    assert.equal("large, two fragments", plan_with(4096, true)[1].set.name) -- it was found with B by rows
    local parts = plan_with(4097)
    assert.equal(3, #parts)
    assert.equal("found for 4096 x 4096 x 4096", parts[1].set.name)
    assert.same({4096, 4096}, {parts[1].m, parts[1].n})
    assert.not_equal(parts[1].set, parts[2].set)
    assert.not_equal(parts[1].set, parts[3].set)
  end)

  it("takes what a tuner found at the size that it was found for, whatever its tiles", function()
    local function first_with(parameters, m, n, k)
      local self = new(HOPPER, "float")
      self.found = {of = function() return {size = {m, n, k}, parameters = parameters} end}
      return plans.of(self, UNITS, call_of(m, n, k))[1].set
    end
    for _, tile in ipairs {{16, 16}, {32, 16}, {128, 128}} do
      for _, size in ipairs {{1024, 1024, 1024}, {4096, 4096, 16}, {500000, 64, 64}, {1024, 1024, 64}} do
        local name = first_with({BM = tile[1], BN = tile[2]}, unpack(size)).name
        assert.matches("^found for", name)
      end
    end
    assert.equal(4, first_with({BM = 64, BN = 64, SPLITS = 4}, 512, 512, 2048).parameters.SPLITS)
  end)
end)

describe("products on tensor cores", function()
  local TF32 = {precision = "tf32"}

  -- Whether a product's first part is for tensor cores.
  local function is_tensor(...) return plan(...)[1].set.of == tensor_sets end

  it("are chosen by type, precision and compute capability", function()
    assert.is_true(is_tensor(HOPPER, "double", 1024, 1024, 1024))
    assert.is_false(is_tensor(nvidia(8, 0), "double", 1024, 1024, 1024))
    assert.is_false(is_tensor(nvidia(10, 0), "double", 1024, 1024, 1024))
    assert.is_true(is_tensor(nvidia(8, 6), "half", 1024, 1024, 1024))
    assert.is_false(is_tensor(nvidia(7, 5), "half", 1024, 1024, 1024))
    assert.is_true(is_tensor(nvidia(12, 0), "float", 1024, 1024, 1024, TF32))
    assert.is_false(is_tensor(HOPPER, "float", 1024, 1024, 1024))
    assert.is_false(is_tensor(HOPPER, "int", 1024, 1024, 1024))
    assert.is_true(is_tensor(nvidia(8, 9), "char", 1024, 1024, 1024))
    assert.is_false(is_tensor(nvidia(7, 5), "char", 1024, 1024, 1024))
    assert.is_false(is_tensor({}, "half", 1024, 1024, 1024))
    for _, options in ipairs {{portable = true}, {portable = true, precision = "tf32"}} do
      for _, type_name in ipairs {"float", "double", "half", "char"} do
        assert.is_false(is_tensor(HOPPER, type_name, 1024, 1024, 1024, options))
      end
    end
  end)

  it("use wgmma on compute capability 9.0 only", function()
    assert.equal(1, plan(HOPPER, "half", 4096, 4096, 4096)[1].set.parameters.WGMMA)
    for _, device in ipairs {nvidia(8, 0), nvidia(10, 0)} do
      for _, set in ipairs(new(device, "half").sets) do assert.not_equal(1, set.parameters.WGMMA) end
    end
  end)

  -- The first set of a type for tensor cores, and a call of 96 x 96 x 96 with changes.
  local function set_and_call(type_name, changes, pattern)
    local self, call = new(HOPPER, type_name, type_name == "float" and TF32 or nil), call_of(96, 96, 96)
    for name, value in pairs(changes) do call[name] = value end
    for _, set in ipairs(self.sets) do
      if set.of == tensor_sets and set.name:find(pattern or "") then return set.parameters, call end
    end
  end

  it("take the widest copies to local memory that fit the rows", function()
    local function traits(...) return tensor_sets.traits(set_and_call(...)) end
    local even = traits("half", {})
    assert.same({16, 16, 0, 8}, {even.A_COPY, even.B_COPY, even.PARTIAL, even.C_WIDE})
    local odd = traits("half", {lda = 98, b_offset = 4, ldc = 97})
    assert.same({4, 8, 0, 1}, {odd.A_COPY, odd.B_COPY, odd.PARTIAL, odd.C_WIDE})
    assert.equal(1, traits("double", {a_columns = 95}).PARTIAL)
    assert.equal(8, traits("double", {lda = 97}).A_COPY)
    local chars = traits("char", {lda = 100, b_offset = 4, c_offset = 4})
    assert.same({4, 4, 4}, {chars.A_COPY, chars.B_COPY, chars.C_WIDE})
    assert.equal(1, traits("char", {ldc = 98}).C_WIDE)
    assert.same({4, 1}, {traits("float", {ldb = 97}).B_COPY, traits("float", {c_offset = 2}).C_WIDE})
  end)

  -- Which factors are copied, "ab"; nil: the set cannot compute the product.
  local function copied(...)
    local made = tensor_sets.copied(set_and_call(...))
    return made and (made.a and "a" or "") .. (made.b and "b" or "")
  end

  it("copy factors first whose rows begin where the kernel cannot read them", function()
    assert.equal("", copied("half", {}))
    assert.equal("", copied("half", {lda = 98, ldb = 98}))
    assert.equal("a", copied("half", {a_offset = 1}))
    assert.equal("b", copied("half", {ldb = 97}))
    assert.equal("a", copied("char", {lda = 98}))
    assert.equal("a", copied("half", {lda = 100}, "wgmma"))
    assert.equal("", copied("double", {lda = 97, b_offset = 1}))
    assert.equal("ab", copied("float", {}, "wgmma"))
    local traits = tensor_sets.traits(set_and_call("half", {ldb = 97}))
    assert.same({16, 16}, {traits.A_COPY, traits.B_COPY})
    assert.is_nil(copied("half", {ldb = 97, k = 0}))
    local unaligned = {kind = "buffer", parent = memory, offset = 4}
    assert.is_nil(copied("double", {a = setmetatable(unaligned, getmetatable(memory))}))
  end)

  it("make copies whose rows begin at multiples of 128 bytes, up to a limit", function()
    local set, call = set_and_call("half", {ldb = 97, b_columns = 65})
    assert.same({128, 96 * 128}, {tensor_sets.copied(set, call).b.pitch, tensor_sets.copied(set, call).b.size})
    assert.equal("a", copied("half", {a_offset = 1, a_rows = 2 ^ 23, a_columns = 1}))
    assert.is_nil(copied("half", {a_offset = 1, a_rows = 2 ^ 23 + 1, a_columns = 1}))
  end)

  it("copy factors for wgmma, too, if the products are large and rows begin amid 32 bytes", function()
    local function of(size, rows)
      return copied("half", {m = size, n = size, k = size, lda = 8200, a_rows = rows or size}, "wgmma")
    end
    assert.equal("", of(1024))
    assert.equal("a", of(8192))
    assert.equal("", of(8192, 2 ^ 23 + 1)) -- more than a copy may take: it is read as it is
  end)

  it("are worth copies, of large products", function()
    local function first(...) return plan(...)[1].set end
    assert.equal(1, first(HOPPER, "half", 4097, 4097, 4097).parameters.WGMMA)
    assert.equal(tensor_sets, first(nvidia(8, 6), "half", 4097, 4097, 4097).of)
    assert.equal(tensor_sets, first(HOPPER, "char", 4097, 4097, 4097).of)
    assert.equal(gpu_sets, first(HOPPER, "half", 129, 129, 129).of)
    assert.equal(tensor_sets, first(HOPPER, "half", 16001, 16001, 16001).of)
    assert.equal(gpu_sets, first(HOPPER, "half", 17001, 17001, 17001).of) -- an eighth of the device's memory
    assert.equal(1, first(HOPPER, "float", 4096, 4096, 4096, TF32).parameters.WGMMA)
    assert.equal(0, first(HOPPER, "float", 1024, 1024, 1024, TF32).parameters.WGMMA)
    assert.is_true(is_tensor(HOPPER, "double", 4097, 4097, 4097))
  end)

  it("have sets that the kernel takes, with names of their own", function()
    local names = {}
    for _, set in ipairs(tensor_sets.list) do
      local p = tensor_sets.complete(set, set.KIND)
      assert.is_nil(tensor_sets.fault(p))
      assert.is_true(tensor_sets.memory(p, tensor_sets.bytes[set.KIND]) <= 49152)
      assert.is_nil(names[set.KIND .. set.name])
      names[set.KIND .. set.name] = true
    end
  end)

  it("stay faster than what a tuner found without them", function()
    local self = new(HOPPER, "double")
    self.found = {of = function() return {size = {1024, 1024, 1024}, parameters = {BM = 128, BN = 128, V = 2}} end}
    assert.equal(tensor_sets, plans.of(self, UNITS, call_of(1024, 1024, 1024))[1].set.of)
  end)
end)
