-- Arrays on the device that compute: queue:array().
-- suite: quick
-- builds: luajit lua54
-- process: shared bindings first
-- drivers: pocl oclgrind rusticl

local cl = require "clue"
local binding = require "clue.binding"
local objects = require "objects"
local support = require "support"

local unpack = unpack or table.unpack -- luacheck: ignore

local array, refusal = cl.array, objects.refusal

local context, queue = objects.context()

local function on_device(type, elements, extents)
  return queue:array(array[type](elements), extents)
end

local function elements(of)
  return of:read():table()
end

-- Compares with what a function of the index gives, from 1.
local function agrees(of, expected, tolerance)
  local got = elements(of)
  for i = 1, #got do
    local want = expected(i)
    local same = got[i] == want or (got[i] ~= got[i] and want ~= want)
    assert.is_true(same or math.abs(got[i] - want) <= (tolerance or 0) * math.max(math.abs(want), 1),
      ("element %d is %.9g, not %.9g"):format(i, got[i], want))
  end
end

-- One array, whose row k is the k-th of some arrays of equal extents: one kernel computes all of them, where a compiler
-- would need time for each.
local function stacked(of)
  local rows = {}
  for k = 1, #of do rows[k] = k end
  local which, all = on_device("uchar", rows, {#of, 1}), of[#of]
  for k = #of - 1, 1, -1 do all = which:eq(k):where(of[k], all) end
  return all
end

-- Compares arrays of equal extents, {array, function of the index}, by one kernel.
local function all_agree(list, tolerance)
  local of, extent = {}, list[1][1]:count()
  for k, each in ipairs(list) do of[k] = each[1] end
  agrees(stacked(of), function(i) return list[math.ceil(i / extent)][2]((i - 1) % extent + 1) end, tolerance)
end

local function listed(of) return function(i) return of[i] end end

describe("queue:array", function()
  it("copies an array of the host, with its rows and columns, or a table of numbers", function()
    local a = on_device("short", {1, 2, 3, 4, 5, 6})
    assert.same({"short", {6}, 6}, {a:type(), a:shape(), a:count()})
    local host = array.float {1, 2, 3, 4, 5, 6}:reshape(2, 3)
    local m = queue:array(host)
    assert.same({2, 3}, m:shape())
    assert.same({2, 3}, {m:read():rows(), m:read():columns()})
    assert.same({"float", {0.5, 2}}, {queue:array {0.5, 2}:type(), elements(queue:array {0.5, 2})})
    assert.same({3, 2, 1}, queue:array(host, {3, 2, 1}):shape())
  end)

  it("makes zeros of a type", function()
    assert.same({0, 0, 0}, elements(queue:array("ushort", 3)))
  end)

  it("shares the memory of a buffer, and sees at once what kernels write there", function()
    local x = context:buffer(array.float {1, 2, 3, 4})
    local a = queue:array(x, "float", {2, 2})
    local before = a + 1
    context:program "kernel void change(global float *x) { x[get_global_id(0)] = 9; }":kernel "change"(queue, 4, nil, x)
    assert.same({2, 3, 4, 5}, elements(before))
    assert.same({9, 9, 9, 9}, elements(a))
  end)

  it("refuses what it cannot copy, with the reason", function()
    assert.matches("^queue:array: source must be an array, got nil", refusal(queue.array, queue))
    assert.matches("^queue:array: there is no type \"flaot\"", refusal(queue.array, queue, "flaot", 3))
    assert.matches("^queue:array: 2 x 2 elements are asked for, but the array has 3",
      refusal(queue.array, queue, array.float(3), {2, 2}))
    assert.matches("^queue:array: extents must be a whole number of 1 or more, got 0",
      refusal(queue.array, queue, "float", 0))
    assert.matches("^queue:array: extents must be a whole number, or a list of one to 8, not of 9",
      refusal(queue.array, queue, "float", {1, 1, 1, 1, 1, 1, 1, 1, 1}))
    assert.matches("the buffer holds 2 elements of type int",
      refusal(queue.array, queue, context:buffer(8), "int", 3))
  end)

  it("refuses a queue that is out of order", function()
    local made, other = pcall(context.queue, context, {out_of_order = true})
    if not made then pending "the device has no such queues" end
    assert.matches("queue that keeps the order", refusal(other.array, other, "float", 3))
  end)
end)

describe("an operator", function()
  local x, y = {7, -7, 5, 0.5, -3}, {2, 3, -4, -0.25, -0.5}

  it("applies to each element, and to numbers on either side", function()
    local a, b = on_device("float", x), on_device("float", y)
    all_agree({
      {a + b, function(i) return x[i] + y[i] end}, {a - b, function(i) return x[i] - y[i] end},
      {a * b, function(i) return x[i] * y[i] end}, {a / b, function(i) return x[i] / y[i] end},
      {a % b, function(i) return x[i] % y[i] end}, {-a, function(i) return -x[i] end},
      {2 * a - 1, function(i) return 2 * x[i] - 1 end}, {1 - a, function(i) return 1 - x[i] end},
      {a ^ 2, function(i) return x[i] ^ 2 end}, {2 ^ b, function(i) return 2 ^ y[i] end},
    }, 1e-6)
  end)

  it("computes whole numbers as Lua does, wraps them around, and gives 0 for modulo 0", function()
    local p, r = {7, -7, 7, -7, 5, -2147483648, 2147483647}, {2, 2, -2, -2, 0, -1, 2147483647}
    local a, b = on_device("int", p), on_device("int", r)
    all_agree {
      {a % b, listed {1, 1, -1, -1, 0, 0, 0}}, {a + b, listed {9, -5, 5, -9, 5, 2147483647, -2}},
      {a * b, listed {14, -14, -14, 14, 0, -2147483648, 1}},
      {-a, listed {-7, 7, -7, 7, -5, -2147483648, -2147483647}},
    }
    local wrapped = on_device("uchar", {2, 200}) + on_device("uchar", {255, 100})
    assert.same({"uchar", {1, 44}}, {wrapped:type(), elements(wrapped)})
  end)

  it("takes the smallest type that holds both operands", function()
    local function type_of(one, other) return (queue:array(one, 1) + queue:array(other, 1)):type() end
    for _, of in ipairs {{"char", "char", "char"}, {"char", "uchar", "short"}, {"ushort", "short", "int"},
                         {"uint", "char", "long"}, {"short", "float", "float"}, {"half", "float", "float"},
                         {"half", "char", "float"}, {"uint", "uchar", "uint"}} do
      assert.equal(of[3], type_of(of[1], of[2]))
      assert.equal(of[3], type_of(of[2], of[1]))
    end
    assert.matches("no whole numbers hold both", refusal(type_of, "ulong", "int"))
    assert.equal("uchar", (queue:array("uchar", 1) + 255):type())
    assert.equal("float", (queue:array("uchar", 1) + 0.5):type())
    assert.matches("^device_array %+: uchar holds whole numbers from 0 to 255",
      refusal(function() return queue:array("uchar", 1) + 256 end))
  end)

  it("needs double for fractions of large whole numbers, and says so if there is none #oclgrind", function()
    local a = on_device("int", {7, -7})
    if context.device:has_double() then
      assert.same({"double", {3.5, -3.5}}, {(a / 2):type(), elements(a / 2)})
    else
      assert.matches("need double, which this device does not have: a:to%(\"float\"%)",
        refusal(function() return a / 2 end))
    end
    assert.same({3.5, -3.5}, elements(a:to "float" / 2))
  end)

  it("refuses arrays of the host, other queues, and extents that do not fit", function()
    local a = on_device("float", {1, 2, 3})
    assert.matches("^device_array %+: operand 2 must be a device array or a number, got a float array; queue:array",
      refusal(function() return a + array.float(3) end))
    local elsewhere = context:queue():array("float", 3)
    assert.matches("different queues", refusal(function() return a + elsewhere end))
    assert.equal("device_array:assign: float[3] and float[3] are on different queues",
      refusal(a.assign, a, elsewhere))
    assert.matches("the extents 3 and 2 do not fit", refusal(function() return a * queue:array("float", 2) end))
  end)
end)

it("operands of different extents stretch to each other #oclgrind", function()
  local m = on_device("int", {1, 2, 3, 4, 5, 6}, {2, 3})
  assert.same({11, 22, 33, 14, 25, 36}, elements(m + on_device("int", {10, 20, 30})))
  local column = on_device("int", {100, 200}, {2, 1})
  assert.same({101, 102, 103, 204, 205, 206}, elements(m + column))
  local outer = on_device("int", {1, 2, 3}) * on_device("int", {1, 10}, {2, 1})
  assert.same({{2, 3}, {1, 2, 3, 10, 20, 30}}, {outer:shape(), elements(outer)})
  assert.same({{2, 2, 3}, 12}, {(on_device("int", {0, 100}, {2, 1, 1}) + m):shape(),
    (on_device("int", {0, 100}, {2, 1, 1}) + m):count()})
  assert.same({1, 2, 3, 101, 102, 103}, elements(on_device("int", {0, 100}, {2, 1, 1}) + m:slice("0")))
end)

describe("a function", function()
  it("applies to each element", function()
    local x, list, nan = {0.25, 1, 2.5, 3.5, 1e-3}, {}, 0 / 0
    local a = on_device("float", x)
    for k, name in ipairs {"sqrt", "exp", "log", "sin", "cos", "tan", "abs", "floor", "ceil"} do
      list[k] = {a[name](a), function(i) return math[name](x[i]) end}
    end
    list[#list + 1] = {a:tanh(), function(i) return 1 - 2 / (math.exp(2 * x[i]) + 1) end}
    all_agree(list, 1e-5)
    local b = on_device("float", {-2.5, 0, 3, nan, 0.5})
    all_agree {{on_device("float", {0.5, 1.5, 2.5, 3.5, -1.5}):round(), listed {0, 2, 2, 4, -2}},
               {b:sign(), listed {-1, 0, 1, nan, 1}}, {b:abs(), listed {2.5, 0, 3, nan, 0.5}},
               {b:floor(), listed {-3, 0, 3, nan, 0}}, {b:ceil(), listed {-2, 0, 3, nan, 1}}}
    local c = on_device("char", {-2, 0, 3})
    all_agree {{c:abs(), listed {2, 0, 3}}, {c:sign(), listed {-1, 0, 1}}}
    assert.equal("char", c:sign():type())
  end)

  it("is % as in Lua for real numbers of any size and sign", function()
    local function rest(type, a, b) return elements(on_device(type, a) % on_device(type, b)) end
    assert.same({1, 2, -1, 1.5, -1.5}, rest("float", {1e10, 1e8, 5, -4.5, 4.5}, {3, 7, -3, 2, -2}))
    assert.same({5, math.huge, -5, -math.huge}, rest("float", {5, -5, -5, 5}, {1 / 0, 1 / 0, -1 / 0, -1 / 0}))
    assert.same({5}, elements(on_device("float", {5}) % (1 / 0)))
    assert.same({3}, elements(on_device("half", {60000}) % 7))
    local tenth = rest("float", {1, -1}, {0.1, 0.1})
    assert.is_true(tenth[1] > 0.0999 and tenth[1] < 0.1000001 and tenth[2] >= 0 and tenth[2] < 0.1)
    local none = rest("float", {5}, {0})[1]
    assert.is_true(none ~= none)
    if not context.device:has_double() then return end
    local double = rest("double", {1e17}, {0.1})[1]
    assert.is_true(double >= 0 and double < 0.1)
  end)

  it("compares, chooses, and takes the smaller and the greater, and NaN wins", function()
    local a, b, nan = on_device("float", {1, 2, 3}), on_device("float", {3, 2, 1}), 0 / 0
    local list = {{a:lt(3):where(1, 0), listed {1, 1, 0}}}
    for name, expected in pairs {lt = {1, 0, 0}, le = {1, 1, 0}, gt = {0, 0, 1}, ge = {0, 1, 1}, eq = {0, 1, 0},
                                 ne = {1, 0, 1}} do
      list[#list + 1] = {a[name](a, b), listed(expected)}
    end
    for _, each in ipairs(list) do assert.equal("uchar", each[1]:type()) end
    all_agree(list)
    local n, half = on_device("float", {nan, 0, nan}), a:lt(3):where(0.5, 0)
    assert.equal("float", half:type())
    all_agree {{a:minimum(b), listed {1, 2, 1}}, {a:maximum(b), listed {3, 2, 3}}, {a:minimum(n), listed {nan, 0, nan}},
               {n:maximum(a), listed {nan, 2, nan}}, {a:lt(3):where(a, -1), listed {1, 2, -1}},
               {half, listed {0.5, 0.5, 0}}}
  end)

  it("converts: cuts fractions off, and takes the nearest of what is out of range", function()
    local a = on_device("float", {-1.75, 300, 2.5, 0 / 0})
    assert.equal("uchar", a:to "uchar":type())
    all_agree {{a:to "uchar", listed {0, 255, 2, 0}}, {a:to "char", listed {-1, 127, 2, 0}}}
    assert.same({0.5, 2048}, elements(on_device("float", {0.5, 2048.5}):to "half"))
    assert.same({255, 0}, elements(on_device("int", {256, -1}):to "uchar"))
  end)
end)

describe("an expression", function()
  it("is one kernel, however many operations it has", function()
    local a, b = on_device("float", {1, 2, 3}), on_device("float", {4, 5, 6})
    local c = ((a + b) * 2 - a / b):abs()
    local before = binding.kernel_newest()
    c:compute()
    assert.equal(1, binding.kernel_newest() - before)
    c = (a - b):abs()
    assert.same({3, 2}, {c:max(), binding.kernel_newest() - before})
  end)

  it("may use one array several times", function()
    local a = on_device("float", {1, 2, 3})
    local b = a + 1
    local c = b * b - b
    assert.same({2, 6, 12}, elements(c))
    assert.same({2, 3, 4}, elements(b))
  end)

  it("of hundreds of operations is computed in parts", function()
    local a = queue:array("int", 4)
    for i = 1, 300 do a = a + i end
    assert.same({45150, 45150, 45150, 45150}, elements(a))
  end)

  it("that needs an array which was changed meanwhile is refused, and one that was computed is not", function()
    local a = on_device("float", {1, 2, 3})
    local computed, late = (a + 1):compute(), a * 2
    a:assign(0)
    assert.same({2, 3, 4}, elements(computed))
    assert.matches("^device_array:read: float%[3%] was not computed before an array that it is made of was changed: "
      .. "compute%(%) it before", refusal(late.read, late))
    assert.matches("was not computed before", refusal(function() return (late + 1):sum() end))
  end)
end)

describe("a part", function()
  local function matrix() return on_device("int", {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}, {3, 4}) end

  it("is named as in Python #oclgrind", function()
    for slice, expected in pairs {
      ["1"] = {{4}, {10, 11, 12, 13}}, [":, 1"] = {{3}, {1, 11, 21}},
      ["1:"] = {{2, 4}, {10, 11, 12, 13, 20, 21, 22, 23}},
      ["-1"] = {{4}, {20, 21, 22, 23}}, ["::2, ::3"] = {{2, 2}, {0, 3, 20, 23}}, ["1:2, 1:-1"] = {{1, 2}, {11, 12}},
      [":, ::-1"] = {{3, 4}, {3, 2, 1, 0, 13, 12, 11, 10, 23, 22, 21, 20}}, ["2, 3"] = {{1}, {23}},
      ["-2:9, -9:1"] = {{2, 1}, {10, 20}}, ["::-2, 0"] = {{2}, {20, 0}},
    } do
      local part = matrix():slice(slice)
      assert.same({slice, expected[1], expected[2]}, {slice, part:shape(), elements(part)})
    end
  end)

  it("shares the memory: what is assigned to it is in the whole #oclgrind", function()
    local m = matrix()
    m:slice("1, 1:3"):assign(-1)
    m:slice(":, 0"):assign(on_device("float", {5, 6, 7.9}))
    assert.same({5, 1, 2, 3, 6, -1, -1, 13, 7, 21, 22, 23}, elements(m))
  end)

  it("may be assigned from a part that overlaps it #oclgrind", function()
    local a = on_device("int", {1, 2, 3, 4, 5})
    a:slice("1:"):assign(a:slice ":-1")
    assert.same({1, 1, 2, 3, 4}, elements(a))
    a:assign(a:slice "::-1" + 10)
    assert.same({14, 13, 12, 11, 11}, elements(a))
  end)

  it("may be assigned from another array over the same memory #oclgrind", function()
    local function both(type)
      local memory = context:buffer(array.float {1, 2, 3, 4})
      return queue:array(memory, "float"), queue:array(memory, type or "float"), memory
    end
    local a, other = both()
    a:slice("1:"):assign(other:slice ":-1")
    assert.same({1, 1, 2, 3}, elements(a))
    a, other = both "uint"
    a:assign(other:slice "::-1" - 1065353216)
    assert.same({16777216, 12582912, 8388608, 0}, elements(a))
    local whole, _, memory = both()
    whole:slice("1:"):assign(queue:array(memory:sub_buffer {size = 12}, "float"))
    assert.same({1, 1, 2, 3}, elements(whole))
    a = on_device("float", {1, 2, 3, 4}, {2, 2})
    a:assign(queue:array(a:buffer(), "float", {2, 2}):transpose())
    assert.same({1, 3, 2, 4}, elements(a))
  end)

  it("is transposed and takes other extents #oclgrind", function()
    local m = matrix()
    assert.same({{4, 3}, {0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23}},
      {m:transpose():shape(), elements(m:transpose())})
    assert.same({{2, 6}, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}},
      {m:reshape(2, 6):shape(), elements(m:reshape {2, 6})})
    assert.same({1, 11, 21, 3, 13, 23}, elements(m:slice(":, 1::2"):transpose():reshape(6)))
    assert.same({0, 11, 22}, elements((m + m:slice(":, 0"):reshape(3, 1) * 0):reshape(12):slice "::5"))
  end)

  it("outside of the array, or none, is refused with the reason", function()
    local m = matrix()
    for slice, said in pairs {["3"] = "index 3 is outside of 3 elements", ["::0"] = "the step of \"::0\" is 0",
                              ["1:1"] = "takes nothing of 3 elements", ["a:b"] = "is not a slice",
                              ["1,1,1"] = "more parts than the array has dimensions, 2", ["1:2:3:4"] = "is not a slice",
                              ["-:1"] = "is not a slice", [""] = "is not a slice"} do
      assert.matches("device_array:slice: .*" .. said, refusal(m.slice, m, slice))
    end
    assert.matches("5 x 2 are 10 elements, but int%[3 x 4%] has 12", refusal(m.reshape, m, 5, 2))
  end)
end)

describe("the array's own memory", function()
  it("takes arrays that stretch to it, and nothing else #oclgrind", function()
    local a = queue:array("float", {2, 2})
    a:assign(on_device("int", {1, 2}))
    assert.same({1, 2, 1, 2}, elements(a))
    a:assign(on_device("char", {3}) * a)
    assert.same({3, 6, 3, 6}, elements(a))
    assert.matches("float%[3%] does not stretch to float%[2 x 2%]", refusal(a.assign, a, queue:array("float", 3)))
    assert.matches("source must be a device array or a number, got nil", refusal(a.assign, a))
    local b = queue:array("uchar", 2)
    assert.matches("uchar holds whole numbers from 0 to 255: 0%.5 is not one", refusal(b.assign, b, 0.5))
    local c = queue:array("int", 2)
    rawset(queue.device, "has_double", function() return false end) -- what fractions of int would need
    local said = refusal(c.assign, c, 0.5)
    rawset(queue.device, "has_double", nil)
    assert.matches("int holds whole numbers from .*: 0%.5 is not one", said)
  end)

  it("is written and read, by arrays of its type and length", function()
    local a, into = queue:array("float", 3), array.float(3)
    a:write(array.float {1, 2, 3})
    assert.equal(into, a:read(into))
    assert.same({1, 2, 3}, into:table())
    assert.matches("into must be a float array of 3 elements on the host, got int%[",
      refusal(a.read, a, array.int(3)))
    assert.matches("source must be a float array of 3 elements on the host, got float%[4%]",
      refusal(a.write, a, array.float(4)))
    assert.matches("source must be an array, got nil", refusal(a.write, a))
  end)

  it("is given to kernels as a buffer; what they write is seen by expressions that are made later", function()
    local a = on_device("float", {1, 2})
    local x = a:buffer()
    local kernel = context:program "kernel void change(global float *x) { x[get_global_id(0)] += 1; }":kernel "change"
    local before = a * 10
    kernel(queue, 2, nil, x)
    assert.same({10, 20}, elements(before))
    assert.same({20, 30}, elements(a * 10))
    assert.matches("float%[1%] is a part of an array", refusal(function() return a:slice("1"):buffer() end))
  end)
end)

describe("a reduction", function()
  it("gives a number, of expressions too #oclgrind", function()
    local a = on_device("float", {1, -2, 3.5, 0})
    assert.same({2.5, -2, 3.5, 0.625}, {a:sum(), a:min(), a:max(), a:mean()})
    assert.equal(3.5, (a - 0):abs():max())
    assert.equal(1 + 4 + 12.25, a:dot(a))
    assert.same({true, false, 1, 2}, {a:any(), a:all(), a:argmin(), a:argmax()})
    assert.same({-2, 1.5}, {a:slice("::2"):min() - 3, a:slice("1:3"):sum()})
    assert.equal(4294967296 * 2, queue:array("uint", 2):assign(4294967295):sum() + 2)
    assert.equal(12, on_device("int", {1, 2, 3}):transpose():reshape(3, 1):sum() * 2)
  end)

  it("of the least and the greatest gives NaN if there is one", function()
    local a = on_device("float", {1, 0 / 0, 3})
    assert.is_true(a:min() ~= a:min() and a:max() ~= a:max())
    local m = on_device("float", {1, 2, 0 / 0, 4}, {2, 2})
    agrees(m:max(1), function(i) return ({0 / 0, 4})[i] end)
  end)

  it("goes along a dimension", function()
    local m = on_device("int", {1, 2, 3, 4, 5, 6}, {2, 3})
    assert.same({{3}, {5, 7, 9}}, {m:sum(1):shape(), elements(m:sum(1))})
    assert.same({{2}, {6, 15}}, {m:sum(2):shape(), elements(m:sum(2))})
    assert.same({4, 5, 6}, elements(m:max(1)))
    assert.same({1, 4}, elements(m:min(2)))
    assert.same({2, 5}, elements(m:to("float"):mean(2)))
    assert.same({6}, elements(on_device("int", {1, 2, 3}):sum(1)))
    local cube = queue:array("int", {2, 3, 4}) + 1
    assert.same({{2, 4}, {3, 3, 3, 3, 3, 3, 3, 3}}, {cube:sum(2):shape(), elements(cube:sum(2))})
    assert.same({12, 30}, elements((m * 2):sum(2)))
    assert.matches("dimension must be a whole number from 1 to 2, got 3", refusal(m.sum, m, 3))
  end)

  -- Reduces 0, 7, 14 and so on, modulo 11, along one of three dimensions, and does the same in the script.
  local function check_along(outer, extent, inner)
    local host = array.int(outer * extent * inner)
    for i = 0, #host - 1 do host[i] = i * 7 % 11 end
    local got = elements(queue:array(host, {outer, extent, inner}):sum(2))
    for index = 0, outer * inner - 1 do
      local first, sum = math.floor(index / inner) * extent * inner + index % inner, 0
      for k = 0, extent - 1 do sum = sum + host[first + k * inner] end
      assert.equal(sum, got[index + 1], ("%d x %d x %d, element %d"):format(outer, extent, inner, index))
    end
  end

  it("goes along a dimension as GPUs do it: side by side, in groups, and in parts", function()
    local sizes = require "clue.compute.sizes"
    local own = {form = sizes.form, of = sizes.of}
    finally(function() sizes.form, sizes.of = own.form, own.of end)
    sizes.form = function() return "gpu", 16 end
    sizes.of = function() return {form = "gpu", units = 1, most = 16} end
    check_along(2, 5, 70) -- each work-item one sum
    check_along(7, 21, 2) -- several rows in a group
    check_along(2, 9000, 1) -- parts, and parts of them
    check_along(3, 300, 20) -- more columns than work-items, in parts
  end)

  it("of halves goes along a dimension on devices that cannot compute with them", function()
    local m = on_device("half", {1, -2, 3, 4, 5, -6}, {2, 3})
    assert.same({{4, 5, 3}, {2, 3}}, {elements(m:max(1)), elements(m:sum(2))})
    assert.same({-2, -6}, elements(m:min(2)))
  end)

  it("gives the mean of halves along a dimension whose sum no half can hold #oclgrind", function()
    local a = queue:array("half", {70000, 1}):assign(1000)
    assert.same({"half", {1000}, 1000}, {a:mean(1):type(), elements(a:mean(1)), a:mean()})
  end)

  it("of many elements stays accurate along a dimension", function()
    local count = objects.is_slow(context) and 20000 or 100000
    local a = queue:array("float", {count, 2}):assign(0.1)
    agrees(a:sum(1), function() return count * 0.1 end, 2e-6)
  end)
end)

describe("a kernel", function()
  local function builds_in(work)
    local calls = 0
    for _, each in ipairs(cl.trace(nil, work).host.functions) do
      if each.name == "clBuildProgram" then calls = calls + each.calls end
    end
    return calls
  end

  it("is the same one for parts of any size", function()
    local base = {}
    for i = 0, 143 do base[i + 1] = i end
    local m = on_device("int", base, {12, 12})
    local function check(k)
      local found = queue:array("int", {12, 12 - k}):slice(("%d:"):format(k))
      found:assign(m:slice(("%d:, %d:"):format(k, k)) + m:slice(("%d:, :%d"):format(k, 12 - k)))
      agrees(found, function(i)
        local row, column = math.floor((i - 1) / (12 - k)) + k, (i - 1) % (12 - k)
        return 24 * row + 2 * column + k
      end)
    end
    check(2)
    assert.equal(0, builds_in(function()
      for k = 3, 8 do check(k) end
    end))
  end)

  it("along a dimension is the same one on a CPU for arrays of any size", function()
    local sizes = require "clue.compute.sizes"
    local own = sizes.form
    finally(function() sizes.form = own end)
    sizes.form = function() return "cpu", 1 end
    local function check(rows, columns)
      local m = queue:array("int", {rows, columns, 3}):assign(queue:array {1, 2, 3})
      assert.same({rows, 2 * rows, 3 * rows}, {unpack(elements(m:sum(1)), 1, 3)})
      assert.same({columns, 2 * columns, 3 * columns}, {unpack(elements(m:sum(2)), 1, 3)})
      agrees(m:sum(3), function() return 6 end)
    end
    check(5, 7)
    assert.equal(0, builds_in(function()
      check(6, 5)
      check(3, 70)
      check(3, 1400) -- results in groups, and a rest
    end))
  end)

  it("divides exactly by every extent", function()
    local fuse, list = require "clue.device_array.fuse", {by = {}, factor = {}, shift = {}}
    local function add(by)
      if by < 1 or by >= 2 ^ 31 then return end
      local n = #list.by + 1
      list.by[n] = by
      list.factor[n], list.shift[n] = fuse.divider(by)
    end
    for power = 0, 31 do
      for _, more in ipairs {-2, -1, 0, 1, 2} do add(2 ^ power + more) end
      add(math.floor(2 ^ power / 3))
      add(math.floor(2 ^ power / 7) * 5)
    end
    local wrong = context:buffer(array.uint(#list.by))
    context:elementwise("const uint *by, const uint *factor, const int *shift, uint *wrong", [[
      const uint most = 0x7fffffff, last = most / by[i] * by[i];
      const uint of[] = {0, 1, by[i] - 1, by[i], by[i] + 1, 2 * by[i] - 1, last - 1, last, most - 1, most};
      wrong[i] = 0;
      for (int k = 0; k < 10; k++)
        wrong[i] += of[k] <= most && (uint)((ulong)of[k] * factor[i] >> shift[i]) != of[k] / by[i];
    ]])(queue, context:buffer(array.uint(list.by)), context:buffer(array.uint(list.factor)),
      context:buffer(array.int(list.shift)), wrong)
    assert.same({0, 0}, {queue:array(wrong, "uint"):sum(), queue:array(wrong, "uint"):max()})
  end)

  it("has room for the places of many operands, and for many operands", function()
    local function part(value)
      return queue:array("int", {3 + value, 4 + value}):assign(value):slice "1:3, 1:3"
    end
    local sum, chosen = part(1), part(1)
    for k = 2, 49 do
      sum, chosen = sum + part(k), part(k % 2):where(part(k), chosen)
    end
    agrees(sum, function() return 49 * 50 / 2 end)
    agrees(chosen, function() return 49 end)
  end)
end)

it("tostring shows type, extents and some elements", function()
  assert.equal("int[4] {1, 2, 3, ...} on the device", tostring(on_device("int", {1, 2, 3, 4})))
  assert.equal("float[1 x 2] {0.5, 1} on the device", tostring(on_device("float", {0.5, 1}, {1, 2})))
end)

it("docs/reference/computing.md names every method", function()
  local page, missing = support.read "docs/reference/computing.md", {}
  for name in pairs(getmetatable(queue:array("int", 1)).methods) do
    if not page:find("`a:" .. name .. "%f[^%w_]") then missing[#missing + 1] = name end
  end
  assert.same({}, missing)
end)

it("random expressions agree with the same computed by Lua, over strides, stretching and parts", function()
  local base = {}
  for i = 1, 60 do base[i] = (i * 37) % 41 - 20 end
  local cube = on_device("int", base, {3, 4, 5})
  local function at(i, j, k) return base[i * 20 + j * 5 + k + 1] end
  local part = cube:slice "::2, 1:3, ::-1" -- 2 x 2 x 5
  local row = cube:slice "1, 0" -- 5
  local face = cube:slice "0:1, :, 2" -- 1 x 4
  local expected, got = {}, elements(part * 3 - row + face:slice(":, 1:3"):reshape(2, 1))
  for i = 0, 1 do
    for j = 0, 1 do
      for k = 0, 4 do
        expected[#expected + 1] = at(2 * i, 1 + j, 4 - k) * 3 - at(1, 0, k) + at(0, j + 1, 2)
      end
    end
  end
  assert.same(expected, got)
end)
