-- Graphs: commands that are recorded once and replayed, through the driver's command buffers and by clue itself.
-- suite: quick
-- process: shared bindings threads
-- drivers: pocl oclgrind

local support = require "support"
local cl = require "clue"
local binding = require "clue.binding"
local driver = require "driver"
local objects = require "objects"

local array, contents, refusal = cl.array, objects.contents, objects.refusal

local SOURCE = [[
kernel void scale(global float *x, float factor) { x[get_global_id(0)] *= factor; }
kernel void add(global float *x, global float *y) { y[get_global_id(0)] += x[get_global_id(0)]; }
kernel void room(local float *l, global float *x) {
  l[get_local_id(0)] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = l[0];
}
]]

local context, queue = objects.context()
local own = driver.of(context.device)
local program = context:program(SOURCE)
local scale, add = program:kernel "scale", program:kernel "add"

-- What earlier specs of the process left is freed link by link, one in each collection.
local function live_handles()
  local before
  repeat
    before = binding.handle_count()
    collectgarbage()
    collectgarbage()
  until binding.handle_count() == before
  return before
end

local function numbers(...)
  return context:buffer(array.float {...})
end

-- Whether replays can go through the driver: for each test that both ways must pass.
local function has_command_buffers()
  local graph = queue:record(function(commands) scale(commands, 1, nil, numbers(1), 1) end)
  local how = graph.how
  graph:close()
  return how == "cl_khr_command_buffer"
end

