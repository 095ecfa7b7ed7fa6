--- COpenCL of MQL5's standard library: one context, one program, and kernels and buffers by small indexes.
--
--     local ocl = COpenCL()
--     if not ocl:Initialize(source) then return false end
--     ocl:SetKernelsCount(1)
--     ocl:KernelCreate(0, "square")
--
-- Methods return what MQL5's do: true or false (a handle, a size). What failed is told as by the CL functions they
-- call; an index outside sets ERR_INVALID_PARAMETER. Initialize and ContextCreate take a device beside, CL_USE_ANY by
-- default, and what a failed build leaves behind is freed and forgotten.
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local errors = require "clue.mql5.errors"
local properties = require "clue.mql5.properties"
local where = require "clue.where"

local mql5 = {}
for _, topic in ipairs { "opencl", "execute", "buffers", "info" } do
  for name, member in pairs(require("clue.mql5." .. topic).names) do mql5[name] = member end
end

local codes, INVALID = constants.errors, constants.names.INVALID_HANDLE

local COpenCL = {}
COpenCL.__index = COpenCL

local function fail(method, reason)
  errors.fail("COpenCL:" .. method, codes.ERR_INVALID_PARAMETER, reason)
  return false
end

-- ---- indexes ----------------------------------------------------------------------------------------------------

-- Whether there is such a place in a list ({count =, [index] = handle}).
local function has_place(method, what, list, index)
  check.number("COpenCL:" .. method, 1, index, what .. " index")
  if index >= 0 and index < list.count and index % 1 == 0 then return true end
  return fail(method, ("%s index %s: there are %d places, Set%ssCount makes more"):format(what, check.show(index),
    list.count, (what:gsub("^%l", string.upper))))
end

-- The handle at a place; nil, after the failure was told, where there is none.
local function handle_at(method, what, list, index)
  if not has_place(method, what, list, index) then return nil end
  if list[index] then return list[index] end
  fail(method, ("there is no %s %d yet"):format(what, index))
  return nil
end

local function kernel_at(self, method, index) return handle_at(method, "kernel", self.kernels, index) end
local function buffer_at(self, method, index) return handle_at(method, "buffer", self.buffers, index) end

local function forget(list, index, free)
  if list[index] then free(list[index]) end
  list[index] = nil
end

local function set_count(method, what, list, count, free)
  check.number("COpenCL:" .. method, 1, count, "number of " .. what .. "s")
  if count < 1 or count % 1 ~= 0 then return fail(method, ("%s %ss"):format(check.show(count), what)) end
  for index = count, list.count - 1 do forget(list, index, free) end
  list.count = count
  return true
end

-- ---- context and program ----------------------------------------------------------------------------------------

--- Makes the context; one that was there is freed with all that was made in it.
-- @tparam[opt=CL_USE_ANY] number device an ordinal or CL_USE_*
-- @treturn boolean
function COpenCL:ContextCreate(device)
  self:Shutdown()
  self.context = mql5.CLContextCreate(device == nil and constants.names.CL_USE_ANY or device)
  return self.context ~= INVALID
end

--- Frees the context alone.
function COpenCL:ContextClean()
  if self.context ~= INVALID then mql5.CLContextFree(self.context) end
  self.context = INVALID
end

--- Builds the program; the kernels of one that was there go with it.
-- @tparam string program OpenCL C
-- @tparam[opt=true] boolean show_log whether a build log is printed
-- @treturn boolean on failure there is no program, but the context still is
function COpenCL:ProgramCreate(program, show_log)
  if self.context == INVALID then return fail("ProgramCreate", "there is no context: ContextCreate makes one") end
  for index = 0, self.kernels.count - 1 do forget(self.kernels, index, mql5.CLKernelFree) end
  if self.program ~= INVALID then mql5.CLProgramFree(self.program) end
  local log
  self.program, log = mql5.CLProgramCreate(self.context, program)
  if show_log ~= false and self.program ~= INVALID and log ~= "" then io.write(log, "\n") end -- a failure tells its log
  return self.program ~= INVALID
end

