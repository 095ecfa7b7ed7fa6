--- COpenCL of MQL5's standard library: one context, one program, and kernels and buffers with small indexes.
--
--     local ocl = COpenCL()
--     if not ocl:Initialize(source) then return false end
--     ocl:SetKernelsCount(1)
--     ocl:KernelCreate(0, "square")
--
-- Methods return what MQL5's do: true or false (a handle, a number). Failures are reported as the CL functions report
-- them. A missing or empty place, and a missing context or program, set ERR_INVALID_PARAMETER; OpenCL.mqh only returns
-- false. docs/mql5/functions.md lists the other differences.
--
-- COpenCL is the class, from which others are derived (docs/mql5/porting.md). OpenCL.mqh's methods are not virtual, so
-- the methods here call each other, never what a derived class puts in their place.
local argument = require "clue.argument"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local elements = require "clue.mql5.elements"
local places = require "clue.mql5.copencl_places"
local properties = require "clue.mql5.properties"
local public = require "clue.public"
local unsigned = require("clue.bytes").unsigned

local mql5 = {}
for _, topic in ipairs {"opencl", "execute", "buffers", "info"} do
  for name, member in pairs(require("clue.mql5." .. topic).names) do mql5[name] = member end
end
local build = require("clue.mql5.opencl").build

local INVALID = constants.names.INVALID_HANDLE

local methods = {}
for name, method in pairs(require "clue.mql5.copencl_buffers") do methods[name] = method end

-- ---- context and program ----------------------------------------------------------------------------------------

local function free_program(self)
  if self.m_program ~= INVALID then mql5.CLProgramFree(self.m_program) end
  self.m_program = INVALID
end

-- Frees everything made in the context. The places stay.
local function free_children(self)
  places.clear(self, "buffer")
  places.clear(self, "kernel")
  free_program(self)
end

local function free_context(self)
  if self.m_context ~= INVALID then mql5.CLContextFree(self.m_context) end
  self.m_context = INVALID
end

--- Makes the context. An earlier one is freed with everything made in it, and its places become empty.
-- @tparam[opt=CL_USE_ANY] number device an ordinal or CL_USE_*
-- @treturn boolean
function methods:ContextCreate(device)
  free_children(self)
  free_context(self)
  self.m_context = mql5.CLContextCreate(device == nil and constants.names.CL_USE_ANY or device)
  if self.m_context == INVALID then return false end
  self.m_support_cl_khr_fp64 = require("clue.device").get(self.m_context):has_double()
  return true
end

--- Frees the buffers, the kernels, the program and the places. The context stays.
function methods:ContextClean()
  free_children(self)
  self.m_buffers_total, self.m_kernels_total = 0, 0
end

--- Frees everything.
function methods:Shutdown()
  methods.ContextClean(self)
  free_context(self)
end

--- Builds the program. An earlier one is freed with its kernels.
-- @tparam string program OpenCL C
-- @tparam[opt=true] boolean show_log false: a failure is reported without the compiler's log
-- @treturn boolean on failure there is no program, but the context stays
function methods:ProgramCreate(program, show_log)
  if not places.ready(self, "ProgramCreate") then return false end
  places.clear(self, "kernel")
  free_program(self)
  self.m_program = build(show_log, self.m_context, program)
  return self.m_program ~= INVALID
end

--- Frees the program. Its kernels stay where they are.
function methods:ProgramDelete()
  free_program(self)
end

--- Makes the context and the program.
-- @tparam string program OpenCL C
-- @tparam[opt=true] boolean show_log false: a failure is reported without the compiler's log
-- @tparam[opt=CL_USE_ANY] number device an ordinal or CL_USE_*
-- @treturn boolean on failure there are neither
function methods:Initialize(program, show_log, device)
  if not methods.ContextCreate(self, device) then return false end
  if methods.ProgramCreate(self, program, show_log) then return true end
  free_context(self)
  return false
end

--- @treturn number the context, INVALID_HANDLE if there is none
function methods:GetContext() return self.m_context end

--- @treturn number the program, INVALID_HANDLE if there is none
function methods:GetProgram() return self.m_program end

