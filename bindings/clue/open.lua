--- Opens a file to read it. A folder, a FIFO, a socket or a device in its place is an error, and is not waited for.
-- @module clue.open
local binding = require "clue.binding"

--- Works like io.open(path, "rb"). Paths that the process was given (/dev/stdin, /dev/fd/3) are opened whatever they
-- are.
-- @tparam string path
-- @treturn[1] file
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
return function(path)
  if path:find("\0", 1, true) then return nil, path:gsub("%z.*", "") .. ": a file's name cannot contain a zero byte" end
  if not binding.file_check(path) then return nil, binding.error().detail end
  return io.open(path, "rb")
end
