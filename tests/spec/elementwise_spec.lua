-- context:elementwise: operations on the elements of buffers, in both forms of its kernels (a local size chooses that
-- with groups on CPUs, too).
-- suite: quick
-- builds: luajit lua54
-- process: shared bindings
-- drivers: pocl oclgrind rusticl

local build_log = require "clue.build_log"
local cl = require "clue"
local objects = require "objects"

local array, refusal = cl.array, objects.refusal
local unpack = unpack or table.unpack -- luacheck: ignore
local context, queue = objects.context()

local AXPY = "float a, const float *x, float *y"

-- A buffer with 0, 1, 2, ...
local function numbered(count, name)
  local numbers = array[name or "float"](count)
  for i = 0, count - 1 do numbers[i] = i % 100 end
  return context:buffer(numbers)
end

local function contents(buffer, name) return objects.contents(queue, buffer, name) end

for form, options in pairs {["of the device"] = {name = "axpy"}, ["with groups"] = {name = "axpy", local_size = 8}} do
  describe("an elementwise operation in the form " .. form, function()
    local axpy

    setup(function() axpy = context:elementwise(AXPY, "y[i] = a * x[i] + y[i]", options) end)

    it("may be given the same memory twice, in other objects too", function()
      local both = context:elementwise("int *x, int *y, int *z", "x[i] = 1; z[i] = y[i] + 1; x[i] = i",
        {name = "both", local_size = options.local_size})
      local whole, z = context:buffer(array.int(400, 50)), context:buffer(400)
      local x = whole:sub_buffer {size = 400}
      both(queue, {count = 100}, x, context:buffer(array.int(100, 5)), z)
      assert.equal(6, contents(z, "int")[100])
      assert.is_nil(rawget(both, "sharing")) -- the kernel for pointers into the same memory was not needed
      for _, y in ipairs {x, whole:sub_buffer {size = 400}, whole} do
        both(queue, {count = 100}, x, y, z)
        assert.same({2, 2, 2}, {unpack(contents(z, "int"), 98)})
        assert.same({97, 98, 99}, {unpack(contents(x, "int"), 98)})
      end
      assert.is_table(rawget(both, "sharing"))
    end)

    for _, count in ipairs {1, 7, 1025, 5000} do
      it("computes all elements and no others: " .. count, function()
        local x, y = numbered(count), context:buffer(array.float(count, 1))
        axpy(queue, 2, x, y):wait()
        local result = contents(y)
        for i = 1, count do
          if result[i] ~= 2 * ((i - 1) % 100) + 1 then assert.equal(2 * ((i - 1) % 100) + 1, result[i], i - 1) end
        end
        assert.equal(count, #result)
      end)
    end

    it("computes a part: from an offset, or as many as asked for", function()
      local x, y = numbered(6), context:buffer(array.float(6))
      axpy(queue, {offset = 1, count = 2}, 1, x, y)
      assert.same({0, 1, 2, 0, 0, 0}, contents(y))
      axpy(queue, {offset = 4}, 1, x, y)
      assert.same({0, 1, 2, 0, 4, 5}, contents(y))
      axpy(queue, {count = 0}, 1, x, y):wait()
      axpy(queue, {offset = 7}, 1, x, y):wait()
      assert.same({0, 1, 2, 0, 4, 5}, contents(y))
    end)
  end)
end

describe("an elementwise operation", function()
  it("sees the index, the end, and functions of a preamble", function()
    local ramp = context:elementwise("const int2 *x, long *y",
      "if (x[i].x < 0) return;\ny[i] = bias(x[i].y) + 100 * i + n // no end of line",
      {preamble = "#define BIAS 7\nint bias(int v) { return v + BIAS; }", name = "ramp"})
    local x, y = context:buffer(array.int {1, 2, -1, 3, 5, 6}), context:buffer(array.long(3))
    assert.equal("kernel 'ramp'", ramp(queue, x, y):wait().what)
    assert.same({12, 0, 216}, contents(y, "long"))
    assert.equal("ramp(const int2 *x, long *y)", tostring(ramp))
  end)

  it("may have loops of its own, which are complete for every element", function()
    local count = objects.is_slow(context) and 2000 or 20000
    local x, counted = context:buffer(4 * count), array.int(count)
    context:elementwise("int *x", [[
      x[i] = 0;
      for (int k = 0; k < 50; k++) x[i] += (k ^ (int)i) & 1 ? 1 : 3;]])(queue, x)
    queue:read_buffer(x, counted)
    assert.same({100, 100, 100 * count}, {counted[0], counted[count - 1], counted:sum()})
  end)

  it("takes build options", function()
    local set = context:elementwise("int *y", "y[i] = VALUE", {options = {defines = {VALUE = 5}}})
    local other = context:elementwise("int *y", "y[i] = VALUE", {options = "-D VALUE=6"})
    local y = context:buffer(8)
    set(queue, y)
    assert.same({5, 5}, contents(y, "int"))
    other(queue, y)
    assert.same({6, 6}, contents(y, "int"))
  end)

  it("is made once for the same texts and options", function()
    local made = context:elementwise("int *y", "y[i] = VALUE", {options = "-D VALUE=6"})
    assert.equal(made, context:elementwise("int *y", "y[i] = VALUE", {options = {defines = {VALUE = 6}}}))
    assert.equal(context:elementwise(AXPY, "y[i] = a * x[i] + y[i]", {name = "axpy"}),
      context:elementwise(AXPY, "y[i] = a * x[i] + y[i]", {name = "axpy"}))
  end)

  it("runs after the events of a queue's view, and on a handle of a queue", function()
    local twice = context:elementwise("int *y", "y[i] *= 2")
    local y = context:buffer(array.int {1, 2})
    local own = context:own_queue()
    local first = twice(queue, y)
    local second = twice(queue:after(first), y)
    twice(own:after(second), y):wait()
    assert.same({8, 16}, contents(y, "int"))
    twice(own.handle, y):wait()
    assert.same({16, 32}, contents(y, "int"))
  end)

  it("computes in shared virtual memory", function()
    if #(context.device.svm_capabilities or {}) == 0 then pending("the device has no shared virtual memory") end
    local twice = context:elementwise("int *y", "y[i] *= 2")
    local memory = context:svm(array.int {1, 2, 3, 4})
    twice(queue, memory)
    twice(queue, memory:at(8))
    local read = array.int(4)
    queue:read_svm(memory, read)
    assert.same({2, 4, 12, 16}, read:table())
  end)
end)

it("an elementwise operation and a reduction take 110 arguments, and refuse more", function()
  local words, given = {"float *y"}, {numbered(4)}
  for i = 1, 109 do words[i + 1], given[i + 1] = "float a" .. i, i end
  local text = table.concat(words, ", ")
  context:elementwise(text, "y[i] = a1 + a109")(queue, unpack(given))
  assert.same({110, 110, 110, 110}, contents(given[1]))
  assert.equal(4 * 109, context:reduction(text, {type = "float", map = "a109", reduce = "sum"})(queue, unpack(given)))
  assert.equal("arguments: 111 parameters, but an algorithm takes 110 at most: give numbers in a buffer",
    refusal(context.elementwise, context, text .. ", float b", ""):match "arguments.*")
end)

describe("an elementwise operation refuses", function()
  local axpy

  setup(function() axpy = context:elementwise(AXPY, "y[i] = a * x[i] + y[i]", {name = "axpy"}) end)

  it("buffers of different lengths, and says both", function()
    assert.equal("elementwise call: x has 4 elements and y 3: give their count, {count = 3}",
      refusal(axpy, queue, 1, numbered(4), numbered(3)))
  end)

  it("what has no known count", function()
    local f = context:elementwise("constant float *t, int a", "")
    assert.equal("elementwise call: no argument has a known number of elements: give it, {count = }",
      refusal(f, queue, numbered(4), 1))
    f(queue, {count = 1}, numbered(4), 1):wait()
  end)

  it("what is no memory where no other argument has a count", function()
    local g = context:elementwise("float *y", "y[i] = 1")
    assert.equal("elementwise call: y is a float array on the host: make a buffer of it, context:buffer(y)",
      refusal(g, queue, array.float(4)))
    assert.equal("elementwise call: y must be a buffer or shared virtual memory, got 131074", refusal(g, queue, 131074))
    assert.equal("elementwise call: no argument has a known number of elements: give it, {count = }",
      refusal(g, queue, cl.null))
  end)

  it("what is no queue before the arguments", function()
    assert.matches("^elementwise call: queue must be a queue, which comes before the arguments, got 2",
      refusal(axpy, 2, 1, numbered(1), numbered(1)))
  end)

  it("too few and too many arguments", function()
    local wanted = "elementwise call: axpy%(float a, const float %*x, float %*y%) takes 3 arguments after the queue, "
      .. "and before them a table of options if needed, not "
    assert.matches(wanted .. 2, refusal(axpy, queue, 1, numbered(1)))
    assert.matches(wanted .. 4, refusal(axpy, queue, 1, numbered(1), numbered(1), 5))
  end)

  it("arguments that no kernel takes, and unknown options", function()
    local on_host = "elementwise call: argument 1 (x) of kernel 'axpy' is a float array on the host"
    assert.equal(on_host .. ": make a buffer of it, context:buffer(x)",
      refusal(axpy, queue, 1, array.float(1), numbered(1)))
    assert.matches('elementwise call: there is no option "cuont" %(is count meant%?%)', refusal(axpy, queue,
      {cuont = 1}, 1, numbered(1), numbered(1)))
    assert.matches("elementwise call: offset must be a whole number of 0 or more, got %-1", refusal(axpy, queue,
      {offset = -1}, 1, numbered(1), numbered(1)))
    assert.matches("queue must be a queue, got a buffer", refusal(axpy, numbered(1), 1, numbered(1), numbered(1)))
  end)

  it("wrong texts and options", function()
    local function said(...) return refusal(context.elementwise, context, ...) end
    assert.equal("context:elementwise: operation must be a text, got nil", said("float *x"))
    assert.matches("^context:elementwise: arguments: expected the name of a parameter", said("float *", ""))
    assert.matches("'n' is the index behind the last element: choose another name", said("int n", ""))
    assert.matches('^context:elementwise: there is no option "preambel"', said("float *x", "", {preambel = ""}))
    assert.matches("^context:elementwise: name must be a name as C has them", said("float *x", "", {name = "2 x"}))
    assert.matches("^context:elementwise: local_size must be a power of two up to %d+, the device's limit, got 3",
      said("float *x", "", {local_size = 3}))
  end)
end)

describe("the compiler's message about an operation", function()
  -- The log and the text of the error that a faulty operation makes.
  local function problem_of(...)
    local done, problem = pcall(context.elementwise, context, ...)
    assert.is_false(done)
    return problem.log, problem.text
  end

  local function line()
    return debug.getinfo(2, "l").currentline
  end

  it("names the script's lines", function()
    local here, log, text = line(), problem_of("float *y", [[
      float first = 1;
      y[i] = first + oops;
    ]], {preamble = "int f() { return oops; }"})
    assert.truthy(log:find(("elementwise_spec.lua:%d:22: "):format(here + 2), 1, true), log)
    assert.truthy(log:find(("elementwise_spec.lua:%d:39: "):format(here + 3), 1, true), log)
    assert.truthy(log:find("\n *y%[i%] = first %+ oops;\n *%^"), log)
    assert.truthy(text:find(("first at line %d of tests/spec/elementwise_spec.lua"):format(here + 3), 1, true), text)
  end)

  it("names the operation's own lines if it is in no script", function()
    local log, text = problem_of("float *y", "y[i] = 1;\n" .. "y[i] = " .. "oops;")
    assert.truthy(log:find("operation:2:8: ", 1, true), log)
    assert.truthy(text:find("first at line 2 of operation", 1, true), text)
  end)

  it("finds short texts, and the nearest of several equal ones", function()
    local function place(text) return build_log.literal(text) end
    local here, first, second = line(), place "a * x", place 'b * x'
    local third = place [[a * x]]
    assert.same({here, here, here + 1}, {first.first, second.first, third.first})
    assert.equal(15, second.column - first.column)
    assert.is_nil(place("a *" .. " x + 1"))
    assert.is_nil(place "")
  end)
end)