--- Whether the device of the newest context computes in double.
-- @treturn boolean false if no context was made yet
function methods:SupportDouble() return self.m_support_cl_khr_fp64 end

-- ---- kernels ----------------------------------------------------------------------------------------------------

--- Makes empty places for kernels. Kernels in earlier places are freed.
-- @tparam number count
-- @treturn boolean
function methods:SetKernelsCount(count)
  if not places.make(self, "SetKernelsCount", "kernel", count) then return false end
  elements.resize(self.m_kernel_names, 0)
  elements.resize(self.m_kernel_names, count)
  return true
end

--- Makes a kernel. A kernel of the same name in this place stays, with its arguments; any other one there is freed.
-- @tparam number index from 0
-- @tparam string name
-- @treturn boolean on failure everything stays as it was
function methods:KernelCreate(index, name)
  if not places.has(self, "KernelCreate", "kernel", index) then return false end
  if not places.ready(self, "KernelCreate", true) then return false end
  if places.find(self, "KernelCreate", "kernel", index) and self.m_kernel_names[index] == name then return true end
  local kernel = mql5.CLKernelCreate(self.m_program, name)
  if kernel == INVALID then return false end
  places.put(self, "kernel", index, kernel)
  self.m_kernel_names[index] = name
  return true
end

--- Frees a kernel.
-- @tparam number index
-- @treturn boolean false if there is none; that is not reported
function methods:KernelFree(index)
  return (places.free(self, "KernelFree", "kernel", index))
end

--- @tparam number index
-- @treturn number the kernel, INVALID_HANDLE if there is none; that is not reported
function methods:GetKernel(index) return places.find(self, "GetKernel", "kernel", index) or INVALID end

--- @tparam number index
-- @treturn string the last kernel's name, "" if there is no such place or it never had a kernel
function methods:GetKernelName(index)
  check.number("COpenCL:GetKernelName", 1, index, "kernel index")
  return index < self.m_kernels_total and self.m_kernel_names[index] or ""
end

--- Sets an argument that is passed by value.
-- @tparam number kernel_index
-- @tparam number argument_index
-- @param value a number or a typed value, like CLSetKernelArg's
-- @treturn boolean
function methods:SetArgument(kernel_index, argument_index, value)
  local kernel = places.at(self, "SetArgument", "kernel", kernel_index)
  return kernel ~= nil and (mql5.CLSetKernelArg(kernel, argument_index, value))
end

--- Sets an argument to a buffer.
-- @tparam number kernel_index
-- @tparam number argument_index
-- @tparam number buffer_index
-- @treturn boolean
function methods:SetArgumentBuffer(kernel_index, argument_index, buffer_index)
  if not places.ready(self, "SetArgumentBuffer", true) then return false end
  local kernel = places.at(self, "SetArgumentBuffer", "kernel", kernel_index)
  local buffer = kernel and places.at(self, "SetArgumentBuffer", "buffer", buffer_index)
  return buffer ~= nil and (mql5.CLSetKernelArgMem(kernel, argument_index, buffer))
end

--- Sets the size of a __local argument.
-- @tparam number kernel_index
-- @tparam number argument_index
-- @tparam number bytes
-- @treturn boolean false also if the device has less local memory
function methods:SetArgumentLocalMemory(kernel_index, argument_index, bytes)
  if not places.ready(self, "SetArgumentLocalMemory", true) then return false end
  local kernel = places.at(self, "SetArgumentLocalMemory", "kernel", kernel_index)
  return kernel ~= nil and (mql5.CLSetKernelArgMemLocal(kernel, argument_index, bytes))
end

--- Enqueues a kernel, over one work-item or over the range that CLExecute would take.
-- @tparam number kernel_index
-- @param ... work_dim, work_offset, work_size and, if wanted, local_work_size
-- @treturn boolean
function methods:Execute(kernel_index, ...)
  local kernel = places.at(self, "Execute", "kernel", kernel_index)
  return kernel ~= nil and (mql5.CLExecute(kernel, ...))
end

