-- context:gemm: the matrix product, against a loop in Lua: shapes around the borders of tiles and blocks, and the
-- options. With CLUE_TEST_THOROUGH, all variants of all kernels; else so many that drivers build few.
-- suite: quick
-- process: shared alone first
-- drivers: pocl oclgrind rusticl
-- cost: 20

local algorithm = require "clue.compute.algorithm"
local cl = require "clue"
local device_ranking = require "clue.device_ranking"
local objects = require "objects"
local sizes = require "clue.compute.sizes"
local sums = require "clue.gemm.sums"
local support = require "support"

local array, refusal = cl.array, objects.refusal
local context, queue = objects.context()

-- Why the device has no product of a form and type; nil if it has.
local function obstacle(type_name, form)
  if form == "cpu" and sizes.form(context) ~= "cpu" then return "not a CPU, or one that ends loops" end
  if type_name ~= "float" and not support.thorough then return "built in the whole suite only" end
  if type_name == "double" and not context.device.extensions:find "cl_khr_fp64" then return "no double" end
end

-- Small whole numbers, the same each time: sums of their products are exact.
local seed = 1
local function numbers(type_name, count)
  local made = array[type_name](math.max(count, 1))
  for i = 0, count - 1 do
    seed = (seed * 1103515 + 12345) % 2 ^ 31
    made[i] = math.floor(seed / 65536) % 9 - 4
  end
  return made
end

