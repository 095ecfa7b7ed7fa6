-- GetLastError, warnings on stderr, --quiet, --strict, and the report at the end of a run.
-- suite: quick
-- builds: luajit lua54

local support = require "support"

local pocl = support.drivers("pocl")

-- Runs a script with clue's own options before it.
local function run(script, ...)
  local path = support.write(script)
  local status, out, err = support.run(support.words({...}, {path}), pocl)
  return status, out, err, path
end

local function count(text, pattern)
  local _, n = text:gsub(pattern, "")
  return n
end

-- stderr without the line that names the device.
local function warnings(err)
  return (err:gsub("clue: device [^\n]*\n", ""))
end

describe("a failed MQL5 call", function()
  it("sets GetLastError(), which only ResetLastError() clears", function()
    local status, out = run [[
      function OnStart()
        Print(GetLastError())
        CLContextFree(-1)
        CLHandleType(5)
        Print(GetLastError(), " ", GetLastError() == ERR_OPENCL_INVALID_HANDLE)
        ResetLastError()
        Print(GetLastError())
      end]]
    assert.equal("0\n5102 true\n0\n", out)
    assert.equal(0, status)
  end)

  it("warns with script, line, call, MQL5's and OpenCL's code, and the reason", function()
    local _, _, err, path = run "\nlocal context = CLContextCreate()\nCLBufferCreate(context, 0, CL_MEM_READ_WRITE)"
    assert.equal("clue: " .. path .. ":3: CLBufferCreate: error 5112 (CL_INVALID_BUFFER_SIZE): a "
      .. "buffer of 0 bytes: it needs at least 1\n", warnings(err))
  end)

  it("warns once per line and message, and sums the repeats up at the end", function()
    local _, _, err, path = run [[
      for i = 1, 100 do CLContextFree(77) end
      CLContextFree(77)
      for i = 1, 2 do CLContextFree(77) end]]
    assert.equal(3, count(err, ": error 5102 "))
    assert.equal(2, count(err, " failed "))
    assert.truthy(err:find(("clue: %s:1: CLContextFree failed 99 more times\n"):format(path), 1, true), err)
    assert.truthy(err:find(("clue: %s:3: CLContextFree failed once more\n"):format(path), 1, true), err)
  end)

  it("tells apart what fails in different ways through one helper, with the line that called it", function()
    local path = support.write [[
local context = CLContextCreate()
local function build(source) return (CLProgramCreate(context, source)) end
build "__kernel void f() { first; }"
build "__kernel void f() { second; }"
local kernel = CLKernelCreate(build "__kernel void f(__global int *x, int n) { }", "f")
local function set(index, value) return (CLSetKernelArg(kernel, index, value)) end
set(1, 2.5) set(7, 1)
for i = 1, 2 do set(1, 2.5) end]]
    local _, _, err = support.run(path, support.drivers "oclgrind")
    assert.equal(1, count(err, ":2: CLProgramCreate: [^\n]*first[^\n]* %(called from line 3%)\n"), err)
    assert.equal(1, count(err, ":2: CLProgramCreate: [^\n]*second[^\n]* %(called from line 4%)\n"), err)
    assert.equal(2, count(err, ":6: CLSetKernelArg: [^\n]* %(called from line 7%)\n"), err)
    assert.equal(1, count(err, ":6: CLSetKernelArg: [^\n]* %(called from line 8%)\n"), err)
    assert.equal(1, count(err, ":6: CLSetKernelArg failed once more\n"), err)
  end)

  it("names the file of a caller in another file", function()
    local helper = support.write "return function(handle) return (CLContextFree(handle)) end"
    local _, _, err, path = run(("local free = dofile %q\nfree(77)"):format(helper))
    assert.equal(("clue: %s:1: CLContextFree: error 5102 (CL_INVALID_CONTEXT): 77 is not a context: handles are 65536 "
      .. "or more (called from %s:2)\n"):format(helper, path), err)
  end)

  it("warns of one line eight times at most, whatever its messages say", function()
    local _, _, err, path = run "for i = 1, 30 do CLContextFree(70000 + i) end"
    assert.equal(8, count(err, ": error 5102 "))
    assert.matches(("clue: %s:1: CLContextFree failed 22 more times in other ways\n"):format(path), err, 1, true)
  end)

  it("sums up after os.exit and after an error too", function()
    for ending, wanted in pairs {["os.exit(3)"] = 3, ["error('x')"] = 1} do
      local status, _, err = run("for i = 1, 3 do CLContextFree(77) end " .. ending)
      assert.equal(wanted, status)
      assert.equal(1, count(err, "CLContextFree failed 2 more times\n"))
    end
  end)

  it("prints the build log below the warning", function()
    local _, _, err = run "CLProgramCreate(CLContextCreate(), '__kernel void f() {\\n  nonsense = 1;\\n}')"
    local warning, log = err:match("\n(clue: [^\n]*error 5105 [^\n]*)\n(.*)$")
    assert.truthy(warning, err)
    assert.truthy(log:find("nonsense", 1, true), err)
    assert.truthy(log:find("^", 1, true), err)
  end)

  it("names a line of the script even if a tail call has removed the frame", function()
    local _, _, err = run "local function free() return CLContextFree(-1) end\nlocal told = free()\nPrint(told)"
    assert.truthy(err:find("%.lua:[12]: CLContextFree: "), err)
  end)

  it("is silent with --quiet", function()
    local status, out, err = run([[
      for i = 1, 3 do CLContextFree(-1) end
      local context = CLContextCreate()
      Print(GetLastError())]], "--quiet")
    assert.equal("5102\n", out)
    assert.equal("", err)
    assert.equal(1, status)
  end)

  it("raises an error object with --strict", function()
    local out, err = support.ended(1, run([[
      local context = CLContextCreate()
      local done, problem = pcall(CLBufferCreate, context, 0, CL_MEM_READ_WRITE)
      Print(done, " ", problem.error, " ", problem.code, " ", problem.name, " ", problem.call)
      Print(tostring(problem))
      CLContextFree(context)
      CLContextFree(context)
      Print("not reached")]], "--strict"))
    local first, second = out:match("^([^\n]*)\n([^\n]*)\n$")
    assert.equal("false 5112 -61 CL_INVALID_BUFFER_SIZE clCreateBuffer", first)
    assert.truthy(second:find("%.lua:%d: CLBufferCreate: error 5112 %(CL_INVALID_BUFFER_SIZE%): "), second)
    assert.truthy(err:find("%.lua:6: CLContextFree: "), err)
    assert.equal(0, count(err, "pcall"))
  end)

  it("has the log in the error object of --strict", function()
    local status, _, err = run("CLProgramCreate(CLContextCreate(), '__kernel void f() { nonsense; }')", "--strict")
    assert.equal(1, status)
    assert.truthy(err:find("CLProgramCreate: error 5105 %(CL_BUILD_PROGRAM_FAILURE%): .-\n.*nonsense"), err)
  end)
end)

