-- The object layer, which `require "clue"` gives. Tests that need the collector, or that crash, run in child processes,
-- since busted keeps values alive.
-- suite: quick
-- process: shared bindings lua51 threads
-- drivers: pocl oclgrind rusticl

local support = require "support"
local cl = require "clue"
local binding = require "clue.binding"
local driver = require "driver"
local objects = require "objects"

local array, contents, refusal = cl.array, objects.contents, objects.refusal
local unpack = table.unpack or unpack -- luacheck: ignore

local SOURCE = require "kernels"

local context = objects.context()
local own = driver.of(context.device) -- its peculiarities
local program = context:program(SOURCE)

local function zeros(count)
  return context:buffer(array.float(count))
end

-- Runs a script in a child process, which must succeed. Gives what it printed.
local function printed(script, options, env)
  return support.ended(0, support.run(support.words({"--quiet"}, options, {support.write(script)}), env))
end

describe("an object", function()
  it("shows what it is, or that it was closed, as text", function()
    local buffer, queue = context:buffer(40), context:queue()
    assert.matches("^context %d+: 0 %(0:0%) ", tostring(context))
    assert.equal("queue " .. queue.handle, tostring(queue))
    assert.equal("buffer " .. buffer.handle .. ": 40 bytes", tostring(buffer))
    assert.equal("program " .. program.handle .. ": add, twice, spin, cells, set", tostring(program))
    local kernel = program:kernel "add"
    assert.equal("kernel " .. kernel.handle .. ": add", tostring(kernel))
    buffer:close()
    assert.equal("buffer (closed)", tostring(buffer))
    buffer:close()
  end)

  it("equals objects with the same handle, and none once closed", function()
    local one, two = context:buffer(4), context:buffer(4)
    assert.is_true(one == one)
    assert.is_false(one == two)
    one:close()
    two:close()
    assert.is_false(one == two)
  end)

  it("may be replaced by its handle in a call", function()
    local queue, buffer = context:queue(), zeros(2)
    queue:write_buffer(buffer.handle, array.float {1, 2})
    assert.same({1, 2}, contents(queue, buffer))
  end)

  it("that a script gave something else as its handle is refused", function()
    local buffer = context:buffer(4)
    rawset(buffer, "handle", context)
    assert.matches("^buffer:close: argument #1 must be a number, got a context", refusal(buffer.close, buffer))
  end)

  it("is refused once closed, and where another kind is needed", function()
    local queue, buffer = context:queue(), context:buffer(4)
    assert.equal("queue:read_buffer: buffer must be a buffer, got a queue",
      refusal(queue.read_buffer, queue, queue, array.float(1)))
    assert.equal("queue:read_buffer: buffer must be a buffer, got 1.5",
      refusal(queue.read_buffer, queue, 1.5, array.float(1)))
    buffer:close()
    assert.equal("queue:read_buffer: buffer must be a buffer, got a closed buffer",
      refusal(queue.read_buffer, queue, buffer, array.float(1)))
    queue:close()
    assert.equal("queue:finish: the queue was closed", refusal(queue.finish, queue))
    assert.equal("queue:finish: call it with a colon: a queue expected before it, got nil", refusal(queue.finish))
    local closed = cl.context()
    closed:close()
    assert.equal("context:queue: the context was closed", refusal(closed.queue, closed))
    assert.equal("context:buffer: the context was closed", refusal(closed.buffer, closed, 4))
    assert.equal("context:program: the context was closed",
      refusal(closed.program, closed, SOURCE))
  end)

  it("frees its handle when it is closed or collected, in any order #once", function()
    local out = printed [[
      local cl, binding = require "clue", require "clue.binding"
      local function everything()
        local context = cl.context()
        local queue, buffer = context:queue(), context:buffer(cl.array.float(4))
        local program = context:program(dofile "tests/spec/kernels.lua")
        local kernel = program:kernel "add"
        local event = kernel(queue, 4, nil, buffer, 1)
        return { context, queue, buffer, program, kernel, event }
      end
      local function permute(list, count, use)
        if count == 0 then return use(list) end
        for i = 1, count do
          list[i], list[count] = list[count], list[i]
          permute(list, count - 1, use)
          list[i], list[count] = list[count], list[i]
        end
      end
      everything()
      collectgarbage()
      collectgarbage()
      print(binding.handle_count())
      local tried = 0
      permute({ 1, 2, 3, 4, 5, 6 }, 6, function(order)
        tried = tried + 1
        if tried % 60 ~= 0 then return end
        local all = everything()
        for _, i in ipairs(order) do all[i]:close() end
        assert(binding.handle_count() == 0)
      end)
      print(tried, binding.handle_count())
      -- The collector frees no object that has reused the slot of a closed one.
      local kept = everything()
      local stale = kept[3].handle
      kept[3]:close()
      local again = kept[1]:buffer(4)
      kept[3] = nil
      collectgarbage()
      collectgarbage()
      print(binding.handle_kind(again.handle), binding.handle_kind(stale))
    ]]
    assert.equal("0\n720\t0\nbuffer\tnil\n", out)
  end)

  it("names clue's word for NumPy's, which would be nil", function()
    local a, buffer = array.float(4), context:buffer(8)
    local on_device = context:queue():array(a)
    for given, word in pairs {
      [function() return a.shape end] = "shape is NumPy's word: #a is the length of an array",
      [function() return a.dtype end] = "dtype is NumPy's word: a:type() is the type's name",
      [function() return on_device.dtype end] = "dtype is NumPy's word: a:type() is the type's name",
      [function() return buffer.shape end] = "shape is NumPy's word: buffer.size is in bytes",
      [function() return buffer.dtype end] = "dtype is NumPy's word: a buffer is bytes; the type is that of the array",
    } do
      assert.matches(word, refusal(given), 1, true)
    end
    assert.is_nil(a.colour)
    assert.is_nil(buffer.colour)
    assert.is_nil(on_device.colour)
  end)

  it("is freed by the thousand, and what is still needed is kept #once", function()
    local out = printed [[
      local cl, binding = require "clue", require "clue.binding"
      local context = cl.context()
      local kept, before = {}, binding.handle_count()
      for i = 1, 5000 do
        local buffer = context:buffer(4)
        if i % 1000 == 0 then kept[#kept + 1] = buffer end
      end
      collectgarbage()
      collectgarbage()
      print(binding.handle_count() - before)
      for _, buffer in ipairs(kept) do assert(binding.handle_kind(buffer.handle) == "buffer") end
    ]]
    assert.equal("5\n", out)
  end)

  it("is still open in the finalisers of the script that has it, also at the end #once", function()
    local out = printed [[
      local cl, binding = require "clue", require "clue.binding"
      local function ending(call)
        local proxy = newproxy and newproxy(true) or setmetatable({}, {__gc = call})
        if newproxy then getmetatable(proxy).__gc = call end
        return proxy
      end
      local context = cl.context()
      local function hold(name)
        local buffer = context:buffer(4)
        return ending(function() print(name, binding.handle_kind(buffer.handle)) end)
      end
      local function hold_younger(name)
        local buffer
        local proxy = ending(function() print(name, binding.handle_kind(buffer.handle)) end)
        buffer = context:buffer(4)
        return proxy
      end
      hold "dropped"
      collectgarbage()
      hold_younger "younger"
      hold = hold "left"
      collectgarbage()
      collectgarbage()
    ]]
    assert.equal("dropped\tbuffer\nyounger\tbuffer\nleft\tbuffer\n", out)
  end)

  it("is garbage that does not make the heap grow from collection to collection #once", function()
    local out = printed [[
      local cl, binding = require "clue", require "clue.binding"
      local context, most, live = cl.context(), 0, 0
      collectgarbage()
      local before = collectgarbage "count"
      for _ = 1, 160 do
        for _ = 1, 1000 do context:user_event() end
        most, live = math.max(most, collectgarbage "count"), math.max(live, binding.handle_count())
      end
      print(most - before < 8192 and live < 60000 or most - before .. " KiB, " .. live)
    ]]
    assert.equal("true\n", out)
  end)

  it("still works when the objects that it was made from are gone #once", function()
    local out = printed [[
      local cl = require "clue"
      local function make()
        local context = cl.context()
        local program = context:program(dofile "tests/spec/kernels.lua")
        return program:kernel "add", context:queue(), context:buffer(cl.array.float { 1, 2 })
      end
      local kernel, queue, buffer = make()
      kernel.program, queue.context, buffer.context = nil, nil, nil
      collectgarbage()
      collectgarbage()
      kernel(queue, 2, nil, buffer, 1)
      local read = cl.array.float(2)
      queue:read_buffer(buffer, read)
      print(read[0], read[1])
    ]]
    assert.equal("2\t3\n", (out:gsub("%.0", "")))
  end)

  it("is not a leak for --strict, which lists what MQL5's functions left #once", function()
    local script = [[
      context = require("clue").context()
      queue = context:queue()
      %s
    ]]
    local _, err = printed(script:format "", {"--strict"})
    assert.equal("", err)
    _, err = printed(script:format "CLBufferCreate(context.handle, 4, CL_MEM_READ_WRITE)", {"--strict"})
    assert.matches("^clue: never freed: buffer %d+, made at [^\n]*:3\n$", err)
    -- A thread of the driver frees an object while they are listed.
    _, err = printed([[
      local binding = require "clue.binding"
      local following, gone = binding.handle_next, 99999
      function binding.handle_next(handle)
        return handle == 0 and gone or following(handle == gone and 0 or handle)
      end
    ]], {"--strict"})
    assert.equal("", err)
  end)

  it("has all methods before the modules of the rarer ones are loaded, whose functions they then are #once", function()
    local code = [[
      local cl = require "clue"
      local object, public = require "clue.object", require "clue.public"
      local function loaded()
        local list = {}
        for _, name in ipairs {"compute.scan", "compute.random", "device_array", "gemm", "graph"} do
          list[#list + 1] = package.loaded["clue." .. name] and name or nil
        end
        return table.concat(list, " ")
      end
      local methods = object.class_of("context").methods
      print("loaded: " .. loaded(), type(methods.scan), type(object.class_of("queue").methods.random))
      print(pcall(methods.scan, 5))
      print(loaded(), methods.scan == require("clue.compute.scan").new, public.named()[methods.scan])
      public.fetch()
      print(loaded())
    ]]
    local out = support.clean(support.run {"-e", code})
    assert.equal("loaded: \tfunction\tfunction\n"
      .. "false\t(command line):9: context:scan: arguments must be a text, got nil\n"
      .. "compute.scan\ttrue\tcontext:scan\ncompute.scan compute.random device_array gemm graph\n",
      (out:gsub("line%):%d+", "line):9")))
  end)

  it("completes its work before the process ends", function()
    local out = printed [[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local program = context:program 'kernel void f(global uint *x) { printf("%d\\n", (int)x[0]); }'
      program:kernel "f"(queue, 1, nil, context:buffer(cl.array.uint { 42 }))
    ]]
    assert.equal("42\n", out)
  end)
end)

describe("a queue", function()
  it("refuses options that it does not have", function()
    assert.equal('context:queue: there is no option "outoforder" (is out_of_order meant?); there are device, '
      .. "out_of_order, profiling", refusal(context.queue, context, {outoforder = true}))
    assert.equal("context:queue: profiling must be true or false, got 1",
      refusal(context.queue, context, {profiling = 1}))
    assert.equal('context:queue: options must be a table of options (device, out_of_order, profiling), got "profiling"',
      refusal(context.queue, context, "profiling"))
  end)

  it("executes kernels in up to three dimensions, from an offset on", function()
    local queue, kernel = context:queue(), program:kernel "cells"
    local cells = context:buffer(array.int(12))
    kernel(queue, {4, 3}, {2, 1}, cells, 4)
    assert.same({0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}, contents(queue, cells, "int"))
    queue:write_buffer(cells, array.int(12))
    queue:ndrange_kernel(kernel, array.int {2, 1}, nil, {1, 2})
    assert.same({0, 0, 0, 0, 0, 0, 0, 0, 0, 21, 22, 0}, contents(queue, cells, "int"))
  end)

  it("refuses wrong sizes", function()
    local queue, kernel, x = context:queue(), program:kernel "add", zeros(4)
    local function said(...) return refusal(kernel, queue, ...) end
    local one_to_three = "kernel call: global size must be a number or a list of one to three numbers, "
    assert.equal(one_to_three .. "not of 4", said({1, 1, 1, 1}, nil, x, 1))
    assert.equal(one_to_three .. "not of 0", said({}, nil, x, 1))
    assert.equal(one_to_three .. "got nil", said(nil, nil, x, 1))
    assert.equal(one_to_three .. "got a buffer", said(x, nil, x, 1))
    assert.equal("kernel call: the global size has 2 dimensions, but the local size 1", said({2, 2}, 2, x, 1))
    assert.matches("local size 3 does not divide global size 4", said(4, 3, x, 1))
    assert.equal("queue:ndrange_kernel: the global size has 1 dimension, but the offset 2",
      refusal(queue.ndrange_kernel, queue, kernel, 4, nil, {1, 1}))
  end)

  it("works with objects of its own context only", function()
    local kernel, x = program:kernel "add", zeros(4)
    assert.equal("kernel call: queue must be a queue, got a context", refusal(kernel, context, 4, nil, x, 1))
    assert.equal("kernel call: queue must be a queue, got nil", refusal(kernel, nil, 4, nil, x, 1))
    local queue = cl.context(context.device):queue()
    assert.matches("kernel 'add' belongs to another context than queue " .. queue.handle,
      refusal(kernel, queue, 4, nil, x, 1))
    assert.matches("the buffer belongs to another context than queue " .. queue.handle,
      refusal(queue.read_buffer, queue, x, array.float(4)))
  end)

  it("transfers parts", function()
    local queue, x = context:queue(), context:buffer(array.float {1, 2, 3, 4})
    queue:write_buffer(x, array.float {7, 8, 9}, {offset = 8, first = 1})
    assert.same({1, 2, 8, 9}, contents(queue, x))
    local read = array.float(3)
    queue:read_buffer(x, read, {offset = 4, first = 1, count = 1})
    assert.same({0, 2, 0}, read:table())
  end)

  it("refuses transfers outside arrays and buffers", function()
    local queue, x, a = context:queue(), zeros(2), array.float(2)
    assert.equal("queue:read_buffer: data must be an array, got a table; cl.array.float{...} makes one of a table",
      refusal(queue.read_buffer, queue, x, {}))
    assert.equal('queue:write_buffer: there is no option "size"; there are blocking, count, first, offset',
      refusal(queue.write_buffer, queue, x, a, {size = 4}))
    assert.equal("queue:write_buffer: where must be a table of options (blocking, count, first, offset), got 4",
      refusal(queue.write_buffer, queue, x, a, 4))
    assert.equal("queue:read_buffer: 2 elements from 1 on are not all inside float[2]",
      refusal(queue.read_buffer, queue, x, a, {first = 1, count = 2}))
    assert.equal("queue:read_buffer: 0 elements from 3 on are not all inside float[2]",
      refusal(queue.read_buffer, queue, x, a, {first = 3}))
    assert.matches("8 bytes from offset 4 is too much for the buffer of 8 bytes",
      refusal(queue.read_buffer, queue, x, a, {offset = 4}))
  end)

  it("is independent of the context's other queues", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    if own.status_waits then pending(own.status_waits) end
    local one, two = context:queue(), context:queue()
    local x, y = context:buffer(array.uint(64)), context:buffer(array.uint {1, 2})
    local start = context:user_event()
    local held = program:kernel "spin"(one:after(start), 64, nil, x, 1000)
    assert.same({1, 2}, contents(two, y, "uint"))
    two:finish()
    assert.not_equal("complete", held.status)
    start:complete()
    one:finish()
    assert.equal("complete", held.status)
  end)

  it("is finished with its context", function()
    local queue, x = context:queue(), zeros(4)
    local event = program:kernel "add"(queue, 4, nil, x, 1)
    assert.equal(context, context:finish())
    assert.equal("complete", event.status)
    assert.equal(queue, queue:flush():finish())
  end)
end)

describe("an event", function()
  it("has the status and the time of a kernel", function()
    local queue, x = context:queue(), context:buffer(array.uint(64))
    local event = program:kernel "spin"(queue, 64, nil, x, 1000)
    assert.equal(("event %d: kernel 'spin'"):format(event.handle), tostring(event))
    assert.equal(event, event:wait())
    assert.equal("complete", event.status)
    local seconds, clock = event:time()
    local no_timer = driver.no_timer(context.device)
    assert.equal(no_timer and "host" or "device", clock)
    assert.is_nil(event.begun)
    if no_timer then
      assert.is_nil(event.started)
      pending(no_timer)
    end
    assert.is_true(event.queued >= 0 and event.queued <= event.submitted and event.submitted <= event.started)
    assert.is_true(math.abs(event.ended - event.started - seconds) < 1e-9)
  end)

  it("has a time without profiling, but no moments by the device's clock", function()
    local queue, x = context:queue {profiling = false}, context:buffer(array.uint(64))
    local event = program:kernel "spin"(queue, 64, nil, x, 1000)
    assert.is_nil(event.started)
    local seconds, clock = event:time()
    assert.is_true(seconds > 0)
    assert.equal("host", clock)
  end)

  it("is refused once closed", function()
    local event = program:kernel "add"(context:queue(), 4, nil, zeros(4), 1)
    event:close()
    assert.equal("event:wait: the event was closed", refusal(event.wait, event))
    assert.equal("event.status: the event was closed", refusal(function() return event.status end))
    assert.equal("event.started: the event was closed",
      refusal(function() return event.started end))
  end)

  it("is still that of its own command after the kernel was enqueued again", function()
    local queue, kernel, x = context:queue(), program:kernel "add", zeros(4)
    local events = {}
    for i = 1, 100 do events[i] = kernel(queue, 4, nil, x, 1) end
    queue:finish()
    for i = 2, 100 do
      assert.is_true(events[i] ~= events[i - 1])
      assert.equal("complete", events[i].status)
      if events[i].started then assert.is_true(events[i].started >= events[i - 1].started) end
    end
  end)

  it("knows its kernel, however long the name is #once", function()
    local short, long = ("s"):rep(20), ("l"):rep(90)
    local both = context:program(("kernel void %s(global int *x) {} kernel void %s(global int *x) {}"):format(short,
      long))
    local queue, x, events = context:queue(), zeros(1), {}
    for i = 1, 20 do events[i] = both:kernel(i % 2 == 0 and short or long)(queue, 1, nil, x) end
    for i = 1, 20 do
      assert.matches(("kernel '%s'"):format(i % 2 == 0 and short or long), tostring(events[i]), 1, true)
      if i > 10 then events[i - 10]:close() end
    end
    assert.matches(short, tostring(both:kernel(short)(queue, 1, nil, x)), 1, true)
    queue:finish()
  end)

  it("is found by its handle, and lives as long as somebody has it", function()
    local queue, kernel, x = context:queue(), program:kernel "add", zeros(4)
    local function enqueue() return kernel(queue, 4, nil, x, 1) end
    local kept, closed = enqueue(), enqueue()
    assert.is_true(rawequal(kept, cl.wrap(kept.handle)))
    assert.equal("event", kept.kind)
    assert.equal(("event %d: kernel 'add'"):format(kept.handle), tostring(kept))
    local handle = closed.handle
    closed:close()
    assert.is_nil(closed.handle)
    assert.is_nil(binding.handle_kind(handle))
    closed:close()
    for _ = 1, 200 do enqueue() end
    collectgarbage()
    collectgarbage()
    assert.equal("complete", kept:wait().status)
  end)

  it("is freed where the script waits, once there are many that nothing needs #once", function()
    local out = printed([[
      local cl, binding = require "clue", require "clue.binding"
      local context = cl.context()
      local queue, x = context:queue(), context:buffer(4)
      local kernel = context:program "kernel void f(global float *x) {}":kernel "f"
      local few, kept = binding.handle_count(), {}
      collectgarbage "stop" -- of itself
      for i = 1, 20 do
        for _ = 1, 1000 do kept[i] = kernel(queue, 1, nil, x) end
        queue:finish()
      end
      print(binding.handle_count() - few < 10000, kept[1].status, kept[20].status)
    ]], nil, support.drivers "null")
    assert.equal("true\tcomplete\tcomplete\n", out)
  end)

  it("does not run out, since unused events are collected #once", function()
    local out = printed([[
      local cl, binding = require "clue", require "clue.binding"
      local context = cl.context()
      local queue, x = context:queue(), context:buffer(4)
      local kernel = context:program "kernel void f(global float *x) {}":kernel "f"
      collectgarbage "stop"
      for _ = 1, 140000 do kernel(queue, 1, nil, x) end
      print(binding.handle_count() < 140000)
    ]], nil, support.drivers "null")
    assert.equal("true\n", out)
  end)
end)

describe("a kernel", function()
  it("accepts arguments of every kind beside each other", function()
    local source = [[kernel void f(global int *x, local int *a, int b, local int *c, long d, global int *y) {
      a[0] = b; c[0] = (int)(d >> 32); x[0] = a[0]; y[0] = c[0]; }]]
    local queue, kernel, x, y = context:queue(), context:program(source):kernel "f", zeros(1), zeros(1)
    local function first(of)
      local read = cl.array.int(1)
      queue:read_buffer(of, read)
      return read[0]
    end
    kernel(queue, 1, 1, x, cl.local_memory(4), 5, cl.local_memory(4), cl.long "12884901889", y)
    assert.same({5, 3}, {first(x), first(y)})
    kernel(queue, 1, 1, y, cl.local_memory(8), cl.int(7), cl.local_memory(8), 2 ^ 34, x)
    assert.same({4, 7}, {first(x), first(y)})
    kernel:set_args(x, cl.local_memory(4), 8, cl.local_memory(4), 2 ^ 35, y):set_arg(2, 9)
    kernel(queue, 1, 1)
    assert.same({9, 8}, {first(x), first(y)})
  end)

  it("refuses a number for a struct, and names what makes structs", function()
    local source = "struct s { int a; }; kernel void f(global int *o, struct s v) { o[0] = v.a; }"
    local kernel, cells = context:program(source):kernel "f", program:kernel "cells"
    assert.equal("kernel:set_arg: argument 1 (v) of kernel 'f' is struct s, and a number is not: "
      .. "cl.structs declares structs", refusal(kernel.set_arg, kernel, 1, 5))
    assert.matches("which cannot hold nan$", refusal(cells.set_arg, cells, 1, 0 / 0))
  end)

  it("takes more arguments than a Lua function has local variables", function()
    local parameters, names, numbers = {}, {}, {}
    for i = 1, 240 do
      parameters[i], names[i], numbers[i] = "int a" .. i, "a" .. i, i
    end
    local source = "kernel void f(global int *x, %s) { x[0] = %s; }"
    local kernel = context:program(source:format(table.concat(parameters, ", "), table.concat(names, " + "))):kernel "f"
    local x, queue = context:buffer(array.int(1)), context:queue()
    kernel(queue, 1, nil, x, unpack(numbers))
    assert.equal(240 * 241 / 2, contents(queue, x, "int")[1])
    for _, wrong in ipairs {"text", 1.5} do
      numbers[239] = wrong
      assert.matches("argument 239 %p+a239%p+ of kernel 'f'", refusal(kernel, queue, 1, nil, x, unpack(numbers)))
    end
  end)

  it("takes an argument's index or its name", function()
    local queue, kernel, x = context:queue(), program:kernel "add", zeros(2)
    kernel:set_arg(kernel.arguments[1].name, x):set_arg(1, 1.5)
    kernel(queue, 2)
    assert.same({1.5, 1.5}, contents(queue, x))
    local names = kernel.arguments[1].name .. ", " .. kernel.arguments[2].name
    assert.equal("kernel:set_arg: kernel 'add' has no argument 'nothing': it has " .. names,
      refusal(kernel.set_arg, kernel, "nothing", 1))
    assert.equal("kernel:set_arg: kernel 'idle' has no argument 'x': it has none",
      refusal(kernel.set_arg, context:program("kernel void idle(void) {}"):kernel "idle", "x", 1))
  end)

  it("keeps its arguments alive while they are set", function()
    local queue, kernel = context:queue(), program:kernel "add"
    local function set()
      local buffer = zeros(4)
      kernel:set_args(buffer, 1)
      return buffer.handle
    end
    local function lives(handle)
      collectgarbage()
      collectgarbage()
      return (binding.handle_kind(handle)) ~= nil
    end
    local first = set()
    assert.is_true(lives(first))
    kernel(queue, 4):wait()
    local second = set()
    assert.same({false, true}, {lives(first), lives(second)})
  end)

  it("accepts arguments of the right type, and refuses others with the type that is needed", function()
    local queue, kernel, x = context:queue(), program:kernel "add", zeros(2)
    kernel(queue, 2, nil, x, 1.5)
    kernel(queue, 2, nil, x, cl.float(1))
    kernel(queue, 2)
    assert.same({3.5, 3.5}, contents(queue, x))
    assert.equal("kernel call: kernel 'add' takes 2 arguments, not 1", refusal(kernel, queue, 2, nil, x))
    assert.equal("kernel call: kernel 'add' takes 2 arguments, not 3", refusal(kernel, queue, 2, nil, x, 1, 2))
    assert.equal("kernel call: local size must be a number or a list of one to three numbers, got a buffer; nil before "
      .. "the arguments leaves it to the driver", refusal(kernel, queue, 2, x, 1.5))
    assert.equal("kernel call: write a dot: program.add(queue, ...)", refusal(kernel, program, queue, 2, nil, x, 1))
    assert.equal("kernel call: argument 1 (by) of kernel 'add' must be a number, a typed value, an image "
      .. "or a sampler, got \"1\"", refusal(kernel, queue, 2, nil, x, "1"))
    assert.matches("argument 1 'by' of kernel 'add' is float, but int was given",
      refusal(kernel, queue, 2, nil, x, cl.int(3)))
    assert.matches("argument 0 'x' of kernel 'add' is a __global pointer, float%*: it takes a buffer",
      refusal(kernel, queue, 2, nil, 1, 1))
    assert.equal("kernel:set_arg: index must be a whole number, got 0.5",
      refusal(kernel.set_arg, kernel, 0.5, x))
    local no_struct = cl.structs("struct none { int a; };").none()
    for _, given in ipairs {x, 1, cl.int(1), cl.float4(1), {1, 2}, no_struct, cl.array.int(1), cl.null, "x", false} do
      for _, index in ipairs {2, -1} do
        local text = refusal(kernel.set_arg, kernel, index, given or nil)
        local told = "CL_INVALID_ARG_INDEX (-49): kernel 'add' has no argument %d: its arguments are 0 to 1"
        assert.equal(told:format(index), text:match "CL_.*")
      end
    end
  end)

  it("refuses an integer of Lua 5.4 that a double would round, and takes it with a type", function()
    local most = rawget(math, "maxinteger")
    if not most then pending "this Lua has no integers beside its doubles" end
    local queue = context:queue()
    local kernel, x = context:program("kernel void f(global long *x, long y) { x[0] = y; }"):kernel "f", zeros(2)
    local told = "argument 1 (y) of kernel 'f': a double cannot hold 9223372036854775807 exactly: cl.long and "
      .. "cl.ulong can"
    assert.equal("kernel call: " .. told, refusal(kernel, queue, 1, nil, x, most))
    assert.equal("kernel:set_arg: " .. told, refusal(kernel.set_arg, kernel, 1, most))
    kernel(queue, 1, nil, x, cl.long(most))
    local read = cl.array.long(1)
    queue:read_buffer(x, read)
    assert.equal("9223372036854775807", read:decimal(0))
  end)

  it("keeps its buffers alive #once", function()
    local out = printed [[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local kernel = context:program(dofile "tests/spec/kernels.lua"):kernel "add"
      kernel:set_args(context:buffer(cl.array.float(1)), 1)
      collectgarbage()
      collectgarbage()
      print(kernel(queue, 1):wait().status)
    ]]
    assert.equal("complete\n", out)
  end)

  it("is refused with the names that the program has, if it has no such kernel", function()
    assert.matches("the program has no kernel 'sub'; it has: add, twice, spin, cells, set",
      refusal(program.kernel, program, "sub"))
  end)
end)

describe("a device", function()
  -- A device that can be divided. Those of other drivers cannot.
  local four = support.drivers("pocl", {POCL_DEVICES = false, POCL_MAX_PTHREAD_COUNT = 4})
  local on_part = [[
    local cl, binding = require "clue", require "clue.binding"
    local device = cl.device.get(0)
    local function try(how)
      local done, problem = pcall(device.partition, device, how)
      print(done or (problem.text:gsub((device.name:gsub("%p", "%%%0")), "NAME")))
    end
  ]]

  it("equals itself, however the script got it", function()
    assert.is_true(cl.device.get(0) == context.device)
    assert.is_true(cl.device.is(context.device))
    assert.is_false(cl.device.is(context))
  end)

  it("is divided into parts, which are devices #once", function()
    local out = printed(on_part .. [[
      for _, how in ipairs { { equally = 2 }, { by_counts = { 1, 3 } } } do
        local parts = device:partition(how)
        for i, part in ipairs(parts) do
          assert(part.parent == device and part.part == i and part.parts == 2 and part.ordinal == 0)
          assert(part == part and part ~= device and part ~= parts[3 - i])
          local context = cl.context(part)
          assert(context.device == part)
          print(part.max_compute_units, part.kind, (tostring(part):gsub(" of %d %(0:.*", "")))
        end
      end
    ]], nil, four)
    assert.equal("2\tcpu\tdevice part 1 of 2 (2 compute units)\n2\tcpu\tdevice part 2 of 2 (2 compute units)\n"
      .. "1\tcpu\tdevice part 1 of 2 (1 compute unit)\n3\tcpu\tdevice part 2 of 2 (3 compute units)\n", out)
  end)

  it("refuses to be divided wrongly, with the ways that are possible #once", function()
    local out = printed(on_part .. [[
      try { by_affinity_domain = "numa" }
      try { by_affinity_domain = "cache" }
      try { equally = 5 }
      try { equally = 0.5 }
      try { by_counts = { 1, 4 } }
      try { by_counts = { 1, "2" } }
      try { by_counts = 2 }
      try { by_counts = {} }
      try {}
      try { equally = 1, by_counts = { 1 } }
      try(2)
    ]], nil, four)
    local needed = "device:partition: how must be one of {equally = n}, {by_counts = {n, ...}} and "
      .. "{by_affinity_domain = name}\n"
    assert.equal("clCreateSubDevices: CL_INVALID_VALUE (-30): NAME "
      .. "cannot be divided by affinity domain; it can be divided equally, by counts\n"
      .. 'device:partition: there is no affinity domain "cache"; there are l1_cache, l2_cache, '
      .. "l3_cache, l4_cache, next_partitionable, numa\n"
      .. "clCreateSubDevices: CL_INVALID_VALUE (-30): a part has 5 compute units, and NAME has 4\n"
      .. "device:partition: equally must be a whole number of 1 or more, got 0.5\n"
      .. "clCreateSubDevices: CL_INVALID_DEVICE_PARTITION_COUNT (-68): the parts together have "
      .. "5 compute units, and NAME has 4\n"
      .. 'device:partition: by_counts[2] must be a whole number of 1 or more, got "2"\n'
      .. "device:partition: by_counts must be a list of the compute units of each part, got 2\n"
      .. "device:partition: by_counts must be a list of the compute units of each part, but it is empty\n"
      .. needed:rep(2) .. "device:partition: how must be a table of options (by_affinity_domain, by_counts, equally), "
      .. "got 2\n", out)
  end)

  it("works in all its parts at the same time #once", function()
    local out = printed(on_part .. [[
      local function prepare(part)
        local context = cl.context(part)
        local queue, x = context:queue(), context:buffer(256)
        local kernel = context:program(dofile "tests/spec/kernels.lua"):kernel "spin"
        kernel(queue, 64, nil, x, 1):wait()
        return function() return kernel(queue, 64, nil, x, 1500000) end
      end
      local parts = device:partition { by_counts = { 1, 3 } }
      local one, two = prepare(parts[1]), prepare(parts[2])
      local first, second = one(), two()
      print(first.started < second.ended and second.started < first.ended)
    ]], nil, four)
    assert.equal("true\n", out)
  end)

  it("frees parts that are closed or collected, unless a context is on them #once", function()
    local out = printed(on_part .. [[
      device:partition { equally = 1 }
      collectgarbage()
      collectgarbage()
      print(binding.handle_count())
      local parts = device:partition { by_counts = { 1, 3 } }
      local context = cl.context(parts[2])
      parts[1]:close()
      parts[2]:close()
      parts[2]:close()
      device:close()
      local buffer, read = context:buffer(cl.array.int { 7 }), cl.array.int(1)
      context:queue():read_buffer(buffer, read)
      print(read[0], parts[1].parts, device.max_compute_units)
      local function name(part) return part.name end
      local function divide(part) part:partition { equally = 1 } end
      for _, use in ipairs { cl.context, name, divide } do print(select(2, pcall(use, parts[1])).text) end
      print((tostring(parts[1]):gsub(" of %d %(0:.*", "")))
    ]], nil, four)
    assert.equal("0\n7\t2\t4\n" .. ("part 1 of device 0 was closed\n"):rep(3) .. "device part 1 of 2 (closed)\n", out)
  end)

  for _, name in ipairs {"oclgrind", "rusticl"} do
    it("is not divided by a driver that cannot: " .. name .. " #once", function()
      local out = printed(on_part .. "try { equally = 1 }", nil, support.drivers(name))
      assert.equal("clCreateSubDevices: CL_INVALID_VALUE (-30): NAME cannot be divided into parts\n", out)
    end)
  end
end)

describe("a program", function()
  it("has its options, its kernels and the log as fields", function()
    local built = context:program(SOURCE, {"-cl-mad-enable", std = "CL1.2",
      defines = {B = 0.5, A = true, C = false}})
    assert.equal("-cl-mad-enable -cl-std=CL1.2 -D A -D B=0.5", built.options)
    assert.same({"add", "twice", "spin", "cells", "set"}, built.kernels)
    assert.equal("string", type(built.log))
    assert.equal("", context:program(SOURCE).options)
  end)

  it("is refused if its source is not a text or does not compile, or its options are wrong", function()
    assert.equal("context:program: source must be a text, or a list of texts, got nil",
      refusal(context.program, context))
    assert.equal("context:program: options must be a text or a table, got 3", refusal(context.program, context,
      SOURCE, 3))
    local done, problem = pcall(context.program, context, "kernel void f() { wrong }")
    assert.is_false(done)
    assert.equal("CL_BUILD_PROGRAM_FAILURE", problem.name)
    assert.matches("wrong", problem.log)
    assert.matches("wrong", tostring(problem))
  end)

  it("can be made from its binary, whose kernels take typed values", function()
    if own.takes_no_binaries then
      assert.matches(": CL_INVALID_OPERATION %(%-59%): the driver of .* cannot build programs from binaries: "
        .. "build from source$", refusal(context.program_from_binary, context, program:binary()))
      pending(own.takes_no_binaries)
    end
    local queue, x = context:queue(), zeros(2)
    local again = context:program_from_binary(program:binary())
    assert.same(program.kernels, again.kernels)
    assert.is_nil(again.options)
    local add = again:kernel "add"
    if add.arguments[1].name == "" then
      assert.equal("kernel:set_arg: the driver does not tell the names of the arguments of kernel 'add', as of one "
        .. "from a binary: give argument 'x' by its index, from 0 to 1", refusal(add.set_arg, add, "x", x))
    end
    if not own.tells_arguments_of_binaries then
      assert.equal("kernel:set_arg: argument 0 of kernel 'add' is an int array on the host: make a buffer of it, "
        .. "context:buffer(...)", refusal(add.set_arg, add, 0, cl.array.int(1)))
      assert.equal("clSetKernelArg: CL_INVALID_ARG_VALUE (-50): argument 0 of kernel 'add' is a pointer: it takes a "
        .. "buffer, or a size of local memory, cl.local_memory(bytes) or CLSetKernelArgMemLocal",
        refusal(add.set_arg, add, 0, cl.long(3)))
      assert.matches("CL_INVALID_ARG_SIZE", refusal(add.set_arg, add, 1, cl.structs(
        "struct large { int a[8]; };").large()))
    end
    add(queue, 2, nil, x, cl.float(2.5))
    assert.same({2.5, 2.5}, contents(queue, x))
    if own.tells_arguments_of_binaries then pending(own.tells_arguments_of_binaries) end
    assert.matches("the driver does not know the type of argument 1 of kernel 'add': give the value's type, "
      .. "cl.float%(2%) for example", refusal(add, queue, 2, nil, x, 2))
  end)

  it("cannot be made from other data", function()
    local binary = program:binary()
    assert.equal("context:program_from_binary: binary must be a string of bytes, got 7",
      refusal(context.program_from_binary, context, 7))
    assert.matches("the binary is empty", refusal(context.program_from_binary, context, ""))
    for _, cut in ipairs {"junk", binary:sub(1, 1000), binary:sub(1, -2), binary .. "x"} do
      local done, problem = pcall(context.program_from_binary, context, cut)
      assert.is_false(done)
      local name = own.takes_no_binaries and "CL_INVALID_OPERATION" or "CL_INVALID_BINARY"
      if own.builds_binaries_late ~= problem.name then assert.equal(name, problem.name) end
      if own.crashes_on_cut_binaries then
        assert.matches("not what program:binary() (in C, clue_program_binary()) gave for a PoCL device, or were cut",
          problem.text, 1, true)
      end
    end
  end)
end)

describe("a buffer", function()
  it("is made with a size or with an array's contents", function()
    local queue = context:queue()
    assert.equal(40, context:buffer(40).size)
    assert.same({1, 2}, contents(queue, context:buffer(array.float {1, 2}, "read_only")))
  end)

  it("cannot be made with wrong sizes or flags", function()
    local function said(...) return refusal(context.buffer, context, ...) end
    assert.equal("context:buffer: size must be a whole number of bytes, or an array, got nil", said())
    assert.equal('context:buffer: there is no flag "fast"; there are alloc_host_ptr, copy_host_ptr, '
      .. 'host_no_access, host_read_only, host_write_only, read_only, read_write, use_host_ptr, write_only', said(4,
        "fast"))
    assert.matches("a buffer of 0 bytes: it needs at least 1", said(0))
    assert.matches("CL_MEM_READ_WRITE and CL_MEM_READ_ONLY exclude each other: give one of them",
      said(4, {"read_write", "read_only"}))
    assert.equal("context:buffer: size must be a whole number of bytes, or an array, got 1.5", said(1.5))
  end)

  it("is copied by the device", function()
    local queue, from, to = context:queue(), context:buffer(array.float {1, 2, 3, 4}), zeros(4)
    assert.equal("complete", queue:copy_buffer(from, to):wait().status)
    assert.same({1, 2, 3, 4}, contents(queue, to))
    queue:copy_buffer(from, to, {from_offset = 8, to_offset = 4, size = 4})
    assert.same({1, 3, 3, 4}, contents(queue, to))
    queue:copy_buffer(from, to, {from_offset = 12}) -- the rest of the source
    assert.same({4, 3, 3, 4}, contents(queue, to))
    local function said(...) return refusal(queue.copy_buffer, queue, ...) end
    assert.matches("8 bytes from offset 0 overlap those at 4 of the same buffer",
      said(to, to, {to_offset = 4, size = 8}))
    assert.matches("16 bytes from offset 4 is too much", said(from, to, {to_offset = 4}))
    assert.equal("queue:copy_buffer: to must be a buffer, got nil", said(from))
    assert.equal('queue:copy_buffer: there is no option "offset" (is to_offset meant?); there are '
      .. 'from_offset, size, to_offset', said(from, to, {offset = 4}))
  end)

  it("is filled by the device", function()
    local queue, x = context:queue(), zeros(4)
    assert.equal("complete", queue:fill_buffer(x, cl.float(7)):wait().status)
    assert.same({7, 7, 7, 7}, contents(queue, x))
    queue:fill_buffer(x, 2, "float")
    queue:fill_buffer(x, 3, {type = "float", offset = 4, size = 4})
    assert.same({2, 3, 2, 2}, contents(queue, x))
    queue:fill_buffer(x, array.float {5, 6}, {offset = 8})
    assert.same({2, 3, 5, 6}, contents(queue, x))
    local function said(...) return refusal(queue.fill_buffer, queue, ...) end
    assert.equal('queue:fill_buffer: give the number\'s type: cl.float(3), or 3, "float"', said(x, 3))
    assert.equal('queue:fill_buffer: with must be a typed value, an array or a number, got "3"',
      said(x, "3"))
    assert.matches("both must be multiples of the pattern's 4 bytes", said(x, cl.float(1), {offset = 2}))
    assert.matches("a pattern of 12 bytes: it must have 1, 2, 4", said(x, array.float(3)))
  end)

  for _, flags in ipairs {"read_write", "alloc_host_ptr"} do
    it("is mapped as an array over its memory, until it is unmapped: " .. flags, function()
      local queue, x = context:queue(), context:buffer(16, flags)
      queue:write_buffer(x, array.float {1, 2, 3, 4})
      local mapped = queue:map_buffer(x, "float")
      assert.same({1, 2, 3, 4}, mapped:table())
      mapped[0] = 9
      mapped:reshape(2, 2)
      assert.equal(queue, queue:unmap(mapped))
      assert.equal("float[unmapped]", tostring(mapped))
      assert.same({9, 2, 3, 4}, contents(queue, x))
      local part = queue:map_buffer(x, "int", "write_invalidate_region", {offset = 8, count = 1})
      assert.equal(1, #part)
      part[0] = 0
      queue:unmap(part)
      assert.same({9, 2, 0, 4}, contents(queue, x))
    end)
  end

  it("cannot be used by commands while it is mapped", function()
    local queue, x = context:queue(), zeros(2)
    local mapped = queue:map_buffer(x, "float", {"read", "write"})
    assert.matches("the buffer is mapped for writing by the host: unmap it first",
      refusal(queue.read_buffer, queue, x, array.float(2)))
    assert.matches("which is mapped for writing by the host", refusal(program:kernel "add", queue, 2, nil, x, 1))
    local done, problem = pcall(mapped.resize, mapped, 4)
    assert.is_false(done)
    assert.matches("float%[2%] is mapped: it keeps its size until queue:unmap", problem)
    queue:unmap(mapped)
    program:kernel "add"(queue, 2, nil, x, 1)
    assert.same({1, 1}, contents(queue, x))
  end)

  it("is not mapped with a wrong type, access or range", function()
    local queue, x = context:queue(), zeros(2)
    local function said(...) return refusal(queue.map_buffer, queue, ...) end
    assert.equal("queue:map_buffer: the type is missing; there are char, double, float, half, int, long, "
      .. "short, uchar, uint, ulong, ushort", said(x))
    assert.equal('queue:map_buffer: there is no type "real"; there are char, double, float, half, int, '
      .. 'long, short, uchar, uint, ulong, ushort', said(x, "real"))
    assert.equal('queue:map_buffer: there is no access "execute"; there are read, write, write_invalidate_region',
      said(x, "float", "execute"))
    assert.equal("queue:map_buffer: offset 2 is not a multiple of 4, the bytes of float",
      said(x, "float", "read", {offset = 2}))
    local odd, pair = context:buffer(12), cl.structs "struct pair { int a, b; };".pair
    assert.equal("queue:map_buffer: 12 bytes are no whole number of double, of 8 bytes each: give another type, or "
      .. "count (1 fit)", said(odd, "double"))
    assert.equal("queue:map_buffer: 12 bytes are no whole number of the struct, of 8 bytes each: give another type, or "
      .. "count (1 fit)", said(odd, pair))
    assert.matches("queue:random: 12 bytes are no whole number of long", refusal(queue.random, queue, odd, "long"))
    queue:unmap(queue:map_buffer(odd, "double", "read", {count = 1}))
    assert.matches("12 bytes from offset 0 is too much", said(x, "float", "read", {count = 3}))
    assert.matches("0 bytes: there is nothing to map", said(x, "float", "read", {offset = 8}))
    assert.equal("queue:unmap: mapped must be a mapped array, got a buffer",
      refusal(queue.unmap, queue, x))
    assert.equal("queue:unmap: the array is not mapped", refusal(queue.unmap, queue, array.float(1)))
    local mapped = queue:map_buffer(x, "float")
    queue:unmap(mapped)
    assert.equal("queue:unmap: the array is not mapped", refusal(queue.unmap, queue, mapped))
  end)

  it("lives as long as it is mapped #once", function()
    local out = printed [[
      local cl, binding = require "clue", require "clue.binding"
      local context = cl.context()
      local queue = context:queue()
      local function map()
        local buffer = context:buffer(cl.array.int { 1, 2, 3 })
        local mapped = queue:map_buffer(buffer, "int")
        buffer:close()
        return mapped
      end
      local mapped = map()
      collectgarbage()
      collectgarbage()
      mapped[0] = 5
      print(mapped:sum())
      local live = binding.handle_count()
      mapped = nil
      collectgarbage()
      collectgarbage()
      print(live - binding.handle_count())
      -- Collecting a mapping unmaps it, so its writes reach the buffer.
      local buffer, read = context:buffer(cl.array.int { 1, 2, 3 }), cl.array.int(3)
      queue:map_buffer(buffer, "int"):fill(4)
      collectgarbage()
      collectgarbage()
      queue:read_buffer(buffer, read)
      print(read:sum())
      left = queue:map_buffer(buffer, "int")
    ]]
    assert.equal("10\n1\n12\n", (out:gsub("%.0", "")))
  end)
end)
