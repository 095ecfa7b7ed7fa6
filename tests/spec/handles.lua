-- How many handles a spec's file has opened: files share a process, and what those before it keep is theirs.
local binding = require "clue.binding"

local handles = {}

--- A counter of the handles that are opened from here on.
-- @treturn table with count(): how many there are more
function handles.from_here()
  collectgarbage()
  collectgarbage() -- what finalisers let go of
  local others = binding.handle_count()
  return {count = function() return binding.handle_count() - others end}
end

return handles
