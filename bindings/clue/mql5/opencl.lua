--- MQL5's OpenCL functions except for making and using buffers: contexts, programs, kernels and their arguments.
-- Each returns what MQL5 returns (-1, false or nothing on failure), then what MQL5 passes by reference, then, on
-- failure, the message. Handles are numbers. A wrong Lua type raises.
local binding = require "clue.binding"
local build_log = require "clue.build_log"
local by_value = require "clue.by_value"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local devices = require "clue.mql5.devices"
local errors = require "clue.mql5.errors"
local exit = require "clue.exit"
local failure = require "clue.failure"
local passed = require("clue.public").passed
local pointee = require "clue.pointee"
local shown = require "clue.shown"
local typed = require "clue.value"

local codes, INVALID_HANDLE = constants.errors, constants.names.INVALID_HANDLE

local set_number, set_object = binding.kernel_set_number, binding.kernel_set_object

local opencl = {}

local function fail_handle(name, reason)
  return errors.fail(name, codes.ERR_OPENCL_INVALID_HANDLE, reason)
end

--- The kind of a handle. A bad handle is not a failure: scripts use this to find out. Kinds that MQL5 does not have
-- (queues, events) are OPENCL_INVALID.
-- @tparam number handle
-- @treturn number OPENCL_CONTEXT, OPENCL_PROGRAM, OPENCL_KERNEL, OPENCL_BUFFER, or OPENCL_INVALID
function opencl.CLHandleType(handle)
  if check.small("CLHandleType", 1, handle, "handle") then return constants.names.OPENCL_INVALID end
  local kind = binding.handle_kind(handle)
  return constants.names["OPENCL_" .. (kind or "invalid"):upper()] or constants.names.OPENCL_INVALID
end

-- The name of the parameter is the kind.
local function freeing(name, kind)
  return function(handle)
    local reason = check.small(name, kind, handle, "handle")
    if reason then return fail_handle(name, reason) end
    if binding.handle_free(handle, kind) then
      pointee.forget(handle)
      return
    end
    return (errors.fail_of_binding(name))
  end
end

--- Frees a context. What was made in it stays usable until it is freed itself.
-- @function opencl.CLContextFree
-- @tparam number context
-- @treturn ?string the message on failure
opencl.CLContextFree = freeing("CLContextFree", "context")

--- Frees a program. Its kernels stay usable until they are freed themselves.
-- @function opencl.CLProgramFree
-- @tparam number program
-- @treturn ?string the message on failure
opencl.CLProgramFree = freeing("CLProgramFree", "program")

--- Frees a kernel. What was enqueued with it still runs.
-- @function opencl.CLKernelFree
-- @tparam number kernel
-- @treturn ?string the message on failure
opencl.CLKernelFree = freeing("CLKernelFree", "kernel")

--- Frees a buffer. What was enqueued with it still runs, but a kernel that has it as an argument cannot be executed
-- again.
-- @function opencl.CLBufferFree
-- @tparam number buffer
-- @treturn ?string the message on failure
opencl.CLBufferFree = freeing("CLBufferFree", "buffer")

-- ---- contexts and programs --------------------------------------------------------------------------------------

--- Makes a context on one device, with its queue. The first call for a device writes which one it is and why.
-- @tparam[opt=CL_USE_ANY] number ... device: an ordinal over all platforms, CL_USE_CPU_ONLY, CL_USE_GPU_ONLY,
-- CL_USE_GPU_DOUBLE_ONLY, or CL_USE_ANY: what --device or CLUE_DEVICE names, else the best device
-- @treturn number the context, -1 and the message on failure
function opencl.CLContextCreate(...)
  local device = ...
  if device == nil and select("#", ...) > 0 then
    check.refuse("CLContextCreate", "device", "number", nil, "is the constant's name spelt right?")
  end
  local chosen, reason, code = devices.choose("CLContextCreate", device)
  if not chosen then return INVALID_HANDLE, errors.fail("CLContextCreate", code, reason) end
  local context = binding.context_create {chosen.ordinal}
  if not context then return INVALID_HANDLE, (errors.fail_of_binding("CLContextCreate")) end
  devices.announce(chosen)
  exit.created(context)
  return context
end

-- A variable for the log would silently keep its value. A number may follow: source:gsub() returns one after the text.
local function refuse_log_argument(...)
  if select("#", ...) == 0 or type((...)) == "number" then return end
  check.refuse("CLProgramCreate", 3, "nothing", (...), "the build log is the second result: program, log = ...")
