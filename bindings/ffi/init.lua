--- The binding for LuaJIT, over FFI: one table of plain functions, the same as in every binding.
-- Scripts do not see it: clue.binding picks a binding, on which the modules of clue/ are built.
local C = require "clue.ffi.library"

local binding = {name = "ffi", abi = C.CLUE_ABI}

local parts = {require("clue.ffi.generated").functions}
local names = {"error", "kernel", "opencl", "array", "array_table", "buffer", "cell", "mapping", "object", "system",
  "png"}
for _, part in ipairs(names) do
  parts[#parts + 1] = require("clue.ffi." .. part)
end
for _, functions in ipairs(parts) do
  for name, member in pairs(functions) do binding[name] = member end
end

-- Compiled code calls no hooks, so a compiled loop around a function that waits or polls would never notice Ctrl-C.
-- Functions that wait are not compiled. Those that poll leave compiled code now and then.
local function leave_compiled_code() end
jit.off(leave_compiled_code)

for _, name in ipairs {"sleep", "child_wait"} do jit.off(binding[name]) end

for _, name in ipairs {"kernel_status", "event_status"} do
  local poll, polls = binding[name], 0
  binding[name] = function(handle)
    polls = polls + 1
    if polls % 1024 == 0 then leave_compiled_code() end
    return poll(handle)
  end
end

return binding
