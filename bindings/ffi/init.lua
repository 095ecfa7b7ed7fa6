--- The binding for LuaJIT, over FFI: one table of plain functions, the same that every binding gives.
-- Scripts do not see it: clue.binding picks a binding, and the modules of clue/ stand on that.
local C = require "clue.ffi.library"

local binding = {name = "ffi", abi = C.CLUE_ABI}

local parts = {require("clue.ffi.generated").functions}
for _, part in ipairs {"error", "opencl", "array", "mapping", "system", "png"} do
  parts[#parts + 1] = require("clue.ffi." .. part)
end
for _, functions in ipairs(parts) do
  for name, member in pairs(functions) do binding[name] = member end
end

-- Compiled code looks at no hook, so a compiled loop around what waits or polls would never see Ctrl-C.
for _, name in ipairs {"sleep", "child_wait", "kernel_status", "event_status"} do jit.off(binding[name]) end

return binding