--- Makes context and program.
-- @tparam string program OpenCL C
-- @tparam[opt=true] boolean show_log whether a build log is printed
-- @tparam[opt=CL_USE_ANY] number device an ordinal or CL_USE_*
-- @treturn boolean on failure nothing is left
function COpenCL:Initialize(program, show_log, device)
  if not self:ContextCreate(device) then return false end
  if self:ProgramCreate(program, show_log) then return true end
  self:Shutdown()
  return false
end

--- Frees everything.
function COpenCL:Shutdown()
  for index = 0, self.buffers.count - 1 do forget(self.buffers, index, mql5.CLBufferFree) end
  for index = 0, self.kernels.count - 1 do forget(self.kernels, index, mql5.CLKernelFree) end
  self.buffers.count, self.kernels.count = 0, 0
  if self.program ~= INVALID then mql5.CLProgramFree(self.program) end
  self.program = INVALID
  self:ContextClean()
end

--- @treturn number the context, INVALID_HANDLE without
function COpenCL:GetContext() return self.context end

--- @treturn number the program, INVALID_HANDLE without
function COpenCL:GetProgram() return self.program end

--- Whether the device computes in double.
-- @treturn boolean
function COpenCL:SupportDouble()
  if self.context == INVALID then return fail("SupportDouble", "there is no context") end
  return (require("clue.device").get(self.context):has_double())
end

-- ---- kernels ----------------------------------------------------------------------------------------------------

--- Makes places for kernels; those beyond are freed.
-- @tparam number count
-- @treturn boolean
function COpenCL:SetKernelsCount(count)
  return set_count("SetKernelsCount", "kernel", self.kernels, count, mql5.CLKernelFree)
end

--- Makes a kernel; one that was at the place is freed.
-- @tparam number index from 0
-- @tparam string name
-- @treturn boolean
function COpenCL:KernelCreate(index, name)
  if not has_place("KernelCreate", "kernel", self.kernels, index) then return false end
  if self.program == INVALID then return fail("KernelCreate", "there is no program: Initialize makes one") end
  local kernel = mql5.CLKernelCreate(self.program, name)
  if kernel == INVALID then return false end
  forget(self.kernels, index, mql5.CLKernelFree)
  self.kernels[index], self.kernel_names[index] = kernel, name
  return true
end

--- Frees a kernel.
-- @tparam number index
-- @treturn boolean
function COpenCL:KernelFree(index)
  if not kernel_at(self, "KernelFree", index) then return false end
  forget(self.kernels, index, mql5.CLKernelFree)
  return true
end

--- @tparam number index
-- @treturn number the kernel, INVALID_HANDLE without
function COpenCL:GetKernel(index) return kernel_at(self, "GetKernel", index) or INVALID end

--- @tparam number index
-- @treturn string the kernel's name, "" without
function COpenCL:GetKernelName(index)
  return kernel_at(self, "GetKernelName", index) and self.kernel_names[index] or ""
end

--- Sets an argument that is passed by value.
-- @tparam number kernel_index
-- @tparam number argument_index
-- @param value a number or a typed value, as CLSetKernelArg takes it
-- @treturn boolean
function COpenCL:SetArgument(kernel_index, argument_index, value)
  local kernel = kernel_at(self, "SetArgument", kernel_index)
  return kernel ~= nil and (mql5.CLSetKernelArg(kernel, argument_index, value))
end

--- Sets an argument to a buffer.
-- @tparam number kernel_index
-- @tparam number argument_index
-- @tparam number buffer_index
-- @treturn boolean
function COpenCL:SetArgumentBuffer(kernel_index, argument_index, buffer_index)
  local kernel = kernel_at(self, "SetArgumentBuffer", kernel_index)
  local buffer = kernel and buffer_at(self, "SetArgumentBuffer", buffer_index)
  return buffer ~= nil and (mql5.CLSetKernelArgMem(kernel, argument_index, buffer))
end

