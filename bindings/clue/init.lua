--- What `require "clue"` gives: arrays, devices, typed values, and what scripts ask of handles beyond MQL5.
-- Handles are the numbers that CLContextCreate and its kin return. Failures raise error objects (clue.error).
local binding = require "clue.binding"
local error_object = require "clue.error"

local clue = {
  array = require "clue.array",
  device = require "clue.device",
  error = error_object,
  value = require "clue.value",
}

--- How long the kernel's last execution took; waits for it.
-- @tparam number kernel a handle
-- @treturn number seconds
-- @treturn string whose clock: "device", or "host" where the device's timer cannot be trusted
function clue.kernel_time(kernel)
  local seconds, clock = error_object.check(binding.kernel_time(kernel))
  return seconds, clock
end

--- Waits until the kernel's last execution is done.
-- @tparam number kernel a handle
function clue.wait(kernel)
  error_object.check(binding.kernel_wait(kernel))
end

--- Waits until everything is done that was enqueued in the context of a handle.
-- @tparam number handle of a context, or of anything made in it
function clue.finish(handle)
  error_object.check(binding.context_finish(handle))
end

--- Reads a file as it is, a kernel's .cl file for example: no byte is changed, "\r\n" stays.
-- @tparam string path
-- @treturn string
function clue.read_file(path)
  local file, problem = io.open(path, "rb")
  if not file then error(("cannot read %s"):format(problem), 2) end
  local text
  text, problem = file:read("*a")
  file:close()
  if not text then error(("cannot read %s: %s"):format(path, problem), 2) end
  return text
end

return clue
