--- The files that `clue compare` is given.
-- @module clue.show.compare.files
local read = require "clue.result.read"

local files = {}

--- The path of an argument.
-- @tparam string word - for standard input
-- @treturn string
function files.path(word)
  return word == "-" and "/dev/stdin" or word
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
