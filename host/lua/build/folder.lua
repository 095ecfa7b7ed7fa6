--- A folder for one run, removed at its end: drivers keep what they compile there instead of finding it compiled.
-- @module clue.build.folder
local binding = require "clue.binding"
local lfs = require "lfs"

local folder = {}

--- Makes a new, empty folder, in TMPDIR or /tmp.
-- @treturn string its path; raises where there is no room for one
function folder.make()
  return binding.temporary_folder() or error(binding.error().detail, 0)
end

--- Removes a folder and all that is in it.
-- @tparam string path as @{make} gave it
function folder.remove(path)
  binding.temporary_remove(path)
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
