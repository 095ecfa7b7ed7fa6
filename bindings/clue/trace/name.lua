--- Names of commands: a kernel's own name, else OpenCL's words ("read buffer").
-- @module clue.trace.name
local name = {}

local others = {clEnqueueUnmapMemObject = "unmap", clEnqueueMigrateMemObjects = "migrate",
                clEnqueueMarkerWithWaitList = "marker", clEnqueueBarrierWithWaitList = "barrier"}

--- The name of a command.
-- @tparam table command of @{clue.trace.read}
-- @treturn string
function name.of(command)
  if command.kernel then return command.kernel end
  if others[command.call] then return others[command.call] end
  local words = command.call:gsub("^clEnqueue", ""):gsub("SVM", "SVM "):gsub("(%l)(%u)", "%1 %2")
  return (words:gsub("(%u)(%l)", function(first, second) return first:lower() .. second end))
end

--- The kind of a command.
-- @tparam table command
-- @treturn string "kernel", "transfer" (it has bytes) or "other"
function name.kind(command)
  return command.kernel and "kernel" or command.bytes and "transfer" or "other"
end

--- The name of a device.
-- @tparam table device of @{clue.trace.read}
-- @treturn string "device 0 NAME", "a part of NAME"
function name.device(device)
  return device.ordinal and ("device %d %s"):format(device.ordinal, device.name) or "a part of " .. device.name
end

return name
