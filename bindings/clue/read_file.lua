--- Reads a file without changes.
-- @module clue.read_file
local open = require "clue.open"

--- Reads a file. A folder, a FIFO or a device in its place is an error, and is not waited for.
-- @tparam string path
-- @treturn[1] string
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
return function(path)
  local file, why = open(path)
  if not file then return nil, why end
  local text, problem = file:read "*a"
  file:close()
  if not text then return nil, ("%s: %s"):format(path, problem or "cannot be read") end
  return text
end
