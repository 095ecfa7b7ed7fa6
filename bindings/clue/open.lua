--- Opens a file to read it: a folder, a FIFO, a socket or a device in its place is told, and not waited for.
-- @module clue.open
local binding = require "clue.binding"

--- As io.open(path, "rb") does. What the process was given (/dev/stdin, /dev/fd/3) is opened whatever it is.
-- @tparam string path
-- @treturn[1] file
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
return function(path)
  if path:find("\0", 1, true) then return nil, path:gsub("%z.*", "") .. ": no file has a zero byte in its name" end
  if not binding.file_check(path) then return nil, binding.error().detail end
  return io.open(path, "rb")
end
