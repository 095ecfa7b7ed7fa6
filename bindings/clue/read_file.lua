--- Reads a file without changes.
-- @module clue.read_file
local open = require "clue.open"

local MOST = 2 ^ 30 -- bytes: a file of zeros may claim any size, and would fill the memory

--- Reads a file. A folder, a FIFO or a device in its place is an error, and is not waited for. So is a file of more
-- than 1 GiB.
-- @tparam string path
-- @treturn[1] string
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
return function(path)
  local file, why = open(path)
  if not file then return nil, why end
  local size = file:seek "end" -- nil if it is a pipe that the process was given
  if size and size > MOST then
    file:close()
    return nil, ("%s: it has %.0f bytes; at most %.0f are read"):format(path, size, MOST)
  end
  if size then file:seek "set" end
  local text, problem = file:read "*a"
  file:close()
  if not text then return nil, ("%s: %s"):format(path, problem or "cannot be read") end
  return text
end
