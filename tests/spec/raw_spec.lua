-- clue.raw: it has everything in Khronos' headers, with the same values, and works together with clue's objects.
-- suite: quick
-- process: shared
-- drivers: pocl oclgrind

local support = require "support"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

local has_ffi, ffi = pcall(require, "ffi")

it("clue.raw without FFI is refused with what it needs", function()
  if has_ffi then pending "this interpreter has FFI" end
  local loaded, problem = pcall(require, "clue.raw")
  assert.is_false(loaded)
  assert.matches("clue.raw needs LuaJIT and its FFI library, but this is Lua 5%.%d: ", tostring(problem))
end)

if not has_ffi then return end

local cl, raw = require "clue", require "clue.raw"
local opencl_headers = require "opencl_headers"
local headers = opencl_headers.read()
local driver = require "driver"
local values = require "clue.raw.values"

-- Names that are not values: attributes and calling conventions of C declarations, the place in a C file, and those
-- that depend on <stdint.h>.
local function is_no_value(name)
  return name:find "^CL_API_" or name:find "^CL_EXT_.*DEPRECATED" or name:find "^CL_EXT_[SP]%w+__VERSION"
    or name == "CL_CALLBACK" or name == "CL_ALIGNED" or name == "CL_PROGRAM_STRING_DEBUG_INFO"
    or name:find "^CL_TARGET_OPENCL_VERSION" or name:find "^CL_USE_DEPRECATED"
end

