-- COpenCL against MetaQuotes' class of the same name in OpenCL.mqh (2025): what each method returns, the state that it
-- leaves, and what GetLastError() gives, in success and in failure. Where clue's class differs, the line gives the
-- reason, and docs/mql5/functions.md mentions the difference.
-- suite: quick
-- process: shared
-- drivers: oclgrind

local array = require "clue.array"
local handles = require("handles").from_here()
local mql5 = require "clue.mql5"
local options = require "clue.options"

local SOURCE = [[
__kernel void scale(__global float *x, const float by, __local float *scratch) {
    scratch[get_local_id(0)] = by;
    x[get_global_id(0)] *= scratch[get_local_id(0)];
}
__kernel void first(__global float *x) { x[0] += 1; }
]]
local BROKEN = "__kernel void f(void) { nonsense }"
local INVALID, FLAGS = mql5.INVALID_HANDLE, mql5.CL_MEM_READ_WRITE
local PARAMETER = mql5.ERR_INVALID_PARAMETER

-- ---- states before a call ----

local states = {}

function states.new() return mql5.COpenCL() end

function states.context()
  local ocl = states.new()
  assert(ocl:ContextCreate(0))
  return ocl
end

function states.program()
  local ocl = states.new()
  assert(ocl:Initialize(SOURCE, true, 0))
  return ocl
end

-- Room for two kernels and two buffers: kernel 0 is `scale`, buffer 0 has the numbers 1, 2, 3, 4.
function states.ready()
  local ocl = states.program()
  assert(ocl:SetKernelsCount(2) and ocl:SetBuffersCount(2) and ocl:KernelCreate(0, "scale"))
  assert(ocl:BufferFromArray(0, array.float {1, 2, 3, 4}, 0, 4, FLAGS))
  return ocl
end

-- Like ready, with the kernel's arguments set.
function states.set()
  local ocl = states.ready()
  assert(ocl:SetArgumentBuffer(0, 0, 0) and ocl:SetArgument(0, 1, 10) and ocl:SetArgumentLocalMemory(0, 2, 16))
  return ocl
end

-- Like set, with the program deleted. Its kernel stays.
function states.deleted()
  local ocl = states.set()
  ocl:ProgramDelete()
  return ocl
end

-- ---- checks of the state after a call ----

local function contents(ocl, index)
  local read = array.float(4)
  assert.is_true(ocl:BufferRead(index, read, 0, 0, 4))
  return read:table()
end

local function holds(index, ...)
  local expected = {...}
  return function(ocl) assert.same(expected, contents(ocl, index)) end
end

local function has(context, program)
  return function(ocl)
    assert.same({context, program}, {ocl:GetContext() ~= INVALID, ocl:GetProgram() ~= INVALID})
  end
end

local function kernel_runs(ocl)
  assert.is_true(ocl:Execute(0, 1, {0}, {4}, {2}))
  assert.same({10, 20, 30, 40}, contents(ocl, 0))
end

local function has_no_places(ocl)
  assert.same({0, 0}, {ocl.m_kernels_total, ocl.m_buffers_total})
end

local function both(one, other)
  return function(ocl) one(ocl) other(ocl) end
end

-- ---- the table ----

local function floats(...) return array.float {...} end

