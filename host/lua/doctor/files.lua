--- Reads what the doctor needs of a machine: folders, files, device files.
--
-- Everything goes through one object, so specs can put a made-up machine under a folder (the root). LuaFileSystem
-- lists folders: it is the one such library in Debian that every Lua here has.
local filter = require("clue.shared.list").filter
local lfs = require "lfs"
local names_in = require("clue.shared.paths").names_in

local files = {}

local methods = {}
local kind = {__index = methods}

--- The files of a machine.
-- @tparam[opt=""] string root a prefix for every absolute path
-- @treturn table list, kind, read, open, link, group, match
function files.new(root)
  return setmetatable({root = root or ""}, kind)
end

local function real(self, path)
  return path:sub(1, 1) == "/" and self.root .. path or path
end

-- The message of io.open, without the path before it.
local function reason(problem)
  return (tostring(problem):gsub("^.*: ", ""))
end

--- @tparam string folder
-- @treturn ?{string,...} names in order, without "." and ".."; nil if it cannot be read
-- @treturn ?string why
function methods.list(self, folder)
  local names, why = names_in(real(self, folder))
  return names, why and reason(why)
end

--- @tparam string path
-- @treturn ?string "file", "directory", "char device", ...; nil if there is nothing
function methods.kind(self, path)
  return (lfs.attributes(real(self, path), "mode"))
end

--- @tparam string path
-- @tparam[opt=65536] number most bytes to read
-- @treturn ?string nil if it cannot be read
-- @treturn ?string why
function methods.read(self, path, most)
  if self:kind(path) == "named pipe" then return nil, "this is a FIFO, but a file is expected" end
  local file, problem = io.open(real(self, path), "rb")
  if not file then return nil, reason(problem) end
  local text, why = file:read(most or 65536)
  file:close()
  if not text and why then return nil, reason(why) end
  return text or ""
end

--- Opens a device file as a driver does: only that also shows a container's limits.
-- @tparam string path
-- @treturn ?boolean true if it can be read and written
-- @treturn ?string why not
function methods.open(self, path)
  local file, problem = io.open(real(self, path), "r+b")
  if not file then return nil, reason(problem) end
  file:close()
  return true
end

--- Whether a folder takes a new file or, if it is not there, the nearest one above it: by trying.
-- @tparam string folder
-- @treturn ?boolean true
-- @treturn ?string why not
function methods.takes_files(self, folder)
  local above = folder:find "^%.?/" and folder or "./" .. folder
  while above ~= "" and not self:kind(above) do above = above:match "^(.*)/" end
  local path = real(self, ("%s/clue-doctor-%.0f"):format(above, os.time()))
  local file, problem = io.open(path, "wb")
  if not file then return nil, reason(problem) end
  file:close()
  os.remove(path)
  return true
end

--- @tparam string path of a symbolic link
-- @treturn ?string what it points to
function methods.link(self, path)
  return (lfs.symlinkattributes(real(self, path), "target"))
end

--- @tparam string path
-- @treturn ?number the group that it belongs to
function methods.group(self, path)
  return (lfs.attributes(real(self, path), "gid"))
end

local function pattern_of(glob)
  return "^" .. glob:gsub("[%^%$%(%)%%%.%[%]%+%-%?]", "%%%0"):gsub("%*", ".*") .. "$"
end

--- Paths that match a pattern; "*" matches any characters within one name.
-- @tparam string glob "/opt/rocm-*/lib"
-- @treturn {string,...} the existing ones
function methods.match(self, glob)
  local found = {""}
  for part in glob:gmatch("[^/]+") do
    local next_found = {}
    for _, folder in ipairs(found) do
      if not part:find("*", 1, true) then
        next_found[#next_found + 1] = folder .. "/" .. part
      else
        for _, name in ipairs(self:list(folder == "" and "/" or folder) or {}) do
          if name:find(pattern_of(part)) then next_found[#next_found + 1] = folder .. "/" .. name end
        end
      end
    end
    found = next_found
  end
  return filter(found, function(path) return self:kind(path) end)
end

return files
