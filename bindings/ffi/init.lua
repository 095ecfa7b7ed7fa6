--- The binding for LuaJIT, over FFI: one table of plain functions, the same that every binding gives.
-- Scripts do not see it: clue.binding picks a binding, and the modules of clue/ stand on that.
local C = require "clue.ffi.library"

local binding = { name = "ffi", abi = C.CLUE_ABI }

for _, part in ipairs { "handle", "device", "program", "kernel", "buffer", "queue", "image", "rect", "array", "mapping",
  "svm", "system", "png" } do
  for name, member in pairs(require("clue.ffi." .. part)) do binding[name] = member end
end

return binding
