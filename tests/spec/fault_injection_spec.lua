-- Every OpenCL call of a small script fails once, by a layer between clue and the driver (tests/layer/fail_nth.c).

local support = require "support"

local script = [[
local clue = require "clue"
local source = "__kernel void scale(__global float *x, const float by) { x[get_global_id(0)] *= by; }"
local to_free = {}

local function free_all()
  for i = #to_free, 1, -1 do to_free[i]() end
end

local function give_up(message)
  free_all()
  error(message, 0)
end

local function made(free, handle, ...)
  if handle == INVALID_HANDLE then give_up((select(select("#", ...), ...))) end
  to_free[#to_free + 1] = function() free(handle) end
  return handle
end

local function done(result, ...)
  if not result or result == 0 then give_up((select(select("#", ...), ...))) end
end

function OnStart()
  local context = made(CLContextFree, CLContextCreate(CL_USE_CPU_ONLY))
  local program = made(CLProgramFree, CLProgramCreate(context, source))
  local kernel = made(CLKernelFree, CLKernelCreate(program, "scale"))
  local data = array.float { 1, 2, 3, 4 }
  local buffer = made(CLBufferFree, CLBufferCreate(context, data:bytes(), CL_MEM_READ_WRITE))
  done(CLBufferWrite(buffer, data))
  done(CLSetKernelArgMem(kernel, 0, buffer))
  done(CLSetKernelArg(kernel, 1, float(3)))
  local size, message = CLGetInfoInteger(kernel, CL_KERNEL_WORK_GROUP_SIZE)
  if size == -1 then give_up(message) end
  done(CLGetInfoString(context, CL_PLATFORM_NAME))
  done(CLGetDeviceInfo(kernel, 0x1002, array.uchar(0)))
  done(CLExecute(kernel, 1, { 0 }, { 4 }))
  done(pcall(clue.kernel_time, kernel))
  done(CLBufferRead(buffer, data))
  free_all()
  Print(data:sum())
end
]]

-- The object layer. The script closes everything itself: a finaliser would hide a failure.
local objects = [[
local cl = require "clue"
local source = "kernel void scale(global float *x, float by) { x[get_global_id(0)] *= by; }"
  .. "kernel void pick(read_only image2d_t i, sampler_t s, global float *x) {"
  .. "  x[0] += read_imagef(i, s, (int2)(1, 0)).x; }"
local part = cl.device.get(0):partition { equally = 1 }[1]
cl.context(part):queue():finish()
local context = cl.context(cl.device.get(0))
local queue = context:queue()
local program = context:program_from_binary(context:program(source):binary())
local x, y = context:buffer(cl.array.float { 1, 2, 3, 4 }, "use_host_ptr"), context:buffer(16)
local image, sampler = context:image { width = 2, height = 1 }, context:sampler { normalized_coords = false }
queue:fill_buffer(y:sub_buffer { offset = 0, size = 16 }, cl.float(1))
queue:copy_buffer(x, y, { size = 8 })
queue:write_image(image, cl.array.float { 0, 0, 0, 0, 10, 0, 0, 0 })
local event = program:kernel "scale"(queue, 4, nil, y, cl.float(2))
local unordered, start = context:queue { out_of_order = true }, context:user_event()
local written = unordered:after(start):write_buffer(x, cl.array.float { 1, 2, 3, 4 }, { blocking = false })
start:complete()
unordered:migrate(x)
unordered:barrier()
local again = unordered:after(written, event):copy_buffer(x, x, { to_offset = 4, size = 4 })
local called = 0
unordered:after(again):marker():on_complete(function() called = called + 1 end):wait()
assert(called == 1)
program:kernel "pick"(queue, 1, nil, image, sampler, y)
local mapped = queue:map_buffer(y, "float")
mapped[3] = mapped[3] + 100
queue:unmap(mapped):flush():finish()
assert(event:wait():time() and event.status == "complete")
unordered:finish()
assert(event.ended == nil or event.ended > event.started)
local read = cl.array.float(8)
queue:read_image(image, read)
queue:read_buffer(y, read, { count = 4 })
print(read[0] + read[1] + read[2] + read[3])
]]

-- Transfers of parts of memory. Each call is made once; the queries that they need are tested above.
local parts = [[
local cl = require "clue"
local context = cl.context(cl.device.get(0))
local queue = context:queue()
local y, image = context:buffer(cl.array.float { 1, 1, 1, 1 }), context:image { width = 2 }
local scratch, corner = context:buffer(32), { region = { 4, 2 }, buffer_row_pitch = 8 }
queue:write_buffer_rect(scratch, cl.array.float { 1, 2 }, corner)
queue:copy_buffer_rect(scratch, y, { region = { 4 }, from_origin = { 8 }, to_origin = { 12 } })
queue:read_buffer_rect(scratch, cl.array.float(2), corner)
queue:fill_buffer(y, cl.float(1), { offset = 8 })
queue:fill_image(image, 0)
queue:write_image(image, cl.array.float { 10, 0, 0, 0 }, { origin = { 1 } })
queue:copy_image_to_buffer(image, scratch)
queue:copy_image(image, image, { to_origin = { 1 }, region = { 1 } })
queue:copy_buffer_to_image(scratch, image)
queue:unmap((queue:map_image(image, "float", "read")))
local read = cl.array.float(8)
queue:read_image(image, read)
queue:read_buffer(y, read, { count = 4 })
queue:finish()
print(read:sum())
]]

-- Shared virtual memory.
local shared = [[
local cl = require "clue"
local context = cl.context(cl.device.get(0))
local queue = context:queue()
local x, y = context:svm(cl.array.float { 1, 2, 3, 4 }), context:svm(16)
queue:fill_svm(y, cl.float(1))
queue:copy_svm(x, y, { size = 8 })
queue:write_svm(x, cl.array.float { 5 }, { blocking = false }):wait()
queue:migrate(x, y)
local kernel = context:program "kernel void double_all(global float *x) { x[get_global_id(0)] *= 2; }"
  :kernel "double_all"
kernel:set_svm_pointers(x)(queue, 4, nil, y)
local mapped = queue:map_svm(y, "float")
mapped[3] = 10
queue:unmap(mapped)
local read = cl.array.float(4)
queue:read_svm(y, read)
queue:finish()
print(read:sum())
]]

-- Graphs, replayed by clue: the layer does not see the driver's command buffers.
local graphs = [[
local cl = require "clue"
local context = cl.context(cl.device.get(0))
local queue = context:queue()
local scale = context:program "kernel void scale(global float *x, float by) { x[get_global_id(0)] *= by; }"
  :kernel "scale"
local x, y, read = context:buffer(cl.array.float { 1, 2 }), context:buffer(8), cl.array.float(2)
local function record(f) return queue:record(f, { command_buffer = false }) end
local graph = record(function(commands)
  scale(commands, 2, nil, x, 3)
  commands:fill_buffer(y, cl.float(0))
  commands:copy_buffer(x, y)
  scale(commands, 2, nil, y, 5)
end)
graph:replay():wait()
graph:set_arg(1, "by", 1)
local start = context:user_event()
local late = graph:replay(queue:after(start))
start:complete()
late:wait()
record(function(commands)
  commands:write_buffer(x, cl.array.float { 1, 1 })
  commands:read_buffer(y, read)
end):replay()
print(read:sum())
]]

-- A program of several parts, in a script of its own because linking takes long.
local linked = [[
local cl = require "clue"
local context = cl.context(cl.device.get(0))
local header = "kernel void f(global int *x) { *x = 1; }"
local program = context:program('#include "a.h"', { headers = { ["a.h"] = header } })
print(#program.kernels)
]]

-- Runs a script in which the n-th call of a class fails. The result includes the layer's report as a table.
local function run_failing(class, n, text)
  local report = support.temporary()
  local status, out, err = support.run_script(text or script, nil, support.drivers("pocl", {
    OPENCL_LAYERS = support.built("layer/fail_nth.so"),
    CLUE_FAIL_CLASS = class,
    CLUE_FAIL_NTH = n,
    CLUE_FAIL_REPORT = report,
  }))
  local told = {}
  for name, value in (support.read(report) or ""):gmatch("(%S+) (%S+)\n") do told[name] = value end
  return {status = status, out = out, err = err, report = told,
          title = ("%s call %d, %s\n%s"):format(class, n, told.failed or "no report", err)}
end

local function assert_nothing_left(run)
  for _, kind in ipairs {"context", "queue", "program", "kernel", "memory", "event", "device", "sampler", "svm"} do
    assert.equal("0", run.report[kind], ("%s left over after %s"):format(kind, run.title))
  end
end

local function assert_failed(run)
  assert.equal(1, run.status, run.title)
  assert.equal("", run.out, run.title)
  assert.truthy(run.err:find("clue: .-: [Cc][Ll]%u%w+: "), run.title)
end

-- The OpenCL calls that each MQL5 function makes: its messages give only the function's own name.
local calls_of = {
  CLContextCreate = "clCreateContext clCreateCommandQueue",
  CLProgramCreate = "clCreateProgramWithSource clBuildProgram",
  CLKernelCreate = "clCreateKernel",
  CLBufferCreate = "clCreateBuffer",
  CLBufferWrite = "clEnqueueWriteBuffer",
  CLBufferRead = "clEnqueueReadBuffer",
  CLSetKernelArg = "clSetKernelArg",
  CLSetKernelArgMem = "clSetKernelArg",
  CLExecute = "clEnqueueNDRangeKernel clFlush",
}

local function assert_failed_by_name(run)
  assert_failed(run)
  local called = run.err:match "clue: .-: (CL%u%w+): error %d+ %(CL_OUT_OF_"
  local named = called and calls_of[called] and (calls_of[called] .. " "):find(run.report.failed .. " ", 1, true)
  assert.truthy(named or run.err:find(run.report.failed .. ": CL_OUT_OF_", 1, true), run.title)
end

-- Runs a script once for every call of a class, and passes each run to check. Returns the number of calls. after: how
-- many calls at the beginning, which other scripts test, do not fail.
local function for_every_call(class, check, text, after)
  local n = after or 0
  while true do
    local run = run_failing(class, n + 1, text)
    assert.truthy(run.report.calls, "the layer was not loaded: " .. run.title)
    if run.report.failed == "-" then return n end
    n = n + 1
    assert_nothing_left(run)
    check(run)
  end
end

-- clue tries these calls again after a garbage collection.
local makes_memory = {clCreateBuffer = true, clCreateImage = true, clCreateSampler = true,
  clCreateSubBuffer = true, clSetMemObjectDestructorCallback = true, clSVMAlloc = true}

describe("a failing OpenCL call", function()
  it("does not occur without fault injection", function()
    local run = run_failing("act", 0)
    assert.equal(0, run.status, run.title)
    assert.equal("30\n", run.out)
    assert_nothing_left(run)
  end)

  it("is named and leaves nothing behind if it creates, builds, sets, enqueues or waits", function()
    local calls = for_every_call("act", assert_failed_by_name)
    assert.is_true(calls >= 10, "only " .. calls .. " calls")
  end)

  -- A script need not fail because a driver does not answer a query, or has no devices at the moment.
  it("gives the right result or an error if it is only a query, and leaves nothing behind", function()
    local told = 0
    local calls = for_every_call("ask", function(run)
      if run.status == 0 then
        assert.equal("30\n", run.out, run.title)
      else
        assert_failed(run)
      end
      if run.report.failed == "clGetDeviceIDs" and run.err:find "there is no OpenCL device" then
        told = told + 1
        assert.matches("clGetDeviceIDs gave CL_OUT_OF_HOST_MEMORY (-6)", run.err, 1, true)
      end
    end)
    assert.is_true(told > 0)
    assert.is_true(calls >= 10, "only " .. calls .. " calls")
  end)

  it("of the object layer is named and leaves nothing behind", function()
    local run = run_failing("act", 0, objects)
    assert.equal(0, run.status, run.title)
    assert.equal(120, tonumber(run.out))
    assert_nothing_left(run)
    local tried_again = 0 -- calls that succeeded after a collection
    local calls = for_every_call("act", function(each)
      if not makes_memory[each.report.failed] then return assert_failed_by_name(each) end
      tried_again = tried_again + 1
      assert.equal(0, each.status, each.title)
      assert.equal(120, tonumber(each.out), each.title)
    end, objects)
    assert.equal(6, tried_again)
    assert.is_true(calls >= 30, "only " .. calls .. " calls")
  end)

  it("that links programs is named and leaves nothing behind", function()
    local sound = run_failing("act", 0, linked)
    assert.equal("1\n", sound.out, sound.title)
    assert.is_true(for_every_call("act", assert_failed_by_name, linked) >= 5)
  end)

  it("on parts of memory is named and leaves nothing behind", function()
    local sound = run_failing("act", 0, parts)
    assert.equal(0, sound.status, sound.title)
    assert_nothing_left(sound)
    local calls = for_every_call("act", function(each)
      if makes_memory[each.report.failed] then
        assert.equal(sound.out, each.out, each.title)
      else
        assert_failed_by_name(each)
      end
    end, parts)
    assert.is_true(calls >= 20, "only " .. calls .. " calls")
  end)

  it("of a graph is named and leaves nothing behind", function()
    local sound = run_failing("act", 0, graphs)
    assert.equal(45, tonumber(sound.out), sound.title)
    assert_nothing_left(sound)
    local names = {}
    for_every_call("act", function(each)
      names[each.report.failed] = (names[each.report.failed] or 0) + 1
      local cleans_up = each.report.failed == "clWaitForEvents" and each.status == 0
      if not makes_memory[each.report.failed] and not cleans_up then return assert_failed_by_name(each) end
      assert.equal(45, tonumber(each.out), each.title)
    end, graphs, 8) -- 8 make the context, its queues, the program, a kernel and two buffers
    assert.is_true(names.clCreateKernel == 2 and names.clEnqueueNDRangeKernel == 4)
    assert.is_true(names.clEnqueueMarkerWithWaitList ~= nil)
  end)

  it("on shared virtual memory is named and leaves nothing behind", function()
    local sound = run_failing("act", 0, shared)
    assert.equal(18, tonumber(sound.out), sound.title)
    assert_nothing_left(sound)
    local names, tried_again = {}, 0 -- calls that succeeded after a collection
    for_every_call("act", function(each)
      names[each.report.failed] = true
      if each.status ~= 0 then return assert_failed_by_name(each) end
      tried_again = tried_again + 1
      assert.equal(18, tonumber(each.out), each.title)
    end, shared)
    assert.equal(3, tried_again)
    for name in ("clSVMAlloc clSetKernelArgSVMPointer clSetKernelExecInfo clEnqueueSVMMemcpy clEnqueueSVMMemFill "
      .. "clEnqueueSVMMap clEnqueueSVMUnmap clEnqueueSVMMigrateMem"):gmatch "%a+" do
      assert.is_true(names[name], name .. " did not fail")
    end
  end)

  it("gives the right result or an error if an object only queries, and leaves nothing behind", function()
    for_every_call("ask", function(run)
      if run.status == 0 then
        assert.equal(120, tonumber(run.out), run.title)
      else
        assert.equal("", run.out, run.title)
        assert.equal(1, run.status, run.title)
      end
    end, objects)
  end)
end)