for _, way in ipairs {{command_buffer = true}, {command_buffer = false}} do
  describe(way.command_buffer and "a graph" or "a graph without command buffers", function()
    it("replays its commands in their order", function()
      local x, y, z = numbers(1, 2), numbers(0, 0), numbers(10, 20)
      local graph = queue:record(function(commands)
        scale(commands, 2, nil, x, 2)
        commands:copy_buffer(x, y)
        add(commands, 2, nil, y, z)
        commands:fill_buffer(y, cl.float(7), {size = 4})
      end, way)
      assert.same({1, 2}, contents(queue, x)) -- nothing ran yet
      graph:replay()
      assert.same({12, 24}, contents(queue, z))
      graph(queue)
      assert.same({16, 32}, contents(queue, z))
      assert.same({7, 8}, contents(queue, y))
      assert.same({4, 8}, contents(queue, x))
    end)

    it("says what it is", function()
      local graph = queue:record(function(commands)
        commands:fill_buffer(numbers(0), cl.float(1))
        commands:copy_buffer(numbers(0), numbers(1))
        scale(commands, 1, nil, numbers(0), 1)
      end, way)
      local how = has_command_buffers() and way.command_buffer and "cl_khr_command_buffer" or "recorded by clue"
      assert.equal(how, graph.how)
      assert.same({"a fill of a buffer", "a copy between buffers", "kernel 'scale'"}, graph.commands)
      assert.equal(("graph %d: 3 commands, %s"):format(graph.handle, how), tostring(graph))
      assert.equal(queue, graph.queue)
      assert.equal("graph", graph.kind)
      assert.equal(context.handle, binding.handle_parent(graph.handle))
    end)

    it("keeps the arguments that a kernel had when it was recorded", function()
      local x, y = numbers(1, 2), numbers(100, 200)
      local graph = queue:record(function(commands)
        scale(commands, 2, nil, x, 3)
        scale(commands, 2, nil, y, 5)
      end, way)
      scale:set_args(y, 1000)
      graph:replay()
      assert.same({3, 6}, contents(queue, x))
      assert.same({500, 1000}, contents(queue, y))
    end)

    it("takes new arguments for its next replay, by index or by name", function()
      local x, y, other = numbers(1), numbers(1), numbers(10)
      local graph = queue:record(function(commands)
        scale(commands, 1, nil, x, 3)
        scale(commands, 1, nil, y, 5)
      end, way)
      graph:replay()
      assert.equal(graph, graph:set_arg(2, "factor", 7))
      graph:replay()
      graph:set_arg(2, 0, other):set_arg(1, 1, 1)
      graph:replay()
      graph:replay()
      assert.same({9}, contents(queue, x))
      assert.same({35}, contents(queue, y))
      assert.same({490}, contents(queue, other))
      scale(queue, 1, nil, x, 2) -- the kernel itself is another one
      assert.same({18}, contents(queue, x))
    end)

    it("keeps alive what it uses", function()
      local results = numbers(0, 0)
      local graph = queue:record(function(commands)
        local one = numbers(1, 2)
        scale(commands, 2, nil, one, 2)
        commands:copy_buffer(one, results)
        scale:set_args(results, 1)
      end, way)
      graph:set_arg(1, 0, numbers(5, 6))
      collectgarbage()
      collectgarbage()
      graph:set_arg(1, "factor", 1):replay():wait()
      assert.same({1, 2}, contents(queue, results))
    end)

    it("gives an event that is complete when all commands are", function()
      local x = numbers(1)
      local graph = queue:record(function(commands)
        for _ = 1, 20 do scale(commands, 1, nil, x, 2) end
      end, way)
      local event = graph:replay()
      assert.matches("^event %d+: graph of 20 commands$", tostring(event))
      assert.equal("complete", event:wait().status)
      assert.is_true(event:time() > 0)
      if event.ended then
        assert.is_true(event.started <= event.ended and event.queued <= event.submitted)
        assert.is_true(event.ended - event.started > 0)
      end
      assert.same({2 ^ 20}, contents(queue:after(event), x))
      local called
      graph:replay():on_complete(function(_, problem) called = not problem end):wait()
      assert.is_true(called)
    end)

    it("waits for the events of a view, and runs on any queue of its device", function()
      local x, other = numbers(1), context:queue()
      local graph = queue:record(function(commands)
        scale(commands, 1, nil, x, 2)
        scale(commands, 1, nil, x, 3)
      end, way)
      local first = graph:replay(other)
      local second = graph:replay(queue:after(first))
      local third = graph:replay(other:after(second))
      assert.same({216}, contents(other:after(third), x))
    end)

    it("can wait for a user event", function()
      if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
      local x, start = numbers(1), context:user_event()
      local graph = queue:record(function(commands)
        scale(commands, 1, nil, x, 2)
        scale(commands, 1, nil, x, 3)
      end, way)
      local event = graph:replay(queue:after(start))
      local again = graph:replay()
      assert.not_equal("complete", event.status)
      start:complete()
      again:wait()
      assert.same({36}, contents(queue, x))
      local broken, other = context:user_event(), context:queue()
      local failing = graph:replay(other:after(broken))
      broken:fail(-5)
      assert.matches("graph of kernel 'scale', kernel 'scale' was not executed: it waited for user event",
        refusal(failing.wait, failing))
      pcall(other.finish, other)
      assert.same({36}, contents(queue, x))
    end)

    it("is refused by the command whose buffer was closed", function()
      local x, y, z = numbers(1), numbers(2), numbers(3)
      local graph = queue:record(function(commands)
        scale(commands, 1, nil, x, 2)
        commands:copy_buffer(y, z)
        scale(commands, 1, nil, z, 2)
      end, way)
      y:close()
      assert.equal("clEnqueueCopyBuffer: CL_INVALID_MEM_OBJECT (-38): command 2 of the graph, a copy between buffers: "
        .. "its buffer was freed: free it after the graph's last replay", refusal(graph.replay, graph))
      assert.same({1}, contents(queue, x)) -- nothing of it ran
      z:close()
      x:close()
      assert.matches("^clEnqueueNDRangeKernel: CL_INVALID_MEM_OBJECT %(%-38%): command 1 of the graph, kernel 'scale': "
        .. "argument 0 'x' of kernel 'scale' is buffer %d+, which was freed", refusal(graph.replay, graph))
    end)

    it("is refused while the host has mapped a buffer", function()
      local x, y = numbers(1), numbers(2)
      local graph = queue:record(function(commands) commands:copy_buffer(x, y) end, way)
      local mapped = queue:map_buffer(y, "float")
      assert.matches("command 1 of the graph, a copy between buffers: the buffer is mapped for writing",
        refusal(graph.replay, graph), 1, true)
      queue:unmap(mapped)
      graph:replay()
      assert.same({1}, contents(queue, y))
    end)

    it("checks a new argument before the next replay", function()
      local x = numbers(1, 2, 3, 4)
      local graph = queue:record(function(commands)
        program:kernel "room"(commands, 4, 2, cl.local_memory(8), x)
      end, way)
      graph:replay()
      assert.same({1, 1, 3, 3}, contents(queue, x))
      graph:set_arg(1, "l", cl.local_memory(context.device.local_mem_size))
      if context.device.platform.name ~= "Oclgrind" then -- it declares nothing, and all of its memory is enough
        graph:set_arg(1, "l", cl.local_memory(16))
      end
      graph:replay()
      assert.same({1, 1, 3, 3}, contents(queue, x))
    end)

    it("replays a kernel that has no arguments", function()
      local empty = context:program "kernel void nothing(void) {}":kernel "nothing"
      local graph = queue:record(function(commands) empty(commands, 1) end, way)
      assert.equal("complete", graph:replay():wait().status)
    end)
  end)