end

-- Only for a source that may include something, which most do not. Errors in it are left to the build to report.
local function options_for(source)
  if not (source:find("#", 1, true) or source:find("%:", 1, true)) then return nil end
  local done, options = pcall(require("clue.include").options, source, {}, "")
  return done and options or nil
end

-- Builds as CLProgramCreate does. If show_log is false, a failure is reported without the log.
local function build(show_log, context, source, ...)
  local reason = check.small("CLProgramCreate", 1, context, "handle")
  check.string("CLProgramCreate", 2, source)
  refuse_log_argument(...)
  if reason then return INVALID_HANDLE, "", fail_handle("CLProgramCreate", reason) end
  local program = binding.program_create(context, source, options_for(source))
  local place = build_log.place(source)
  if not program then
    local record = build_log.failure(place, source)
    if show_log == false then record.log = nil end
    local message, log = errors.fail_of_binding("CLProgramCreate", record)
    return INVALID_HANDLE, log, message
  end
  exit.created(program)
  return program, build_log.rewrite(binding.program_log(program) or "", place)
end

--- Builds a program. The build log is the second result, where MQL5 has a third parameter.
-- @tparam number context
-- @tparam string source OpenCL C
-- @param ... nothing: a third argument raises unless it is a number, which source:gsub() returns after the text
-- @treturn number the program, -1 on failure
-- @treturn string the build log, "" if it is empty; also on success
-- @treturn ?string the message on failure
function opencl.CLProgramCreate(context, source, ...)
  return passed(build(true, context, source, ...))
end

-- ---- kernels ----------------------------------------------------------------------------------------------------

local LONGEST_NAME = 127

