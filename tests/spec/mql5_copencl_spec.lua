-- COpenCL, the class of MQL5's standard library.

local array = require "clue.array"
local handles = require("handles").from_here()
local mql5 = require "clue.mql5"
local options = require "clue.options"
local support = require "support"

local source = [[
__kernel void scale(__global float *x, const float by, __local float *scratch) {
    scratch[get_local_id(0)] = by;
    x[get_global_id(0)] *= scratch[get_local_id(0)];
}
__kernel void first(__global float *x) { x[0] += 1; }
]]

describe("COpenCL", function()
  local quiet, ocl

  before_each(function()
    quiet, options.quiet = options.quiet, true
    ocl = mql5.COpenCL()
  end)

  after_each(function()
    ocl:Shutdown()
    assert.equal(0, handles.count())
    mql5.ResetLastError()
    options.quiet = quiet
  end)

  local function start()
    assert.is_true(ocl:Initialize(source, true, 0))
    assert.is_true(ocl:SetKernelsCount(2))
    assert.is_true(ocl:SetBuffersCount(2))
    assert.is_true(ocl:KernelCreate(0, "scale"))
    assert.is_true(ocl:KernelCreate(1, "first"))
  end

  it("computes as an MQL5 script has it", function()
    start()
    local x = array.float { 1, 2, 3, 4, 5, 6 }
    assert.is_true(ocl:BufferFromArray(0, x, 1, 4, mql5.CL_MEM_READ_WRITE))
    assert.is_true(ocl:SetArgumentBuffer(0, 0, 0))
    assert.is_true(ocl:SetArgument(0, 1, 10))
    assert.is_true(ocl:SetArgumentLocalMemory(0, 2, 8))
    assert.is_true(ocl:Execute(0, 1, { 0 }, { 4 }, { 2 }))
    assert.is_true(ocl:Execute(0, 1, { 0 }, { 2 }))
    assert.is_true(ocl:SetArgumentBuffer(1, 0, 0))
    assert.is_true(ocl:Execute(1))
    local y = array.float(4)
    assert.is_true(ocl:BufferRead(0, y, 0, 0, 4))
    assert.same({ 201, 300, 40, 50 }, y:table())
    assert.is_true(ocl:BufferWrite(0, x, 0, 0, 4))
    assert.is_true(ocl:BufferRead(0, y, 4, 1, 2))
    assert.same({ 201, 2, 3, 50 }, y:table())
    assert.equal("scale", ocl:GetKernelName(0))
    assert.equal(mql5.OPENCL_KERNEL, mql5.CLHandleType(ocl:GetKernel(0)))
    assert.equal(mql5.OPENCL_CONTEXT, mql5.CLHandleType(ocl:GetContext()))
    assert.equal(mql5.OPENCL_PROGRAM, mql5.CLHandleType(ocl:GetProgram()))
  end)

  it("makes buffers of matrices and vectors and reads them back", function()
    start()
    local m, v = mql5.matrixf(2, 2, 3), mql5.vectorf(3, 5)
    assert.is_true(ocl:BufferFromMatrix(0, m, mql5.CL_MEM_READ_WRITE))
    assert.is_true(ocl:BufferFromVector(1, v, mql5.CL_MEM_READ_WRITE))
    local back = mql5.matrixf()
    assert.is_true(ocl:BufferToMatrix(0, back, 2, 2))
    assert.same({ 2, 2, 12 }, { back:rows(), back:columns(), back:sum() })
    assert.is_true(ocl:BufferToVector(1, back, 3))
    assert.same({ 3, 15 }, { #back, back:sum() })
    assert.is_false(ocl:BufferFromMatrix(0, mql5.matrix(), mql5.CL_MEM_READ_WRITE))
  end)

  it("tells of its device and its kernels", function()
    start()
    local function of_device(name) return mql5.CLGetInfoInteger(0, mql5[name]) end
    assert.equal(of_device "CL_DEVICE_GLOBAL_MEM_SIZE", ocl:GetGlobalMemorySize())
    assert.equal(of_device "CL_DEVICE_LOCAL_MEM_SIZE", ocl:GetLocalMemorySize())
    assert.equal(of_device "CL_DEVICE_MAX_WORK_GROUP_SIZE", ocl:GetMaxWorkgroupSize())
    assert.equal(of_device "CL_DEVICE_TYPE", ocl:GetDeviceInfoInteger(mql5.CL_DEVICE_TYPE))
    assert.is_true(ocl:GetKernelInfoInteger(0, mql5.CL_KERNEL_WORK_GROUP_SIZE) > 0)
    assert.same({ true, 4 }, { ocl:GetDeviceInfo(0x1002, array.uchar(0)) })
    assert.equal(require("clue.device").get(0):has_double(), ocl:SupportDouble())
  end)

  it("keeps nothing of a program that does not build", function()
    assert.is_false(ocl:Initialize("__kernel void f(void) { nonsense }", false, 0))
    assert.equal(mql5.ERR_OPENCL_PROGRAM_CREATE, mql5.GetLastError())
    assert.equal(mql5.INVALID_HANDLE, ocl:GetContext())
    assert.equal(mql5.INVALID_HANDLE, ocl:GetProgram())
    assert.equal(0, handles.count())
    assert.is_true(ocl:Initialize(source, true, 0))
  end)

  it("takes a device, and fails where there is none", function()
    assert.is_false(ocl:Initialize(source, true, 99))
    assert.equal(mql5.ERR_OPENCL_SELECTDEVICE, mql5.GetLastError())
    assert.equal(mql5.INVALID_HANDLE, ocl:GetContext())
  end)

  it("frees what it replaces", function()
    start()
    assert.is_true(ocl:BufferCreate(0, 16, mql5.CL_MEM_READ_WRITE))
    assert.is_true(ocl:BufferCreate(0, 32, mql5.CL_MEM_READ_WRITE))
    assert.is_true(ocl:KernelCreate(0, "first"))
    assert.equal("first", ocl:GetKernelName(0))
    assert.equal(5, handles.count())
    assert.is_true(ocl:ProgramCreate(source))
    assert.equal(mql5.INVALID_HANDLE, ocl:GetKernel(0))
    assert.equal(3, handles.count())
    assert.is_true(ocl:SetBuffersCount(2))
    assert.is_true(ocl:BufferFree(0))
    assert.equal(2, handles.count())
    assert.is_true(ocl:Initialize(source, true, 0))
    assert.equal(2, handles.count())
  end)

  it("says that a colon calls its methods, where MQL5 has a point", function()
    for _, name in ipairs { "Initialize", "Shutdown", "Execute", "GetContext", "BufferToMatrix" } do
      assert.error_matches(function() ocl[name](source) end,
        "a method of COpenCL is called with a colon: ocl:" .. name)
    end
  end)

  it("frees a buffer that it could not fill", function()
    local status, out, err = support.run({ "--quiet", "-e", [[
      local ocl = COpenCL()
      ocl:Initialize("__kernel void f(__global float *x) { }")
      ocl:SetBuffersCount(1)
      print(ocl:BufferFromArray(0, array.float(4), 0, WHOLE_ARRAY, CL_MEM_READ_WRITE),
        ocl:BufferFromMatrix(0, matrix(2, 2), CL_MEM_READ_WRITE), require("clue.binding").handle_count())
      ocl:Shutdown()
    ]] }, support.drivers("null", { CLUE_NULL_FAIL = "clEnqueueWriteBuffer:-5" }))
    assert.equal(0, status, err)
    assert.equal("false\tfalse\t2\n", out)
    start()
    assert.error_matches(function() ocl:BufferFromMatrix(0, array.int(4), mql5.CL_MEM_READ_WRITE) end,
      "argument #2 must be a matrix or vector of double or float, got an int array")
  end)

  it("refuses places that are not there or empty, and calls before there is a context", function()
    local calls = {
      function() return ocl:KernelCreate(0, "scale") end,
      function() return ocl:BufferCreate(0, 4, mql5.CL_MEM_READ_WRITE) end,
      function() return ocl:ProgramCreate(source) end,
      function() return ocl:SupportDouble() end,
      function() return ocl:Execute(0) end,
      function() return ocl:SetArgument(0, 0, 1) end,
      function() return ocl:SetArgumentBuffer(0, 0, 0) end,
      function() return ocl:SetArgumentLocalMemory(0, 0, 4) end,
      function() return ocl:KernelFree(0) end,
      function() return ocl:BufferFree(0) end,
      function() return ocl:BufferRead(0, array.float(1), 0, 0, 1) end,
      function() return ocl:BufferWrite(0, array.float(1), 0, 0, 1) end,
      function() return ocl:BufferToMatrix(0, mql5.matrix(1, 1)) end,
      function() return ocl:SetKernelsCount(0) end,
      function() return ocl:SetBuffersCount(1.5) end,
      function() return ocl:BufferFromArray(0, array.float(4), 2, 3, 1) end,
    }
    for i, call in ipairs(calls) do
      mql5.ResetLastError()
      assert.is_false(call(), "call " .. i)
      assert.equal(mql5.ERR_INVALID_PARAMETER, mql5.GetLastError(), "call " .. i)
    end
    assert.equal(-1, ocl:GetKernelInfoInteger(0, mql5.CL_KERNEL_WORK_GROUP_SIZE))
    assert.equal(mql5.INVALID_HANDLE, ocl:GetKernel(3))
    assert.equal("", ocl:GetKernelName(-1))
  end)

  it("names the place in what it raises with --strict", function()
    start()
    options.raise = true
    local done, problem = pcall(ocl.Execute, ocl, 5)
    options.raise = nil
    assert.is_false(done)
    assert.matches("COpenCL:Execute: kernel index 5: there are 2 places, SetKernelsCount makes more", tostring(problem))
    assert.error_matches(function() ocl:KernelCreate("0", "scale") end, 'argument #1 must be a kernel index, got "0"')
  end)
end)
