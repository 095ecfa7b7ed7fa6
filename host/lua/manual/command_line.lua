--- The command line as its own definitions have it: clue's options (host/main/options.c) and those of each subcommand
-- (argparse). Manual pages and completion are made from it. And what clue says of a first word that it cannot run:
-- host/main.c asks.
local clue_options = require "clue.options"
local lists = require "clue.shared.list"
local misspelt = require "clue.misspelt"
local nearest = require "clue.nearest"
local shell_word = require("clue.shared.shell").shown

local command_line = {}

local folder = debug.getinfo(1, "S").source:match "^@(.*)/manual/[^/]*$" .. "/command"

-- The names in a folder. LuaFileSystem may be missing, which is no reason to say nothing of a first word.
local function names_in(of)
  local loaded, paths = pcall(require, "clue.shared.paths")
  return loaded and paths.names_in(of) or {}
end

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

-- ---- a first word that clue cannot run ----

local function is_file(path)
  local file = io.open(path)
  return file and file:close()
end

-- The names of clue's walkthroughs; a tree without them has none.
local function walkthroughs()
  local loaded, catalogue = pcall(require, "clue.run.catalogue")
  return loaded and catalogue.names() or {}
end

-- The script that a word was meant to be: without its ending, or misspelt.
local function script_like(word)
  if is_file(word .. ".lua") then return word .. ".lua" end
  local above, name = word:match "^(.-)([^/]*)$"
  local stems = {}
  for _, each in ipairs(names_in(above == "" and "." or above)) do stems[each:match "^(.*)%.lua$" or ""] = true end
  local meant = nearest(name:match "^(.*)%.lua$" or "", stems, 2)
  return meant and meant ~= "" and above .. meant .. ".lua" or nil
end

--- What to say of a word that is neither a file nor a subcommand.
-- @tparam string word
-- @tparam {string,...} commands the subcommands' names
function command_line.missing_word(word, commands)
  if lists.set(walkthroughs())[word] then
    return ("there is no script or subcommand '%s', but a walkthrough: `clue walk %s`"):format(word, word)
  end
  local missing = (word:find "[./]" and "cannot open '%s': no such file" or "there is no script or subcommand '%s'")
    :format(word)
  local script = script_like(word)
  if script then return ("%s: did you mean `clue %s`?"):format(missing, shell_word(script)) end
  if word:find "[./]" then return missing end
  local meant = nearest(word, lists.set(commands))
  if meant then return ("%s: did you mean `clue %s`?"):format(missing, meant) end
  return ("%s; subcommands are: %s"):format(missing, table.concat(commands, ", "))
end

--- What to say of a folder.
-- @tparam string word its path
-- @treturn string
function command_line.folder(word)
  local path = word:gsub("(.)/+$", "%1")
  local function has(name) return is_file(("%s/%s"):format(path, name)) end
  if has "walkthrough.lua" then
    return ("'%s' is a walkthrough's folder: `clue walk %s`"):format(word,
      shell_word(path:find "/" and path or "./" .. path))
  end
  if has "call.lua" then
    return ("'%s' is a captured call: `clue %s` repeats it, `clue check %s` looks for faults"):format(word,
      shell_word(path .. "/replay.lua"), shell_word(word))
  end
  return ("cannot open '%s': it is a folder, not a script"):format(word)
end

-- ": did you mean `clue check`?" for --check; nil if there is no such subcommand.
local function as_command(option)
  local name = option:match "^%-%-(%l+)$"
  if not name or not pcall(require, "clue.command." .. name) then return nil end
  return (": did you mean `clue %s`?"):format(name)
end

--- What to say of a source of MQL5.
-- @tparam string word its path
-- @treturn string
function command_line.mql5(word)
  return require("clue.shared.mql5_source").describe(word, (require("clue.file").read(word)))
end

--- What to say of an option that clue does not have.
-- @tparam string option as it was typed
-- @tparam {string,...} known clue's own
-- @treturn string
function command_line.option(option, known)
  return misspelt.join(("unknown option '%s'%s"):format(option, as_command(option) or misspelt.guess(option, known)),
    "clue --help lists the options. A script's own options come after its name")
end

return command_line
