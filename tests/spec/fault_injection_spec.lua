-- Every OpenCL call of some small scripts fails once, by a layer between clue and the driver (tests/layer/fail_nth.c),
-- in processes forked at each call (failing.lua). Drivers without threads can be forked: Oclgrind and PoCL's device
-- `basic`, whose results count, and the driver that does nothing, for scripts that need commands to wait for an event.
-- suite: quick
-- builds: luajit asan

local failing = require "failing"
local support = require "support"

-- Lua 5.4 runs the same code of clue's: there, the scripts of either layer are enough.
local jit_only = rawget(_G, "jit") and it or pending

-- out: what the script prints; goes_on: how many failures end with it, since clue tries again after a garbage
-- collection; names: these fail, each so often.
local acts = {
  {"mql5", driver = "oclgrind", out = 30, goes_on = 0, names = {clEnqueueNDRangeKernel = 1}},
  {"objects", driver = "null", out = 0, goes_on = 4, names = {clEnqueueBarrierWithWaitList = 1}},
  {"images", driver = "oclgrind", out = 24, goes_on = 4, test = jit_only,
   names = {clCreateImage = 1, clCreateSampler = 1, clEnqueueCopyImage = 1}},
  {"shared", driver = "pocl", env = {POCL_DEVICES = "basic"}, out = 18, goes_on = 3, test = jit_only,
   names = {clSVMAlloc = 2, clSetKernelArgSVMPointer = 1, clSetKernelExecInfo = 1, clEnqueueSVMMemcpy = 4,
            clEnqueueSVMMemFill = 1, clEnqueueSVMMap = 1, clEnqueueSVMUnmap = 1, clEnqueueSVMMigrateMem = 1}},
  {"graphs", driver = "null", out = 0, goes_on = 2, test = jit_only,
   names = {clCreateKernel = 3, clEnqueueNDRangeKernel = 4, clEnqueueMarkerWithWaitList = 1}},
  {"linked", driver = "oclgrind", out = 1, goes_on = 0, test = jit_only,
   names = {clCompileProgram = 1, clLinkProgram = 1}},
}
local asks = {{"mql5", driver = "oclgrind"}, {"objects", driver = "null"},
              {"images", driver = "oclgrind", test = jit_only}}

-- Queries come in rows of one kind, as of each argument of a kernel. Of these, the sanitizers look at the ends.
local function case_of(row, class)
  return {words = {failing.script(row[1])}, class = class, driver = row.driver, env = row.env,
          places = class == "ask" and support.sanitized and 2 or nil}
end

describe("a failing OpenCL call", function()
  for _, row in ipairs(acts) do
    (row.test or it)("that is to do something is named and leaves nothing behind: " .. row[1], function()
      local goes_on, names = 0, {}
      local _, sound = failing.each(case_of(row, "act"), function(run, sound)
        failing.check(run, sound)
        if run.status == 0 then goes_on = goes_on + 1 end
        names[run.report.failed] = (names[run.report.failed] or 0) + 1
      end)
      failing.assert_nothing_left(sound)
      assert.equal(row.out, tonumber(sound.out))
      assert.equal(row.goes_on, goes_on)
      for name, count in pairs(row.names) do assert.equal(count, names[name], name) end
    end)
  end

  -- A script need not fail because a driver does not answer a query, or has no devices at the moment.
  for _, row in ipairs(asks) do
    (row.test or it)("that only asks gives the right result or an error, and leaves nothing: " .. row[1], function()
      local told = 0
      local calls = failing.each(case_of(row, "ask"), function(run, sound)
        failing.check_query(run, sound)
        if run.report.failed == "clGetDeviceIDs" and run.err:find "there is no OpenCL device" then
          told = told + 1
          assert.matches("clGetDeviceIDs gave CL_OUT_OF_HOST_MEMORY (-6)", run.err, 1, true)
        end
      end)
      assert.is_true(told > 0)
      assert.is_true(calls >= (support.sanitized and 10 or 30), "only " .. calls .. " calls")
    end)
  end

  -- Only PoCL's device that has threads can be divided.
  jit_only("that divides a device is named and leaves nothing behind", function()
    local case = {words = {failing.script "divided"}, class = "act", driver = "pocl"}
    local sound = failing.run(case, 0)
    assert.equal("1\n", sound.out, sound.title)
    for n = 1, tonumber(sound.report.calls) do failing.check(failing.run(case, n), sound) end
  end)
end)