describe("polling CLExecutionStatus", function()
  it("is no failure while the kernel runs", function()
    local out, err = support.ended(0, run([[
      function OnStart()
        local context = CLContextCreate()
        local program = CLProgramCreate(context,
          "__kernel void f(__global float *o) {" ..
          "  float x = 0; for (int i = 0; i < 100000000; i++) x = x / 2 + 1; o[0] = x; }")
        local kernel = CLKernelCreate(program, "f")
        local buffer = CLBufferCreate(context, 4, CL_MEM_READ_WRITE)
        CLSetKernelArgMem(kernel, 0, buffer)
        CLExecute(kernel)
        while CLExecutionStatus(kernel) ~= CL_COMPLETE do end
        CLBufferFree(buffer) CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)
      end]], "--strict"))
    assert.equal("", out)
    assert.equal("", warnings(err))
  end)
end)

describe("--strict at the end of a run", function()
  it("lists the handles that were never freed, by kind and place", function()
    local _, _, err, path = run([[
      local context = CLContextCreate()
      local kept = CLBufferCreate(context, 4, CL_MEM_READ_WRITE)
      for i = 1, 5 do CLBufferCreate(context, 4, CL_MEM_READ_WRITE) end
      CLContextFree(context)]], "--strict")
    assert.equal(("clue: never freed: buffer 262145, made at %s:2\n"):format(path),
      (warnings(err):match("^[^\n]*\n"):gsub("buffer %d+", "buffer 262145")))
    local place = err:match("clue: never freed: 5 buffers %(%d+ and more%), made at ([^\n]*)\n")
    assert.equal(path .. ":3", place)
    assert.equal(2, count(err, "never freed"))
  end)

  it("lists nothing if all were freed, or without --strict", function()
    local _, _, err = run("CLContextFree(CLContextCreate())", "--strict")
    assert.equal("", warnings(err))
    _, _, err = run("CLContextCreate()")
    assert.equal("", warnings(err))
  end)
end)
