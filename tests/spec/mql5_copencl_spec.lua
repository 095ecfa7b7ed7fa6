-- COpenCL, the class of MQL5's standard library, as scripts use it and derive classes from it.
-- mql5_copencl_facts_spec.lua compares each method with MetaQuotes' own.
-- suite: quick
-- process: shared bindings
-- drivers: pocl

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

  it("computes in a script written as for MQL5", function()
    start()
    local x = array.float {1, 2, 3, 4, 5, 6}
    assert.is_true(ocl:BufferFromArray(0, x, 1, 4, mql5.CL_MEM_READ_WRITE))
    assert.is_true(ocl:SetArgumentBuffer(0, 0, 0))
    assert.is_true(ocl:SetArgument(0, 1, 10))
    assert.is_true(ocl:SetArgumentLocalMemory(0, 2, 8))
    assert.is_true(ocl:Execute(0, 1, {0}, {4}, {2}))
    assert.is_true(ocl:Execute(0, 1, {0}, {2}))
    assert.is_true(ocl:SetArgumentBuffer(1, 0, 0))
    assert.is_true(ocl:Execute(1))
    local y = array.float(4)
    assert.is_true(ocl:BufferRead(0, y, 0, 0, 4))
    assert.same({201, 300, 40, 50}, y:table())
    assert.is_true(ocl:BufferWrite(0, x, 0, 0, 4))
    assert.is_true(ocl:BufferRead(0, y, 4, 1, 2))
    assert.same({201, 2, 3, 50}, y:table())
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
    assert.same({2, 2, 12}, {back:rows(), back:columns(), back:sum()})
    v = mql5.vectorf()
    assert.is_true(ocl:BufferToVector(1, v, 3))
    assert.same({3, 15}, {#v, v:sum()})
    assert.is_false(ocl:BufferFromMatrix(0, mql5.matrix(), mql5.CL_MEM_READ_WRITE))
  end)

  it("makes a buffer of an array of structs", function()
    local P = require("clue").structs("typedef struct { float x; int n; } P;").P
    local data, back = P:array(3), P:array(3)
    for i = 0, 2 do data[i].x, data[i].n = i + 0.5, 10 * i end
    assert.is_true(ocl:Initialize(source, false, 0))
    assert.is_true(ocl:SetBuffersCount(1))
    assert.is_false(ocl:BufferFromArray(0, data, 1, 3, mql5.CL_MEM_READ_WRITE))
    assert.is_true(ocl:BufferFromArray(0, data, 1, mql5.WHOLE_ARRAY, mql5.CL_MEM_READ_WRITE))
    assert.is_true(ocl:BufferRead(0, back, 0, 0, 2))
    assert.same({1.5, 10, 2.5, 20}, {back[0].x, back[0].n, back[1].x, back[1].n})
  end)

  it("keeps nothing if its program does not build", function()
    assert.is_false(ocl:Initialize("__kernel void f(void) { nonsense }", false, 0))
    assert.equal(mql5.ERR_OPENCL_PROGRAM_CREATE, mql5.GetLastError())
    assert.equal(mql5.INVALID_HANDLE, ocl:GetContext())
    assert.equal(mql5.INVALID_HANDLE, ocl:GetProgram())
    assert.equal(0, handles.count())
    assert.is_true(ocl:Initialize(source, true, 0))
  end)

  it("says that its methods are called with a colon, unlike in MQL5", function()
    for _, name in ipairs {"Initialize", "Shutdown", "Execute", "GetContext", "BufferToMatrix"} do
      assert.error_matches(function() ocl[name](source) end,
        "COpenCL:" .. name .. ": call it with a colon: a COpenCL expected before it, got \"__kernel")
    end
  end)

  it("frees a buffer that it could not fill #once", function()
    local out = support.ended(0, support.run({"--quiet", "-e", [[
      local ocl = COpenCL()
      ocl:Initialize("__kernel void f(__global float *x) { }")
      ocl:SetBuffersCount(1)
      print(ocl:BufferFromArray(0, array.float(4), 0, WHOLE_ARRAY, CL_MEM_READ_WRITE),
        ocl:BufferFromMatrix(0, matrix(2, 2), CL_MEM_READ_WRITE), require("clue.binding").handle_count())
      ocl:Shutdown()
    ]]}, support.drivers("null", {CLUE_NULL_FAIL = "clEnqueueWriteBuffer:-5"})))
    assert.equal("false\tfalse\t2\n", out)
    start()
    assert.error_matches(function() ocl:BufferFromMatrix(0, array.int(4), mql5.CL_MEM_READ_WRITE) end,
      "COpenCL:BufferFromMatrix: matrix must be a matrix or vector of double or float, got an int array")
  end)

  it("raises errors with --strict that name the method and the index", function()
    start()
    options.raise = true
    local done, problem = pcall(ocl.Execute, ocl, 5)
    options.raise = nil
    assert.is_false(done)
    assert.matches("COpenCL:Execute: error 4003: kernel index 5: the object has 2 places; SetKernelsCount makes more",
      tostring(problem))
    assert.error_matches(function() ocl:KernelCreate("0", "scale") end,
      'COpenCL:KernelCreate: index must be a kernel index, got "0"')
  end)

  it("refuses a variable for a value that MQL5 passes by reference: here it is a result", function()
    start()
    for _, name in ipairs {"GetGlobalMemorySize", "GetLocalMemorySize", "GetMaxWorkgroupSize"} do
      assert.error_matches(function() ocl[name](ocl, nil) end,
        "COpenCL:" .. name .. ": argument #1 must be left out, got nil; the size is the second result")
    end
    assert.error_matches(function() ocl:GetDeviceInfo(0x1002, array.uchar(4)) end,
      "COpenCL:GetDeviceInfo: argument #2 must be left out, got a uchar array; the property is the result")
  end)

  it("shows the compiler's log if a build fails, unless it is asked not to #once", function()
    for show, expected in pairs {["true"] = 1, ["false"] = 0} do
      local _, err = support.ended(0, support.run({"-e", ([[
        COpenCL():Initialize("kernel void f() {\n  oops;\n}", %s)
        ResetLastError()
      ]]):format(show)}, support.drivers "oclgrind"))
      assert.equal(expected, select(2, err:gsub("\n +oops;\n", "")), err)
      assert.matches("error 5105", err, 1, true)
    end
  end)
end)

describe("a class derived from COpenCL", function()
  local quiet

  before_each(function() quiet, options.quiet = options.quiet, true end)

  after_each(function()
    assert.equal(0, handles.count())
    options.quiet = quiet
    mql5.ResetLastError()
  end)

  -- As docs/mql5/porting.md shows: a table of functions, whose objects are made by the base's constructor.
  local function derive(base)
    local class = setmetatable({}, {__index = base})
    class.__index = class
    return class
  end

  local function scaler()
    local CScaler = derive(mql5.COpenCL)

    function CScaler.new(by)
      local self = setmetatable(mql5.COpenCL(), CScaler)
      self.m_by = by
      return self
    end

    function CScaler:Initialize()
      return mql5.COpenCL.Initialize(self, source, true, 0) and self:SetKernelsCount(1) and self:SetBuffersCount(1)
        and self:KernelCreate(0, "scale")
    end

    function CScaler.Name() return "scaler" end

    function CScaler:Run(x)
      return self:Name(), self:BufferFromArray(0, x, 0, #x, mql5.CL_MEM_READ_WRITE)
        and self:SetArgumentBuffer(0, 0, 0) and self:SetArgument(0, 1, self.m_by)
        and self:SetArgumentLocalMemory(0, 2, 4 * #x)
        and self:Execute(0, 1, {0}, {#x}) and self:BufferRead(0, x, 0, 0, #x)
    end

    return CScaler
  end

  it("inherits the base's methods, overrides them, and can call them", function()
    local object = scaler().new(3)
    assert.is_true(object:Initialize())
    local x = array.float {1, 2, 3}
    assert.same({"scaler", true}, {object:Run(x)})
    assert.same({3, 6, 9}, x:table())
    assert.equal("scale", object:GetKernelName(0))
    assert.equal(object:GetContext(), object.m_context)
    assert.equal(object:GetKernel(0), object.m_kernels[0])
    object:Shutdown()
    assert.same({-1, 0, 0}, {object.m_context, object.m_buffers_total, object.m_kernels_total})
  end)

  it("can be a base class itself, and its methods are virtual", function()
    local CScaler = scaler()
    local CDoubler = derive(CScaler)
    function CDoubler.new() return setmetatable(CScaler.new(2), CDoubler) end
    function CDoubler:Name() return ("%s of %d"):format(CScaler.Name(self), self.m_by) end
    local object = CDoubler.new()
    assert.is_true(object:Initialize())
    local x = array.float {1, 2}
    assert.same({"scaler of 2", true}, {object:Run(x)})
    assert.same({2, 4}, x:table())
    object:Shutdown()
  end)

  it("is not called by the base's own methods, as none are virtual in OpenCL.mqh", function()
    local class, calls = derive(mql5.COpenCL), 0
    for _, name in ipairs {"ContextCreate", "ProgramCreate", "ContextClean", "Shutdown", "KernelFree"} do
      class[name] = function() calls = calls + 1 end
    end
    local object = setmetatable(mql5.COpenCL(), class)
    assert.is_true(mql5.COpenCL.Initialize(object, source, true, 0))
    mql5.COpenCL.Shutdown(object)
    assert.equal(0, calls)
  end)

  it("need not call the base's constructor, just as in MQL5, and its objects share nothing", function()
    local class = derive(mql5.COpenCL)
    local one, other = setmetatable({m_own = 1}, class), setmetatable({}, class)
    assert.equal(-1, one:GetContext())
    assert.is_true(one:Initialize(source, true, 0) and one:SetBuffersCount(1) and one:BufferCreate(0, 4, 1))
    assert.is_false(other:BufferFree(0))
    assert.equal(-1, other.m_context)
    one:Shutdown()
  end)

  it("is not an object: a method called on the class says so", function()
    local class = derive(mql5.COpenCL)
    for _, call in ipairs {function() class:Initialize(source) end, function() mql5.COpenCL:Shutdown() end} do
      assert.error_matches(call, "it is called on a class: make an object first, local ocl = COpenCL%(%)")
    end
    assert.error_matches(function() class.new().Initialize(source) end,
      "COpenCL:Initialize: call it with a colon: a COpenCL expected before it")
  end)
end)
