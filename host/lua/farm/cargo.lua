--- The files that jobs need on other hosts: those that their command names, and those that the user adds. They lie
-- there as they lie here, below the current folder; what lies elsewhere gets a place in outside/.
-- @module clue.farm.cargo
local child = require "clue.shared.child"
local lfs = require "lfs"
local make_folder = require "clue.shared.make_folder"

local Cargo = {}
Cargo.__index = Cargo

local cargo = {}

--- Makes an empty cargo.
-- @treturn Cargo
function cargo.new()
  return setmetatable({places = {}, count = 0}, Cargo)
end

local function is_inside(path)
  return not path:find "^/" and not ("/" .. path .. "/"):find("/../", 1, true)
end

--- Adds a file or a folder.
-- @tparam string path
-- @treturn string the path that it has there
function Cargo:add(path)
  local plain = path:gsub("/+$", ""):gsub("^%./+", "")
  for to, from in pairs(self.places) do
    if from == path then return to end
  end
  if not is_inside(plain) or plain == "." or plain == "" then
    self.count = self.count + 1
    plain = ("outside/%d/%s"):format(self.count, plain:match "[^/]*$")
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
  local there = {}
  for i, word in ipairs(words) do there[i] = is_meant(word) and self:add(word) or word end
  return there
end

--- Packs the files.
-- @tparam string folder a temporary one
-- @treturn string the archive. Raises if that fails
function Cargo:pack(folder)
  local root, archive, here = folder .. "/cargo", folder .. "/cargo.tar.gz", lfs.currentdir()
  make_folder(root)
  for to, from in pairs(self.places) do
    local path = from:find "^/" and from or here .. "/" .. from
    local above = (root .. "/" .. to):match "^(.*)/[^/]*$"
    local made, why = make_folder(above)
    local place = root .. "/" .. to
    if made and not lfs.symlinkattributes(place) then made, why = lfs.link(path, place, true) end
    if not made then error(("%s: %s"):format(from, tostring(why)), 0) end
  end
  local _, seen = child.output_of {"/usr/bin/env", "tar", "-chzf", archive, "-C", root, "."}
  if not seen:is_well() then error("tar: " .. (seen:last_errors(1)[1] or select(2, seen:reason())), 0) end
  return archive
end

return cargo
