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

-- Runs the script with the n-th call of a class failing; also the layer's report, as a table by name.
local function run_failing(class, n)
  local report = support.temporary()
  local status, out, err = support.run_script(script, nil, support.drivers("pocl", {
    OPENCL_LAYERS = support.built("layer/fail_nth.so"),
    CLUE_FAIL_CLASS = class,
    CLUE_FAIL_NTH = n,
    CLUE_FAIL_REPORT = report,
  }))
  local told = {}
  for name, value in (support.read(report) or ""):gmatch("(%S+) (%S+)\n") do told[name] = value end
  return { status = status, out = out, err = err, report = told,
           title = ("%s call %d, %s\n%s"):format(class, n, told.failed or "no report", err) }
end

local function assert_nothing_left(run)
  for _, kind in ipairs { "context", "queue", "program", "kernel", "memory", "event" } do
    assert.equal("0", run.report[kind], ("%s left over after %s"):format(kind, run.title))
  end
end

local function assert_failed(run)
  assert.equal(1, run.status, run.title)
  assert.equal("", run.out, run.title)
  assert.truthy(run.err:find("clue: .-: [Cc][Ll]%u%w+: "), run.title)
end

local function assert_failed_by_name(run)
  assert_failed(run)
  assert.truthy(run.err:find(run.report.failed .. ": CL_OUT_OF_", 1, true), run.title)
end

-- Runs the script once for every call of a class and hands each run to check; the number of calls.
local function for_every_call(class, check)
  local n = 0
  while true do
    local run = run_failing(class, n + 1)
    assert.truthy(run.report.calls, "the layer was not loaded: " .. run.title)
    if run.report.failed == "-" then return n end
    n = n + 1
    assert_nothing_left(run)
    check(run)
  end
end

describe("a failing OpenCL call", function()
  it("is not there without fault injection", function()
    local run = run_failing("act", 0)
    assert.equal(0, run.status, run.title)
    assert.equal("30\n", run.out)
    assert_nothing_left(run)
  end)

  it("is told by name and leaves nothing behind where it creates, builds, sets, enqueues or waits", function()
    local calls = for_every_call("act", assert_failed_by_name)
    assert.is_true(calls >= 10, "only " .. calls .. " calls")
  end)

  -- A driver that does not tell a property, or has no devices at the moment, is no reason to stop by itself.
  it("gives the right answer or an error where it only asks, and leaves nothing behind", function()
    local told = 0
    local calls = for_every_call("ask", function(run)
      if run.status == 0 then
        assert.equal("30\n", run.out, run.title)
      else
        assert_failed(run)
      end
      if run.report.failed == "clGetDeviceIDs" and run.err:find "no OpenCL device is there" then
        told = told + 1
        assert.matches("clGetDeviceIDs gave CL_OUT_OF_HOST_MEMORY (-6)", run.err, 1, true)
      end
    end)
    assert.is_true(told > 0)
    assert.is_true(calls >= 10, "only " .. calls .. " calls")
  end)

  it("is one that the layer can fail: it knows every OpenCL call of the core", function()
    local known = support.read("tests/layer/fail_nth.c")
    local files = io.popen("cat host/core/*.c")
    local core = files:read("*a")
    files:close()
    for name in core:gmatch("[^%w_\"](cl[A-Z]%w+)[,(]") do
      assert.truthy(known:find(name .. "[,)]"), name .. " is unknown to tests/layer/fail_nth.c")
    end
  end)
end)
