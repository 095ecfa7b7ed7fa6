--- Whether two paths name one file, so that what is written to one would replace the other.
-- @module clue.shared.same_file
local lfs = require "lfs"

-- What two paths of one file have in common: the file, or its folder and name if it is not there yet. nil for what is
-- no file, such as /dev/null, which takes everything.
local function identity(path)
  local file = lfs.attributes(path)
  if file then return file.mode == "file" and ("%.0f:%.0f"):format(file.dev, file.ino) or nil end
  local above, name = path:match "^(.*)/([^/]*)$"
  local folder = lfs.attributes(above == "" and "/" or above or ".")
  return folder and ("%.0f:%.0f/%s"):format(folder.dev, folder.ino, name or path) or path
end

--- Whether they do.
-- @tparam string one
-- @tparam string other
-- @treturn boolean
local function same_file(one, other)
  local it = identity(one)
  return it ~= nil and it == identity(other)
end

return same_file
