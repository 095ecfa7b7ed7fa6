-- Order and waiting: wait lists, out-of-order queues, markers and barriers, user events, callbacks, non-blocking
-- transfers, contexts with several devices.
-- suite: quick
-- process: shared bindings threads
-- drivers: pocl oclgrind rusticl

local support = require "support"
local cl = require "clue"
local binding = require "clue.binding"
local driver = require "driver"
local objects = require "objects"

local array, contents, refusal = cl.array, objects.contents, objects.refusal

local context = objects.context()
local own = driver.of(context.device) -- its departures from OpenCL
local program = context:program((require "kernels"))
local add, twice = program:kernel "add", program:kernel "twice"

local function numbers(...)
  return context:buffer(array.float {...})
end

-- Runs a script in a child process, which must succeed. Returns its output.
local function printed(script, env)
  return (support.ended(0, support.run({"--quiet", support.write(script)}, env)))
end

it("the moments of an event differ in a loop that LuaJIT compiles, too", function()
  local queue, x, events = context:queue(), numbers(1, 2), {}
  for i = 1, 200 do events[i] = add(queue, 2, nil, x, 1) end
  queue:finish()
  if not events[1].started then return pending "no timer that can be trusted" end
  local equal = 0
  for i = 1, 200 do
    local event = events[i]
    local queued, ended = event.queued, event.ended
    if ended - queued == 0 then equal = equal + 1 end
  end
  assert.equal(0, equal)
end)