local function name_reason(kernel_name)
  if #kernel_name > LONGEST_NAME then
    return ("the kernel's name has %d characters; at most %d are allowed"):format(#kernel_name, LONGEST_NAME),
      codes.ERR_OPENCL_TOO_LONG_KERNEL_NAME
  end
  if kernel_name == "" or kernel_name:find("\0", 1, true) then
    return "the kernel's name is empty or contains a zero byte", codes.ERR_INVALID_PARAMETER
  end
end

--- Makes a kernel.
-- @tparam number program
-- @tparam string kernel_name a __kernel function of the program
-- @treturn number the kernel, -1 and the message on failure
function opencl.CLKernelCreate(program, kernel_name)
  local reason = check.small("CLKernelCreate", 1, program, "handle")
  check.string("CLKernelCreate", 2, kernel_name)
  if reason then return INVALID_HANDLE, fail_handle("CLKernelCreate", reason) end
  local bad, code = name_reason(kernel_name)
  if bad then return INVALID_HANDLE, errors.fail("CLKernelCreate", code, bad) end
  local kernel = binding.kernel_create(program, kernel_name)
  if not kernel then return INVALID_HANDLE, (errors.fail_of_binding("CLKernelCreate")) end
  exit.created(kernel)
  return kernel
end

-- Scripts set arguments in inner loops. The binding checks them anyway, so it is called first; only if it raises is
-- everything checked again, for MQL5's reason.

-- The message if kernel or index is wrong, nil otherwise.
local function refuse_place(name, kernel, index)
  local reason = check.small(name, 1, kernel, "handle")
  if reason then return fail_handle(name, reason) end
  reason = check.small(name, 2, index, "argument index")
  if reason then return errors.fail(name, codes.ERR_OPENCL_SET_KERNEL_PARAMETER, reason) end
end

-- Lua 5.4 has integers that a double, which the binding takes, cannot hold; the binding raises for them.
local function is_inexact(number)
  return check.is_integer(number) and number ~= number + 0.0
end

local signed = {} -- by the code of an unsigned type
for name, code in pairs(binding.type_codes) do
  local unsigned = binding.type_codes["u" .. name]
  if unsigned then signed[unsigned] = code end
end

-- A plain number takes the kernel's type. MQL5 copies an int's bits, so -1 for a uint is its greatest number.
local function set_plain(kernel, index, number)
  local declared = number < 0 and number % 1 == 0 and binding.kernel_argument_value(kernel, index)
  return set_number(kernel, index, signed[declared] or 0, number)
end

local function set_typed(kernel, index, given)
  if not typed.type_code(given) then return pcall(by_value.set, kernel, index, given) end
  local number = typed.number(given)
  if type(number) == "number" and not is_inexact(number) then
    return pcall(set_number, kernel, index, typed.type_code(given), number)
  end
  return pcall(binding.kernel_set_bytes, kernel, index, typed.bytes(given))
end

local function remedy_for(given)
  if type(given) == "boolean" then return "kernels take 1 for true and 0 for false: on and 1 or 0" end
  local kind = shown.kind_of(given)
  if kind == "struct" then return "MQL5 has no structs there: require('clue').wrap(kernel):set_arg(index, it)" end
  if kind == "vector" then return "float4(1, 2, 3, 4) and its kin are vectors of OpenCL C" end
end

local function refuse_value(kernel, index, given, problem)
  if type(given) ~= "number" and not typed.is(given) then
    check.refuse("CLSetKernelArg", 3, "number or typed value", given, remedy_for(given))
  end
  local message = refuse_place("CLSetKernelArg", kernel, index)
  if message then return message end
  if failure.is(problem) and problem.call then return (errors.fail_of_binding("CLSetKernelArg", problem)) end
  local reason
  if is_inexact(given) then
    reason = ("a plain number cannot hold %s exactly: give long(\"%s\") or ulong"):format(check.show(given),
      check.show(given))
  else
    reason = failure.text(problem)
    reason = reason:gsub("^CLSetKernelArg: ", "") -- errors.fail gives the name
  end
  return errors.fail("CLSetKernelArg", codes.ERR_OPENCL_SET_KERNEL_PARAMETER, reason)
end

--- Sets an argument that is passed by value.
-- @tparam number kernel
-- @tparam number index from 0
-- @param value a number, which takes the type that the kernel declares, and is refused if the driver does not report
-- it; a vector (float4(1, 2, 3, 4)); or a typed value (clue.value), which must have the kernel's type
-- @treturn boolean true; false and the message on failure
function opencl.CLSetKernelArg(kernel, index, value)
  local sound, done
  if type(value) == "number" then
    sound, done = pcall(set_plain, kernel, index, value)
  elseif typed.is(value) then
    sound, done = set_typed(kernel, index, value)
  end
  if sound and done then return true end
  if sound then return false, (errors.fail_of_binding("CLSetKernelArg")) end
  return false, refuse_value(kernel, index, value, done)
end

--- Sets an argument that is a __global or __constant pointer.
-- @tparam number kernel
-- @tparam number index from 0
-- @tparam number buffer
-- @treturn boolean true; false and the message on failure
function opencl.CLSetKernelArgMem(kernel, index, buffer)
  local sound, done = pcall(set_object, kernel, index, buffer)
  if sound and done then
    pointee.set(kernel, index, buffer)
    return true
  end
  if sound then return false, (errors.fail_of_binding("CLSetKernelArgMem")) end
  local reason = check.small("CLSetKernelArgMem", 3, buffer, "handle")
  local message = refuse_place("CLSetKernelArgMem", kernel, index)
  return false, message or fail_handle("CLSetKernelArgMem", reason)
end

--- Sets the size of an argument that is a __local pointer.
-- @tparam number kernel
-- @tparam number index from 0
-- @tparam number bytes
-- @treturn boolean true; false and the message on failure
function opencl.CLSetKernelArgMemLocal(kernel, index, bytes)
  local sound, done = pcall(binding.kernel_set_local, kernel, index, bytes)
  if sound and done then return true end
  if sound then return false, (errors.fail_of_binding("CLSetKernelArgMemLocal")) end
  local reason = check.whole("CLSetKernelArgMemLocal", 3, bytes, "size")
  local message = refuse_place("CLSetKernelArgMemLocal", kernel, index)
  return false, message or errors.fail("CLSetKernelArgMemLocal", codes.ERR_OPENCL_SET_KERNEL_PARAMETER, reason)
end

--- The state of a kernel's last execution. Asking while it runs is not a failure.
-- @tparam number kernel
-- @treturn number CL_COMPLETE (also before the first execution), CL_RUNNING, CL_SUBMITTED or CL_QUEUED; -1 and the
-- message on failure
function opencl.CLExecutionStatus(kernel)
  local reason = check.small("CLExecutionStatus", 1, kernel, "handle")
  if reason then return -1, fail_handle("CLExecutionStatus", reason) end
  local status = binding.kernel_status(kernel)
  if status then return status end
  return -1, (errors.fail_of_binding("CLExecutionStatus"))
end

return {names = opencl, build = build}
