--- The command line as its own definitions have it: clue's options (host/main/options.c) and those of each subcommand
-- (argparse). Manual pages and completion are made from it.
local clue_options = require "clue.options"
local lists = require "clue.shared.list"
local names_in = require("clue.shared.paths").names_in
local nearest = require "clue.nearest"

local command_line = {}

local folder = debug.getinfo(1, "S").source:match "^@(.*)/manual/[^/]*$" .. "/command"

--- clue's own options.
-- @treturn table a list of label ("-h, --help"), names, takes_word (whether the next word is its value), help and
--   kinds (see @{clue.shared.subcommand.completes}); with about, closing
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

-- Those of a parser's options or arguments that --help shows; label(element, value): what an element is called.
local function elements(list, label)
  return lists.map(list, function(each)
    local value = each._maxargs > 0 and each:_get_argname(1) or nil
    return not each._hidden and {label = label(each, value), names = each._aliases, takes_word = value ~= nil,
      help = each:_get_description(), kinds = each.completes or of_value[value]} or nil
  end)
end

--- One subcommand.
-- @tparam string name one of @{commands}
-- @treturn table with name, summary, about, usage, options and arguments, both as in @{own}
function command_line.command(name)
  local command = require("clue.command." .. name)
  local parser = command.parser()
  local options = elements(parser._options, function(each, value)
    return table.concat(each._aliases, ", ") .. (value and " " .. value or "")
  end)
  local arguments = elements(parser._arguments, function(_, value) return value end)
  return {name = name, summary = command.summary, about = command.about, options = options, arguments = arguments,
          usage = parser:get_usage():gsub("^Usage: ", ""):gsub("%s+", " ")}
end

return command_line
