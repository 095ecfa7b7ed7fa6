--- The files that jobs need on other hosts: those that their command names, and those that the user adds. They lie
-- there as they lie here, below the current folder; what lies elsewhere gets a place in outside/, or outside_/ if
-- something here has that name.
local lfs = require "lfs"
local make_folder = require("clue.shared.paths").make_folder
local map = require("clue.shared.list").map
local transport = require "clue.farm.transport"

local Cargo = {}
Cargo.__index = Cargo

local cargo = {}

--- Makes an empty cargo.
-- @treturn Cargo
function cargo.new()
  local outside = "outside"
  while lfs.attributes(outside) do outside = outside .. "_" end
  return setmetatable({places = {}, outside = outside, count = 0}, Cargo)
end

local function is_inside(path)
  return not path:find "^/" and not ("/" .. path .. "/"):find("/../", 1, true)
end

-- "./a//b/" is "a/b".
local function plain_path(path)
  local plain = path:gsub("/+", "/"):gsub("/$", "")
  while plain:find "/%./" do plain = plain:gsub("/%./", "/") end
  return (plain:gsub("/%.$", ""):gsub("^%./", ""))
end

--- Adds a file or a folder. Raises if there is none.
-- @tparam string path
-- @treturn string the path that it has there
function Cargo:add(path)
  local plain = plain_path(path)
  if not lfs.attributes(path) then error(("%s: there is no such file or folder to copy"):format(path), 0) end
  for to, from in pairs(self.places) do
    if from == path then return to end
  end
  if not is_inside(plain) or plain == "." or plain == "" then
    self.count = self.count + 1
    plain = ("%s/%d/%s"):format(self.outside, self.count, plain:match "[^/]*$")
  end
  self.places[plain] = path
  return plain
end

-- A word such as `mql5` names a walkthrough, though a folder may have that name; `./mql5` is the folder.
local function is_meant(word)
  if word:find "^%-" then return false end
  local mode = lfs.attributes(word, "mode")
  return mode == "file" or mode == "directory" and word:find "/" ~= nil
end

--- Adds every file and folder that a command names.
-- @tparam {string,...} words
-- @treturn {string,...} the words as they are there
function Cargo:add_words(words)
  return map(words, function(word) return is_meant(word) and self:add(word) or word end)
end

--- Adds what a user wants to have there besides: it must lie below the current folder, or no job would find it.
-- @tparam string path
function Cargo:add_named(path)
  local plain = plain_path(path)
  if plain == "." or plain == "" then
    for name in lfs.dir "." do
      if name ~= "." and name ~= ".." and lfs.attributes(name) then self:add(name) end -- no link to nothing
    end
  elseif is_inside(plain) and not path:find "^/" then
    self:add(path)
  else
    error(("--copy %s: what is copied lies there as here, below the current folder, and this lies elsewhere: start "
      .. "clue farm in a folder above it"):format(path), 0)
  end
end

-- Whether a folder that is there contains a path.
local function is_contained(self, path)
  local above = path:match "^(.*)/[^/]*$"
  return above and (self.places[above] ~= nil or is_contained(self, above)) or false
end

--- Packs the files. Links become what they lead to; those that lead to nothing, as Emacs makes for open files, have
-- nothing to copy.
-- @tparam string folder a temporary one
-- @treturn string the archive. Raises if that fails
function Cargo:pack(folder)
  local root, archive, empty = folder .. "/cargo", folder .. "/cargo.tar.gz", folder .. "/cargo.empty"
  local here = lfs.currentdir()
  make_folder(root)
  for to, from in pairs(self.places) do
    if not is_contained(self, to) then
      local path, place = from:find "^/" and from or here .. "/" .. from, root .. "/" .. to
      local made, why = make_folder(place:match "^(.*)/[^/]*$")
      if made then made, why = lfs.link(path, place, true) end
      if not made then error(("%s: %s"):format(from, why), 0) end
    end
  end
  transport.output_of {"find", "-L", root, "-type", "l", "-fprintf", empty, "./%P\n"}
  transport.output_of {"tar", "-chzf", archive, "--no-wildcards", "--anchored", "-X", empty, "-C", root, "."}
  return archive
end

return cargo
