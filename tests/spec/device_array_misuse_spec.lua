-- What people who know NumPy try on arrays of the device: it works, or a message says what to write.
-- suite: quick
-- process: shared
-- drivers: oclgrind

local cl = require "clue"
local objects = require "objects"

local array, refusal = cl.array, objects.refusal

local context, queue = objects.context()
local a = queue:array {1, 2, 3}

local function refuses(message, call, ...)
  local got = refusal(call, ...)
  assert.truthy(got:find(message, 1, true), got)
end

describe("a table of tables", function()
  it("gives the extents too", function()
    local m = queue:array {{1, 2, 3}, {4, 5, 6}}
    assert.same({{2, 3}, {1, 2, 3, 4, 5, 6}}, {m:shape(), m:read():table()})
    assert.same({2, 2, 1}, queue:array {{{1}, {2}}, {{3}, {4}}}:shape())
    assert.same({4}, queue:array({{1, 2}, {3, 4}}, 4):shape())
  end)

  it("is refused if it is no block of numbers", function()
    refuses("queue:array: a table of tables needs rows of equal length", queue.array, queue, {{1, 2}, {3}})
    refuses("queue:array: a table has either tables or numbers, not both", queue.array, queue, {{1}, 2})
    refuses("queue:array: a table has either tables or numbers, not both", queue.array, queue, {{1}, {{}}})
    refuses("queue:array: source must be an array of at least one element, got tables without numbers", queue.array,
      queue, {{}, {}})
    refuses("cannot be a table", queue.array, queue, {1, {2}})
    local deep = {}
    deep[1] = deep
    refuses("at most 8 levels", queue.array, queue, deep)
  end)
end)

describe("an array of the device", function()
  it("has at least one element", function()
    refuses("source must be an array of at least one element: it is empty", queue.array, queue, {})
    refuses("source must be an array of at least one element", queue.array, queue, array.int(0))
  end)

  it("has fewer elements than numbers can count exactly", function()
    refuses("queue:array: 1073741824 x 8388608 are too many elements", queue.array, queue, "float", {2 ^ 30, 2 ^ 23})
  end)

  it("stands before the colon of its methods", function()
    refuses("device_array:sqrt: call it with a colon: a device array expected before it, got 2", a.sqrt, 2)
    refuses("device_array:read: call it with a colon: a device array expected before it, got nil", a.read)
  end)

  it("is of a type that the device has", function()
    rawset(context.device, "has_double", function() return false end)
    finally(function() rawset(context.device, "has_double", nil) end)
    local whole = queue:array("int", 3)
    refuses("device_array:to: the device has no double", a.to, a, "double")
    refuses("device_array /: fractions of int need double, which this device does not have: a:to(\"float\") converts "
      .. "first", function() return whole / 2 end)
    refuses("device_array +: int and float together need double, which this device does not have: a:to(\"float\") "
      .. "converts the whole numbers", function() return whole + a end)
  end)

  it("tells kernels' arguments and transfers where its buffer is", function()
    local kernel = context:program("kernel void f(global float *x) { x[0] = 1; }"):kernel "f"
    refuses("got a device array; a:buffer() is its buffer", kernel, queue, 1, nil, a)
    refuses("got a device array; a:buffer() is its buffer", queue.read_buffer, queue, a, cl.array.float(3))
  end)

  it("is copied by its own method", function()
    refuses("got a device array; a:copy() copies it", queue.array, queue, a)
  end)

  it("has no elements by index: nothing is lost in silence", function()
    refuses("on the device: a:read()[0] is one on the host", function() return a[0] end)
    refuses("a:slice \"1\":assign(x) changes one", function() a[1] = 5 end)
    refuses("for i, x in a:read() do", function() for i in a do error(i) end end)
    assert.is_nil(a.no_such_name)
    a.remark = "mine"
    assert.equal("mine", a.remark)
  end)

  it("is compared by methods", function()
    refuses("a:lt(b), a:le(b), a:gt(b) and a:ge(b) compare elements", function() return a < a end)
    refuses("a:lt(b)", function() return a <= a end)
  end)

  it("does not compute with nil", function()
    local nothing = a.no_such_name
    refuses("device_array +: operand 2 must be a device array or a number, got nil", function() return a + nothing end)
    refuses("device_array -: operand 1 must be a device array or a number, got nil", function() return nothing - a end)
    refuses("device_array:where: operand 3 must be", a.where, a, 1)
    refuses("device_array:lt: operand 2 must be", a.lt, a)
    refuses("device_array:dot: operand 2 must be", a.dot, a)
  end)

  it("refuses a number that its type cannot hold before a kernel is made", function()
    refuses("device_array *: float holds numbers up to 3.40", function() return a * 1e39 end)
    refuses("a:to(\"double\") converts the array, if -1e+39 is meant", a.assign, a, -1e39)
    refuses("device_array +: half holds numbers up to 65504", function() return a:to "half" + 1e5 end)
    assert.equal(math.huge, (a + math.huge):max())
    local nan = (a * (0 / 0)):sum()
    assert.is_true(nan ~= nan)
  end)

  it("has whether and where of all elements only", function()
    for _, name in ipairs {"any", "all", "argmin", "argmax"} do
      refuses("device_array:" .. name .. ": dimension must be left out", a[name], a, 1)
    end
  end)

  it("says how a result that no Lua number can be is had", function()
    local large = queue:array("ulong", 2) - 1
    refuses("a Lua number cannot hold exactly: a:reshape(a:count()):sum(1) leaves it in an array", large.sum, large)
    refuses("a:reshape(a:count()):max(1)", large.max, large)
    assert.equal("18446744073709551615", large:reshape(2):max(1):read():decimal(0))
    refuses("a graph cannot record that the script gets a number: a:reshape(a:count()):sum(1)", queue.record, queue,
      function(commands) commands:array({1, 2}):sum() end)
    refuses("leave it in a buffer, {result = buffer}", context:reduction("const ulong *x", "max"), queue,
      large:buffer())
  end)
end)