local function names_of(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

describe("the generator of clue.raw", function()
  it("takes newer headers, which have types of functions #once", function()
    local folder = support.folder()
    local paths = {}
    for i, name in ipairs {"cdef.lua", "functions.lua", "values.inc"} do paths[i] = folder .. "/" .. name end
    local preprocessed = support.write [[
# 1 "/usr/include/CL/cl.h" 1
#define CL_NEW_THING (1 << 3)
typedef unsigned int cl_uint;
typedef int cl_new_t(cl_uint n, void ( * notify)(int), void *data);
typedef cl_new_t *cl_new_fn;
typedef int ( *cl_old_fn)(cl_uint n);
extern int clNew(cl_uint n, void ( * notify)(int), void *data) __attribute__((deprecated("x")));
# 1 "/usr/include/stdio.h" 1
extern int puts(const char *);
]]
    support.ended(0, support.run {"bindings/raw/generate.lua", preprocessed, unpack(paths)})
    assert.equal("VALUE(CL_NEW_THING)\nTYPE(cl_uint)\nTYPE(cl_new_fn)\nTYPE(cl_old_fn)\n", support.read(paths[3]))
    assert.same({clNew = "int (*)(cl_uint n, void ( * notify)(int), void *data)"}, assert(loadfile(paths[2]))())
  end)
end)

describe("clue.raw", function()
  it("has every function of the headers", function()
    local names, missing = names_of(headers.functions), {}
    assert.is_true(#names > 150)
    for _, name in ipairs(names) do
      local found, problem = pcall(function() return raw[name] end)
      if not found and not problem:find "an extension's function comes from its platform" then
        missing[#missing + 1] = name
      end
    end
    assert.same({}, missing)
  end)

  it("finds the functions of OpenCL itself in the loader", function()
    for _, name in ipairs {"clGetPlatformIDs", "clCreateContext", "clSetKernelArg", "clEnqueueNDRangeKernel",
      "clCreateImage2D", "clCreateProgramWithIL", "clSetContextDestructorCallback"} do
      assert.equal("cdata", type(raw[name]), name)
    end
  end)

  it("has every constant of the headers, with its value", function()
    local names, missing, wrong, plain = names_of(headers.constants), {}, {}, 0
    assert.is_true(#names > 1000)
    for _, name in ipairs(names) do
      local expected = opencl_headers.value(headers, name)
      local found = rawget(raw, name)
      if found == nil and not is_no_value(name) then missing[#missing + 1] = name end
      if found ~= nil and expected ~= nil then
        plain = plain + 1
        if found ~= expected then wrong[#wrong + 1] = name end
      end
    end
    assert.same({}, missing)
    assert.same({}, wrong)
    assert.is_true(plain > 900, plain .. " constants have a plain value")
  end)

  it("has every macro of the headers that takes arguments", function()
    local missing = {}
    for name in pairs(headers.macros) do
      if type(rawget(raw, name)) ~= "function" and not is_no_value(name) then missing[#missing + 1] = name end
    end
    assert.same({}, missing)
    assert.equal(3 * 2 ^ 22 + 1 * 2 ^ 12 + 7, raw.CL_MAKE_VERSION(3, 1, 7))
    assert.equal(3, raw.CL_VERSION_MAJOR(raw.CL_MAKE_VERSION(3, 1, 7)))
    assert.equal(1, raw.CL_VERSION_MINOR(raw.CL_MAKE_VERSION(3, 1, 7)))
    assert.equal(7, raw.CL_VERSION_PATCH_KHR(raw.CL_MAKE_VERSION_KHR(3, 1, 7)))
  end)

  it("has every type of the headers", function()
    local missing, count = {}, 0
    for name in pairs(headers.types) do
      count = count + 1
      if not pcall(ffi.typeof, name) then missing[#missing + 1] = name end
    end
    assert.same({}, missing)
    assert.is_true(count > 200, count .. " types")
  end)

  it("has types with the same size and alignment as in C", function()
    local wrong, count = {}, 0
    for name, layout in pairs(values.types) do
      count = count + 1
      if ffi.sizeof(name) ~= layout[1] or ffi.alignof(name) ~= layout[2] then wrong[#wrong + 1] = name end
    end
    assert.same({}, wrong)
    assert.is_true(count > 150)
  end)

  it("has exact 64-bit constants, infinity, NaN and texts", function()
    assert.equal("9223372036854775807LL", tostring(raw.CL_LONG_MAX))
    assert.equal("-9223372036854775808LL", tostring(raw.CL_LONG_MIN))
    assert.equal("18446744073709551615ULL", tostring(raw.CL_ULONG_MAX))
    assert.equal(2 ^ 32 - 1, raw.CL_DEVICE_TYPE_ALL)
    assert.equal(math.huge, raw.CL_INFINITY)
    assert.is_true(raw.CL_NAN ~= raw.CL_NAN)
    assert.equal(math.pi, raw.CL_M_PI)
    assert.equal("cl_khr_command_buffer", raw.CL_KHR_COMMAND_BUFFER_EXTENSION_NAME)
  end)

  it("refuses names that the headers do not have", function()
    assert.has_error(function() return raw.CL_VOODOO end,
      "the OpenCL headers with which clue was built have no 'CL_VOODOO'")
    assert.error_matches(function() return raw.clTerminateContextKHR end,
      "the OpenCL loader has no clTerminateContextKHR: .*raw.extensions%(platform%)%.clTerminateContextKHR")
  end)

  it("takes a function from a library that is preloaded before the loader #once", function()
    if support.sanitized then pending "the sanitizers' own library must be preloaded first" end
    local code = 'print(require("clue.raw").clUnloadPlatformCompiler(nil))'
    local out, err = support.ended(0, support.run({"-e", code}, support.drivers("pocl", {
      LD_PRELOAD = support.built "layer/interpose.so"})))
    assert.equal("-9876\n", out)
    assert.matches("interposed", err)
  end)
end)

describe("clue's objects", function()
  local context, queue

  setup(function()
    context = cl.context(0)
    queue = context:queue()
  end)

  it("wait for commands that were enqueued by raw calls, too", function()
    local x = context:buffer(cl.array.uint(64))
    local program = context:program [[kernel void work(global uint *x, uint n) {
      uint sum = x[get_global_id(0)];
      for (uint i = 0; i < n; i++) sum = sum * 1664525u + 1013904223u;
      x[get_global_id(0)] = sum;
    }]]
    local work = program:kernel "work"
    work(queue, 64, nil, x, 1):wait() -- so that it is compiled
    work:set_args(x, driver.of(context.device).runs_in_calling_thread and 100 or 60000)
    local global, event, status = ffi.new("size_t[1]", 64), ffi.new "cl_event[1]", ffi.new "cl_int[1]"
    for _, finish in ipairs {function() queue:finish() end, function() context:finish() end} do
      for _ = 1, 5 do
        raw.check(raw.clEnqueueNDRangeKernel(raw.pointer(queue), raw.pointer(work), 1, nil, global, nil, 0, nil, event),
          "clEnqueueNDRangeKernel")
        raw.check(raw.clFlush(raw.pointer(queue)), "clFlush")
        finish()
        raw.check(raw.clGetEventInfo(event[0], raw.CL_EVENT_COMMAND_EXECUTION_STATUS, 4, status, nil), "clGetEventInfo")
        assert.equal(raw.CL_COMPLETE, status[0])
        raw.check(raw.clReleaseEvent(event[0]), "clReleaseEvent")
      end
    end
  end)

  it("give their OpenCL objects, which raw calls accept", function()
    local x = context:buffer(cl.array.float {1, 2, 3})
    local back = ffi.new "float[3]"
    raw.check(raw.clEnqueueReadBuffer(raw.pointer(queue), raw.pointer(x), raw.CL_TRUE, 0, 12, back, 0, nil, nil),
      "clEnqueueReadBuffer")
    assert.same({1, 2, 3}, {back[0], back[1], back[2]})
    local program = context:program "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }"
    local twice = program:kernel "twice"
    local event = twice(queue, 3, nil, x)
    event:wait()
    local status = ffi.new "cl_int[1]"
    raw.check(raw.clGetEventInfo(raw.pointer(event), raw.CL_EVENT_COMMAND_EXECUTION_STATUS, 4, status, nil),
      "clGetEventInfo")
    assert.equal(raw.CL_COMPLETE, status[0])
    for of, kind in pairs {[program] = "cl_program", [twice] = "cl_kernel", [context] = "cl_context",
      [x] = "cl_mem", [event] = "cl_event", [queue] = "cl_command_queue", [context.device] = "cl_device_id"} do
      assert.is_true(ffi.istype(kind, raw.pointer(of)), kind)
      assert.is_true(ffi.istype("cl_platform_id", raw.pointer(of, "platform")))
    end
  end)

  it("may be given by handle or ordinal, and give the objects that they belong to", function()
    local x = context:buffer(16)
    assert.equal(raw.pointer(x), raw.pointer(x.handle))
    assert.is_true(ffi.istype("cl_mem", raw.pointer(x.handle)))
    assert.equal(raw.pointer(context), raw.pointer(x, "context"))
    assert.equal(raw.pointer(0), raw.pointer(x, "device"))
    assert.is_true(ffi.istype("cl_command_queue", raw.pointer(context, "queue")))
    assert.not_equal(raw.pointer(queue), raw.pointer(context, "queue"))
  end)

  it("give the pointer to shared virtual memory", function()
    if #(context.device.svm_capabilities or {}) == 0 then pending "the device has no shared virtual memory" end
    local x = context:svm(cl.array.int {5, 6})
    assert.equal(x.pointer, tonumber(ffi.cast("uintptr_t", raw.pointer(x))))
    local mapped = queue:map_svm(x, "int", "read")
    assert.equal(6, ffi.cast("int32_t *", raw.pointer(x))[1])
    queue:unmap(mapped)
  end)

  it("are refused if they are closed, and so are other values", function()
    local x = context:buffer(16)
    x:close()
    assert.error_matches(function() raw.pointer(x) end,
      "raw%.pointer: of must be a clue object, a handle or a device's ordinal, got a closed buffer")
    assert.error_matches(function() raw.pointer("gpu") end,
      "raw%.pointer: of must be a clue object, a handle or a device's ordinal, got \"gpu\"")
    assert.error_matches(function() raw.pointer(context, "kernel") end, "is a context; a kernel is needed")
    assert.error_matches(function() raw.pointer(context, "voodoo") end,
      'raw%.pointer: kind must be "context", "device", "platform", "queue", or nil for the object itself, '
        .. 'got "voodoo"')
    assert.error_matches(function() raw.pointer(-1) end, "-1 is not a handle", 1, true)
  end)

  it("are raised as errors by raw.check for OpenCL's codes", function()
    local code = ffi.new "cl_int[1]"
    local memory = raw.clCreateBuffer(raw.pointer(context), raw.CL_MEM_READ_WRITE, 0, nil, code)
    assert.equal(nil, memory)
    local raised, problem = pcall(raw.check, code[0], "clCreateBuffer")
    assert.is_false(raised)
    assert.is_true(cl.error.is(problem))
    assert.equal(raw.CL_INVALID_BUFFER_SIZE, problem.code)
    assert.equal("clCreateBuffer: CL_INVALID_BUFFER_SIZE (-61)", problem.text)
    raw.check(0, "clCreateBuffer")
  end)
end)

it("docs/reference/raw.md shows a script that runs #once", function()
  local shown = support.read("docs/reference/raw.md"):match "```lua\n(.-)```"
  assert.matches("raw.clCreateBuffer", shown, 1, true)
  local out = support.ended(0, support.run_script(shown, {}, support.drivers "pocl"))
  assert.equal("", out)
end)

describe("raw.extensions", function()
  it("gives the functions of a platform's extensions", function()
    local own = driver.of(cl.device.get(0))
    if own.lacks_icd_function then pending(own.lacks_icd_function) end
    local of_platform = raw.extensions(0)
    local count = ffi.new "cl_uint[1]"
    assert.equal(raw.CL_SUCCESS, of_platform.clIcdGetPlatformIDsKHR(0, nil, count))
    assert.is_true(count[0] >= 1)
    assert.equal(of_platform.clIcdGetPlatformIDsKHR, of_platform.clIcdGetPlatformIDsKHR)
    assert.equal(raw.CL_SUCCESS, raw.extensions(raw.pointer(0, "platform")).clIcdGetPlatformIDsKHR(0, nil, count))
  end)

  it("names the platform that lacks one", function()
    local of_platform = raw.extensions(0)
    assert.error_matches(function() return of_platform.clTerminateContextKHR end,
      ("no extension of platform %s has the function clTerminateContextKHR"):format(cl.device.get(0).platform.name))
    assert.error_matches(function() return of_platform.clVoodoo end, "have no 'clVoodoo'")
  end)
end)
