--- The files that `clue compare` is given.
-- @module clue.compare.files
local lfs = require "lfs"
local read = require "clue.compare.read"

local files = {}

--- The path of an argument.
-- @tparam string word - for standard input
-- @treturn string
function files.path(word)
  return word == "-" and "/dev/stdin" or word
end

-- The same for two paths of one file.
local function identity(path)
  local facts = lfs.attributes(path)
  return facts and ("%s %s"):format(tostring(facts.dev), tostring(facts.ino)) or path
end

--- The first file that is there twice, also under another path.
-- @tparam {string,...} paths
-- @treturn ?string the path that repeats
-- @treturn ?string the earlier path
function files.repeated(paths)
  local seen = {}
  for _, path in ipairs(paths) do
    local key = identity(path)
    if seen[key] then return path, seen[key] end
    seen[key] = path
  end
end

-- A file of another command than the first, and the first.
local function mixed(list)
  for _, file in ipairs(list) do
    if file.kind ~= list[1].kind then return file, list[1] end
  end
end

--- Reads all files, and reports the faults of each.
-- @tparam {string,...} paths
-- @tparam function refuse refuse(text) reports
-- @treturn ?{table,...} path, document, kind ("clue walk", "clue peak", "clue tune": the same for all); nil after a
--   report
function files.read(paths, refuse)
  local list, well = {}, true
  for i, path in ipairs(paths) do
    local document, kind = read(path)
    if not document then
      refuse(kind)
      well = false
    end
    list[i] = {path = path, document = document, kind = kind}
  end
  if not well then return nil end
  local other, first = mixed(list)
  if not other then return list end
  return refuse(("%s is from %s, but %s is from %s: give %s of the same command"):format(first.path, first.kind,
    other.path, other.kind, #list == 2 and "two files" or "files"))
end

return files
