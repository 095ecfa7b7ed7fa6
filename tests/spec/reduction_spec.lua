-- context:reduction: one value of all elements, in both forms of its kernels (a local size chooses that with groups on
-- CPUs, too).
-- suite: quick
-- builds: luajit lua54
-- process: shared bindings first
-- drivers: pocl oclgrind rusticl

local cl = require "clue"
local objects = require "objects"

local array, refusal = cl.array, objects.refusal
local context, queue = objects.context()
local slow = objects.is_slow(context)

local LARGE = slow and 16385 or 40000
local COUNTS = {1, 2, 63, 64, 65, 1000, 16385, not slow and LARGE or nil}

-- Numbers whose sums a float holds exactly, in any order.
local function small(count, name)
  local numbers = array[name or "float"](count)
  for i = 0, count - 1 do numbers[i] = (i * 7) % 23 end
  return numbers
end

local function as_option(reduce, size)
  return {reduce = reduce, local_size = size}
end

for form, size in pairs {["of the device"] = false, ["with groups"] = 16} do
  size = size or nil

  describe("a reduction in the form " .. form, function()
    it("sums all elements and no others", function()
      local sum = context:reduction("const float *x", as_option("sum", size))
      for _, count in ipairs(COUNTS) do
        local numbers = small(count)
        assert.equal(numbers:sum(), sum(queue, context:buffer(numbers)), count)
      end
    end)

    it("reduces what a map makes of several buffers and numbers", function()
      local dot = context:reduction("float by, const float *x, const int *y",
        {type = "float", map = "by * x[i] * y[i]", reduce = "a + b", identity = 0, local_size = size})
      local x, y = array.float {1, 2, 3, 4}, array.int {5, 6, 7, 8}
      assert.equal(140, dot(queue, 2, context:buffer(x), context:buffer(y)))
    end)

    local function check_extremes(wanted)
      local numbers = small(5000, "int")
      numbers[4001], numbers[4500], numbers[70], numbers[77] = -5, -5, 99, 99
      local x = context:buffer(numbers)
      for name, expected in pairs(wanted) do
        assert.equal(expected, context:reduction("const int *x", as_option(name, size))(queue, x), name)
      end
    end

    it("finds an extreme, and the first of equal ones", function() check_extremes {max = 99, argmin = 4001} end)
    it("finds the other ones, too #oclgrind", function() check_extremes {min = -5, argmax = 70} end)

    it("computes a part", function()
      local sum = context:reduction("const float *x", as_option("sum", size))
      local x = context:buffer(array.float {1, 2, 4, 8, 16})
      assert.equal(6, sum(queue, {offset = 1, count = 2}, x))
      assert.equal(24, sum(queue, {offset = 3}, x))
      assert.equal(0, sum(queue, {count = 0}, x))
    end)

    it("is as accurate as pairwise summation, and the same in every run", function()
      local numbers = array.float(LARGE):random(0, 1, 3)
      local sum, x = context:reduction("const float *x", as_option("sum", size)), context:buffer(numbers)
      local first = sum(queue, x)
      local limit = (150 + math.log(#numbers) / math.log(2)) * 2 ^ -24 * numbers:sum()
      assert.is_true(math.abs(first - numbers:sum()) <= limit)
      for _ = 1, 2 do assert.equal(first, sum(queue, x)) end
    end)
  end)
end

describe("a named reduction", function()
  local function of(name, parameters, numbers)
    return context:reduction(parameters, name)(queue, context:buffer(numbers))
  end

  it("says whether any or all elements differ from 0", function()
    local some, none = array.uchar(300), array.uchar(300)
    some[299] = 2
    assert.same({true, false}, {of("any", "const uchar *x", some), of("any", "const uchar *x", none)})
    assert.same({false, true}, {of("all", "const uchar *x", some), of("all", "const uchar *x", array.uchar(300, 4))})
  end)

  it("sums whole numbers in 64 bits", function()
    assert.equal(2 ^ 33 - 4, of("sum", "const int *x", array.int(4, 2 ^ 31 - 1)))
    assert.equal(-300, of("sum", "const char *x", array.char(3, -100)))
    assert.equal(2 ^ 40, of("product", "const uint *x", array.uint {2 ^ 20, 2 ^ 20}))
  end)

  it("leaves NaN out of extremes", function()
    local numbers = array.float {0 / 0, 3, -2, 0 / 0, 3}
    assert.same({-2, 3, 2, 1}, {of("min", "const float *x", numbers), of("max", "const float *x", numbers),
                                of("argmin", "const float *x", numbers), of("argmax", "const float *x", numbers)})
    assert.equal(math.huge, of("min", "const float *x", array.float(2, 0 / 0)))
    assert.is_nil(of("argmax", "const float *x", array.float(2, 0 / 0)))
    assert.equal(1, of("argmax", "const float *x", array.float {-math.huge, math.huge}))
    assert.equal(1, of("argmin", "const float *x", array.float {0 / 0, math.huge}))
  end)

  it("has each type's limits #oclgrind", function()
    for name, least in pairs {char = -128, uchar = 0, short = -32768, int = -2 ^ 31, uint = 0} do
      local max = context:reduction(("const %s *x"):format(name), "max")
      assert.equal(least, max(queue, {count = 0}, context:buffer(8)))
    end
    assert.equal(-math.huge, context:reduction("const float *x", "max")(queue, {count = 0}, context:buffer(8)))
  end)

  it("reduces vectors to a list #oclgrind", function()
    local numbers = array.float {1, 20, 3, 0, 10, 2, 30, 0}
    assert.same({11, 22, 33}, of("sum", "const float3 *x", numbers))
    assert.same({1, 2, 3, 0}, of("min", "const float4 *x", numbers))
    assert.same({2 ^ 32, -2}, of("sum", "const int2 *x", array.int {2 ^ 31 - 1, -1, 2 ^ 31 - 1, -1, 2, 0}))
  end)

  it("reads half as float", function()
    assert.equal(4, of("sum", "const half *x", array.half {0.5, 1.5, 2}))
  end)

  it("combines the bits of whole numbers #oclgrind", function()
    local numbers = array.uint {12, 10, 14}
    assert.matches("^context:reduction: \"and\" is for whole numbers, not for float",
      refusal(context.reduction, context, "const float *x", "and"))
    assert.same({8, 14, 8}, {of("and", "const uint *x", numbers), of("or", "const uint *x", numbers),
                             of("xor", "const uint *x", numbers)})
  end)

  it("takes a map and its type", function()
    local square = context:reduction("const int *x", {map = "(float)x[i] * x[i] / 2", type = "float", reduce = "sum"})
    assert.equal(7, square(queue, context:buffer(array.int {1, 2, 3})))
  end)

  it("computes in double if asked to", function()
    if not context.device:has_double() then pending "the device has no double" end
    local exact = context:reduction("const float *x", {reduce = "sum", type = "double"})
    local numbers = array.float(5000):random(-1, 1, 5)
    assert.is_true(math.abs(exact(queue, context:buffer(numbers)) - numbers:sum()) < 1e-11)
  end)
end)

describe("a reduction", function()
  it("leaves its result in a buffer, and does not wait", function()
    local sum, out = context:reduction("const int *x", "sum"), context:buffer(array.long {-1, -1, -1})
    local x = context:buffer(small(LARGE, "int"))
    local event = sum(queue, {result = out, at = 1}, x)
    assert.equal("event", event.kind)
    event:wait()
    assert.same({-1, sum(queue, x), -1}, objects.contents(queue, out, "long"))
    assert.matches("reduction call: result has 24 bytes, but needs 32", refusal(sum, queue, {result = out, at = 3}, x))
    assert.matches("reduction call: result must be a buffer or shared virtual memory, got 1",
      refusal(sum, queue, {result = 1}, x))
    assert.equal("reduction call: at is a place in the buffer result, which is missing",
      refusal(sum, queue, {at = 1}, x))
  end)

  it("is recorded in a graph if its result stays in a buffer", function()
    local sum, x, out = context:reduction("const int *x", "sum"), context:buffer(small(LARGE, "int")), context:buffer(8)
    local add = context:elementwise("int *x", "x[i] += 1")
    local graph = queue:record(function(commands)
      add(commands, x)
      sum(commands, {result = out}, x)
    end)
    local before = sum(queue, x)
    for _ = 1, 2 do graph:replay():wait() end
    assert.same({before + 2 * LARGE}, objects.contents(queue, out, "long"))
    assert.equal("reduction call: a graph cannot record that the script gets a number: leave it in a buffer, "
      .. "{result = buffer}", refusal(queue.record, queue, function(commands) sum(commands, x) end))
  end)

  it("refuses more elements than its buffer has", function()
    local sum, x = context:reduction("const float *x", "sum"), context:buffer(16)
    assert.equal("reduction call: x has 4 elements: 3 from element 2 on are not all inside",
      refusal(sum, queue, {offset = 2, count = 3}, x))
    assert.equal(0, sum(queue, {offset = 9}, x))
  end)

  it("gives no number that is not exact", function()
    local numbers = array.long(3)
    numbers[1] = "9007199254740993"
    assert.equal("the result is 9007199254740993, which a Lua number cannot hold exactly: leave it in a buffer, "
      .. "{result = buffer}", (refusal(context:reduction("const long *x", "max"), queue, context:buffer(numbers))
        :gsub("^reduction call: ", "")))
  end)

  it("works on queues out of order, where commands wait only for given events", function()
    local made, own = pcall(context.queue, context, {out_of_order = true})
    if not made then pending "the device has no queue out of order" end
    local sum, numbers = context:reduction("const float *x", "sum"), small(LARGE)
    local x = context:buffer(numbers)
    for _ = 1, 4 do assert.equal(numbers:sum(), sum(own, x)) end
  end)

  it("is made once for the same texts and options", function()
    local made = context:reduction("const float *x", "sum")
    assert.equal(made, context:reduction("const float *x", {reduce = "sum"}))
    assert.not_equal(made, context:reduction("const float *x", {reduce = "sum", name = "total"}))
    assert.equal("reduction(const float *x)", tostring(made))
  end)

  it("refuses what it cannot reduce", function()
    local function said(...) return refusal(context.reduction, context, ...) end
    assert.matches('^context:reduction: there is no reduction "summ" %(is sum meant%?%)', said("int *x", "summ"))
    assert.matches("^context:reduction: any is for numbers, not for float4", said("float4 *x", "any"))
    assert.matches("min is for numbers and vectors, not for point", said("point *x", "min"))
    assert.matches("there are several buffers, x and y: say what to reduce", said("int *x, int *y", "sum"))
    assert.matches("there is no buffer among the arguments", said("int x", "sum"))
    assert.matches("say of which type map is", said("int *x", {reduce = "sum", map = "x[i]"}))
    assert.equal('context:reduction: say of which type map is: {type = "float"}',
      said("int *x", {reduce = "a + b", identity = 0, map = "x[i]"}))
    assert.matches("say how to reduce a and b, and what changes nothing", said("int *x", {reduce = "a + b"}))
    assert.matches("type must be a number's or a vector's type, got \"point\"",
      said("int *x", {reduce = "a + b", identity = 0, type = "point", map = "x[i]"}))
    assert.matches("how must be the name of a reduction", said("int *x", 5))
    assert.equal('context:reduction: "sum" has an identity of its own: leave identity out',
      said("int *x", {reduce = "sum", identity = 0}))
    if context.device:has_extension "cl_khr_fp16" then return end
    assert.matches("^context:reduction: the device does not compute with half",
      said("half *x", {reduce = "sum", type = "half", map = "x[i]"}))
  end)

  it("has the compiler name the script's line", function()
    local done, problem = pcall(context.reduction, context, "const float *x", {reduce = "a + oops", identity = 0,
      map = "x[i] + oops", type = "float"})
    local here = debug.getinfo(1, "l").currentline - 1
    assert.is_false(done)
    assert.truthy(problem.log:find(("reduction_spec.lua:%d:21: "):format(here), 1, true), problem.log)
    assert.truthy(problem.log:find(("reduction_spec.lua:%d:94: "):format(here - 1), 1, true), problem.log)
  end)
end)