end

describe("a graph with transfers", function()
  it("writes and reads arrays as they are at the replay, and waits", function()
    local x, from, to = context:buffer(8), array.float {1, 2}, array.float(2)
    local graph = queue:record(function(commands)
      assert.equal(commands, commands:write_buffer(x, from))
      scale(commands, 2, nil, x, 10)
      commands:read_buffer(x, to)
    end)
    assert.equal("recorded by clue", graph.how)
    graph:replay()
    assert.same({10, 20}, to:table())
    from[1] = 5
    graph:replay()
    assert.same({10, 50}, to:table())
  end)

  it("does not wait if its transfers do not block", function()
    local x, to = numbers(1, 2), array.float(2)
    local graph = queue:record(function(commands)
      scale(commands, 2, nil, x, 3)
      commands:read_buffer(x, to, {blocking = false})
    end)
    graph:replay():wait()
    assert.same({3, 6}, to:table())
  end)

  it("keeps its arrays alive", function()
    local x, to = context:buffer(4), array.float(1)
    local graph = queue:record(function(commands)
      commands:write_buffer(x, array.float {4})
      commands:read_buffer(x, to)
    end)
    collectgarbage()
    collectgarbage()
    graph:replay()
    assert.same({4}, to:table())
  end)

  it("is refused if an array was resized", function()
    local x, from = context:buffer(8), array.float {1, 2}
    local graph = queue:record(function(commands) commands:write_buffer(x, from) end)
    graph:replay()
    from:resize(1000)
    assert.equal("clEnqueueWriteBuffer: CL_INVALID_HOST_PTR (-37): command 1 of the graph, a write to a buffer: its "
      .. "array was freed, moved or unmapped since the recording: keep it as it is, or record the graph again",
      refusal(graph.replay, graph))
  end)

  it("is refused if a mapped array was unmapped", function()
    local from, to = numbers(1, 2), numbers(10, 20)
    local mapped = queue:map_buffer(to, "float")
    local graph = queue:record(function(commands) commands:read_buffer(from, mapped) end)
    graph:replay()
    assert.same({1, 2}, mapped:table())
    mapped[0] = 3
    queue:unmap(mapped)
    assert.matches("its array was freed, moved or unmapped since the recording", refusal(graph.replay, graph), 1, true)
    assert.same({3, 2}, contents(queue, to))
  end)

  it("is replayed though other arrays in the same memory have gone", function()
    local from, to = numbers(1, 2), array.float(2)
    local buffer = context:buffer(to, {"read_write", "use_host_ptr"})
    local graph = queue:record(function(commands) commands:read_buffer(from, to) end)
    queue:unmap(queue:map_buffer(buffer, "float", "read"))
    queue:map_buffer(buffer, "float", "read")
    live_handles() -- collects
    graph:replay()
    assert.same({1, 2}, to:table())
  end)

  it("is replayed though other views of the same shared virtual memory have gone", function()
    local capable = table.concat(context.device.svm_capabilities or {}, " ")
    if not capable:find("fine_grain_buffer", 1, true) then pending "the device has no fine-grained memory" end
    local from, memory = numbers(1, 2), context:svm(8, {"read_write", "svm_fine_grain_buffer"})
    local to = memory:array "float"
    local graph = queue:record(function(commands) commands:read_buffer(from, to) end)
    memory:array "float"
    live_handles()
    graph:replay()
    assert.same({1, 2}, to:table())
    queue:unmap(to)
    assert.matches("its array was freed, moved or unmapped", refusal(graph.replay, graph), 1, true)
  end)

  it("does not block behind a user event", function()
    if own.runs_in_calling_thread then pending(own.runs_in_calling_thread) end
    local x, to, start = numbers(1), array.float(1), context:user_event()
    local graph = queue:record(function(commands) commands:read_buffer(x, to) end)
    local behind = queue:after(start)
    assert.matches("waits for a user event that is not set", refusal(graph.replay, graph, behind), 1, true)
    start:complete()
    graph:replay(behind)
    assert.same({1}, to:table())
  end)
end)

