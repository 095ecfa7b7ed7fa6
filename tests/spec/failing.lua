--- Runs a script while one OpenCL call fails, by tests/layer/fail_nth.c.

local assert = require "luassert"
local support = require "support"

local failing = {}

--- A script of tests/specimens/failures. Together they use the whole interface: mql5 (the MQL5 layer), objects (the
-- object layer), parts (transfers of parts of memory), shared (shared virtual memory), graphs (replayed by clue: the
-- layer does not see the driver's command buffers) and linked (a program of several parts). Each closes or finishes
-- everything itself, for a finaliser would hide a failure.
-- @tparam string name
-- @treturn string
function failing.script(name)
  return assert(support.read("tests/specimens/failures/" .. name .. ".lua"))
end

--- Runs a script in which the n-th call of a class fails.
-- @tparam string class act or ask
-- @tparam number n 0: none fails
-- @tparam string|table text the script; or words: what to run, and its arguments
-- @tparam[opt] table more code (which of the call's codes, counted from 1), driver (pocl), list (a path, see
--   fail_nth.c)
-- @treturn table status, out, err, report (the layer's, as a table), title
function failing.run(class, n, text, more)
  local report = support.temporary()
  local words = type(text) == "table" and text or {support.write(text)}
  local status, out, err = support.run(words, support.drivers(more and more.driver or "pocl", {
    OPENCL_LAYERS = support.built("layer/fail_nth.so"),
    CLUE_FAIL_CLASS = class,
    CLUE_FAIL_NTH = n,
    CLUE_FAIL_CODE = more and more.code,
    CLUE_FAIL_REPORT = report,
    CLUE_FAIL_LIST = more and more.list,
  }))
  local told = {}
  for name, value in (support.read(report) or ""):gmatch("(%S+) (%S+)\n") do told[name] = value end
  return {status = status, out = out, err = err, report = told,
          title = ("%s call %d, %s, code %s\n%s"):format(class, n, told.failed or "no report", told.code, err)}
end

--- The names of the calls of a class that a script makes, in their order.
-- @tparam string class
-- @tparam string|table text as for @{run}
-- @tparam string driver
-- @treturn {string,...}
function failing.calls(class, text, driver)
  local path, names = support.temporary(), {}
  failing.run(class, 0, text, {driver = driver, list = path})
  for name in support.read(path):gmatch "[^\n]+" do names[#names + 1] = name end
  return names
end

--- Fails if the driver still has an object that the script made.
-- @tparam table run
function failing.assert_nothing_left(run)
  for _, kind in ipairs {"context", "queue", "program", "kernel", "memory", "event", "device", "sampler", "svm"} do
    assert.equal("0", run.report[kind], ("%s left over after %s"):format(kind, run.title))
  end
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

--- True if the message names the call that failed, or the MQL5 function that made it, and the code.
-- @tparam table run
-- @tparam string code its name, or how that begins
-- @treturn boolean
function failing.names(run, code)
  local called = run.err:match("clue: .-: (CL%u%w+): error %d+ %(" .. code)
  local named = called and calls_of[called] and (calls_of[called] .. " "):find(run.report.failed .. " ", 1, true)
  return (named or run.err:find(run.report.failed .. ": " .. code, 1, true)) ~= nil
end

return failing