-- C as a loop computes it.
local function expected_of(c, a, b, m, n, k, o)
  local made = array[c:type()](#c)
  for i = 0, #c - 1 do made[i] = c[i] end
  for i = 0, m - 1 do
    for j = 0, n - 1 do
      local sum, at = 0, o.c_offset + i * o.ldc + j
      for l = 0, k - 1 do
        sum = sum + a[o.a_offset + (o.transpose_a and l * o.lda + i or i * o.lda + l)]
          * b[o.b_offset + (o.transpose_b and j * o.ldb + l or l * o.ldb + j)]
      end
      made[at] = o.alpha * sum + (o.beta == 0 and 0 or o.beta * c[at])
    end
  end
  return made
end

-- The type of C's elements.
local function result_of(type_name) return type_name == "char" and "int" or type_name end

-- Runs a product and compares all of C, with what lies around it. o: the options of the call; pad: rows are longer.
local function check(gemm, type_name, m, n, k, given, pad)
  local o = {alpha = 1, beta = 0, a_offset = 3 * pad, b_offset = 5 * pad, c_offset = 2 * pad}
  for name, value in pairs(given) do o[name] = value end
  o.lda = math.max(o.transpose_a and m or k, 1) + pad
  o.ldb = math.max(o.transpose_b and k or n, 1) + pad
  o.ldc = math.max(n, 1) + pad
  local a = numbers(type_name, o.a_offset + (o.transpose_a and k or m) * o.lda)
  local b = numbers(type_name, o.b_offset + (o.transpose_b and n or k) * o.ldb)
  local c = numbers(result_of(type_name), o.c_offset + m * o.ldc + 7)
  local expected = expected_of(c, a, b, m, n, k, o)
  local to, read = context:buffer(c), array[result_of(type_name)](#c)
  gemm(queue, o, m, n, k, context:buffer(a), context:buffer(b), to)
  queue:read_buffer(to, read)
  local wrong = read:compare(expected)
  if wrong then
    assert.equal(expected[wrong], read[wrong], ("%d x %d x %d, pad %d: element %d"):format(m, n, k, pad, wrong))
  end
end

-- Around the borders of tiles, and of blocks with the parameters below: KC = 32, NP = 2.
local shapes = {
  {1, 1, 1}, {1, 1, 0}, {1, 1, 37}, {2, 3, 4}, {7, 9, 35}, {4, 32, 16}, {5, 31, 15}, {12, 32, 16}, {13, 33, 17},
  {11, 16, 33},
  {24, 64, 32}, {25, 65, 31}, {23, 129, 65}, {61, 47, 64}, {1, 100, 20}, {100, 1, 20}, {7, 7, 0}, {50, 70, 1},
  {9, 17, 97}, {9, 6, 41}, {6, 9, 41},
}
local variants = {
  {transpose_a = true, transpose_b = true, alpha = -2, beta = 3}, {}, {beta = 1}, {alpha = 0, beta = 2},
}
local two_variants = {variants[1], variants[2]}
local more_variants = {
  {transpose_a = true}, {transpose_b = true}, {transpose_a = true, beta = -1},
  {transpose_b = true, alpha = 3, beta = 1},
}
-- Blocks that small shapes fill, and tiles for other vector widths, on any device.
local SMALL = {KC = 32, NP = 2, CACHE = 0, DIRECT = 24}
local parameters = {
  ["of the device"] = {}, ["of AVX2"] = {WIDTH = 8, MR = 6, NV = 2, KC = 32, NP = 3, CACHE = 0},
  ["of one vector"] = {WIDTH = 4, MR = 3, NV = 1, KC = 16, NP = 5},
}

local function check_all(gemm, type_name, list, form)
  local most = context.device.name:find "Oclgrind" and 2500 or math.huge -- Oclgrind is slow
  for i, shape in ipairs(shapes) do
    local m, n, k = shape[1], shape[2], shape[3]
    -- gemm_vector_spec has them in all types; each is a program of its own.
    local left_out = form == "gpu" and (m == 1 or n == 1) and (type_name ~= "float" or m == n)
    for j, variant in ipairs(m * n * k <= most and not left_out and list or {}) do
      check(gemm, type_name, m, n, k, variant, (i + j) % 2)
    end
  end
end

-- Small parameters of the GPU form.
local TILES = {BM = 16, BN = 16, BK = 8, TM = 4, TN = 4, SLICES = 2, V = 2, A_WIDTH = 2, B_WIDTH = 2, PAD = 2,
               BUFFERS = 2, SPLIT = 1, BAND = 2}
local small = {cpu = SMALL, gpu = TILES}
-- Products of int and char have a smaller tile: PoCL compiles the device's, which float and double have, for seconds.
local LOW = {KC = 32, NP = 2, CACHE = 0, DIRECT = 24, MR = 3, NV = 1}

for _, form in ipairs {"cpu", "gpu"} do
  for _, type_name in ipairs {"float", "double", "int", "half", "char"} do
    local name = ("a product of %s in the form for %ss"):format(type_name, form:upper())
    describe(name, function()
      it("is right for shapes around the borders of tiles and blocks", function()
        if obstacle(type_name, form) then return pending(obstacle(type_name, form)) end
        local of_int = form == "cpu" and result_of(type_name) == "int"
        local gemm = context:gemm(type_name, {form = form, parameters = of_int and LOW or small[form]})
        -- Transposes are other texts: PoCL compiles the GPU form's for half a second. So a compiler gets one of each
        -- form, and in the whole suite two of the CPU form and of float. gemm_kernel_spec has them for every type on
        -- Oclgrind. Factors are arguments, and float has all of them here.
        local one = variants[form == "gpu" and type_name == "float" and 1 or 2]
        local list = {one}
        if support.thorough and (form == "cpu" or type_name == "float") then list = two_variants end
        if form == "cpu" and type_name == "float" and support.thorough
          or not support.thorough and context.device.name:find "Oclgrind" then
          list = variants
        end
        check_all(gemm, type_name, list, form)
        -- How A is read does not depend on how B is stored, so one type has all pairs.
        local has_more = support.thorough and form == "cpu" and type_name == "float"
        if has_more then check_all(gemm, type_name, more_variants, form) end
      end)

      it("does not read C where beta is 0, nor A and B where alpha is 0", function()
        if obstacle(type_name, form) then return pending(obstacle(type_name, form)) end
        if result_of(type_name) == "int" then return pending "int has no NaN" end
        local nan = context:buffer(array[type_name](64, 0 / 0))
        local ones, to = context:buffer(array[type_name](64, 1)), context:buffer(array[type_name](64, 0 / 0))
        local gemm = context:gemm(type_name, {form = form, parameters = small[form]})
        gemm(queue, 8, 8, 8, ones, ones, to)
        assert.equal(8, objects.contents(queue, to, type_name)[64])
        gemm(queue, {alpha = 0, beta = 0.5}, 8, 8, 8, nan, nan, to)
        assert.equal(4, objects.contents(queue, to, type_name)[64])
      end)
    end)
  end
end

describe("a product on a CPU with more compute units than C has blocks", function()
  it("has parts of K, whose sums a second kernel adds", function()
    if obstacle("float", "cpu") then return pending(obstacle("float", "cpu")) end
    if context.device.name:find "Oclgrind" then return pending "Oclgrind is slow" end
    local gemm, device = context:gemm("float", {form = "cpu", parameters = SMALL}), sizes.of(queue)
    local units, add, parts = device.units, sums.add, 0
    function sums.add(to, event, self, ...)
      parts = parts + self.splits
      return (add(to, event, self, ...))
    end
    finally(function() device.units, sums.add = units, add end)
    device.units = 5
    for _, shape in ipairs {{3, 9, 60003}, {9, 3, 60003}, {30, 40, 4099}} do
      local m, n, k = shape[1], shape[2], shape[3]
      for i, variant in ipairs(support.thorough and variants or two_variants) do -- factors are arguments
        check(gemm, "float", m, n, k, variant, i % 2)
      end
    end
    assert.is_true(parts > 10)
  end)
end)

describe("a product with parameters", function()
  for name, chosen in pairs(parameters) do
    it(name .. " is right", function()
      if obstacle("float", "cpu") then return pending(obstacle("float", "cpu")) end
      if not support.thorough then return pending "built in the whole suite only" end
      check_all(context:gemm("float", {form = "cpu", parameters = chosen}), "float", two_variants, "cpu")
    end)
  end
end)

describe("context:gemm", function()
  local gemm, x, y
  before_each(function()
    gemm = context:gemm("float", {parameters = small[sizes.form(context)]})
    x, y = context:buffer(256), context:buffer(256)
  end)

  it("is made once for a type and parameters", function()
    assert.equal(gemm, context:gemm("float", {parameters = small[sizes.form(context)]}))
    assert.equal(context:gemm "float", context:gemm "float")
    assert.not_equal(gemm, context:gemm "float")
    assert.equal("gemm(M, N, K, A, B, C)", tostring(gemm))
  end)

  it("takes shared virtual memory", function()
    if not pcall(context.svm, context, 64) then return pending "no shared virtual memory" end
    local shared = context:svm(256)
    queue:fill_buffer(x, cl.float(2))
    gemm(queue, 8, 8, 8, x, x, shared)
    gemm(queue, 8, 8, 1, shared, x, y)
    assert.equal(64, objects.contents(queue, y)[64])
  end)

  it("computes into a part of the matrix that it reads", function()
    -- 8 x 8: the left half times its upper half goes to the right half
    local whole = context:buffer(array.float(64, 1))
    gemm(queue, {lda = 8, ldb = 8, ldc = 8, c_offset = 4}, 8, 4, 4, whole, whole, whole)
    local read = objects.contents(queue, whole)
    assert.same({1, 4, 1, 4}, {read[57], read[61], read[4], read[8]})
  end)

  it("converts matrices of all sizes in groups of one size, for which PoCL compiles once #oclgrind", function()
    local step, seen = algorithm.step, {}
    algorithm.step = function(to, previous, kernel, global, size, ...)
      seen[size and table.concat(size, "x") or "the driver's"] = true
      return step(to, previous, kernel, global, size, ...)
    end
    finally(function() algorithm.step = step end)
    for _, type_name in ipairs {"half", "char"} do
      for rows = 1, 2 do context:gemm(type_name, {parameters = SMALL})(queue, rows, 3, 2, x, y, context:buffer(64)) end
    end
    assert.same({["1x16"] = true}, seen)
  end)

  it("runs on a queue out of order, where products have counters of their own", function()
    local made, free = pcall(context.queue, context, {out_of_order = true})
    if not made then return pending "no queues out of order" end
    local ones, out = context:buffer(array.float(8000, 1)), {}
    for i = 1, 4 do
      out[i] = context:buffer(16000)
      gemm(free, 20, 200, 40, ones, ones, out[i])
    end
    free:finish()
    for i = 1, 4 do
      local read = array.float(4000)
      queue:read_buffer(out[i], read)
      assert.is_nil(read:compare(array.float(4000, 40)))
    end
  end)

  it("refuses what it cannot compute", function()
    assert.equal("gemm call: C shares elements with A, which is read while C is written: give C memory of its own",
      refusal(gemm, queue, 8, 8, 8, x, y, x))
    assert.equal("gemm call: C shares elements with B, which is read while C is written: give C memory of its own",
      refusal(gemm, queue, {c_offset = 32}, 4, 8, 8, x, y, y))
    assert.equal("gemm call: B has 64 elements, but 8 x 9 from element 0 on with rows of 9 need 72",
      refusal(gemm, queue, 8, 9, 8, x, y, context:buffer(512)))
    assert.equal("gemm call: lda must be a whole number of 8 or more, got 7",
      refusal(gemm, queue, {lda = 7}, 8, 8, 8, x, y, x))
    assert.equal("gemm call: M must be a whole number of 0 or more, got -1",
      refusal(gemm, queue, -1, 8, 8, x, y, x))
    assert.equal("gemm call: A must be a buffer or shared virtual memory, got 3",
      refusal(gemm, queue, 8, 8, 8, 3, y, x))
    assert.is_truthy(refusal(context.gemm, context, "long"):find "type of elements")
    assert.is_truthy(refusal(context.gemm, context, "float", {parameters = {MC = 3}}):find "parameter of products")
    assert.is_truthy(refusal(context.gemm, context, "float", {form = "tpu"}):find "form of products")
    assert.equal('context:gemm: precision = "tf32" is for float, not double',
      refusal(context.gemm, context, "double", {precision = "tf32"}))
    assert.equal("gemm call: alpha must be a whole number of -2147483648 or more, got 0.5",
      refusal(context:gemm "int", queue, {alpha = 0.5}, 8, 8, 8, x, y, context:buffer(256)))
    -- C of char's products has int: 64 bytes of A, 256 of C
    local chars = context:gemm("char", {parameters = small[sizes.form(context)]})
    assert.equal("gemm call: C has 16 elements, but 8 x 8 from element 0 on with rows of 8 need 64",
      refusal(chars, queue, 8, 8, 8, x, y, context:buffer(64)))
    assert.equal("gemm call: C shares elements with A, which is read while C is written: give C memory of its own",
      refusal(chars, queue, {a_offset = 255, c_offset = 63, lda = 1}, 1, 1, 1, x, y, x))
    assert.equal("gemm call: alpha must be a whole number of -2147483648 or more, got 0.5",
      refusal(chars, queue, {alpha = 0.5}, 8, 8, 8, x, y, context:buffer(256)))
    assert.is_truthy(refusal(gemm, queue, 8, 8, x, y, x):find "takes 6 arguments after the queue")
  end)

  it("refuses parameters that a form cannot have", function()
    local function refused(form, given)
      return refusal(context.gemm, context, "float", {form = form, parameters = given})
    end
    assert.is_truthy(refused("gpu", {BM = 1024, BN = 1024}):find "the parameters need groups of 16384 work%-items with")
    assert.is_truthy(refused("gpu", {ASYNC = 1}):find "parameters.ASYNC = 1 needs an NVIDIA device")
    assert.is_truthy(refused("gpu", {TENSOR = 1}):find "has no tensor cores that clue uses for float$")
    if sizes.form(context) ~= "cpu" then
      assert.is_truthy(refused("cpu"):find "need a CPU whose driver ends no loops")
    else
      assert.equal("context:gemm: parameters.KC must be a multiple of 16, got 40", refused("cpu", {KC = 40}))
    end
  end)

  it("refuses a K whose loops the device would end", function()
    local doubt = device_ranking.doubt(context.device)
    if not (doubt and doubt.wrong) then return pending "the device ends no loops" end
    local buffer = context:buffer(2 * 10 ^ 6 * 4)
    assert.matches("^gemm call: K is 1000000, but %d+ is the most on llvmpipe: there loops, nested ones counted "
      .. "together, end after 65535 iterations", refusal(context:gemm "float", queue, 2, 2, 10 ^ 6, buffer, buffer,
      context:buffer(16)))
    local own, to = context:gemm("float", {form = "gpu", parameters = TILES}), context:buffer(4)
    local most = tonumber(refusal(own, queue, 1, 1, 10 ^ 6, buffer, buffer, to):match "but (%d+) is the most")
    own(queue, 1, 1, most, buffer, buffer, to)
    assert.matches(("K is %d, but %d is the most"):format(most + 1, most),
      refusal(own, queue, 1, 1, most + 1, buffer, buffer, to), 1, true)
  end)

  it("shares a long K of one row or column among groups whose loops are short", function()
    if context.device.name:find "Oclgrind" then return pending "Oclgrind is slow" end
    local product, ones, to = context:gemm("float", {form = "gpu"}), context:buffer(10 ^ 6 * 4), context:buffer(4)
    queue:fill_buffer(ones, cl.float(1))
    for _, by_columns in ipairs {false, true} do
      product(queue, {transpose_a = by_columns}, 1, 1, 10 ^ 6, ones, ones, to)
      assert.equal(10 ^ 6, objects.contents(queue, to, "float")[1])
    end
  end)

  it("computes thin rests of C by themselves, and times all parts", function()
    if context.device.name:find "Oclgrind" then return pending "Oclgrind is slow" end
    local m, k, product = 129, 256, context:gemm("float", {form = "gpu"})
    local a, b, expected = array.float(m * k), array.float(k * m), array.float(m * m)
    for i = 0, m * k - 1 do
      a[i], b[i] = math.floor(i / k) % 7, i % m % 5
    end
    for i = 0, m * m - 1 do expected[i] = k * (math.floor(i / m) % 7) * (i % m % 5) end
    local c, read = context:buffer(array.float(m * m, -1)), array.float(m * m)
    local event = product(queue, m, m, k, context:buffer(a), context:buffer(b), c)
    queue:read_buffer(c, read)
    assert.is_nil(read:compare(expected))
    if not event.steps then return pending "this device computes it at once" end
    local sum = 0
    for _, step in ipairs(event.steps) do
      if step ~= event then sum = sum + step:time() end
    end
    assert.is_true(event:time() >= sum)
  end)
end)
