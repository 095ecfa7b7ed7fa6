-- Contexts, programs, kernels and arguments through MQL5's names.
-- suite: quick
-- process: shared bindings
-- drivers: pocl

local cl = require "clue"
local mql5 = require "clue.mql5"
local opened = require("handles").from_here()
local options = require "clue.options"

local source = [[
typedef float real;
struct colour { int red; };
__kernel void scale(__global float *x, const float by) { x[get_global_id(0)] *= by; }
__kernel void typed(__global long *out, const uchar small, const long large, const real alias) {
  out[0] = small; out[1] = large; out[2] = (long)alias;
}
__kernel void coloured(__global int *out, struct colour c) { out[0] = c.red; }
__kernel void grouped(__global int *out, __local int *scratch) {
  scratch[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = scratch[get_local_size(0) - 1 - get_local_id(0)];
}
]]

describe("MQL5's OpenCL functions", function()
  local context, program

  setup(function() options.quiet = true end)
  teardown(function()
    options.quiet = false
    assert.equal(0, opened.count())
  end)

  before_each(function()
    mql5.ResetLastError()
    context = mql5.CLContextCreate(mql5.CL_USE_ANY)
    program = mql5.CLProgramCreate(context, source)
  end)
  after_each(function()
    opened.free()
  end)

  -- The message is the last result, and GetLastError() gives the code.
  local function assert_fails(code, pattern, ...)
    local message = select(select("#", ...), ...)
    assert.equal(code, mql5.GetLastError())
    assert.is_string(message)
    assert.truthy(message:find(pattern, 1, true), message)
    assert.truthy(message:find(": error " .. code, 1, true), message)
  end

  it("return handles that cannot be device ordinals", function()
    assert.is_true(context >= 65536)
    assert.is_true(program >= 65536)
    assert.equal(0, mql5.GetLastError())
  end)

  it("return nothing if they free, and make the handle stale at once", function()
    assert.equal(0, select("#", mql5.CLProgramFree(program)))
    assert.equal(mql5.OPENCL_INVALID, mql5.CLHandleType(program))
  end)

  it("report freeing twice and freeing another kind, without harm", function()
    mql5.CLProgramFree(program)
    assert_fails(5102, "CLProgramFree: ", mql5.CLProgramFree(program))
    assert_fails(5102, "CLKernelFree: ", mql5.CLKernelFree(context))
    assert_fails(5102, "-1 is not a buffer: the call that should have made it failed", mql5.CLBufferFree(-1))
    assert_fails(5102, "handle 1.5 is not a whole number", mql5.CLContextFree(1.5))
    assert.equal(mql5.OPENCL_CONTEXT, mql5.CLHandleType(context))
  end)

  it("keep a context's objects usable after the context is freed", function()
    local kernel = mql5.CLKernelCreate(program, "scale")
    local data, buffer = mql5.array.float {2}, mql5.CLBufferCreate(context, 4, mql5.CL_MEM_READ_WRITE)
    mql5.CLBufferWrite(buffer, data)
    mql5.CLContextFree(context)
    mql5.CLProgramFree(program)
    mql5.CLSetKernelArgMem(kernel, 0, buffer)
    mql5.CLSetKernelArg(kernel, 1, 3)
    assert.is_true(mql5.CLExecute(kernel))
    assert.equal(1, mql5.CLBufferRead(buffer, data))
    assert.equal(6, data[0])
  end)

  describe("CLProgramCreate", function()
    it("returns the log as the second result, even on success", function()
      local handle, log = mql5.CLProgramCreate(context, source)
      assert.equal(mql5.OPENCL_PROGRAM, mql5.CLHandleType(handle))
      assert.is_string(log)
    end)

    it("returns -1, the log and the message if the source does not compile", function()
      local handle, log, message = mql5.CLProgramCreate(context, "__kernel void f() { undeclared_name = 1; }")
      assert.equal(-1, handle)
      assert.truthy(log:find("undeclared_name", 1, true), log)
      assert_fails(5105, "error 5105 (CL_BUILD_PROGRAM_FAILURE): ", message)
    end)

    it("builds sources with \\r\\n", function()
      local lines = "#define N 1\r\n__kernel void f(__global int *o)\r\n{ o[0] = N; }\r\n"
      local handle = mql5.CLProgramCreate(context, lines)
      assert.not_equal(-1, handle)
      assert.not_equal(-1, mql5.CLKernelCreate(handle, "f"))
    end)

    it("refuses an empty source and a handle that is not a context", function()
      assert_fails(5105, "CLProgramCreate: ", mql5.CLProgramCreate(context, ""))
      local handle, log, message = mql5.CLProgramCreate(program, source)
      assert.equal(-1, handle)
      assert.equal("", log)
      assert_fails(5102, "CLProgramCreate: ", message)
    end)

    it("raises if a third argument is passed, which Lua could not fill", function()
      assert.error_matches(function() mql5.CLProgramCreate(context, source, "") end,
        'CLProgramCreate: argument #3 must be left out, got ""; the build log is the second result: '
          .. 'program, log = %.%.%.')
      assert.error_matches(function() mql5.CLProgramCreate(context, source, nil) end,
        "CLProgramCreate: argument #3 must be left out, got nil; the build log is the second "
          .. "result: program, log = %.%.%.")
      assert.not_equal(-1, (mql5.CLProgramCreate(context, source:gsub("scale", "other"))))
    end)
  end)

  describe("CLKernelCreate", function()
    it("refuses a name of more than 127 characters with 5106", function()
      assert_fails(5106, "128 characters", mql5.CLKernelCreate(program, ("k"):rep(128)))
      assert_fails(5107, ("k"):rep(127), mql5.CLKernelCreate(program, ("k"):rep(127)))
    end)

    it("lists the kernels if there is none of that name", function()
      local kernel, message = mql5.CLKernelCreate(program, "missing")
      assert.equal(-1, kernel)
      assert_fails(5107, "scale", message)
    end)

    it("refuses an empty name and a zero byte", function()
      assert_fails(4003, "empty", mql5.CLKernelCreate(program, ""))
      assert_fails(4003, "zero byte", mql5.CLKernelCreate(program, "sca\0le"))
    end)
  end)

  describe("CLSetKernelArg", function()
    local kernel

    before_each(function() kernel = mql5.CLKernelCreate(program, "typed") end)

    local function run()
      local data = mql5.array.long(3)
      local buffer = mql5.CLBufferCreate(context, data:bytes(), mql5.CL_MEM_READ_WRITE)
      assert.is_true(mql5.CLSetKernelArgMem(kernel, 0, buffer))
      assert.is_true(mql5.CLExecute(kernel))
      assert.equal(3, mql5.CLBufferRead(buffer, data))
      return data
    end

    it("gives a plain number the type that the kernel declares", function()
      assert.is_true(mql5.CLSetKernelArg(kernel, 1, 200))
      assert.is_true(mql5.CLSetKernelArg(kernel, 2, -5))
      assert.is_true(mql5.CLSetKernelArg(kernel, 3, 7)) -- a typedef
      assert.same({200, -5, 7}, run():table())
    end)

    it("takes typed values, even of 64 bits, exactly", function()
      assert.is_true(mql5.CLSetKernelArg(kernel, 1, cl.uchar(255)))
      assert.is_true(mql5.CLSetKernelArg(kernel, 2, mql5.long("9007199254740993")))
      assert.is_true(mql5.CLSetKernelArg(kernel, 3, cl.float(-2)))
      assert.equal("9007199254740993", run():decimal(1))
    end)

    it("takes the bits of a negative number for an unsigned one, as MQL5 does, and of cl.int for a uint", function()
      local other = mql5.CLKernelCreate(mql5.CLProgramCreate(context,
        "kernel void f(global ulong *x, uint n, uchar c, ulong l) { x[0] = n; x[1] = c; x[2] = l; }"), "f")
      local data = mql5.array.ulong(3)
      local buffer = mql5.CLBufferCreate(context, data:bytes(), mql5.CL_MEM_READ_WRITE)
      assert.is_true(mql5.CLSetKernelArgMem(other, 0, buffer))
      for _, given in ipairs {mql5.int(-1), cl.int(-1), mql5.uint(-1)} do
        mql5.CLSetKernelArg(other, 1, 0)
        assert.is_true(mql5.CLSetKernelArg(other, 1, given))
        assert.is_true(mql5.CLSetKernelArg(other, 2, mql5.char(-2)))
        assert.is_true(mql5.CLSetKernelArg(other, 3, mql5.long(-3)))
        assert.is_true(mql5.CLExecute(other))
        assert.equal(3, mql5.CLBufferRead(buffer, data))
        assert.same({"4294967295", "254", "18446744073709551613"},
          {data:decimal(0), data:decimal(1), data:decimal(2)})
      end
      assert_fails(5108, "is uchar, which cannot hold -129", mql5.CLSetKernelArg(other, 2, -129))
      assert_fails(5108, "is uint, which cannot hold -1.5", mql5.CLSetKernelArg(other, 1, -1.5))
    end)

    it("refuses a plain number with the reason if the driver does not report the type", function()
      local done, message = mql5.CLSetKernelArg(mql5.CLKernelCreate(program, "coloured"), 1, 1)
      assert.is_false(done)
      assert_fails(5108, "is struct colour, a typedef", message)
      assert_fails(5108, "does not describe: give the value's type, cl.float(1) or cl.int(1) with local cl = require "
        .. "'clue'", message)
    end)

    it("refuses values that the type cannot hold and values of another type", function()
      assert_fails(5108, "cannot hold 300", mql5.CLSetKernelArg(kernel, 1, 300))
      assert_fails(5108, "cannot hold 1.5", mql5.CLSetKernelArg(kernel, 2, 1.5))
      assert_fails(5108, "float was given", mql5.CLSetKernelArg(kernel, 2, cl.float(1)))
    end)

    it("refuses a vector of another type, and says the function's name once", function()
      local other = mql5.CLKernelCreate(mql5.CLProgramCreate(context, "kernel void f(float4 x) { }"), "f")
      local message = select(2, mql5.CLSetKernelArg(other, 0, cl.double4(1, 2, 3, 4)))
      assert.equal("CLSetKernelArg: error 5108: argument 0 (x) of kernel 'f' is float4, but double4(1, 2, 3, 4) was "
        .. "given: use cl.float4", message)
    end)

    it("refuses an integer of Lua 5.4's that a double cannot hold", function()
      if not rawget(math, "type") then return end
      assert_fails(5108, 'a plain number cannot hold 9007199254740993 exactly: give long("9007199254740993") or ulong',
        mql5.CLSetKernelArg(kernel, 2, rawget(math, "tointeger")("9007199254740993") or 2 ^ 53))
    end)

    it("refuses an index that the kernel does not have", function()
      assert_fails(5108, "no argument 4", mql5.CLSetKernelArg(kernel, 4, 1))
      assert_fails(5108, "no argument -1", mql5.CLSetKernelArg(kernel, -1, 1))
      assert_fails(5108, "argument index 0.5 is not a whole number", mql5.CLSetKernelArg(kernel, 0.5, 1))
    end)

    it("refuses a value for a buffer and a buffer for a value", function()
      local buffer = mql5.CLBufferCreate(context, 8, mql5.CL_MEM_READ_WRITE)
      assert_fails(5108, "takes a buffer", mql5.CLSetKernelArg(kernel, 0, 1))
      assert_fails(5108, "takes a value", mql5.CLSetKernelArgMem(kernel, 1, buffer))
    end)

    it("refuses stale handles of kernels and buffers", function()
      local buffer = mql5.CLBufferCreate(context, 8, mql5.CL_MEM_READ_WRITE)
      mql5.CLBufferFree(buffer)
      assert_fails(5102, "CLSetKernelArgMem: ", mql5.CLSetKernelArgMem(kernel, 0, buffer))
      assert_fails(5102, "handle 0.5 is not a whole number", mql5.CLSetKernelArgMem(kernel, 0, 0.5))
      assert_fails(5102, "is out of range", mql5.CLSetKernelArgMem(kernel, 0, 2 ^ 40))
      mql5.CLKernelFree(kernel)
      assert_fails(5102, "CLSetKernelArg: ", mql5.CLSetKernelArg(kernel, 1, 1))
    end)

    it("refuses a vector with the codes and the words for a number", function()
      local buffer = mql5.CLBufferCreate(context, 8, mql5.CL_MEM_READ_WRITE)
      for _, place in ipairs {{buffer, 1, 5102}, {-1, 1, 5102}, {kernel, 4, 5108}, {kernel, 0, 5108}} do
        local of_number = select(2, mql5.CLSetKernelArg(place[1], place[2], 1))
        local opencl = mql5.CLGetInfoInteger(0, mql5.CL_LAST_ERROR)
        mql5.ResetLastError()
        assert_fails(place[3], of_number, mql5.CLSetKernelArg(place[1], place[2], cl.int2(1)))
        assert.equal(opencl, mql5.CLGetInfoInteger(0, mql5.CL_LAST_ERROR))
      end
    end)

    it("raises for values that are neither numbers nor typed values", function()
      for given, shown in pairs {[true] = "true; kernels take 1 for true and 0 for false: on and 1 or 0",
                                 ["1"] = '"1"'} do
        assert.error_matches(function() mql5.CLSetKernelArg(kernel, 1, given) end,
          "CLSetKernelArg: value must be a number or typed value, got " .. shown)
      end
      assert.error_matches(function() mql5.CLSetKernelArg(kernel, 1) end, "got nil")
    end)

    it("names what takes a struct, and what a vector of OpenCL C is", function()
      local coloured = mql5.CLKernelCreate(program, "coloured")
      local struct = cl.structs("struct colour { int red; };").colour {red = 7}
      assert.error_matches(function() mql5.CLSetKernelArg(coloured, 1, struct) end,
        "require%('clue'%)%.wrap%(kernel%):set_arg%(index, it%)")
      cl.wrap(coloured):set_arg(1, struct)
      assert.error_matches(function() mql5.CLSetKernelArg(kernel, 1, mql5.vector {1, 2}) end,
        "got a vector; float4%(1, 2, 3, 4%) and its kin")
    end)
  end)

  describe("CLSetKernelArgMemLocal", function()
    it("sets the size of a __local argument", function()
      local kernel = mql5.CLKernelCreate(program, "grouped")
      local data = mql5.array.int(8)
      local buffer = mql5.CLBufferCreate(context, data:bytes(), mql5.CL_MEM_READ_WRITE)
      assert.is_true(mql5.CLSetKernelArgMem(kernel, 0, buffer))
      assert.is_true(mql5.CLSetKernelArgMemLocal(kernel, 1, 4 * 4))
      assert.is_true(mql5.CLExecute(kernel, 1, {0}, {8}, {4}))
      assert.equal(8, mql5.CLBufferRead(buffer, data))
      assert.same({3, 2, 1, 0, 7, 6, 5, 4}, data:table())
    end)

    it("refuses 0, fractions, more than the device has, and arguments that are not __local pointers", function()
      local kernel = mql5.CLKernelCreate(program, "grouped")
      assert_fails(5108, "0 bytes", mql5.CLSetKernelArgMemLocal(kernel, 1, 0))
      assert_fails(5108, "size 0.5 is not a whole number", mql5.CLSetKernelArgMemLocal(kernel, 1, 0.5))
      assert_fails(5108, "more than", mql5.CLSetKernelArgMemLocal(kernel, 1, 2 ^ 40))
      assert_fails(5108, "__global pointer", mql5.CLSetKernelArgMemLocal(kernel, 0, 16))
    end)
  end)

  it("raise for wrong Lua types, at the script's line", function()
    local calls = {
      {"CLContextFree: context must be a handle, got nil", mql5.CLContextFree},
      {"CLProgramFree: program must be a handle, got a table", mql5.CLProgramFree, {}},
      {"CLKernelFree: kernel must be a handle, got \"1\"", mql5.CLKernelFree, "1"},
      {"CLProgramCreate: source must be a string, got nil", mql5.CLProgramCreate, context},
      {"CLKernelCreate: kernel_name must be a string, got 5", mql5.CLKernelCreate, program, 5},
      {"CLSetKernelArgMem: buffer must be a handle, got nil", mql5.CLSetKernelArgMem, program, 0},
      {"CLExecutionStatus: kernel must be a handle, got true", mql5.CLExecutionStatus, true},
      {"CLContextCreate: device must be a number, got \"gpu\"", mql5.CLContextCreate, "gpu"},
      {"CLHandleType: handle is a float array on the host, not the handle of a buffer: CLBufferCreate makes a buffer",
       mql5.CLHandleType, mql5.array.float(1)},
    }
    for _, call in ipairs(calls) do
      local done, problem = pcall(function() call[2](call[3], call[4]) end)
      local message = tostring(problem)
      assert.is_false(done)
      assert.truthy(message:find("mql5_opencl_spec%.lua:%d+: CL"), message)
      assert.truthy(message:find(call[1], 1, true), message)
    end
    assert.equal(0, mql5.GetLastError())
  end)
end)
