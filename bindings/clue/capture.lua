--- Saves one call of a kernel in a folder, with a script that repeats it: for a report to a driver's vendor, or to
-- experiment with that kernel. `clue trace --capture KERNEL:N SCRIPT` does it without changing the script.
-- @module clue.capture
local argument = require "clue.argument"
local binding = require "clue.binding"
local error_object = require "clue.error"
local object = require "clue.object"

local capture = {}

--- The path of the script that repeats a captured call: a file beside this module.
capture.script = (debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or ".") .. "/replay_script.lua"

--- Saves an execution of a kernel: its program's sources and options, its arguments, the buffers and images before
-- and after it, its sizes and its device. A kernel that takes shared virtual memory, or whose program was made from a
-- binary or from SPIR-V, cannot be captured: stderr says so when it is called, and it runs normally. A new request
-- replaces one whose call has not come yet.
-- @tparam kernel|string kernel a kernel, or a name for any kernel of that name
-- @tparam string folder made when the call comes; it may exist if it is empty, since nothing is overwritten
-- @tparam[opt=1] int call which execution, counted from now on
function capture.start(kernel, folder, call)
  local name = type(kernel) == "string" and kernel or object.kind(kernel) == "kernel" and kernel.name
  if not name then argument.refuse("kernel", "a kernel or its name", kernel) end
  argument.text(name, "kernel", "a kernel or its name")
  argument.text(folder, "folder", "the path of a folder")
  if call ~= nil then argument.whole(call, "call", 1) end
  error_object.check(binding.capture(name, call or 1, folder, capture.script))
end

return capture
