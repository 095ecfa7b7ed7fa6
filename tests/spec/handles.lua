-- Counts and frees the handles that one spec file has opened. Spec files share a process, so earlier ones may have left
-- handles.
local binding = require "clue.binding"

local handles = {}

-- Open handles, one after the other.
local function open()
  local handle = 0
  return function()
    handle = binding.handle_next(handle)
    return handle
  end
end

--- Starts to count the handles that are opened from now on. The collector may free others meanwhile.
-- @treturn table with count(): how many of them are open; and free(): frees them
function handles.from_here()
  local others = {}
  for handle in open() do others[handle] = true end

  local function opened()
    local list = {}
    for handle in open() do
      if not others[handle] then list[#list + 1] = handle end
    end
    return list
  end

  return {
    count = function() return #opened() end,
    free = function()
      for _, handle in ipairs(opened()) do binding.handle_free(handle) end
    end,
  }
end

return handles
