-- A script may end while its kernels still run, or while they are being compiled. They finish first, and the exit
-- status is the script's. (If the process ended at once, PoCL would crash and the other drivers would drop the work.)
-- suite: whole
-- builds: luajit asan
local support = require "support"

local script = [[
local context = CLContextCreate(CL_USE_ANY)
local program = CLProgramCreate(context,
  "kernel void %s(global int *a) { if (get_global_id(0) == 3) printf(\"ran\\n\"); }")
local kernel = CLKernelCreate(program, "%s")
local buffer = CLBufferCreate(context, 64, CL_MEM_READ_WRITE)
CLSetKernelArgMem(kernel, 0, buffer)
Print "before"
CLExecute(kernel, 1, {0}, {16})
%s
]]

describe("a script whose last OpenCL call enqueues a kernel", function()
  for how, expected in pairs {
    ["ends"] = {"", 0},
    ["frees everything"] = {
      "CLBufferFree(buffer) CLKernelFree(kernel) CLProgramFree(program) CLContextFree(context)", 0},
    ["raises"] = {"error 'x'", 1},
    ["calls os.exit"] = {"os.exit(3)", 3},
    ["calls os.exit and closes the state"] = {"os.exit(4, true)", 4},
  } do
    local once = support.sanitized and how ~= "ends" -- each compiles a new kernel
    for _, driver in ipairs(once and {"oclgrind"} or {"pocl", "oclgrind", "rusticl"}) do
      it(("and then %s still runs it on %s, after earlier output"):format(how, driver), function()
        local name = "f" .. how:gsub("%W", "_") .. os.time() -- never compiled before
        local status, out, err = support.run_script(script:format(name, name, expected[1]), {}, support.drivers(driver))
        assert.equal(expected[2], status, err)
        assert.equal("before\nran\n", out)
      end)
    end
  end
end)

describe("a finaliser of the script's own", function()
  -- When LuaJIT closes, it unloads C modules before it finalises objects that are made meanwhile.
  it("may make an array and a buffer while the state closes, over either binding", function()
    local code = [[
      local cl = require "clue"
      local context = cl.context()
      local made = {}
      local function at_end()
        made[1], made[2] = cl.array.float(16), context:buffer(16)
        print "made"
      end
      if newproxy then
        getmetatable(newproxy(true)).__gc = at_end
      else
        setmetatable({}, { __gc = at_end })
      end
    ]]
    -- Memory that LuaJIT's FFI allocates at that point is freed only when the process ends.
    local leaks = {ASAN_OPTIONS = (os.getenv "ASAN_OPTIONS" or "") .. ":detect_leaks=0"}
    for _, binding in ipairs(rawget(_G, "jit") and {"capi", "ffi"} or {"capi"}) do
      leaks.CLUE_BINDING = binding
      local out = support.ended(0, support.run_script(code, {}, support.drivers("pocl", leaks)))
      assert.equal("made\n", out)
    end
  end)
end)