describe("the time of an algorithm's event", function()
  -- The commands of a sort, a scan and a reduction that this device runs in several steps.
  local function events(queue)
    local count = 100000
    local x, y = context:buffer(array.int(count, 1)), context:buffer(array.int(count, 1))
    return {
      reduction = context:reduction("const int *x", "sum")(queue, {result = context:buffer(8)}, x),
      scan = context:scan("int", "sum")(queue, x, y),
      sort = context:sort "int"(queue, {count = 3000}, y),
    }
  end

  it("is that of all of its commands", function()
    local several = 0
    for name, event in pairs(events(context:queue())) do
      local sum = 0
      for _, step in ipairs(event.steps or {}) do
        if step ~= event then sum = sum + step:time() end
      end
      assert.is_true(event:time() >= sum, name)
      if event.steps then
        several = several + 1
        assert.equal(event, event.steps[#event.steps])
        assert.equal(event.steps[1].started, event.started)
      end
    end
    assert.is_true(several >= 2, several .. " of three have several steps")
  end)

  it("is the sum of its commands' times if no timer shows when they began", function()
    local found = events(context:queue())
    local event = found.sort.steps and found.sort or found.reduction.steps and found.reduction or found.scan
    local count, kept = #event.steps, {}
    for _, name in ipairs {"event_moment", "event_time", "error"} do kept[name] = binding[name] end
    binding.event_moment = function() return nil end
    binding.error = function() return {code = -7} end
    binding.event_time = function() return 2, "host" end
    local done, seconds, clock = pcall(event.time, event)
    for name, original in pairs(kept) do binding[name] = original end
    assert.is_true(done, tostring(seconds))
    assert.same({2 * count, "host"}, {seconds, clock})
    assert.is_true(count >= 2)
  end)
end)

describe("a view of a queue", function()
  it("makes commands wait for events of other queues", function()
    local one, two, x = context:queue(), context:queue(), numbers(0, 1)
    local done
    for i = 1, 20 do
      local queue = i % 2 == 0 and one or two
      queue = done and queue:after(done) or queue
      done = i % 4 < 2 and add(queue, 2, nil, x, 1) or twice(queue:after {done}, 2, nil, x)
    end
    local expected = {0, 1}
    for i = 1, 20 do
      for j = 1, 2 do expected[j] = i % 4 < 2 and expected[j] + 1 or expected[j] * 2 end
    end
    assert.same(expected, contents(one:after(done), x))
  end)

  it("can replace the queue in every call, and is what those calls return", function()
    local queue, x, a = context:queue(), numbers(1, 2), array.float(2)
    local view = queue:after(queue:marker())
    assert.equal(queue, view)
    assert.equal(("queue %d, after 1 event"):format(queue.handle), tostring(view))
    assert.equal(("queue %d, after 3 events"):format(queue.handle),
      tostring(view:after(queue:marker(), queue:barrier())))
    assert.equal(context, view.context)
    assert.equal(view, view:write_buffer(x, array.float {3, 4}):read_buffer(x, a))
    assert.same({3, 4}, a:table())
    assert.equal("complete", view:copy_buffer(x, numbers(0, 0)):wait().status)
    local mapped = view:map_buffer(x, "float")
    assert.same({3, 4}, mapped:table())
    view:unmap(mapped):finish()
    assert.equal("complete", view:ndrange_kernel(twice:set_args(x), 2):wait().status)
  end)

  it("leaves no wait behind if a call refuses its arguments", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local queue, start, x, a = context:queue(), context:user_event(), numbers(1, 2), array.float {3, 4}
    local view, image = queue:after(start), context:image {width = 1, height = 1}
    local function refused(...) assert.is_false((pcall(...))) end
    for _, call in ipairs {
      function() add(view, 1.5, nil, x, 5) end,
      function() add(view, 2, {0.5}, x, 5) end,
      function() add(view, 0, nil, x, 5) end,
      function() view:ndrange_kernel(add, 2, nil, {0.5}) end,
      function() view:read_buffer(x, a, {offset = 0.5}) end,
      function() view:write_buffer(x, a, {first = 0.5}) end,
      function() view:write_buffer(x, a, {first = 5}) end,
      function() view:copy_buffer(x, x, {size = 1.5}) end,
      function() view:fill_buffer(x, 1, {type = "float", offset = 0.5}) end,
      function() view:map_buffer(x, "float", "read", {count = 0.5}) end,
      function() view:read_image(image, array.float(1)) end,
      function() view:unmap(a) end,
    } do
      refused(call)
      assert.equal(queue, queue:write_buffer(x, a))
    end
    start:complete()
    assert.same({3, 4}, contents(queue, x))
  end)

  it("takes only events of its context that have not failed", function()
    local queue, view = context:queue(), context:queue():after()
    assert.equal("queue:after: argument 2 must be an event, got a queue",
      refusal(queue.after, queue, queue:marker(), queue))
    assert.equal("queue:after: argument 1 must be an event, got nil", refusal(queue.after, queue, nil))
    assert.equal("queue:after: events[1] is nil, but events[2] is not: a list has no holes",
      refusal(queue.after, queue, {nil, queue:marker()}))
    assert.equal('queue:after: events is a list, from 1 to n: it has the key "last"',
      refusal(queue.after, queue, {last = queue:marker()}))
    assert.matches("^queue:close: this is a view of queue %d+, made by queue:after%(%): close the queue$",
      refusal(function() view:close() end))
    local foreign = cl.context(context.device):queue():marker()
    assert.matches("event %d+ %(a marker%) belongs to another context than the command that is to wait for it",
      refusal(queue.marker, queue:after(foreign)))
    local closed = queue:marker()
    local after = queue:after(closed)
    closed:close()
    assert.matches("event %d+ was freed", refusal(queue.marker, after))
    local failed = context:user_event():fail(-5)
    assert.matches("user event %d+ failed %(status %-5%)", refusal(queue.marker, queue:after(failed)))
  end)
end)

it("an out-of-order queue keeps the order that events and barriers impose", function()
  local device, has = context.device, false
  for _, property in ipairs(device.queue_properties) do has = has or property == "out_of_order_exec_mode_enable" end
  if not has then
    assert.matches("^clCreateCommandQueue: CL_INVALID_QUEUE_PROPERTIES %(%-35%): .* has no queues out of order: "
      .. "make several queues for commands that may overlap$", refusal(context.queue, context, {out_of_order = true}))
    assert.is_false(context:queue().out_of_order)
    pending "the device has no out-of-order queues (queue_properties)"
  end
  local queue = context:queue {out_of_order = true}
  assert.equal(("queue %d: out of order"):format(queue.handle), tostring(queue))
  assert.is_true(queue.out_of_order)
  local x, a = numbers(0, 0), array.float {1, 2}
  local written = queue:write_buffer(x, a, {blocking = false})
  local added = add(queue:after(written), 2, nil, x, 1)
  local doubled = twice(queue:after(added), 2, nil, x)
  queue:after(doubled):read_buffer(x, a)
  assert.same({4, 6}, a:table())
  add(queue, 2, nil, x, 1)
  queue:barrier()
  twice(queue, 2, nil, x)
  queue:barrier()
  queue:read_buffer(x, a)
  assert.same({10, 14}, a:table())
  for _ = 1, 100 do add(queue, 2, nil, numbers(0, 0), 1) end
  assert.equal(queue, queue:finish())
end)

-- An out-of-order queue, or nil if the device has none.
local function out_of_order()
  local made, queue = pcall(context.queue, context, {out_of_order = true})
  return made and queue or nil
end

describe("a command that waits for a user event in an out-of-order queue", function()
  local queue, start, x

  before_each(function()
    queue, start, x = not own.runs_in_calling_thread and out_of_order(), context:user_event(), numbers(1, 2)
    if queue then add(queue:after(start), 2, nil, x, 5) end
  end)

  it("does not keep other commands from finishing", function()
    if own.keeps_order then pending(own.keeps_order) end
    if not queue then pending "nothing can wait in a queue out of order there" end
    local y, image, a = numbers(3, 4), context:image {width = 1, height = 1}, array.float(2)
    assert.same({3, 4}, queue:read_buffer(y, a) and a:table())
    queue:write_buffer(y, array.float {5, 6})
    queue:unmap(queue:map_buffer(y, "float"))
    queue:unmap((queue:map_image(image, "float")))
    queue:write_image(image, array.float(4))
    local event = add(queue, 2, nil, y, 1)
    queue:after(event):marker():wait()
    queue:after(event):barrier():wait()
    assert.same({6, 7}, queue:read_buffer(y, a) and a:table())
    start:complete()
    assert.equal(queue, queue:finish())
    assert.same({6, 7}, contents(queue, x))
  end)

  it("holds back a barrier and the commands behind it", function()
    if not queue then pending "nothing can wait in a queue out of order there" end
    queue:barrier()
    local other = queue:after(context:queue():marker()):barrier()
    local doubled = twice(queue, 2, nil, x)
    assert.is_true(other.status ~= "complete")
    assert.matches("a barrier waits for user event %d+, which the script cannot set", refusal(other.wait, other))
    start:complete()
    assert.same({12, 14}, contents(queue:after(doubled), x))
  end)
end)

it("the event of a kernel says which, in the first call and later ones, until it is closed", function()
  local queue, buffer = context:queue(), numbers(1)
  for _ = 1, 2 do
    local event = twice(queue, 1, nil, buffer):wait()
    assert.equal(("event %d: kernel 'twice'"):format(event.handle), tostring(event))
    event:close()
    assert.equal("event (closed)", tostring(event))
    assert.is_nil(event.what)
  end
end)

it("markers and barriers complete after the commands before them", function()
  local queue, x = context:queue(), numbers(0, 0)
  local before = add(queue, 2, nil, x, 1)
  local marker = queue:marker()
  assert.equal(("event %d: a marker"):format(marker.handle), tostring(marker))
  marker:wait()
  assert.equal("complete", before.status)
  local barrier = queue:barrier()
  assert.equal(("event %d: a barrier"):format(barrier.handle), tostring(barrier))
end)

describe("a user event", function()
  it("can be completed only once, and only by the script", function()
    local event = context:user_event()
    assert.equal(("event %d: user event"):format(event.handle), tostring(event))
    assert.equal("submitted", event.status)
    assert.matches("user event %d+ is not set, and the script cannot set it while it waits",
      refusal(event.wait, event))
    assert.equal(event, event:complete())
    assert.equal("complete", event:wait().status)
    assert.matches("was already set %(status 0%): that is possible only once", refusal(event.complete, event))
    assert.matches("was already set %(status 0%): that is possible only once", refusal(event.fail, event, -1))
    local marker = context:queue():marker()
    assert.matches("event %d+ is of a marker: only user events can be set, the driver completes all others",
      refusal(marker.complete, marker))
    local below = "event:fail: code must be a whole number below 0, got "
    assert.equal(below .. "0", refusal(event.fail, event, 0))
    assert.equal(below .. "nil", refusal(event.fail, event))
  end)

  it("holds back commands, and a wait for them is refused instead of endless", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local queue, other, x, start = context:queue(), context:queue(), numbers(0, 0), context:user_event()
    local first = add(queue:after(start), 2, nil, x, 1)
    local second = twice(other:after(first), 2, nil, x)
    local a = array.float(2)
    assert.is_true(first.status ~= "complete" and second.status ~= "complete")
    local waits = "waits for user event %d+, which the script cannot set while it waits: set it before"
    assert.matches("kernel 'twice' " .. waits, refusal(second.wait, second))
    assert.matches("kernel 'twice' " .. waits, refusal(other.finish, other))
    assert.matches("kernel '%l+' " .. waits, refusal(context.finish, context))
    assert.matches("a read from a buffer " .. waits, refusal(other.read_buffer, other, x, a))
    assert.matches("a mapping of a buffer " .. waits, refusal(other.map_buffer, other, x, "float"))
    assert.matches("kernel 'add' " .. waits, refusal(function() return first.ended end))
    start:complete()
    assert.same({2, 2}, contents(other, x))
  end)

  it("passes its failure on, and fails when it is closed before it is complete", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local queue, x, start = context:queue(), numbers(0, 0), context:user_event()
    local added = add(queue:after(start), 2, nil, x, 1)
    start:fail(-77)
    local done, problem = pcall(added.wait, added)
    assert.is_false(done)
    assert.equal("CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", problem.name)
    assert.matches("kernel 'add' was not executed: it waited for user event %d+, which failed %(status %-77%)",
      problem.text)
    start = context:user_event()
    added = add(queue:after(start), 2, nil, x, 1)
    start:close()
    assert.matches("it waited for user event %d+, which failed %(status %-58%)", refusal(added.wait, added))
    assert.same({0, 0}, contents(context:queue(), x))
  end)

  it("does not keep a script from ending", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local out = printed [[
      local cl = require "clue"
      local context = cl.context()
      local queue, x = context:queue(), context:buffer(cl.array.float(2))
      local add = context:program(dofile "tests/spec/kernels.lua"):kernel "add"
      local left = context:user_event()
      event = add(queue:after(left), 2, nil, x, 1)
      read = queue:read_buffer(x, cl.array.float(2), { blocking = false })
      print "done"
    ]]
    assert.equal("done\n", out)
  end)

  it("may fail after the queue of the waiting commands was closed", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local script = {[[
      local cl = require "clue"
      local context = cl.context()
      local program = context:program(dofile "tests/spec/kernels.lua")
      local add, x = program:kernel "add", context:buffer(cl.array.float(1))
    ]]}
    for i, rest in ipairs {
      "q:after(u):marker():close() q:close() u:close()",
      "add(q:after(u), 1, nil, x, 1) add(q, 1, nil, x, 1) q:close() u:fail(-5)",
      "local m = q:after(u):marker() o:after(m):marker():close() q:close() o:close() u:fail(-5) m:close()",
      "q:after(u, v):marker():close() q:close() u:fail(-5) collectgarbage() v:complete()",
      "q:after(u):marker():close() q:close() u:complete()",
      "q:after(u, v):marker():close() q:close() u:complete() v:fail(-5)",
      "q:after(u):marker()",
    } do
      script[i + 1] = ([[
        for _ = 1, 50 do
          local q, o, u, v = context:queue(), context:queue(), context:user_event(), context:user_event()
          %s
        end
        collectgarbage()
        print(%d)
      ]]):format(rest, i)
    end
    assert.equal("1\n2\n3\n4\n5\n6\n7\n", printed(table.concat(script)))
  end)

  it("does not hold back the unmapping of an unused mapping", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local plain, start, x = assert(binding.context_queue(context.handle)), context:user_event(), numbers(1, 2)
    assert(binding.queue_wait_for(plain, {start.handle}))
    assert(binding.queue_marker(plain))
    context:queue():map_buffer(x, "float")
    collectgarbage() -- unmaps the buffer without waiting for the commands that wait for the event
    collectgarbage()
    assert.same({1, 2}, contents(context:queue(), x))
    start:complete()
  end)

  local basic = support.drivers("pocl", {POCL_DEVICES = "basic"})
  for name, env in pairs {basic = basic, oclgrind = support.drivers "oclgrind"} do
    it("is not waited for if commands run in the calling thread: " .. name .. " #once", function()
      local out = printed([[
        local cl = require "clue"
        local context = cl.context()
        local start = context:user_event()
        local queue = context:queue()
        print(select(2, pcall(queue.marker, queue:after(start))).text)
        start:complete()
        print(queue:after(start):marker():wait().status)
        left = context:user_event()
      ]], env)
      assert.matches("runs commands in the calling thread, which would wait for user event %d+ for ever: "
        .. "set it before\ncomplete\n$", out)
    end)
  end
end)

-- A failure reaches the commands behind it in the same queue.
describe("a command behind one that failed", function()
  local queue, start, x

  -- Enqueues a kernel that is never executed, because the event before it fails.
  local function fail_kernel()
    queue, start, x = context:queue(), context:user_event(), numbers(1, 2)
    add(queue:after(start), 2, nil, x, 5)
    start:fail(-5)
  end

  local behind = " is behind kernel 'add', which was not executed: it waited for user event %d+, which failed "
    .. "%(status %-5%)$"

  it("is refused when it is waited for, with the name of the failed command", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local a, image = array.float(4), context:image {width = 1, height = 1}
    for what, call in pairs {
      ["a read from a buffer"] = function() queue:read_buffer(x, a, {count = 2}) end,
      ["a write to a buffer"] = function() queue:write_buffer(x, a, {count = 2}) end,
      ["a mapping of a buffer"] = function() queue:map_buffer(x, "float") end,
      ["a read from an image"] = function() queue:read_image(image, a) end,
      ["a mapping of an image"] = function() queue:map_image(image, "float") end,
    } do
      fail_kernel()
      assert.matches("^clEnqueue%a+: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST %(%-14%): " .. what .. behind,
        refusal(call))
    end
    assert.same({0, 0, 0, 0}, a:table())
    fail_kernel()
    assert.matches("^clFinish: .*kernel 'add' was not executed: it waited for user event %d+, which failed "
      .. "%(status %-5%)$", refusal(queue.finish, queue))
  end)

  it("is refused for shared virtual memory too", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    if #context.device.svm_capabilities == 0 then pending "the device has no shared virtual memory" end
    local memory, a = context:svm(16), array.float(4)
    fail_kernel()
    assert.matches("a read from shared virtual memory" .. behind, refusal(queue.read_svm, queue, memory, a))
    fail_kernel()
    assert.matches("a mapping of shared virtual memory" .. behind, refusal(queue.map_svm, queue, memory, "float"))
  end)

  it("is refused whatever commands are in between", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local a, y = array.float(2), numbers(0, 0)
    fail_kernel()
    twice(queue, 2, nil, x)
    queue:copy_buffer(x, y)
    assert.matches("a read from a buffer" .. behind, refusal(queue.read_buffer, queue, y, a))
    queue, start = context:queue(), context:user_event()
    queue:after(start):copy_buffer(x, y)
    add(queue, 2, nil, x, 1)
    start:fail(-5)
    assert.matches("a read from a buffer is behind a copy between buffers, which was not executed: it waited for ",
      refusal(queue.read_buffer, queue, y, a))
  end)

  it("has an event that fails, and so do the commands that wait for that event", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    fail_kernel()
    local second = twice(queue, 2, nil, x)
    local read = queue:read_buffer(x, array.float(2), {blocking = false})
    for _ = 1, 2 do
      assert.matches("kernel 'twice'" .. behind, refusal(second.wait, second))
      assert.matches("a read from a buffer" .. behind, refusal(read.wait, read))
    end
    assert.matches("kernel 'twice'" .. behind, refusal(queue.marker, context:queue():after(second)))
  end)

  it("is refused once, after which the queue works again", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local a = array.float {7, 8}
    fail_kernel()
    twice(queue, 2, nil, x)
    assert.matches(behind, refusal(queue.read_buffer, queue, x, a))
    assert.same({7, 8}, queue:write_buffer(x, a):read_buffer(x, a) and a:table())
    assert.equal("complete", add(queue, 2, nil, x, 1):wait().status)
    assert.equal(queue, queue:finish())
    assert.same({8, 9}, contents(queue, x))
  end)

  it("is refused by MQL5's calls too, which use a queue of their own", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local mql5, a = require "clue.mql5", array.float(2)
    queue, start, x = assert(binding.context_queue(context.handle)), context:user_event(), numbers(1, 2)
    assert(binding.queue_wait_for(queue, {start.handle}))
    assert(binding.event_status(binding.queue_marker(queue)))
    add:set_args(x, 5)
    assert.is_true(mql5.CLExecute(add.handle, 1, {0}, {2}))
    start:fail(-5)
    local read, message = mql5.CLBufferRead(x.handle, a)
    assert.equal(0, read)
    assert.matches("a read from a buffer is behind a marker, which was not executed: it waited for user event %d+, "
      .. "which failed %(status %-5%)", message)
    assert.equal(2, mql5.CLBufferRead(x.handle, a))
  end)

  it("runs in an out-of-order queue, unless it is behind a barrier", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local a = array.float(2)
    queue = out_of_order()
    if not queue then pending "the device has no out-of-order queues" end
    start, x = context:user_event(), numbers(1, 2)
    local added = add(queue:after(start), 2, nil, x, 5)
    start:fail(-5)
    assert.same({1, 2}, queue:read_buffer(x, a) and a:table())
    assert.matches("kernel 'add' was not executed", refusal(added.wait, added))
    queue:barrier()
    assert.matches("a read from a buffer" .. behind, refusal(queue.read_buffer, queue, x, a))
    assert.same({1, 2}, queue:read_buffer(x, a) and a:table())
  end)
end)

describe("event:on_complete", function()
  it("calls each function once, in order, at the next poll or wait", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local queue, start, told = context:queue(), context:user_event(), {}
    local event = queue:after(start):marker()
    assert.equal(event, event:on_complete(function(of, problem) told[#told + 1] = {of, problem} end))
    event:on_complete(function() told[#told + 1] = "second" end)
    assert.same({0, 2}, {cl.poll()})
    start:complete()
    queue:finish()
    assert.equal(2, #told)
    assert.equal(event, told[1][1])
    assert.is_nil(told[1][2])
    assert.equal("second", told[2])
    assert.same({0, 0}, {cl.poll()})
  end)

  it("calls its function from cl.poll() without a wait", function()
    local called = 0
    add(context:queue(), 2, nil, numbers(0, 0), 1):on_complete(function() called = called + 1 end)
    local until_when = os.time() + 30
    repeat local _, left = cl.poll() until left == 0 or os.time() > until_when
    assert.equal(1, called)
  end)

  it("passes the reason to its function if the command failed", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local queue, start, told = context:queue(), context:user_event(), nil
    queue:after(start):marker():on_complete(function(_, problem) told = problem end)
    start:fail(-9)
    local until_when = os.time() + 30
    while not told and os.time() <= until_when do cl.poll() end
    assert.is_true(cl.error.is(told))
    assert.matches("a marker was not executed: it waited for user event %d+, which failed %(status %-9%)", told.text)
  end)

  it("passes on an error of a function, and calls the other functions later", function()
    local queue, called = context:queue(), 0
    queue:finish()
    local event = queue:marker()
    event:on_complete(function() error("from within", 0) end)
    event:on_complete(function() called = called + 1 end)
    assert.same({false, "from within"}, {pcall(event.wait, event)})
    assert.equal(0, called)
    assert.same({1, 0}, {cl.poll()})
    assert.equal(1, called)
  end)

  it("may be used inside its function, and calls nothing for a closed event", function()
    local queue, order = context:queue(), {}
    queue:marker():on_complete(function()
      order[#order + 1] = 1
      queue:marker():on_complete(function() order[#order + 1] = 2 end):wait()
    end):wait()
    assert.same({1, 2}, order)
    local closed = queue:marker():on_complete(function() order[#order + 1] = 3 end)
    closed:close()
    queue:finish()
    assert.same({0, 0}, {cl.poll()})
    assert.same({1, 2}, order)
    assert.equal("event:on_complete: call must be a function, got nil",
      refusal(queue.marker(queue).on_complete, queue:marker()))
  end)
end)

describe("a non-blocking transfer", function()
  it("gives an event", function()
    local queue, x, a, b = context:queue(), numbers(0, 0, 0), array.float {1, 2, 3}, array.float(3)
    local written = queue:write_buffer(x, a, {blocking = false, offset = 4, first = 1})
    local read = queue:read_buffer(x, b, {blocking = false})
    assert.equal(("event %d: a write to a buffer"):format(written.handle), tostring(written))
    assert.equal(("event %d: a read from a buffer"):format(read.handle), tostring(read))
    read:wait()
    assert.equal("complete", written.status)
    assert.same({0, 2, 3}, b:table())
    assert.is_true((read:time()) >= 0)
    assert.equal(queue, queue:read_buffer(x, b, {blocking = true}))
  end)

  it("gives an event for images too", function()
    local queue, a, b = context:queue(), array.float {1, 2, 3, 4}, array.float(4)
    local image = context:image {width = 1, height = 1}
    local written = queue:write_image(image, a, {blocking = false})
    assert.equal(("event %d: a write to an image"):format(written.handle), tostring(written))
    queue:read_image(image, b, {blocking = false}):wait()
    assert.same({1, 2, 3, 4}, b:table())
    assert.matches('queue:read_image: there is no option "wait"; there are blocking, count, first, origin, '
      .. 'region, row_pitch, slice_pitch',
      refusal(queue.read_image, queue, image, b, {wait = false}))
  end)

  it("is refused for 0 bytes", function()
    local queue = context:queue()
    assert.matches("0 bytes: there is nothing to do",
      refusal(queue.write_buffer, queue, numbers(1), array.float(0), {blocking = false}))
  end)

  it("keeps its array from being resized until it is done", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local queue, x, start, a = context:queue(), numbers(5, 6), context:user_event(), array.float(2)
    local read = queue:after(start):read_buffer(x, a, {blocking = false})
    local done, problem = pcall(a.resize, a, 100)
    assert.is_false(done)
    assert.matches("float%[2%] keeps its size: a read from a buffer waits for user event %d+, which the script cannot ",
      problem)
    start:complete()
    a:resize(3)
    assert.same({5, 6, 0}, a:table())
    assert.equal("complete", read.status)
  end)

  it("finishes before its unused array is collected #once", function()
    local out = printed [[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local x = context:buffer(4 * 1000000)
      for i = 1, 20 do
        queue:write_buffer(x, cl.array.float(1000000):fill(i), { blocking = false })
        queue:read_buffer(x, cl.array.float(1000000), { blocking = false })
        collectgarbage()
      end
      local read = cl.array.float(1000000)
      queue:read_buffer(x, read)
      print(read:sum() == 20e6)
    ]]
    assert.equal("true\n", out)
  end)
end)

it("queue:migrate takes buffers and images, as arguments or as a list", function()
  local queue, x, image = context:queue(), numbers(1, 2), context:image {width = 1, height = 1}
  assert.equal("complete", queue:migrate(x):wait().status)
  assert.equal("complete", queue:migrate(x, image, {host = true}):wait().status)
  assert.equal("complete", queue:migrate({image}, {content_undefined = true}):wait().status)
  assert.same({1, 2}, contents(queue, x))
  assert.equal("queue:migrate: argument 1 must be a buffer, got a queue", refusal(queue.migrate, queue, queue))
  assert.matches("0 objects were given: there is nothing to do", refusal(queue.migrate, queue, {}))
  assert.equal('queue:migrate: there is no option "hosts" (is host meant?); there are content_undefined, host',
    refusal(queue.migrate, queue, x, {hosts = true}))
end)

describe("a context with several devices", function()
  -- These run on PoCL, which shows as many devices as POCL_DEVICES names.
  local function devices(names) return support.drivers("pocl", {POCL_DEVICES = names}) end

  it("has queues on each device, which share its programs and buffers #once", function()
    for _, names in ipairs {"pthread pthread", "basic pthread"} do
      local out = printed([[
        local cl = require "clue"
        local all = cl.device.machine().devices
        local context = cl.context { all[1], 1 }
        local program = context:program(dofile "tests/spec/kernels.lua")
        local add, x = program:kernel "add", context:buffer(cl.array.float(2))
        local queues = { context:queue(), context:queue { device = all[2] } }
        print(#context.devices, context.device == all[1], queues[1].device.ordinal, queues[2].device.ordinal)
        local done
        for i = 1, 20 do
          local queue = queues[i % 2 + 1]
          done = add(done and queue:after(done) or queue, 2, nil, x, 1)
        end
        local read = cl.array.float(2)
        queues[2]:after(done):read_buffer(x, read)
        print(read:sum() == 40, (tostring(context):gsub("^context %d+: ", ""):gsub("%b()", "")))
        print(program:binary(all[2]) == program:binary(1), program:build_log(1) == program.log)
        print(add:group_info(1).work_group_size > 0, add:group_info().work_group_size == add.work_group_size)
      ]], devices(names))
      assert.matches("^2\ttrue\t0\t1\ntrue\t0  .+ and 1  .+\ntrue\ttrue\ntrue\ttrue\n$", out)
    end
  end)

  it("is refused for a wrong list of devices, and refuses devices and binaries of others #once", function()
    local out = printed([[
      local cl = require "clue"
      local context = cl.context { 0, 1 }
      local program = context:program(dofile "tests/spec/kernels.lua")
      local function said(...) print(select(2, pcall(...)).text) end
      said(cl.context, { 0, 0 })
      said(cl.context, {})
      said(cl.context, {0, nil, 1})
      said(cl.context, {device = 1})
      said(context.queue, context, { device = 2 })
      said(context.queue, context, { device = "gpu" })
      said(context.queue, cl.context(0), { device = 1 })
      said(context.queue, context, { device = {} })
      said(context.program_from_binary, context, program:binary())
      said(program.build_log, program, 5)
    ]], devices "pthread pthread")
    for _, part in ipairs {"is listed twice among the context's devices\n",
      "a context with 0 devices: it needs at least 1\n",
        "cl.context: on[2] is nil, but on[3] is not: a list has no holes\n",
        'cl.context: on is a list, from 1 to n: it has the key "device"\n',
        "there is no device 2: there are 0 to 1, as `clue devices` lists them\n",
          "context:queue: device must be a device or its number, got \"gpu\"\n",
        "device 1 does not belong to the context, which has 1, the first of them pthread",
        "context:queue: device must be a device or its number, got a table\n",
          "a binary is for one device, but the context has",
        "there is no device 5"} do
      assert.truthy(out:find(part, 1, true), part .. "\n" .. out)
    end
  end)

  it("must have devices of one platform #once", function()
    local out = printed([[
      local cl = require "clue"
      print(select(2, pcall(cl.context, { 0, 1 })).text)
    ]], support.drivers "both")
    assert.matches("belongs to another platform than .*: all devices of a context must be of one platform\n$", out)
  end)
end)

it("binding.queue_wait_for takes effect in every clEnqueue call of the core", function()
  local exempt = {["trace_calls.c"] = true, ["capture_write.c"] = true, ["capture.c"] = true}
  local files, seen = io.popen "find host/core -name '*.c'", 0
  for path in files:lines() do
    local text = support.read(path):gsub("/%*.-%*/", "")
    for call in text:gmatch "CL_%u+(%b())" do
      if call:find "[%(%s]clEnqueue%u" and not exempt[path:match "[^/]+$"] then
        seen = seen + 1
        assert.truthy(call:find "waits%p+count", path .. ": " .. call)
      end
    end
  end
  files:close()
  assert.is_true(seen >= 12, seen .. " calls")
  assert.is_function(binding.queue_wait_for)
end)