--- The state of a kernel's last execution.
-- @tparam number kernel_index
-- @treturn number CL_COMPLETE, CL_RUNNING, CL_SUBMITTED or CL_QUEUED, -1 on failure
function methods:ExecutionStatus(kernel_index)
  local kernel = places.at(self, "ExecutionStatus", "kernel", kernel_index)
  return kernel and (mql5.CLExecutionStatus(kernel)) or -1
end

-- ---- questions --------------------------------------------------------------------------------------------------

--- A property of the context's device as a number: its first eight bytes read as a long.
-- @tparam number property OpenCL's own number, 0x1002
-- @param ... nothing
-- @treturn number -1 on failure, or if the property has fewer than four bytes
function methods:GetDeviceInfo(property, ...)
  check.output("COpenCL:GetDeviceInfo", 2, "the property is the result: value = ...", ...)
  if not places.ready(self, "GetDeviceInfo") then return -1 end
  local bytes = require("clue.array").uchar(0)
  local done, size = mql5.CLGetDeviceInfo(self.m_context, property, bytes)
  if not done or size < 4 then return -1 end
  local number = unsigned(require("clue.binding").array_bytes(bytes, 0, math.min(size, 8)))
  return number >= 2 ^ 63 and number - 2 ^ 64 or number
end

--- Like CLGetInfoInteger, for the device of the context.
-- @tparam number property
-- @treturn number -1 on failure
function methods:GetDeviceInfoInteger(property)
  return places.ready(self, "GetDeviceInfoInteger") and (mql5.CLGetInfoInteger(self.m_context, property)) or -1
end

--- Like CLGetInfoInteger, for a kernel.
-- @tparam number kernel_index
-- @tparam number property CL_KERNEL_*
-- @treturn number -1 on failure
function methods:GetKernelInfoInteger(kernel_index, property)
  local kernel = places.at(self, "GetKernelInfoInteger", "kernel", kernel_index)
  return kernel and (mql5.CLGetInfoInteger(kernel, property)) or -1
end

-- MQL5 returns the number through a reference parameter; here it is the second result.
local function size_question(method, property)
  --- Bytes of the device's memory; for GetMaxWorkgroupSize, work-items of its largest work-group.
  -- @function methods.SIZE
  -- @param ... nothing: MQL5's reference parameter
  -- @treturn boolean
  -- @treturn number 0 on failure
  methods[method] = function(self, ...)
    check.output("COpenCL:" .. method, 1, "the size is the second result: ok, size = ...", ...)
    local size = places.ready(self, method) and (mql5.CLGetInfoInteger(self.m_context, property)) or -1
    if size == -1 then return false, 0 end
    return true, size
  end
end

size_question("GetGlobalMemorySize", properties.names.CL_DEVICE_GLOBAL_MEM_SIZE)
size_question("GetLocalMemorySize", properties.names.CL_DEVICE_LOCAL_MEM_SIZE)
size_question("GetMaxWorkgroupSize", properties.names.CL_DEVICE_MAX_WORK_GROUP_SIZE)

-- ---- the class --------------------------------------------------------------------------------------------------

local COpenCL = {
  m_context = INVALID, m_program = INVALID, m_kernels_total = 0, m_buffers_total = 0, m_support_cl_khr_fp64 = false,
}
COpenCL.__index = COpenCL

-- Refuses what is not an object. An object of a derived class gets this class's fields at its first call, since MQL5
-- calls the base's constructor by itself.
local function check_self(self)
  if type(self) ~= "table" or self.m_buffers_total == nil then
    argument.refuse_self("COpenCL", self)
  elseif rawget(self, "__index") then
    argument.fail("it is called on a class: make an object first, local ocl = COpenCL()")
  elseif not rawget(self, "m_buffers") then
    places.start(self)
  end
end

for name, method in pairs(methods) do
  COpenCL[name] = function(self, ...)
    check_self(self)
    return method(self, ...)
  end
end

--- Makes an object, as COpenCL() does.
-- @treturn table
function COpenCL.new()
  return (places.start(setmetatable({}, COpenCL)))
end

-- Each method needs its own frame: a tail call would remove it before the method's and parameters' names are looked up.
public.add("COpenCL:", methods)
public.add("COpenCL:", COpenCL)

return {names = {COpenCL = setmetatable(COpenCL, {__call = COpenCL.new})}}
