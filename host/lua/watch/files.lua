--- Which files were saved: looks at them from time to time.
--
-- Editors write a file in place, or write another and rename it: a file that is away for a moment is no change, and one
-- counts once it looks the same twice. The clock of many file systems counts whole seconds for us, so files that were
-- changed just now are compared by what is in them, too.
-- @module clue.watch.files
local lfs = require "lfs"

local files = {}

local FRESH = 3            -- seconds in which a time of change does not tell two changes apart
local LARGEST = 4 * 2 ^ 20 -- bytes; a larger file is known by its size and time

local methods = {}
methods.__index = methods

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a" -- nil: a folder
  if file then file:close() end
  return text or ""
end

-- What tells a file's states apart; "" where there is none.
local function state_of(path)
  local about = lfs.attributes(path)
  if not about or about.mode ~= "file" then return "" end
  local state = ("%.0f %.0f %.0f %.0f"):format(about.ino, about.size, about.modification, about.change)
  local fresh = os.time() - about.change < FRESH and about.size <= LARGEST
  return state, fresh and read(path) or nil
end

-- Contents say more than times, where both are known.
local function is_same(entry, state, text)
  if state ~= entry.state then return false end
  return text == nil or entry.text == nil or text == entry.text
end

local function note(entry, state, text)
  entry.state, entry.text = state, text or (state == entry.state and entry.text) or nil
end

--- A set of files that are watched.
-- @treturn table with add, remove, keep, count, look and changed
function files.new()
  return setmetatable({entries = {}}, methods)
end

--- Watches a file, whether it is there or not.
-- @tparam string path
function methods:add(path)
  if self.entries[path] then return end
  local state, text = state_of(path)
  self.entries[path] = {state = state, text = text}
end

--- Watches it no more.
-- @tparam string path
function methods:remove(path)
  self.entries[path] = nil
end

--- Watches only those of a set.
-- @tparam table paths true by path
function methods:keep(paths)
  for path in pairs(self.entries) do
    if not paths[path] then self.entries[path] = nil end
  end
end

--- @treturn int how many of them there are on the disk
function methods:count()
  local count = 0
  for _, entry in pairs(self.entries) do
    if entry.state ~= "" then count = count + 1 end
  end
  return count
end

--- Takes all files as they are now: what was saved before is no change.
function methods:look()
  for path, entry in pairs(self.entries) do
    note(entry, state_of(path))
    entry.pending = nil
  end
end

-- Whether a file was changed, and is as it was at the last look.
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

--- Looks at all files. Call it some times a second: a change is told at the second look that finds it.
-- @treturn ?string the first, by name, of those that were saved; nil: none
function methods:changed()
  local first
  for path, entry in pairs(self.entries) do
    if has_changed(entry, path) and (not first or path < first) then first = path end
  end
  return first
end

return files