describe("a recording", function()
  it("refuses commands that a graph cannot have, and names them", function()
    local x, a = numbers(1, 2), array.float(2)
    local calls = {
      ["clEnqueueMarkerWithWaitList: CL_INVALID_OPERATION (-59): a marker"] = function(c) c:marker() end,
      ["clEnqueueBarrierWithWaitList: CL_INVALID_OPERATION (-59): a barrier"] = function(c) c:barrier() end,
      ["clEnqueueMapBuffer: CL_INVALID_OPERATION (-59): a mapping of a buffer"] = function(c)
        c:map_buffer(x, "float")
      end,
      ["clEnqueueMigrateMemObjects: CL_INVALID_OPERATION (-59): a migration"] = function(c) c:migrate(x) end,
      ["clEnqueueReadBufferRect: CL_INVALID_OPERATION (-59): a read from a buffer"] = function(c)
        c:read_buffer_rect(x, a, {region = {8}})
      end,
    }
    for expected, call in pairs(calls) do
      assert.equal(expected .. " cannot be recorded in a graph: kernels can be, and the copies, fills, writes and "
        .. "reads of buffers; enqueue it between two replays", refusal(queue.record, queue, call))
    end
    assert.equal("clFinish: CL_INVALID_OPERATION (-59): commands that are recorded in a graph do not run: wait for "
      .. "the event of a replay", refusal(queue.record, queue, function(c) c:finish() end))
  end)

  it("makes events that refuse every question", function()
    local x, y = numbers(1), numbers(2)
    queue:record(function(commands)
      local event = scale(commands, 1, nil, x, 2)
      local refused = "kernel 'scale' was recorded in a graph and not enqueued: only a replay of the graph has an event"
      assert.matches(refused, refusal(event.wait, event), 1, true)
      assert.matches(refused, refusal(event.time, event), 1, true)
      assert.matches(refused, refusal(function() return event.status end), 1, true)
      assert.matches(refused, refusal(function() return event.started end), 1, true)
      assert.matches(refused, refusal(function() queue:after(event):copy_buffer(x, y) end), 1, true)
    end)
    assert.matches("a copy between buffers in a graph cannot wait for events: commands of a graph run in their order",
      refusal(queue.record, queue, function(c) c:after(queue:marker()):copy_buffer(x, y) end), 1, true)
  end)

  it("checks commands as a queue does", function()
    local x, foreign = numbers(1), cl.context(context.device):buffer(4)
    assert.matches("global size 0 in dimension 0: there is nothing to execute",
      refusal(queue.record, queue, function(c) scale(c, 0, nil, x, 2) end), 1, true)
    assert.matches("clEnqueueCopyBuffer: CL_INVALID_CONTEXT", refusal(queue.record, queue, function(c)
      c:copy_buffer(x, foreign)
    end), 1, true)
    assert.matches("was never set", refusal(queue.record, queue, function(c)
      c:ndrange_kernel(program:kernel "scale", 1)
    end), 1, true)
    assert.equal("queue:record: commands must be a function, got nil", refusal(queue.record, queue))
    assert.matches("there is no option \"commandbuffer\"", refusal(queue.record, queue, print, {commandbuffer = true}),
      1, true)
  end)

  it("leaves the queue as it was if the function fails, and passes the error on", function()
    local x = numbers(1)
    scale:set_args(x, 1)
    local live = live_handles()
    local done, problem = pcall(queue.record, queue, function(commands)
      scale(commands, 1, nil, x, 2)
      error("my own", 0)
    end)
    assert.is_false(done)
    assert.equal("my own", problem)
    assert.equal(live, live_handles())
    scale(queue, 1, nil, x, 2)
    assert.same({2}, contents(queue, x))
  end)

  it("needs a command, a queue in order, and cannot be nested", function()
    assert.equal("queue:record: CL_INVALID_OPERATION (-59): nothing was recorded: give the queue of the recording "
      .. "to kernels and other commands", refusal(queue.record, queue, function() end))
    local graph = queue:record(function(commands) scale(commands, 1, nil, numbers(1), 2) end)
    assert.matches("graph:replay: CL_INVALID_OPERATION (-59): a graph cannot be recorded in a graph",
      refusal(queue.record, queue, function(commands) graph:replay(commands) end), 1, true)
    assert.matches("is recording a graph, and graphs cannot be nested",
      refusal(queue.record, queue, function(commands) commands:record(print) end), 1, true)
    local made, unordered = pcall(context.queue, context, {out_of_order = true})
    if not made then return end
    local expected = "queue %d+ is out of order, but the commands of a graph run in their order"
    assert.matches(expected, refusal(unordered.record, unordered, print))
    assert.matches(expected, refusal(graph.replay, graph, unordered))
  end)

  it("is over after the function", function()
    local kept
    queue:record(function(commands)
      kept = commands
      scale(commands, 1, nil, numbers(1), 2)
    end)
    assert.matches("was freed", refusal(scale, kept, 1), 1, true)
  end)

  it("can go on while commands run on the queue itself", function()
    local x = numbers(1)
    local graph = queue:record(function(commands)
      scale(commands, 1, nil, x, 2)
      scale(queue, 1, nil, x, 100)
    end)
    assert.same({100}, contents(queue, x))
    graph:replay()
    assert.same({200}, contents(queue, x))
  end)
end)

