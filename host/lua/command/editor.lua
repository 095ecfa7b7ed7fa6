--- `clue editor`: lets lua-language-server know clue's names in a folder of scripts.
local lfs = require "lfs"
local output = require "clue.output"
local paths = require "clue.paths"
local read_file = require("clue.file").read
local save = require("clue.shared.paths").write
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "editor",
  group = "clue",
  page = "reference/editors.md",
  summary = "write .luarc.json, so that an editor knows clue's names",
  about = "Writes the settings of lua-language-server (VS Code, Neovim and others) into a folder of scripts. Editors "
    .. "then complete clue's names, show what each does, and mark misspelt names and wrong arguments. "
    .. "`clue help editors.md` shows how to set them up.",
}

function command.options(parser)
  parser:argument("folder", "the folder of the scripts; without it, the working folder"):args "?"
end

local function settings_in(folder)
  return folder == "." and ".luarc.json" or folder .. "/.luarc.json"
end

-- The folder of the annotations, as JSON has it.
local function library_of(place)
  return ((place .. "/library"):gsub('[\\"]', "\\%0"))
end

-- Whether there are settings that name the annotations, as after a first `clue editor`.
local function is_done(folder, place)
  local settings = read_file(settings_in(folder))
  return settings ~= nil and settings:find('"' .. library_of(place) .. '"', 1, true) ~= nil
end

-- Why the settings cannot be written; nil if they can.
local function obstacle(folder, place)
  if lfs.attributes(folder, "mode") ~= "directory" then return ("%s is no folder"):format(folder) end
  if not lfs.attributes(place .. "/config.json") then
    return ("this clue has no annotations (%s): it was built without LDoc, Debian's lua-ldoc"):format(place)
  end
  if lfs.symlinkattributes(settings_in(folder)) then
    return ("%s exists already: add \"%s/library\" to its workspace.library"):format(settings_in(folder), place)
  end
end

local function write(options)
  local folder, place = (options.folder or "."):gsub("(.)/+$", "%1"), paths.luacats
  if is_done(folder, place) then
    output.print(("%s: names clue's annotations already"):format(settings_in(folder)))
    return 0
  end
  local why = obstacle(folder, place)
  if why then return command.refuse(why, 1) end
  local settings = assert(read_file(place .. "/luarc.json"))
  local at, to = settings:find("/path/to/clue/luacats/library", 1, true)
  local path = settings_in(folder)
  save(path, settings:sub(1, at - 1) .. library_of(place) .. settings:sub(to + 1))
  output.print(("%s: open the folder in an editor that uses lua-language-server"):format(path))
  return 0
end

function command.work(options)
  return command.attempt(write, options)
end

return command
