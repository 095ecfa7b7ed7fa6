--- Temporary folders.
-- @module clue.shared.temporary
local binding = require "clue.binding"

--- Makes a new, empty folder in TMPDIR or /tmp, and removes it with its contents when the work is done.
-- @tparam function work work(path)
-- @return the results of work, at most two; its errors are passed on
return function(work)
  local path = binding.temporary_folder() or error(binding.error().detail, 0)
  local done, first, second = pcall(work, path)
  binding.temporary_remove(path)
  if not done then error(first, 0) end
  return first, second
end
