--- Runs clue while a call fails: each in turn, by a library of tests/layer (turn.h says how).
--
-- One process runs a script. It forks where a call is to fail, so each failure has a process of its own, in the state
-- in which a new one would be, without the time that one takes to come there. Of every tenth call, the last variant
-- also fails in a new process, which must end with the same status, failed call, code and error text. A process that
-- crashes or leaves an object costs only its own call, which the message names, and `failing.run` repeats.
--
-- A process with threads cannot be forked, so with PoCL's usual device each call fails in a new process.
--
-- A case is a table: words (what clue runs, and its arguments), driver, library (by default fail_nth), env (more
-- variables), varies (true: two processes do not make the same calls, so a new one is only checked) and, in lower case,
-- what turn.h and the library take as CLUE_FAIL_NAME: class, step, codes, places, folder, list.

local assert = require "luassert"
local binding = require "clue.binding"
local support = require "support"

local failing = {}

--- The path of a script of tests/specimens/failures. Together they use the whole interface: mql5 (the MQL5 layer),
-- objects (the object layer), images (and other transfers of parts of memory), shared (shared virtual memory), graphs
-- (replayed by clue: the layer does not see the driver's command buffers), linked (a program of several parts) and
-- divided (a device). Each closes or finishes everything itself, for a finaliser would hide a failure.
-- @tparam string name
-- @treturn string
function failing.script(name)
  return "tests/specimens/failures/" .. name .. ".lua"
end

-- How a process ended. n, variant: which call failed, and how (turn.h).
local function result(n, variant, status, out, err, report)
  local told = {}
  for name, value in (report or ""):gmatch("(%S+) (%S+)\n") do told[name] = value end
  local title = ("call %d.%d, %s, code %s\n%s"):format(n, variant, told.failed or "no report", told.code, err)
  assert.truthy(told.calls, ("status %d: it crashed, or the library was not loaded: %s"):format(status, title))
  return {n = n, variant = variant, status = status, out = out, err = err, report = told, title = title}
end

local function start(case, n, variant, each)
  local report, library = support.temporary(), case.library or "fail_nth"
  local env = support.drivers(case.driver, {
    [library == "fail_nth" and "OPENCL_LAYERS" or "LD_PRELOAD"] = support.built("layer/" .. library .. ".so"),
    CLUE_FAIL_NTH = n,
    CLUE_FAIL_VARIANT = variant,
    CLUE_FAIL_REPORT = report,
    CLUE_FAIL_EACH = each,
  })
  for _, name in ipairs {"class", "step", "codes", "places", "folder", "list"} do
    env["CLUE_FAIL_" .. name:upper()] = case[name]
  end
  local status, out, err = support.run(case.words, support.with(env, case.env))
  return result(n, variant, status, out, err, support.read(report))
end

-- What must be the same in a new process. Where clue goes on, it may print times.
local function verdict(run)
  return {status = run.status, failed = run.report.failed, code = run.report.code, err = run.status ~= 0 and run.err}
end

--- Runs a case in a new process.
-- @tparam table case
-- @tparam number n which call fails; 0: none
-- @tparam[opt=0] number variant how
-- @treturn table status, out, err, report (the library's, as a table of texts), title, n, variant
function failing.run(case, n, variant)
  return start(case, n, variant or 0)
end

--- Runs a case without a failure, and with each one.
-- @tparam table case
-- @tparam function check(run, sound) gets each run, and the one without a failure
-- @treturn number of failures
-- @treturn table the run without a failure
function failing.each(case, check)
  local folder = support.folder()
  local sound, runs = start(case, 0, 0, folder), {}
  local ended = support.read(folder .. "/ended") or ""
  for n, variant, status in ended:gmatch "(%d+) (%d+) (%d+)\n" do
    local stem = ("%s/%s.%s"):format(folder, n, variant)
    runs[#runs + 1] = result(tonumber(n), tonumber(variant), tonumber(status), support.read(stem .. ".out"),
      support.read(stem .. ".err"), support.read(stem .. ".report"))
  end
  local last = runs[#runs]
  assert.equal(0, sound.status, ("without a failure, after call %d\n%s"):format(last and last.n or 0, sound.err))
  for i, run in ipairs(runs) do
    check(run, sound)
    if math.floor(run.n / (case.step or 1)) % 10 == 0 and (not runs[i + 1] or runs[i + 1].n ~= run.n) then
      local fresh = start(case, run.n, run.variant)
      if case.varies then check(fresh, sound) else assert.same(verdict(fresh), verdict(run)) end
    end
  end
  return #runs, sound
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
-- @tparam string code its name
-- @treturn boolean
function failing.names(run, code)
  local called = run.err:match("clue: .-: (CL%u%w+): error %d+ %(" .. code)
  local named = called and calls_of[called] and (calls_of[called] .. " "):find(run.report.failed .. " ", 1, true)
  return (named or run.err:find(run.report.failed .. ": " .. code, 1, true)) ~= nil
end

-- After a lack of memory clue collects, and makes the object or sends the command once more.
local shortages = {CL_MEM_OBJECT_ALLOCATION_FAILURE = true, CL_OUT_OF_HOST_MEMORY = true}
local makes_memory = {clCreateBuffer = true, clCreateImage = true, clCreateSampler = true, clCreateSubBuffer = true,
  clSetMemObjectDestructorCallback = true, clSVMAlloc = true}

-- Where clue goes on by design after other codes.
local goes_on = {
  clCreateCommandQueue = {CL_INVALID_QUEUE_PROPERTIES = true}, -- without kernel times
  clLinkProgram = {CL_INVALID_LINKER_OPTIONS = true},          -- without the option for argument information
  clWaitForEvents = "any",                                     -- while a graph's old kernels are freed
}

local function may_go_on(call, code)
  if goes_on[call] then return goes_on[call] == "any" or goes_on[call][code] end
  if makes_memory[call] then return shortages[code] or code == "CL_OUT_OF_RESOURCES" or not code end
  return call:find "^clEnqueue" and (shortages[code] or call == "clEnqueueSVMMemcpy" and code == "CL_OUT_OF_RESOURCES")
end

--- Fails if a run in which a call failed did not end as it must: with one error that names call and code, or with the
-- right result where clue goes on by design. Nothing is left behind.
-- @tparam table run
-- @tparam table sound
function failing.check(run, sound)
  local call, code = run.report.failed, binding.error_name(tonumber(run.report.code))
  if call == "clSVMAlloc" then code = nil end
  failing.assert_nothing_left(run)
  if run.status == 0 then
    assert.truthy(may_go_on(call, code), "it went on after " .. run.title)
    return assert.equal(sound.out, run.out, run.title)
  end
  assert.equal(1, run.status, run.title)
  assert.equal("", run.out, run.title)
  assert.is_true(failing.names(run, code or "CL_MEM_OBJECT_ALLOCATION_FAILURE"), run.title)
end

--- The same for a query: its refusal may be an answer ("no images"), so only the result is compared.
-- @tparam table run
-- @tparam table sound
function failing.check_query(run, sound)
  failing.assert_nothing_left(run)
  if run.status == 0 then return assert.equal(sound.out, run.out, run.title) end
  assert.equal(1, run.status, run.title)
  assert.equal("", run.out, run.title)
  assert.matches("^clue: ", run.err)
end

return failing
