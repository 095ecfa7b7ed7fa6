-- The OpenCL calls that clue makes, as recorded by a driver that does nothing: exactly one for each call of ours.
-- suite: quick
-- builds: luajit asan

local support = require "support"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

local HEAD = [[
local numbers = array.float(16)
local context = CLContextCreate(CL_USE_ANY)
local program = CLProgramCreate(context, "kernel void f(global float *x, float a, int n, local float *t) { }")
local kernel = CLKernelCreate(program, "f")
local buffer = CLBufferCreate(context, numbers:bytes(), CL_MEM_READ_WRITE)
local offset, global = {0}, {16}
local function set()
  CLSetKernelArgMem(kernel, 0, buffer)
  CLSetKernelArg(kernel, 1, 1.5)
  CLSetKernelArg(kernel, 2, 7)
  CLSetKernelArgMemLocal(kernel, 3, 64)
end
]]

-- Runs a script after the head. Gives the OpenCL calls from the head's clCreateBuffer on; those before are set-up.
local function calls_of(script, more)
  local record = support.temporary()
  local env = support.with({CLUE_NULL_RECORD = record}, more)
  local status, out, err = support.run_script(HEAD .. script, nil, support.drivers("null", env))
  local calls, begun = {}, false
  for line in support.read(record):gmatch("[^\n]+") do
    begun = begun or line:find("^clCreateBuffer") ~= nil
    if begun then calls[#calls + 1] = line end
  end
  return calls, status, out, err
end

local CREATED = "clCreateBuffer context 1 flags 0x1 size 64"
local SET = {
  "clSetKernelArg kernel 1 argument 0 buffer 1",
  "clSetKernelArg kernel 1 argument 1 0000c03f",
  "clSetKernelArg kernel 1 argument 2 07000000",
  "clSetKernelArg kernel 1 argument 3 size 64",
}
local EXECUTED = "clEnqueueNDRangeKernel queue 1 kernel 1 offset 0 global 16 local - event"

local function listed(...)
  local lines = {CREATED}
  for _, part in ipairs {...} do
    for _, line in ipairs(type(part) == "table" and part or {part}) do lines[#lines + 1] = line end
  end
  return lines
end

describe("the null driver", function()
  it("shows its device in clue devices", function()
    local out = support.ended(0, support.run("devices", support.drivers("null")))
    assert.matches("platform 0: null, OpenCL 1.2\n%* 0  0:0  null  CPU       1 ", out)
  end)

  it("has as many devices and compute units as its settings say", function()
    local env = {CLUE_NULL_DEVICES = "3", CLUE_NULL_UNITS = "77"}
    local _, out = support.run("devices", support.drivers("null", env))
    assert.matches("\n  2  0:2  null  CPU      77 ", out)
    assert.is_nil(out:find("0:3", 1, true))
  end)

  it("knows the kernels and arguments of a source", function()
    local script = [[
      local binding = require "clue.binding"
      local context = CLContextCreate(CL_USE_ANY)
      local program = CLProgramCreate(context, "/* kernel void no(int a) { } */\n#define NO kernel void no()\n"
        .. "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\nvoid first(__global const float4 *restrict x,"
        .. " unsigned int n, constant int* c) { }\nkernel void second(void) { } // kernel void no()")
      Print(binding.program_kernels(program))
      local kernel = CLKernelCreate(program, "first")
      for i = 0, binding.kernel_argument_count(kernel) - 1 do print(binding.kernel_argument(kernel, i)) end
      Print(binding.kernel_argument_count(CLKernelCreate(program, "second")))]]
    local out = support.ended(0, support.run_script(script, nil, support.drivers("null")))
    assert.equal("first;second\nx\tfloat4*\nn\tunsigned int\nc\tint*\n0\n", out)
  end)

  it("leaves memory alone, and gives a microsecond as the time of each execution", function()
    local script = HEAD .. [[
      for i = 0, 15 do numbers[i] = i end
      set()
      CLExecute(kernel, 1, offset, global)
      Print(CLBufferWrite(buffer, numbers), " ", CLBufferRead(buffer, numbers), " ", numbers[15])
      print(require "clue".kernel_time(kernel))]]
    local out = support.ended(0, support.run_script(script, nil, support.drivers("null")))
    assert.equal("16 16 15\n1e-06\tdevice\n", out)
  end)

  it("ends the process if a setting is wrong", function()
    for name, value in pairs {CLUE_NULL_DEVICES = "17", CLUE_NULL_FAIL = "clFlush", CLUE_NULL_UNITS = "many"} do
      local _, err = support.ended(70, support.run("devices", support.drivers("null", {[name] = value})))
      assert.matches(("null driver: %s=%s cannot be used\n"):format(name, value), err, 1, true)
    end
  end)
end)

describe("a program of the null driver", function()
  -- Gives the calls that make programs, and what the script printed.
  local function programs_of(script, env)
    local record = support.temporary()
    env.CLUE_NULL_RECORD = record
    local out = support.ended(0, support.run_script([[
      local context = require("clue").context()
      local function try(call, ...)
        local done, made = pcall(context[call], context, ...)
        print(done and table.concat(made.kernels, " ") or made.text)
      end
    ]] .. script, nil, support.drivers("null", env)))
    local calls = {}
    for line in support.read(record):gmatch "[^\n]+" do
      local asks = line:find "Info" or line:find "Release"
      if line:find "^cl%a*Program" and not asks then calls[#calls + 1] = line end
    end
    return calls, out
  end

  it("is compiled with its headers, and linked", function()
    local calls, out = programs_of([[
      try("program", '#include "a.h"\nkernel void f(int n) {}',
        { "-cl-mad-enable", headers = { ["a.h"] = " " } })]], {})
    assert.equal("f\n", out)
    assert.same({"clCreateProgramWithSource context 1", "clCreateProgramWithSource context 1",
      "clLinkProgram context 1 programs 1 options -cl-kernel-arg-info"}, {calls[1], calls[2], calls[4]})
    assert.matches("^clCompileProgram program 1 options %-cl%-kernel%-arg%-info %-cl%-mad%-enable .* headers 1$",
      calls[3])
    assert.equal(4, #calls)
  end)

  it("fails with the name of the step", function()
    for call in ("clCompileProgram clLinkProgram"):gmatch "%a+" do
      local _, out = programs_of([[try("program", "kernel void f(int n) {}", { headers = { ["a.h"] = " " } })]],
        {CLUE_NULL_FAIL = call .. ":-6"})
      assert.matches(call .. ": CL_OUT_OF_HOST_MEMORY (-6): the host has no memory left", out, 1, true)
    end
  end)

  it("is built from SPIR-V if the device accepts it", function()
    local script = [[
      try("program_from_il", "\3\2\35\7" .. (" "):rep(16) .. "kernel void f(int n) {}", "-w")
      try("program_from_il", "kernel void f(int n) {}")]]
    local calls, out = programs_of(script, {CLUE_NULL_IL = "SPIR-V_1.0 SPIR-V_1.2"})
    assert.matches("^f\nclCreateProgramWithIL: CL_INVALID_VALUE %(%-30%): these 23 bytes are not a SPIR%-V module, "
      .. "which begins with 0x07230203; null accepts SPIR%-V_1.0 SPIR%-V_1.2\n$", out)
    assert.same({"clCreateProgramWithIL context 1 size 43",
      "clBuildProgram program 1 options -cl-kernel-arg-info -w"}, calls)
    calls, out = programs_of(script, {})
    assert.matches("^clCreateProgramWithIL: CL_INVALID_OPERATION %(%-59%): null accepts no intermediate language", out)
    assert.same({}, calls)
  end)
end)

describe("the driver", function()
  it("gets one clSetKernelArg for each argument that is set, and another if it is set again", function()
    assert.same(listed(SET, SET), (calls_of "set() set() os.exit(0)"))
  end)

  -- clue keeps the newest 64 events, since one of them may show which kernel failed.
  it("gets one clEnqueueNDRangeKernel and one clFlush for CLExecute, and the release of an old event", function()
    local calls = calls_of "set() for _ = 1, 66 do CLExecute(kernel, 1, offset, global) end os.exit(0)"
    local wanted = {SET}
    for i = 1, 66 do
      if i > 64 then wanted[#wanted + 1] = "clReleaseEvent 1" end
      wanted[#wanted + 1] = EXECUTED
      wanted[#wanted + 1] = "clFlush queue 1"
    end
    wanted = listed(unpack(wanted))
    assert.same(wanted, {unpack(calls, 1, #wanted)})
    assert.same({"clWaitForEvents count 1 waits"}, {unpack(calls, #wanted + 1)}) -- once, at exit
  end)

  it("gets the range as the script gave it", function()
    local calls = calls_of "set() CLExecute(kernel, 3, {1, 2, 3}, {16, 8, 4}, {4, 4, 2}) os.exit(0)"
    assert.equal("clEnqueueNDRangeKernel queue 1 kernel 1 offset 1x2x3 global 16x8x4 local 4x4x2 event", calls[6])
  end)

  it("gets the range of arrays as the script gave it", function()
    for _, binding in ipairs {"ffi", "capi"} do
      local calls = calls_of("set() CLExecute(kernel, 3, array.uint {1, 2, 3}, array.uint {16, 8, 4}, "
        .. "array.uint {4, 4, 2}) os.exit(0)", {CLUE_BINDING = binding})
      assert.equal("clEnqueueNDRangeKernel queue 1 kernel 1 offset 1x2x3 global 16x8x4 local 4x4x2 event", calls[6])
    end
  end)

  it("gets one blocking transfer for CLBufferWrite and for CLBufferRead", function()
    local calls = calls_of [[
      CLBufferWrite(buffer, numbers)
      CLBufferWrite(buffer, numbers, 8, 1, 3)
      CLBufferRead(buffer, numbers)
      CLBufferRead(buffer, numbers, 4, 0, 2)]]
    assert.same(listed(
      "clEnqueueWriteBuffer queue 1 buffer 1 blocking offset 0 size 64",
      "clEnqueueWriteBuffer queue 1 buffer 1 blocking offset 8 size 12",
      "clEnqueueReadBuffer queue 1 buffer 1 blocking offset 0 size 64",
      "clEnqueueReadBuffer queue 1 buffer 1 blocking offset 4 size 8"), calls)
  end)

  it("copies an array as it makes the buffer, on a CPU, instead of taking a command for it", function()
    local calls = calls_of [[require("clue").wrap(context):buffer(numbers)]]
    local text = table.concat(calls, "\n")
    assert.matches("clCreateBuffer context 1 flags 0x21 size 64", text, 1, true)
    assert.is_nil(text:find "clEnqueueWriteBuffer")
  end)

  it("gets no call if clue itself finds the mistake", function()
    local calls = calls_of [[
      CLSetKernelArg(kernel, 9, 1)
      CLSetKernelArg(kernel, 2, 1.5)
      CLSetKernelArg(kernel, 0, 1)
      CLExecute(kernel, 1, offset, global)
      CLExecute(kernel, 1, offset, {0})
      CLBufferWrite(buffer, numbers, 4)
      CLBufferRead(buffer, numbers, -4)]]
    assert.same(listed(), calls)
  end)

  it("gets the releases in the order in which the script frees its objects", function()
    local calls = calls_of [[
      set()
      CLKernelFree(kernel) CLProgramFree(program) CLBufferFree(buffer) CLContextFree(context)]]
    assert.same(listed(SET, "clReleaseKernel 1", "clReleaseProgram 1", "clReleaseMemObject 1",
      "clReleaseCommandQueue 1", "clReleaseContext 1"), calls)
  end)
end)

describe("shared virtual memory of the null driver", function()
  local function calls_with(capabilities, script)
    local record = support.temporary()
    local status, out, err = support.run_script([[
      local cl = require "clue"
      local context = cl.context(0)
      local queue = context:queue()
    ]] .. script, nil, support.drivers("null", {CLUE_NULL_RECORD = record, CLUE_NULL_SVM = capabilities}))
    local calls = {}
    for line in support.read(record):gmatch "[^\n]+" do
      if line:find "SVM" or line:find "^clSetKernelExecInfo" then calls[#calls + 1] = line end
    end
    return calls, status, out, err
  end

  it("is used by one call for each of ours, and freed once", function()
    local calls, status, _, err = calls_with("3", [[
      local x, y = context:svm(cl.array.int { 1, 2 }), context:svm(64, "svm_fine_grain_buffer")
      queue:copy_svm(x, y, { to_offset = 8 })
      queue:fill_svm(y, cl.int(7), { offset = 4, size = 8 })
      queue:unmap(queue:map_svm(x, "int", "read", { offset = 4 }))
      queue:unmap(y:array "int") -- no command
      local kernel = context:program "kernel void f(global int *x) { }":kernel "f"
      kernel:set_svm_pointers(x)(queue, 1, nil, y:at(16))
      y:close()
      kernel:close()
      x:close()]])
    assert.equal(0, status, err)
    assert.same({
      "clSVMAlloc context 1 flags 0x1 size 8",
      "clEnqueueSVMMemcpy queue 1 blocking to svm 1 offset 0 size 8",
      "clSVMAlloc context 1 flags 0x400 size 64",
      "clEnqueueSVMMemcpy queue 2 non-blocking to svm 2 offset 8 from svm 1 offset 0 size 8 event",
      "clEnqueueSVMMemFill queue 2 data svm 2 offset 4 pattern_size 4 size 8 event",
      "clEnqueueSVMMap queue 2 blocking flags 0x1 data svm 1 offset 4 size 4",
      "clEnqueueSVMUnmap queue 2 data svm 1 offset 4 event",
      "clSetKernelExecInfo kernel 1 0x11b6 8 bytes, the first svm 1",
      "clSetKernelArgSVMPointer kernel 1 index 0 data svm 2 offset 16",
      "clSVMFree context 1 svm 2",
      "clSVMFree context 1 svm 1",
    }, calls)
  end)

  it("is not allocated if the device has none of the kind, nor migrated before OpenCL 2.1", function()
    local script = [[print(select(2, pcall(context.svm, context, 64, "svm_fine_grain_buffer")))]]
    local calls, _, out = calls_with("1", script)
    assert.matches("null has no fine-grained shared virtual memory (CL_DEVICE_SVM_CAPABILITIES is 0x1): make it "
      .. "without CL_MEM_SVM_FINE_GRAIN_BUFFER, and map it", out, 1, true)
    assert.same({}, calls)
    calls, _, out = calls_with("1", "print(select(2, pcall(queue.migrate, queue, context:svm(64))))")
    assert.matches("clEnqueueSVMMigrateMem: CL_INVALID_OPERATION (-59): null has no such command, which came with "
      .. "OpenCL 2.1: leave it out", out, 1, true)
    assert.equal("clSVMFree context 1 svm 1", calls[#calls])
  end)
end)

describe("a kernel's argument that was shared virtual memory", function()
  -- NVIDIA's driver accepts the buffer, but then the kernel fails because of an argument that was never set.
  it("cannot become a buffer on a driver that would fail then", function()
    local script = [[
      local cl = require "clue"
      local context = cl.context()
      local kernel = context:program("kernel void f(global float *x, int a, int b, int c) { }"):kernel "f"
      kernel:set_arg(0, context:svm(64))
      print(select(2, pcall(kernel.set_arg, kernel, 0, context:buffer(64))))]]
    local env = {CLUE_NULL_PLATFORM = "NVIDIA CUDA", CLUE_NULL_SVM = "1"}
    local _, out = support.run({"--quiet", "-e", script}, support.drivers("null", env))
    assert.matches("CL_INVALID_OPERATION %(%-59%): argument 0.- of kernel 'f' was shared virtual memory before", out)
    env.CLUE_NULL_PLATFORM = nil
    _, out = support.run({"--quiet", "-e", script}, support.drivers("null", env))
    assert.matches("^kernel", out)
  end)
end)

describe("a queue out of order whose device keeps the order", function()
  -- On NVIDIA's driver the read would wait for ever.
  it("refuses to wait for a command behind one that waits for a user event", function()
    local script = [[
      local cl = require "clue"
      local context = cl.context()
      local queue, gate, x = context:queue {out_of_order = true}, context:user_event(), context:buffer(4)
      queue:after(gate):marker()
      print(select(2, pcall(queue.read_buffer, queue, x, cl.array.int(1))))
      gate:complete()
      print(pcall(queue.read_buffer, queue, x, cl.array.int(1)))]]
    local _, out = support.run({"--quiet", "-e", script}, support.drivers("null", {CLUE_NULL_PLATFORM = "NVIDIA CUDA"}))
    assert.matches("a read from a buffer waits for user event %d+, which the script cannot set while it waits: "
      .. "set it before; all queues of this device keep their order, even those out of order\ntrue", out)
    _, out = support.run({"--quiet", "-e", script}, support.drivers "null")
    assert.matches("^queue [^\n]+\ntrue", out) -- no error
  end)
end)

describe("a call that the null driver is set to fail", function()
  it("makes clue's call fail and name it", function()
    local calls, status, out, err = calls_of("set() print(CLExecute(kernel, 1, offset, global))",
      {CLUE_NULL_FAIL = "clEnqueueNDRangeKernel:-5"})
    assert.equal(1, status)
    assert.matches("false\tCLExecute: error 5109 (CL_OUT_OF_RESOURCES)", out, 1, true)
    assert.matches("CL_OUT_OF_RESOURCES", err, 1, true)
    assert.same(listed(SET, EXECUTED .. " FAILS"), calls)
  end)

  it("fails only that one time", function()
    local _, _, out = calls_of([[
      for i = 1, 3 do Print((CLBufferWrite(buffer, numbers))) end]], {CLUE_NULL_FAIL = "clEnqueueWriteBuffer:-4:2"})
    assert.equal("16\n0\n16\n", out)
  end)

  it("can be any call that makes an object", function()
    for call, code in pairs {clCreateContext = -6, clCreateCommandQueue = -5, clBuildProgram = -11,
      clCreateKernel = -5, clCreateBuffer = -4} do
      local _, status, _, err = calls_of("", {CLUE_NULL_FAIL = call .. ":" .. code})
      assert.equal(1, status)
      assert.matches(": error %d+ %(CL_%u[%u_]+%): ", err)
    end
  end)
end)

describe("a graph on the null driver", function()
  -- The calls after the recording, without those that release something.
  local function calls_of_replays(replays, env)
    local record = support.temporary()
    env = support.drivers("null", env or {})
    env.CLUE_NULL_RECORD = record
    local status, out, err = support.run_script([[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local f = context:program "kernel void f(global float *x, float a) { }":kernel "f"
      local x, y, numbers = context:buffer(64), context:buffer(64), cl.array.float(16)
      local graph = queue:record(function(commands)
        f(commands, 16, nil, x, 1)
        f(commands, 16, 4, x, 2)
        commands:copy_buffer(x, y)
        f(commands, 16, nil, y, 3)
      end)
      local transfers = queue:record(function(commands)
        commands:write_buffer(x, numbers)
        commands:read_buffer(x, numbers)
      end)
      context:user_event()
    ]] .. replays, nil, env)
    local calls, begun = {}, false
    for line in support.read(record):gmatch "[^\n]+" do
      if begun and not line:find "^clRelease" then calls[#calls + 1] = line end
      begun = begun or line:find "^clCreateUserEvent" ~= nil
    end
    return calls, status, out, err
  end

  it("sets no arguments, flushes once, and takes only the events of its first and last command", function()
    local calls, status, _, err = calls_of_replays "graph:replay()"
    assert.equal(0, status, err)
    local commands = {unpack(calls, 1, 5)}
    for i, call in ipairs(commands) do commands[i] = call:gsub("kernel %d+", "kernel") end
    assert.same({
      "clEnqueueNDRangeKernel queue 2 kernel offset 0 global 16 local - event",
      "clEnqueueNDRangeKernel queue 2 kernel offset 0 global 16 local 4",
      "clEnqueueCopyBuffer queue 2 from 1 to 2 from_offset 0 to_offset 0 size 64",
      "clEnqueueNDRangeKernel queue 2 kernel offset 0 global 16 local - event",
      "clFlush queue 2",
    }, commands)
    assert.is_nil(table.concat(calls, "\n"):find "clSetKernelArg")
  end)

  it("names the command that the driver refuses, and waits for those before it", function()
    local calls, status, _, err = calls_of_replays("graph:replay()", {CLUE_NULL_FAIL = "clEnqueueNDRangeKernel:-5:3"})
    assert.equal(1, status)
    assert.matches("clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES %(%-5%): command 4 of the graph, kernel 'f': ", err)
    assert.equal("clFinish queue 2", calls[5])
  end)

  it("gives the array's memory to the driver at each replay, and waits", function()
    local calls, status, _, err = calls_of_replays "transfers:replay()"
    assert.equal(0, status, err)
    assert.same({
      "clEnqueueWriteBuffer queue 2 buffer 1 non-blocking offset 0 size 64 event",
      "clEnqueueReadBuffer queue 2 buffer 1 non-blocking offset 0 size 64 event",
      "clFlush queue 2",
      "clWaitForEvents count 1 waits",
    }, {unpack(calls, 1, 4)})
  end)
end)
