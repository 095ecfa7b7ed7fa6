--- How MQL5 names fail: the code that GetLastError() returns, the message, the warning and, with
-- --strict, the error object.
local binding = require "clue.binding"
local constants = require "clue.mql5.constants"
local error_object = require "clue.error"
local options = require "clue.options"
local warn = require "clue.mql5.warn"
local where = require "clue.where"

local codes = constants.errors

local errors = {names = {}}

local last, last_opencl = 0, 0

-- A function's error code if the cause does not say more.
local defaults = {
  CLContextCreate = codes.ERR_OPENCL_CONTEXT_CREATE,
  CLProgramCreate = codes.ERR_OPENCL_PROGRAM_CREATE,
  CLKernelCreate = codes.ERR_OPENCL_KERNEL_CREATE,
  CLSetKernelArg = codes.ERR_OPENCL_SET_KERNEL_PARAMETER,
  CLSetKernelArgMem = codes.ERR_OPENCL_SET_KERNEL_PARAMETER,
  CLSetKernelArgMemLocal = codes.ERR_OPENCL_SET_KERNEL_PARAMETER,
  CLBufferCreate = codes.ERR_OPENCL_BUFFER_CREATE,
  CLExecute = codes.ERR_OPENCL_EXECUTE,
}

-- Causes that have one code, whatever the function.
local by_cause = {
  handle = codes.ERR_OPENCL_INVALID_HANDLE,
  failed = codes.ERR_OPENCL_INVALID_HANDLE,
  memory = codes.ERR_NOT_ENOUGH_MEMORY,
  full = codes.ERR_OPENCL_TOO_MANY_OBJECTS,
  device = codes.ERR_OPENCL_SELECTDEVICE,
}

-- Causes for which MQL5 has codes of their own in transfers.
local by_transfer = {
  size = codes.ERR_OPENCL_WRONG_BUFFER_SIZE,
  offset = codes.ERR_OPENCL_WRONG_BUFFER_OFFSET,
  parameter = codes.ERR_INVALID_PARAMETER,
}
local transfers = {CLBufferWrite = true, CLBufferRead = true}

local OUT_OF_DEVICE_MEMORY, OUT_OF_HOST_MEMORY = -4, -6

local function code_of(name, record)
  if by_cause[record.cause] then return by_cause[record.cause] end
  if record.code == OUT_OF_HOST_MEMORY then return codes.ERR_NOT_ENOUGH_MEMORY end
  if transfers[name] and by_transfer[record.cause] then return by_transfer[record.cause] end
  if name == "CLBufferCreate" and record.code == OUT_OF_DEVICE_MEMORY then return codes.ERR_NOT_ENOUGH_MEMORY end
  if record.call and record.call:find("^clCreateCommandQueue") then return codes.ERR_OPENCL_QUEUE_CREATE end
  return defaults[name] or codes.ERR_OPENCL_INTERNAL
end

local function raise(code, message, record)
  local object = {error = code, text = message, where = where.label()}
  for _, field in ipairs {"code", "name", "call", "detail", "cause", "log"} do object[field] = record[field] end
  error(error_object.new(object), 0)
end

-- The call, MQL5's code, OpenCL's code by its name, and the reason: each once. The script's name for the call is enough
-- here; the error object of --strict has OpenCL's.
local function compose(name, code, reason, record)
  local opencl = record and record.name and (" (%s)"):format(record.name) or ""
  return ("%s: error %d%s%s%s"):format(name, code, opencl, reason ~= "" and ": " or "", reason)
end

--- Records a failure: GetLastError() returns its code. Writes a warning, or raises with
-- --strict.
-- @tparam string name the function that failed
-- @tparam number code MQL5's
-- @tparam string reason
-- @tparam[opt] table record the binding's, if OpenCL failed
-- @treturn string the message, a failed call's last result
function errors.fail(name, code, reason, record)
  local message = compose(name, code, reason, record)
  last = code
  if record and record.code then last_opencl = record.code end
  if options.strict or options.raise then raise(code, message, record or {}) end
  local consequence = record and record.cause == "failed"
  warn.failed(name, code, message, record and record.log, consequence)
  return message
end

-- If the core needs the value's type, the reason shows how to give it.
local function with_example(record)
  local reason = record.detail or record.text
  return record.cause == "type" and reason .. ", cl.float(1) or cl.int(1) with local cl = require 'clue'" or reason
end

--- Records a failure of the binding.
-- @tparam string name the function that failed
-- @tparam[opt] table record the failure; nil: the binding's last
-- @treturn string the message
-- @treturn string the build log, "" if there is none
function errors.fail_of_binding(name, record)
  record = record or binding.error() or {text = "the call failed, but the reason was not recorded"}
  return errors.fail(name, code_of(name, record), with_example(record), record), record.log or ""
end

--- @treturn number the code of the last failure of OpenCL, or of the core's checks before it; 0 if there was none
function errors.last_opencl_code()
  return last_opencl
end

--- @treturn boolean whether there was a failure since the last ResetLastError()
function errors.pending()
  return last ~= 0
end

--- @treturn number the code of the last failure, 0 if there was none since ResetLastError()
function errors.names.GetLastError()
  return last
end

--- Resets what GetLastError() returns.
function errors.names.ResetLastError()
  last = 0
end

return errors
