--- Paths that options and arguments give: whether two lead to one file, and whether one can be written.
-- @module clue.shared.paths
local binding = require "clue.binding"
local lfs = require "lfs"

local paths = {}

local function number_of(path)
  local facts = lfs.attributes(path)
  return facts and ("%s %s"):format(tostring(facts.dev), tostring(facts.ino))
end

-- The same for two paths of one file, also of one that does not exist yet.
local function identity(path)
  local folder, last = path:match "^(.*/)([^/]+)$"
  local found = number_of(path)
  if found then return found end
  folder = number_of(folder or ".")
  return folder and ("%s/%s"):format(folder, last or path) or path
end

--- The first path of a file that is there twice, also under another path.
-- @tparam {string,...} list
-- @treturn ?string the path that repeats
-- @treturn ?string the earlier path
function paths.repeated(list)
  local seen = {}
  for _, path in ipairs(list) do
    local key = identity(path)
    if seen[key] then return path, seen[key] end
    seen[key] = path
  end
end

--- Whether a file can be written, to be asked before long work.
-- @tparam string path
-- @treturn[1] bool true
-- @treturn[2] nil
-- @treturn[2] string why not, with the path
function paths.can_be_written(path)
  local made, target = binding.file_beside(path)
  if not made then return nil, binding.error().detail end
  if made ~= target then os.remove(made) end
  return true
end

return paths
