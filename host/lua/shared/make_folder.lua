--- Makes a folder.
-- @module clue.shared.make_folder
local lfs = require "lfs"

--- Makes a folder and those above it.
-- @tparam string folder
-- @treturn[1] bool true, also if it was there
-- @treturn[2] nil
-- @treturn[2] string why not
local function make_folder(folder)
  if lfs.attributes(folder, "mode") == "directory" then return true end
  local above = folder:match "^(.+)/[^/]+$"
  if above and not make_folder(above) then return nil, above .. " cannot be made" end
  return lfs.mkdir(folder)
end

return make_folder