-- method; the state before; the call; what OpenCL.mqh returns; then: error (GetLastError() afterwards, 0 by default),
-- after (a check of the state). Where clue differs: here (what it returns), code (GetLastError() afterwards), why.
local missing = "clue reports what is missing, because MQL5's users complain most of silence"
local facts = {
  {"GetContext", "new", function(o) return o:GetContext() end, {INVALID}},
  {"GetContext", "context", function(o) return mql5.CLHandleType(o:GetContext()) end, {mql5.OPENCL_CONTEXT}},
  {"GetProgram", "new", function(o) return o:GetProgram() end, {INVALID}},
  {"GetProgram", "program", function(o) return mql5.CLHandleType(o:GetProgram()) end, {mql5.OPENCL_PROGRAM}},
  {"GetKernel", "new", function(o) return o:GetKernel(0) end, {INVALID}},
  {"GetKernel", "ready", function(o) return mql5.CLHandleType(o:GetKernel(0)) end, {mql5.OPENCL_KERNEL}},
  {"GetKernel", "ready", function(o) return o:GetKernel(1), o:GetKernel(2), o:GetKernel(-1) end,
   {INVALID, INVALID, INVALID}},
  {"GetKernelName", "new", function(o) return o:GetKernelName(0) end, {""}},
  {"GetKernelName", "ready", function(o) return o:GetKernelName(0), o:GetKernelName(1), o:GetKernelName(2) end,
   {"scale", "", ""}},
  {"GetKernelName", "ready", function(o) o:KernelFree(0) return o:GetKernelName(0) end, {"scale"}},
  {"GetGlobalMemorySize", "context", function(o) return o:GetGlobalMemorySize() end,
   function() return {true, mql5.CLGetInfoInteger(0, mql5.CL_DEVICE_GLOBAL_MEM_SIZE)} end},
  {"GetGlobalMemorySize", "new", function(o) return o:GetGlobalMemorySize() end, {false, 0}, code = PARAMETER,
   why = missing},
  {"GetLocalMemorySize", "context", function(o) return o:GetLocalMemorySize() end,
   function() return {true, mql5.CLGetInfoInteger(0, mql5.CL_DEVICE_LOCAL_MEM_SIZE)} end},
  {"GetLocalMemorySize", "new", function(o) return o:GetLocalMemorySize() end, {false, 0}, code = PARAMETER,
   why = missing},
  {"GetMaxWorkgroupSize", "context", function(o) return o:GetMaxWorkgroupSize() end,
   function() return {true, mql5.CLGetInfoInteger(0, mql5.CL_DEVICE_MAX_WORK_GROUP_SIZE)} end},
  {"GetMaxWorkgroupSize", "new", function(o) return o:GetMaxWorkgroupSize() end, {false, 0}, code = PARAMETER,
   why = missing},
  {"SupportDouble", "new", function(o) return o:SupportDouble() end, {false}},
  {"SupportDouble", "context", function(o) return o:SupportDouble() end,
   function() return {require("clue.device").get(0):has_double()} end},

  {"Initialize", "new", function(o) return o:Initialize(SOURCE, true, 0) end, {true}, after = has(true, true)},
  {"Initialize", "new", function(o) o:SetBuffersCount(2) o:SetKernelsCount(1) return o:Initialize(SOURCE, true, 0) end,
   {true}, after = function(o) assert.is_true(o:KernelCreate(0, "first") and o:BufferCreate(1, 4, FLAGS)) end},
  {"Initialize", "new", function(o) return o:Initialize(BROKEN, false, 0) end, {false},
   error = mql5.ERR_OPENCL_PROGRAM_CREATE, after = has(false, false),
   why = "MetaQuotes' class keeps the handle of the context that it freed"},
  {"Initialize", "new", function(o) return o:Initialize(SOURCE, true, 99) end, {false},
   error = mql5.ERR_OPENCL_SELECTDEVICE, after = has(false, false)},
  {"Initialize", "ready", function(o) return o:Initialize(SOURCE, true, 0) end, {true},
   after = both(has(true, true), function(o)
      assert.same({INVALID, false, 2}, {o:GetKernel(0), o:BufferFree(0), o.m_buffers_total})
      assert.equal(2, handles.count())
   end), why = "MetaQuotes' class keeps handles of objects of a context that is freed: here their places are empty"},
  {"ContextCreate", "new", function(o) return o:ContextCreate(0) end, {true}, after = has(true, false)},
  {"ContextCreate", "new", function(o) return o:ContextCreate(99) end, {false},
   error = mql5.ERR_OPENCL_SELECTDEVICE, after = has(false, false)},
  {"ContextClean", "ready", function(o) return o:ContextClean() end, {}, after = both(both(has(true, false),
   has_no_places), function(o)
   assert.equal(1, handles.count())
   assert.is_true(o:ProgramCreate(SOURCE) and o:SetKernelsCount(1) and o:KernelCreate(0, "scale"))
  end)},
  {"ContextClean", "new", function(o) return o:ContextClean() end, {}, after = has(false, false)},
  {"Shutdown", "ready", function(o) return o:Shutdown() end, {}, after = both(both(has(false, false), has_no_places),
   function() assert.equal(0, handles.count()) end)},
  {"Shutdown", "new", function(o) o:Shutdown() return o:Shutdown() end, {}, after = has(false, false)},
  {"ProgramCreate", "context", function(o) return o:ProgramCreate(SOURCE) end, {true}, after = has(true, true)},
  {"ProgramCreate", "new", function(o) return o:ProgramCreate(SOURCE) end, {false}, code = PARAMETER,
   why = missing},
  {"ProgramCreate", "context", function(o) return o:ProgramCreate(BROKEN, false) end, {false},
   error = mql5.ERR_OPENCL_PROGRAM_CREATE, after = has(true, false),
   why = "MetaQuotes' class frees the context and keeps its handle"},
  {"ProgramCreate", "ready", function(o) return o:ProgramCreate(SOURCE) end, {true}, after = both(has(true, true),
   function(o) assert.equal(INVALID, o:GetKernel(0)) end),
   why = "MetaQuotes' class keeps the old program's kernels, which KernelCreate of the same name would give again"},
  {"ProgramDelete", "set", function(o) return o:ProgramDelete() end, {}, after = both(has(true, false), function(o)
   assert.is_true(o:Execute(0, 1, {0}, {4}, {2}))
   assert.equal(mql5.OPENCL_KERNEL, mql5.CLHandleType(o:GetKernel(0)))
  end)},
  {"ProgramDelete", "new", function(o) return o:ProgramDelete() end, {}, after = has(false, false)},

  {"SetBuffersCount", "new", function(o) return o:SetBuffersCount(3) end, {true}},
  {"SetBuffersCount", "new", function(o) return o:SetBuffersCount(0) end, {false}, code = PARAMETER, why = missing},
  {"SetBuffersCount", "ready", function(o) return o:SetBuffersCount(3) end, {true}, after = function(o)
   assert.is_false(o:BufferFree(0))
   assert.equal(3, handles.count())
  end, why = "MetaQuotes' class forgets the buffers that were there: here they are freed"},
  {"SetKernelsCount", "new", function(o) return o:SetKernelsCount(3) end, {true}},
  {"SetKernelsCount", "new", function(o) return o:SetKernelsCount(-1) end, {false}, code = PARAMETER,
   why = missing},
  {"SetKernelsCount", "ready", function(o) return o:SetKernelsCount(1) end, {true}, after = function(o)
   assert.same({INVALID, "", 3}, {o:GetKernel(0), o:GetKernelName(0), handles.count()})
  end, why = "MetaQuotes' class forgets the kernels that were there: here they are freed"},

  {"KernelCreate", "ready", function(o) return o:KernelCreate(1, "first") end, {true},
   after = function(o) assert.equal("first", o:GetKernelName(1)) end},
  {"KernelCreate", "set", function(o) return o:KernelCreate(0, "scale") end, {true}, after = kernel_runs},
  {"KernelCreate", "ready", function(o) return o:KernelCreate(0, "first") end, {true}, after = function(o)
   assert.same({"first", 4}, {o:GetKernelName(0), handles.count()})
  end, why = "MetaQuotes' class forgets the kernel that was there: here it is freed"},
  {"KernelCreate", "set", function(o) return o:KernelCreate(1, "nowhere") end, {false},
   error = mql5.ERR_OPENCL_KERNEL_CREATE, after = both(has(true, true), kernel_runs),
   why = "MetaQuotes' class frees program and context: here a misspelt name costs nothing else"},
  {"KernelCreate", "ready", function(o) return o:KernelCreate(2, "first") end, {false}, code = PARAMETER,
   why = missing},
  {"KernelCreate", "new", function(o) return o:KernelCreate(0, "first") end, {false}, code = PARAMETER,
   why = missing},
  {"KernelCreate", "deleted", function(o) return o:KernelCreate(1, "first") end, {false}, code = PARAMETER,
   why = missing},
  {"KernelFree", "ready", function(o) return o:KernelFree(0) end, {true},
   after = function(o) assert.same({INVALID, 3}, {o:GetKernel(0), handles.count()}) end},
  {"KernelFree", "ready", function(o) return o:KernelFree(1), o:KernelFree(2), o:KernelFree(-1) end,
   {false, false, false}},

  {"GetDeviceInfo", "context", function(o) return o:GetDeviceInfo(0x1002) end,
   function() return {mql5.CLGetInfoInteger(0, mql5.CL_DEVICE_MAX_COMPUTE_UNITS)} end},
  {"GetDeviceInfo", "context", function(o) return o:GetDeviceInfo(0x102D) > 0 end, {true}}, -- a text's first bytes
  {"GetDeviceInfo", "new", function(o) return o:GetDeviceInfo(0x1002) end, {-1}, code = PARAMETER, why = missing},
  {"GetDeviceInfo", "context", function(o) return o:GetDeviceInfo(7) end, {-1}, error = PARAMETER},
  {"GetDeviceInfoInteger", "context", function(o) return o:GetDeviceInfoInteger(mql5.CL_DEVICE_TYPE) end,
   function() return {mql5.CLGetInfoInteger(0, mql5.CL_DEVICE_TYPE)} end},
  {"GetDeviceInfoInteger", "new", function(o) return o:GetDeviceInfoInteger(mql5.CL_DEVICE_TYPE) end, {-1},
   code = PARAMETER, why = missing},
  {"GetKernelInfoInteger", "ready", function(o)
   return o:GetKernelInfoInteger(0, mql5.CL_KERNEL_WORK_GROUP_SIZE)
      == mql5.CLGetInfoInteger(o:GetKernel(0), mql5.CL_KERNEL_WORK_GROUP_SIZE)
  end, {true}},
  {"GetKernelInfoInteger", "ready", function(o) return o:GetKernelInfoInteger(2, mql5.CL_KERNEL_WORK_GROUP_SIZE) end,
   {-1}, code = PARAMETER, why = missing},

  {"BufferCreate", "ready", function(o) return o:BufferCreate(1, 16, FLAGS) end, {true},
   after = function() assert.equal(5, handles.count()) end},
  {"BufferCreate", "ready", function(o) return o:BufferCreate(0, 32, FLAGS) end, {true},
   after = function() assert.equal(4, handles.count()) end,
   why = "MetaQuotes' class forgets the buffer that was there: here it is freed"},
  {"BufferCreate", "ready", function(o) return o:BufferCreate(1, 0, FLAGS) end, {false},
   error = mql5.ERR_OPENCL_BUFFER_CREATE},
  {"BufferCreate", "ready", function(o) return o:BufferCreate(2, 16, FLAGS) end, {false}, code = PARAMETER,
   why = missing},
  {"BufferCreate", "new", function(o) o:SetBuffersCount(1) return o:BufferCreate(0, 16, FLAGS) end, {false},
   code = PARAMETER, why = missing},
  {"BufferFree", "ready", function(o) return o:BufferFree(0) end, {true},
   after = function(o) assert.same({false, 3}, {o:BufferFree(0), handles.count()}) end},
  {"BufferFree", "ready", function(o) return o:BufferFree(1), o:BufferFree(2), o:BufferFree(-1) end,
   {false, false, false}},
  {"BufferFree", "new", function(o) return o:BufferFree(0) end, {false}},
  {"BufferFromArray", "ready", function(o) return o:BufferFromArray(1, floats(9, 8, 7, 6, 5), 1, 4, FLAGS) end,
   {true}, after = holds(1, 8, 7, 6, 5)},
  {"BufferFromArray", "context", function(o)
   o:SetBuffersCount(1)
   return o:BufferFromArray(0, floats(1), 0, 1, FLAGS)
  end, {true}},
  {"BufferFromArray", "set", function(o) return o:BufferFromArray(0, floats(9, 8), 0, 2, FLAGS) end, {true},
   after = both(holds(0, 9, 8, 3, 4), function(o)
      assert.is_true(o:Execute(0, 1, {0}, {4}, {2})) -- with the argument set before
      assert.same({90, 80, 30, 40}, contents(o, 0))
   end)},
  {"BufferFromArray", "ready", function(o) return o:BufferFromArray(0, array.float(5), 0, 5, FLAGS) end, {false},
   error = mql5.ERR_OPENCL_WRONG_BUFFER_SIZE, after = holds(0, 1, 2, 3, 4)},
  {"BufferFromArray", "ready", function(o) return o:BufferFromArray(1, array.float(4), 2, 3, FLAGS) end, {false},
   error = PARAMETER, after = function(o) assert.is_false(o:BufferFree(1)) end,
   why = "MetaQuotes' class keeps the new buffer, with nothing in it"},
  {"BufferFromArray", "ready", function(o) return o:BufferFromArray(1, array.float(4), 0, 0, FLAGS) end, {false},
   code = PARAMETER, why = missing},
  {"BufferFromArray", "ready", function(o) return o:BufferFromArray(2, array.float(4), 0, 4, FLAGS) end, {false},
   code = PARAMETER, why = missing},
  {"BufferFromArray", "new", function(o)
   o:SetBuffersCount(1)
   return o:BufferFromArray(0, floats(1), 0, 1, FLAGS)
  end, {false}, code = PARAMETER, why = missing},
  {"BufferFromMatrix", "ready", function(o) return o:BufferFromMatrix(1, mql5.matrixf(2, 2, 5), FLAGS) end, {true},
   after = holds(1, 5, 5, 5, 5)},
  {"BufferFromMatrix", "set", function(o) return o:BufferFromMatrix(0, mql5.matrixf(2, 2, 1), FLAGS) end, {true},
   after = both(holds(0, 1, 1, 1, 1), function(o) assert.is_true(o:Execute(0, 1, {0}, {4}, {2})) end)},
  {"BufferFromMatrix", "ready", function(o) return o:BufferFromMatrix(0, mql5.matrix(2, 2, 1), FLAGS) end, {false},
   error = mql5.ERR_OPENCL_WRONG_BUFFER_SIZE, after = holds(0, 1, 2, 3, 4)},
  {"BufferFromMatrix", "ready", function(o) return o:BufferFromMatrix(1, mql5.matrixf(), FLAGS) end, {false},
   code = PARAMETER, why = missing},
  {"BufferFromVector", "ready", function(o) return o:BufferFromVector(1, mql5.vectorf(4, 5), FLAGS) end, {true},
   after = holds(1, 5, 5, 5, 5)},
  {"BufferFromVector", "set", function(o) return o:BufferFromVector(0, mql5.vectorf(2, 7), FLAGS) end, {true},
   after = both(holds(0, 7, 7, 3, 4), function(o) assert.is_true(o:Execute(0, 1, {0}, {4}, {2})) end)},
  {"BufferFromVector", "ready", function(o) return o:BufferFromVector(2, mql5.vectorf(4, 5), FLAGS) end, {false},
   code = PARAMETER, why = missing},
  {"BufferToMatrix", "ready", function(o)
   local m = mql5.matrixf()
   return o:BufferToMatrix(0, m, 2, 2), m:rows(), m:get(1, 0)
  end, {true, 2, 3}},
  {"BufferToMatrix", "ready", function(o)
   local m = mql5.matrixf(2, 2)
   return o:BufferToMatrix(0, m), m:get(1, 1)
  end, {true, 4}},
  {"BufferToMatrix", "ready", function(o) return o:BufferToMatrix(0, mql5.matrixf(), 3, 3) end, {false},
   error = mql5.ERR_OPENCL_WRONG_BUFFER_SIZE},
  {"BufferToMatrix", "ready", function(o) return o:BufferToMatrix(1, mql5.matrixf(2, 2)) end, {false},
   code = PARAMETER, why = missing},
  {"BufferToMatrix", "deleted", function(o) return o:BufferToMatrix(0, mql5.matrixf(2, 2)) end, {false},
   code = PARAMETER, why = missing},
  {"BufferToVector", "ready", function(o)
   local v = mql5.vectorf()
   return o:BufferToVector(0, v, 3), #v, v[2]
  end, {true, 3, 3}},
  {"BufferToVector", "ready", function(o) return o:BufferToVector(2, mql5.vectorf(2)) end, {false},
   code = PARAMETER, why = missing},
  {"BufferToVector", "deleted", function(o) return o:BufferToVector(0, mql5.vectorf(2)) end, {false},
   code = PARAMETER, why = missing},
  {"BufferRead", "ready", function(o)
   local x = floats(0, 0, 0)
   return o:BufferRead(0, x, 4, 1, 2), x[0], x[1], x[2]
  end, {true, 0, 2, 3}},
  {"BufferRead", "ready", function(o) return o:BufferRead(0, array.float(4), 0, 0, 0) end, {false},
   code = PARAMETER, why = missing},
  {"BufferRead", "ready", function(o) return o:BufferRead(0, array.float(5), 0, 0, 5) end, {false},
   error = mql5.ERR_OPENCL_WRONG_BUFFER_SIZE},
  {"BufferRead", "ready", function(o) return o:BufferRead(1, array.float(4), 0, 0, 4) end, {false},
   code = PARAMETER, why = missing},
  {"BufferRead", "deleted", function(o) return o:BufferRead(0, array.float(4), 0, 0, 4) end, {false},
   code = PARAMETER, why = missing},
  {"BufferRead", "ready", function(o) return o:BufferRead(0, array.float(4), 0, 0, mql5.WHOLE_ARRAY) end, {false},
   here = {true}, why = "MetaQuotes' class takes -1 for a number of elements that is never read"},
  {"BufferWrite", "ready", function(o) return o:BufferWrite(0, floats(7, 8, 9), 8, 1, 2) end, {true},
   after = holds(0, 1, 2, 8, 9)},
  {"BufferWrite", "ready", function(o) return o:BufferWrite(0, array.float(5), 0, 0, 5) end, {false},
   error = mql5.ERR_OPENCL_WRONG_BUFFER_SIZE, after = holds(0, 1, 2, 3, 4)},
  {"BufferWrite", "ready", function(o) return o:BufferWrite(1, array.float(4), 0, 0, 4) end, {false},
   code = PARAMETER, why = missing},
  {"BufferWrite", "deleted", function(o) return o:BufferWrite(0, array.float(4), 0, 0, 4) end, {true}},

  {"SetArgument", "ready", function(o) return o:SetArgument(0, 1, 2.5) end, {true}},
  {"SetArgument", "deleted", function(o) return o:SetArgument(0, 1, 2.5) end, {true}},
  {"SetArgument", "ready", function(o) return o:SetArgument(0, 9, 2.5) end, {false},
   error = mql5.ERR_OPENCL_SET_KERNEL_PARAMETER},
  {"SetArgument", "ready", function(o) return o:SetArgument(1, 1, 2.5) end, {false}, code = PARAMETER,
   why = missing},
  {"SetArgumentBuffer", "ready", function(o) return o:SetArgumentBuffer(0, 0, 0) end, {true}},
  {"SetArgumentBuffer", "ready", function(o) return o:SetArgumentBuffer(0, 0, 1) end, {false}, code = PARAMETER,
   why = missing},
  {"SetArgumentBuffer", "ready", function(o) return o:SetArgumentBuffer(0, 1, 0) end, {false},
   error = mql5.ERR_OPENCL_SET_KERNEL_PARAMETER},
  {"SetArgumentBuffer", "deleted", function(o) return o:SetArgumentBuffer(0, 0, 0) end, {false}, code = PARAMETER,
   why = missing},
  {"SetArgumentLocalMemory", "ready", function(o) return o:SetArgumentLocalMemory(0, 2, 16) end, {true}},
  {"SetArgumentLocalMemory", "ready", function(o) return o:SetArgumentLocalMemory(0, 2, 2 ^ 40) end, {false},
   code = mql5.ERR_OPENCL_SET_KERNEL_PARAMETER, why = missing},
  {"SetArgumentLocalMemory", "deleted", function(o) return o:SetArgumentLocalMemory(0, 2, 16) end, {false},
   code = PARAMETER, why = missing},
  {"Execute", "set", function(o) return o:Execute(0, 1, {0}, {4}, {2}) end, {true},
   after = holds(0, 10, 20, 30, 40)},
  {"Execute", "set", function(o) return o:Execute(0, 1, {0}, {4}) end, {true},
   after = holds(0, 10, 20, 30, 40)},
  {"Execute", "ready", function(o) return o:Execute(0, 1, {0}, {4}) end, {false},
   error = mql5.ERR_OPENCL_EXECUTE},
  {"Execute", "ready", function(o) return o:Execute(1, 1, {0}, {4}) end, {false}, code = PARAMETER,
   why = missing},
  {"ExecutionStatus", "ready", function(o) return o:ExecutionStatus(0) end, {mql5.CL_COMPLETE}},
  {"ExecutionStatus", "set", function(o)
   o:Execute(0, 1, {0}, {4}, {2})
   contents(o, 0)
   return o:ExecutionStatus(0)
  end, {mql5.CL_COMPLETE}},
  {"ExecutionStatus", "ready", function(o) return o:ExecutionStatus(1) end, {-1}, code = PARAMETER, why = missing},
}

