--- Finds out which files were saved, by checking them repeatedly.
--
-- Editors write a file in place, or write another and rename it. So a file that is missing for a moment has not
-- changed, and a change counts once two checks find the same state. The times of many file systems are whole seconds,
-- so recently changed files are also compared by their contents.
local lfs = require "lfs"
local read = require("clue.file").read

local files = {}

local FRESH = 3            -- seconds within which two changes may have the same time
local LARGEST = 4 * 2 ^ 20 -- bytes; a larger file is compared only by size and time

local methods = {}
methods.__index = methods

-- Identifies the state of a file; "" if there is none.
local function state_of(path)
  local about = lfs.attributes(path)
  if not about or about.mode ~= "file" then return "" end
  local state = ("%.0f %.0f %.0f %.0f"):format(about.ino, about.size, about.modification, about.change)
  local fresh = os.time() - about.change < FRESH and about.size <= LARGEST
  return state, fresh and (read(path) or "") or nil
end

-- Contents decide rather than times, if both are known.
local function is_same(entry, state, text)
  if state ~= entry.state then return false end
  return text == nil or entry.text == nil or text == entry.text
end

local function note(entry, state, text)
  entry.state, entry.text = state, text or (state == entry.state and entry.text) or nil
end

--- Makes a set of files to watch.
-- @treturn table with add, remove, keep, count, look and changed
function files.new()
  return setmetatable({entries = {}}, methods)
end

--- Watches a file, whether it exists or not.
-- @tparam string path
function methods:add(path)
  if self.entries[path] then return end
  local state, text = state_of(path)
  self.entries[path] = {state = state, text = text}
end

--- Stops watching a file.
-- @tparam string path
function methods:remove(path)
  self.entries[path] = nil
end

--- Watches only the files of a set.
-- @tparam table paths true by path
function methods:keep(paths)
  for path in pairs(self.entries) do
    if not paths[path] then self.entries[path] = nil end
  end
end

--- @treturn int how many of the files exist
function methods:count()
  local count = 0
  for _, entry in pairs(self.entries) do
    if entry.state ~= "" then count = count + 1 end
  end
  return count
end

--- Takes the current state of all files: earlier changes do not count.
function methods:look()
  for path, entry in pairs(self.entries) do
    note(entry, state_of(path))
    entry.pending = nil
  end
end

-- Whether a file has changed, and is the same as at the last check.
local function has_changed(entry, path)
  local state, text = state_of(path)
  if state == "" then return false end
  if is_same(entry, state, text) then
    entry.pending = nil
    if text then entry.text = text end
    return false
  end
  local settled = entry.pending and is_same(entry.pending, state, text)
  entry.pending = {state = state, text = text}
  return settled
end

--- Checks all files. Call it several times a second: a change is reported by the second check that finds it.
-- @treturn ?string the first of the saved files, by name; nil if none was saved
function methods:changed()
  local first
  for path, entry in pairs(self.entries) do
    if has_changed(entry, path) and (not first or path < first) then first = path end
  end
  return first
end

return files