--- Sets the size of a __local argument.
-- @tparam number kernel_index
-- @tparam number argument_index
-- @tparam number bytes
-- @treturn boolean
function COpenCL:SetArgumentLocalMemory(kernel_index, argument_index, bytes)
  local kernel = kernel_at(self, "SetArgumentLocalMemory", kernel_index)
  return kernel ~= nil and (mql5.CLSetKernelArgMemLocal(kernel, argument_index, bytes))
end

--- Enqueues a kernel, over one work-item or as CLExecute takes it.
-- @tparam number kernel_index
-- @param ... work_dim, work_offset, work_size and, if wanted, local_work_size
-- @treturn boolean
function COpenCL:Execute(kernel_index, ...)
  local kernel = kernel_at(self, "Execute", kernel_index)
  return kernel ~= nil and (mql5.CLExecute(kernel, ...))
end

-- ---- buffers ----------------------------------------------------------------------------------------------------

--- Makes places for buffers; those beyond are freed.
-- @tparam number count
-- @treturn boolean
function COpenCL:SetBuffersCount(count)
  return set_count("SetBuffersCount", "buffer", self.buffers, count, mql5.CLBufferFree)
end

--- Makes a buffer; one that was at the place is freed.
-- @tparam number index from 0
-- @tparam number bytes
-- @tparam number flags CL_MEM_*
-- @treturn boolean
function COpenCL:BufferCreate(index, bytes, flags)
  if not has_place("BufferCreate", "buffer", self.buffers, index) then return false end
  if self.context == INVALID then return fail("BufferCreate", "there is no context: Initialize makes one") end
  local buffer = mql5.CLBufferCreate(self.context, bytes, flags)
  if buffer == INVALID then return false end
  forget(self.buffers, index, mql5.CLBufferFree)
  self.buffers[index] = buffer
  return true
end

--- Frees a buffer.
-- @tparam number index
-- @treturn boolean
function COpenCL:BufferFree(index)
  if not buffer_at(self, "BufferFree", index) then return false end
  forget(self.buffers, index, mql5.CLBufferFree)
  return true
end

-- Whether a new buffer was written; one that was not is freed.
local function filled(self, index, written)
  if written ~= 0 and written then return true end
  forget(self.buffers, index, mql5.CLBufferFree)
  return false
end

