-- Every OpenCL call fails with every code that it may return (tests/layer/codes.def): each run ends with one error
-- that names call and code, or with the right result where clue goes on by design. Where results count, on PoCL, each
-- call does so where a script makes it first; on the driver that does nothing, wherever it is made.
-- suite: whole

local binding = require "clue.binding"
local failing = require "failing"

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

local function check(run, sound)
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

-- A query's refusal may be an answer ("no images"), so only the result is compared.
local function check_query(run, sound)
  failing.assert_nothing_left(run)
  if run.status == 0 then return assert.equal(sound.out, run.out, run.title) end
  assert.equal(1, run.status, run.title)
  assert.equal("", run.out, run.title)
  assert.matches("^clue: ", run.err)
end

-- Has the n-th call fail with each of its codes. Returns the number of runs; nil if there is no such call.
local function fail_with_each(class, n, text, driver, each)
  local code = 0
  repeat
    code = code + 1
    local run = failing.run(class, n, text, {driver = driver, code = code})
    assert.truthy(run.report.calls, "the layer was not loaded: " .. run.title)
    if run.report.failed == "-" then return nil end
    each(run)
  until code >= tonumber(run.report.codes)
  return code
end

-- Goes through all calls of a script. seen: calls that failed before, which are left out; nil: none is. Returns the
-- number of failures.
local function fail_all(class, text, driver, seen)
  local sound, total, n = failing.run(class, 0, text, {driver = driver}), 0, 0
  assert.equal(0, sound.status, sound.title)
  local names = seen and failing.calls(class, text, driver)
  repeat
    n = n + 1
    local name = names and names[n]
    local made = 0
    if not (name and seen[name]) then
      made = fail_with_each(class, n, text, driver, function(run)
        (class == "act" and check or check_query)(run, sound)
      end)
    end
    if name then seen[name] = true end
    total = total + (made or 0)
  until not made
  return total
end

describe("an OpenCL call that fails with each of its codes", function()
  for _, class in ipairs {"act", "ask"} do
    local title = class == "act" and "is named" or "gives the right result or an error as a query"
    it(title .. ", on PoCL", function()
      local seen, total = {}, 0
      for _, name in ipairs {"mql5", "objects", "parts", "shared", "graphs", "linked"} do
        total = total + fail_all(class, failing.script(name), "pocl", seen)
      end
      print(("%d failures on PoCL, class %s"):format(total, class))
      assert.is_true(total > (class == "act" and 300 or 50), total .. " failures")
    end)
  end

  it("is named wherever it is made, on a driver that does nothing", function()
    local total = 0
    for _, name in ipairs {"mql5", "graphs", "linked"} do
      total = total + fail_all("act", failing.script(name), "null")
    end
    print(("%d failures on the null driver"):format(total))
    assert.is_true(total > 450, total .. " failures")
  end)
end)
