-- Every OpenCL call of a small script fails once, by a layer between clue and the driver (tests/layer/fail_nth.c).
-- suite: quick
-- builds: luajit asan lua54

local failing = require "failing"

local run_failing, assert_nothing_left = failing.run, failing.assert_nothing_left
local script, objects, parts = failing.script "mql5", failing.script "objects", failing.script "parts"
local shared, graphs, linked = failing.script "shared", failing.script "graphs", failing.script "linked"

-- Lua 5.4 runs the same code of clue's: there, the scripts of either layer are enough.
local jit_only = rawget(_G, "jit") and it or pending

local function assert_failed(run)
  assert.equal(1, run.status, run.title)
  assert.equal("", run.out, run.title)
  assert.truthy(run.err:find("clue: .-: [Cc][Ll]%u%w+: "), run.title)
end

local function assert_failed_by_name(run)
  assert_failed(run)
  assert.is_true(failing.names(run, "CL_OUT_OF_"), run.title)
end

-- Runs a script once for every call of a class, and passes each run to check. Returns the number of calls. after: how
-- many calls at the beginning, which other scripts test, do not fail.
local function for_every_call(class, check, text, after)
  local n = after or 0
  while true do
    local run = run_failing(class, n + 1, text or script)
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
    local run = run_failing("act", 0, script)
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

  jit_only("that links programs is named and leaves nothing behind", function()
    local sound = run_failing("act", 0, linked)
    assert.equal("1\n", sound.out, sound.title)
    assert.is_true(for_every_call("act", assert_failed_by_name, linked) >= 5)
  end)

  jit_only("on parts of memory is named and leaves nothing behind", function()
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

  jit_only("of a graph is named and leaves nothing behind", function()
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

  jit_only("on shared virtual memory is named and leaves nothing behind", function()
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
