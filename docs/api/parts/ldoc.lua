--- Runs LDoc over the sources, and gives what it found. LDoc is Debian's lua-ldoc, a program in Lua, which this
-- interpreter runs.
local filter = require "filter"
local json = require "clue.json"
local utils = require "pl.utils"

local ldoc = {}

local here = debug.getinfo(1, "S").source:match "^@(.*)/parts/ldoc%.lua$"

--- The folder of the tree.
ldoc.root = here:gsub("/docs/api$", "")

local quoted = utils.quote_arg

--- What a command of the shell prints.
-- @tparam string command
-- @treturn string
function ldoc.output_of(command)
  return (select(3, utils.executeex(command)))
end

-- Where the program is; nil if it is not installed.
local function program()
  local path = ldoc.output_of("command -v ldoc"):match "^[^\n]+"
  return path
end

--- Whether LDoc is installed.
-- @treturn boolean
function ldoc.is_installed()
  return program() ~= nil
end

-- The item whose comment stands directly above a line, and all items of a file that have a name.
local function indexed(module)
  local file = {path = module.file, summary = module.summary, text = module.text, by_line = {}, by_name = {}}
  for _, item in ipairs(module.items) do
    item.file = module.file
    file.by_line[item.line] = item
    file.by_name[item.name:match "[^.:]*$"] = item
  end
  return file
end

--- Reads the comments of all files that a configuration of LDoc's names.
-- @tparam[opt] string config the configuration's name in docs/api
-- @treturn table files by path below the tree's root: path, summary, text, by_line, by_name (their items)
-- @treturn string what LDoc complained about, "" if it found nothing wrong
function ldoc.files(config)
  local root = ldoc.root
  local clue = require("clue.options").program
  local command = ("cd %s && LUA_PATH=%s %s %s -c docs/api/%s --filter filter.write . 2>&1"):format(quoted(root),
    quoted(here .. "/parts/?.lua;;"), quoted(clue), quoted(program()), config or "config.ld")
  local text = ldoc.output_of(command)
  local at, to = text:find(filter.MARK .. "\n", 1, true)
  if not at then error("LDoc failed:\n" .. text, 0) end
  local complaints = text:sub(1, at - 1):gsub("changing to directory[^\n]*\n", "")
  local files = {}
  for _, module in ipairs(json.decode(text:match("[^\n]*", to + 1))) do
    module.file = module.file:gsub("^" .. root:gsub("%p", "%%%0") .. "/", "")
    files[module.file] = indexed(module)
  end
  return files, complaints
end

return ldoc