--- Makes a buffer of elements of an array and writes them; one that cannot be written is freed.
-- @tparam number index
-- @tparam array data
-- @tparam number data_offset the first element
-- @tparam number data_count how many, WHOLE_ARRAY: all from data_offset on
-- @tparam number flags CL_MEM_*
-- @treturn boolean
function COpenCL:BufferFromArray(index, data, data_offset, data_count, flags)
  check.array("COpenCL:BufferFromArray", 2, data)
  check.number("COpenCL:BufferFromArray", 3, data_offset)
  check.number("COpenCL:BufferFromArray", 4, data_count)
  local count = data_count == constants.names.WHOLE_ARRAY and #data - data_offset or data_count
  if data_offset < 0 or count < 1 or data_offset + count > #data then
    return fail("BufferFromArray", ("%s elements from %s on are not all in %s"):format(check.show(data_count),
      check.show(data_offset), tostring(data)))
  end
  if not self:BufferCreate(index, count * (data:bytes() / #data), flags) then return false end
  return filled(self, index, mql5.CLBufferWrite(self.buffers[index], data, 0, data_offset, count))
end

local function from_matrix(method)
  return function(self, index, matrix, flags)
    check.array("COpenCL:" .. method, 2, matrix)
    if matrix:type() ~= "double" and matrix:type() ~= "float" then
      check.refuse("COpenCL:" .. method, 2, "matrix or vector of double or float", matrix)
    end
    if #matrix == 0 then return fail(method, "the matrix or vector is empty") end
    if not self:BufferCreate(index, matrix:bytes(), flags) then return false end
    return filled(self, index, mql5.CLBufferWrite(self.buffers[index], 0, matrix))
  end
end

local function to_matrix(method)
  return function(self, index, matrix, rows, columns)
    local buffer = buffer_at(self, method, index)
    return buffer ~= nil and (mql5.CLBufferRead(buffer, 0, matrix, rows, columns))
  end
end

--- BufferFromMatrix(index, matrix, flags), BufferFromVector(index, vector, flags): make a buffer of all elements and
-- write them. BufferToMatrix(index, matrix[, rows, cols]), BufferToVector(index, vector[, size]): read from the
-- buffer's start, as CLBufferRead does.
COpenCL.BufferFromMatrix, COpenCL.BufferFromVector = from_matrix "BufferFromMatrix", from_matrix "BufferFromVector"
COpenCL.BufferToMatrix, COpenCL.BufferToVector = to_matrix "BufferToMatrix", to_matrix "BufferToVector"

--- Reads elements of a buffer.
-- @tparam number index
-- @tparam array data
-- @tparam number buffer_offset in bytes
-- @tparam number data_offset in elements
-- @tparam number data_count in elements
-- @treturn boolean
function COpenCL:BufferRead(index, data, buffer_offset, data_offset, data_count)
  local buffer = buffer_at(self, "BufferRead", index)
  return buffer ~= nil and (mql5.CLBufferRead(buffer, data, buffer_offset, data_offset, data_count)) > 0
end

--- Writes elements into a buffer.
-- @tparam number index
-- @tparam array data
-- @tparam number buffer_offset in bytes
-- @tparam number data_offset in elements
-- @tparam number data_count in elements
-- @treturn boolean
function COpenCL:BufferWrite(index, data, buffer_offset, data_offset, data_count)
  local buffer = buffer_at(self, "BufferWrite", index)
  return buffer ~= nil and (mql5.CLBufferWrite(buffer, data, buffer_offset, data_offset, data_count)) > 0
end

-- ---- questions --------------------------------------------------------------------------------------------------

--- As CLGetDeviceInfo, for the device of the context.
-- @tparam number property_id OpenCL's own number
-- @tparam array data of uchar
-- @treturn boolean
-- @treturn number how many bytes
function COpenCL:GetDeviceInfo(property_id, data)
  return mql5.CLGetDeviceInfo(self.context, property_id, data)
end

--- As CLGetInfoInteger, for the device of the context.
-- @tparam number property
-- @treturn number -1 on failure
function COpenCL:GetDeviceInfoInteger(property)
  return (mql5.CLGetInfoInteger(self.context, property))
end

--- As CLGetInfoInteger, for a kernel.
-- @tparam number kernel_index
-- @tparam number property CL_KERNEL_*
-- @treturn number -1 on failure
function COpenCL:GetKernelInfoInteger(kernel_index, property)
  local kernel = kernel_at(self, "GetKernelInfoInteger", kernel_index)
  return kernel and (mql5.CLGetInfoInteger(kernel, property)) or -1
end

--- @treturn number bytes of the device's global memory, -1 on failure
function COpenCL:GetGlobalMemorySize()
  return self:GetDeviceInfoInteger(properties.names.CL_DEVICE_GLOBAL_MEM_SIZE)
end

--- @treturn number bytes of the device's local memory, -1 on failure
function COpenCL:GetLocalMemorySize()
  return self:GetDeviceInfoInteger(properties.names.CL_DEVICE_LOCAL_MEM_SIZE)
end

--- @treturn number work-items in the device's largest work-group, -1 on failure
function COpenCL:GetMaxWorkgroupSize()
  return self:GetDeviceInfoInteger(properties.names.CL_DEVICE_MAX_WORK_GROUP_SIZE)
end

-- ---- the colon ---------------------------------------------------------------------------------------------------

-- MQL5 writes ocl.Initialize(...), which in Lua passes no object.
for name, method in pairs(COpenCL) do
  if type(method) == "function" then
    COpenCL[name] = function(self, ...)
      if getmetatable(self) == COpenCL then return method(self, ...) end
      error(("%s: a method of COpenCL is called with a colon: ocl:%s(...)"):format(where.label(), name), 0)
    end
  end
end

-- ---- making one -------------------------------------------------------------------------------------------------

--- Makes one.
-- @treturn table
local function new()
  return setmetatable({ context = INVALID, program = INVALID, kernels = { count = 0 }, kernel_names = {},
    buffers = { count = 0 } }, COpenCL)
end

return { names = { COpenCL = new } }