-- The public methods of OpenCL.mqh, and ExecutionStatus, which came later.
local methods = {"BufferCreate", "BufferFree", "BufferFromArray", "BufferFromMatrix", "BufferFromVector", "BufferRead",
  "BufferToMatrix", "BufferToVector", "BufferWrite", "ContextClean", "ContextCreate", "Execute", "ExecutionStatus",
  "GetContext", "GetDeviceInfo", "GetDeviceInfoInteger", "GetGlobalMemorySize", "GetKernel", "GetKernelInfoInteger",
  "GetKernelName", "GetLocalMemorySize", "GetMaxWorkgroupSize", "GetProgram", "Initialize", "KernelCreate",
  "KernelFree", "ProgramCreate", "ProgramDelete", "SetArgument", "SetArgumentBuffer", "SetArgumentLocalMemory",
  "SetBuffersCount", "SetKernelsCount", "Shutdown", "SupportDouble"}

describe("COpenCL, compared with OpenCL.mqh,", function()
  local quiet, ocl

  before_each(function() quiet, options.quiet = options.quiet, true end)

  after_each(function()
    ocl:Shutdown()
    assert.equal(0, handles.count())
    mql5.ResetLastError()
    options.quiet = quiet
  end)

  local numbers = {}
  for _, fact in ipairs(facts) do
    local method, state, call, expected = fact[1], fact[2], fact[3], fact[4]
    numbers[method] = (numbers[method] or 0) + 1
    it(("has the same result, state and last error: %s, %d"):format(method, numbers[method]), function()
      ocl = states[state]()
      mql5.ResetLastError()
      local given = {call(ocl)}
      assert.same(fact.here or type(expected) == "function" and expected() or expected, given)
      assert.equal(fact.code or fact.error or 0, mql5.GetLastError())
      mql5.ResetLastError()
      if fact.after then fact.after(ocl) end
      assert.is_truthy(fact.why or not (fact.here or fact.code), "a difference without a reason")
    end)
  end

  it("has the same methods, and each is tested in success and, if possible, in failure", function()
    ocl = states.new()
    local named, cannot_fail = {}, {GetContext = true, GetProgram = true}
    for _, method in ipairs(methods) do
      named[method] = true
      assert.is_true((numbers[method] or 0) >= (cannot_fail[method] and 1 or 2), method)
    end
    for name, member in pairs(mql5.COpenCL) do
      if type(member) == "function" and name ~= "new" then assert.is_true(named[name], name) end
    end
    for name in pairs(numbers) do assert.is_true(named[name], name) end
  end)
end)
