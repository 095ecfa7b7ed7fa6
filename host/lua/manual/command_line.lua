--- The command line as its own definitions have it: clue's options (host/main/options.c) and those of each subcommand
-- (argparse). Manual pages and completion are made from it.
local clue_options = require "clue.options"
local lists = require "clue.shared.list"
local names_in = require("clue.shared.paths").names_in
local nearest = require "clue.nearest"

local command_line = {}

local folder = debug.getinfo(1, "S").source:match "^@(.*)/manual/[^/]*$" .. "/command"

--- clue's own options.
-- @treturn table a list of label ("-h, --help"), names, value ("" if it takes none), help and kinds; with about,
--   closing
function command_line.own()
  local own = clue_options.described()
  for _, option in ipairs(own) do
    option.names = {}
    for name in option.label:gmatch "%-[^%s,%[]*" do table.insert(option.names, name) end
    option.takes_word = option.value ~= "" and option.value:sub(1, 1) ~= "["
    if option.value == "SPEC" then option.kinds = "device" end
  end
  return own
end

--- The subcommands.
-- @treturn {string,...} in order
function command_line.commands()
  return lists.map(names_in(folder), function(file) return file:match "^([%l_]+)%.lua$" end)
end

--- Whether there is such a subcommand.
-- @tparam string name
function command_line.has(name)
  return lists.any(command_line.commands(), function(each) return each == name end)
end

--- What to say of a subcommand that there is not.
-- @tparam string name
-- @treturn string
function command_line.missing(name)
  local meant = nearest(name, lists.set(command_line.commands()))
  if meant then return ("there is no subcommand '%s': did you mean %s?"):format(name, meant) end
  return ("there is no subcommand '%s'; there are %s"):format(name, table.concat(command_line.commands(), ", "))
end

local of_value = {FILE = "file", FOLDER = "folder", CACHE = "file", ["A.json"] = ".json", ["B.json"] = ".json"}

local function element(from, label)
  local value = from._maxargs > 0 and from:_get_argname(1) or ""
  return {label = label, value = value, takes_word = from._maxargs > 0, repeats = from._maxargs > 1,
          help = from:_get_description(), kinds = from.completes or of_value[value], default = from._default}
end

local function elements(list, labels)
  return lists.map(list, function(each) return not each._hidden and labels(each) or nil end)
end

--- One subcommand.
-- @tparam string name one of @{commands}
-- @treturn table with name, summary, about, usage, options as in @{own}, and arguments
function command_line.command(name)
  local command = require("clue.command." .. name)
  local parser = command.parser()
  local options = elements(parser._options, function(each)
    local made = element(each, table.concat(each._aliases, ", "))
    made.names = each._aliases
    if made.takes_word then made.label = made.label .. " " .. made.value end
    return made
  end)
  local arguments = elements(parser._arguments, function(each) return element(each, (each:_get_argname(1))) end)
  return {name = name, summary = command.summary, about = command.about, options = options, arguments = arguments,
          usage = parser:get_usage():gsub("^Usage: ", ""):gsub("%s+", " ")}
end

return command_line