describe("a graph", function()
  it("has no arguments of other commands, and no other commands", function()
    local x = numbers(1)
    local graph = queue:record(function(commands)
      scale(commands, 1, nil, x, 2)
      commands:copy_buffer(x, numbers(1))
    end)
    assert.matches("command 2 of the graph is a copy between buffers: only kernels have arguments",
      refusal(graph.set_arg, graph, 2, 0, x), 1, true)
    assert.matches("the graph has no command 3: its commands are 1 to 2", refusal(graph.set_arg, graph, 3, 0, x), 1,
      true)
    assert.equal("graph:set_arg: kernel 'scale' has no argument 'by': it has x, factor",
      refusal(graph.set_arg, graph, 1, "by", 1))
    assert.matches("command must be a whole number", refusal(graph.set_arg, graph, "1", 0, 1), 1, true)
    assert.matches("argument 0 'x' of kernel 'scale' is a __global pointer", refusal(graph.set_arg, graph, 1, 0, 3), 1,
      true)
  end)

  it("is refused by a queue of another context, and after its end", function()
    local other = cl.context(context.device)
    local graph = queue:record(function(commands) scale(commands, 1, nil, numbers(1), 2) end)
    assert.matches("graph of kernel 'scale' belongs to another context", refusal(graph.replay, graph, other:queue()),
      1, true)
    local elsewhere = context:queue()
    local closed = elsewhere:record(function(commands) scale(commands, 1, nil, numbers(1), 2) end)
    elsewhere:close()
    assert.matches("queue must be a queue, got a closed queue", refusal(closed.replay, closed), 1, true)
    closed:replay(queue):wait()
    graph:close()
    assert.equal("graph:replay: the graph was closed", refusal(graph.replay, graph))
    assert.equal("graph:set_arg: the graph was closed", refusal(graph.set_arg, graph, 1, 0, 1))
    assert.equal("graph.how: the graph was closed", refusal(function() return graph.how end))
    graph:close()
  end)

  it("frees everything with itself", function()
    local live, x, kernel = live_handles(), numbers(1), program:kernel "scale"
    local graph = queue:record(function(commands)
      kernel(commands, 1, nil, x, 2)
      kernel(commands, 1, nil, x, 2)
    end)
    graph:set_arg(2, "factor", 3):replay():wait():close()
    for _, each in ipairs {x, kernel, graph} do each:close() end
    assert.equal(live, live_handles())
    graph = queue:record(function(commands) program:kernel "scale"(commands, 1, nil, numbers(1), 2) end)
    graph:replay() -- and nobody waits
    graph = nil -- luacheck: ignore
    assert.equal(live, live_handles())
  end)

  it("lets a profile see each of its kernels", function()
    local x = numbers(1)
    local graph = queue:record(function(commands)
      for _ = 1, 3 do scale(commands, 1, nil, x, 2) end
      commands:copy_buffer(x, numbers(0))
    end)
    binding.profile_start()
    graph:replay()
    graph:replay()
    local _, _, executions = binding.profile_stop()
    assert.equal(6, executions)
    assert.same({64}, contents(queue, x))
  end)

  it("takes as long beside a profile as its kernels #once", function()
    local out = support.ended(0, support.run_script([[
      local cl, binding = require "clue", require "clue.binding"
      local queue = cl.context():queue()
      local kernel = queue.context:program([=[kernel void f(global float *x) {
        for (int i = 0; i < 1000; i++) x[get_global_id(0)] += i;
      }]=]):kernel "f"
      local x = queue.context:buffer(4 * 16)
      local graph = queue:record(function(commands)
        for _ = 1, 3 do kernel(commands, 16, nil, x) end
      end, {command_buffer = false})
      binding.profile_start()
      local event = graph:replay()
      local seconds, clock = event:time()
      local kernels, kernels_clock = binding.profile_stop()
      assert(clock == kernels_clock, clock)
      assert(seconds >= 0.999 * kernels, seconds .. " < " .. kernels)]], {}, support.drivers "oclgrind"))
    assert.equal("", out)
  end)

  it("works with shared virtual memory", function()
    if #(context.device.svm_capabilities or {}) == 0 then pending "the device has no shared virtual memory" end
    local memory, other = context:svm(array.float {1, 2, 3, 4}), context:svm(array.float {5})
    local graph = queue:record(function(commands) scale(commands, 2, nil, memory:at(8), 2) end)
    scale:set_args(other, 1)
    graph:replay()
    graph:replay()
    local read = array.float(4)
    queue:read_svm(memory, read)
    assert.same({1, 2, 12, 16}, read:table())
    memory:close()
    assert.matches("command 1 of the graph, kernel 'scale'", refusal(graph.replay, graph), 1, true)
  end)

  it("is reported by --strict only if nobody could have freed it #once", function()
    local script = support.write [[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local f = context:program(dofile "tests/spec/kernels.lua"):kernel "set"
      local graph = queue:record(function(commands) f(commands, 1, nil, context:buffer(4), 1) end)
      graph:set_arg(1, "n", 2):replay():wait()
      print(graph.commands[1])
    ]]
    local out, err = support.ended(0, support.run({"--strict", "--quiet", script}))
    assert.equal("kernel 'set'\n", out)
    assert.equal("", err)
  end)
end)
