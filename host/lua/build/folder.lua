--- A folder for one run, removed at its end: drivers keep what they compile there instead of finding it compiled.
-- @module clue.build.folder
local lfs = require "lfs"

local folder = {}

local function remove(path)
  for name in lfs.dir(path) do
    local entry = path .. "/" .. name
    if name ~= "." and name ~= ".." then
      if lfs.symlinkattributes(entry, "mode") == "directory" then remove(entry) else os.remove(entry) end
    end
  end
  lfs.rmdir(path)
end

--- Makes a new, empty folder, in TMPDIR or /tmp.
-- @treturn string its path; raises where there is no room for one
function folder.make()
  local unique = os.tmpname() -- made by the system, so that no other process has the name
  local path = ("%s/clue-build-%s"):format(os.getenv "TMPDIR" or "/tmp", unique:match "[^/]*$")
  os.remove(unique)
  local made, why = lfs.mkdir(path)
  if not made then error(("cannot make a folder for the compilers: %s: %s"):format(path, why), 0) end
  return path
end

--- Removes a folder and all that is in it.
-- @tparam string path as @{make} gave it
function folder.remove(path)
  pcall(remove, path)
end

--- Every file of a name's ending, in the folder and those within it.
-- @tparam string path
-- @tparam string ending ".so"
-- @treturn {string,...} paths, in order
function folder.find(path, ending)
  local found = {}
  local function search(at)
    for name in lfs.dir(at) do
      local entry = at .. "/" .. name
      local mode = name ~= "." and name ~= ".." and lfs.symlinkattributes(entry, "mode")
      if mode == "directory" then search(entry) end
      if mode == "file" and name:sub(-#ending) == ending then found[#found + 1] = entry end
    end
  end
  search(path)
  table.sort(found)
  return found
end

return folder
