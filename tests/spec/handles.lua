-- Counts the handles that one spec file has opened. Spec files share a process, so earlier ones may have left handles.
local binding = require "clue.binding"

local handles = {}

--- Starts to count the handles that are opened from now on.
-- @treturn table with count(): how many more handles are open than now
function handles.from_here()
  collectgarbage()
  collectgarbage() -- finalisers free handles
  local others = binding.handle_count()
  return {count = function() return binding.handle_count() - others end}
end

return handles
