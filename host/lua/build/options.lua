--- The command line options that `clue build` and `clue asm` share.
-- Parameters with one meaning everywhere: parsed, what the parser gave; parser, of argparse.
local filter = require("clue.shared.list").filter
local include = require "clue.include"
local lfs = require "lfs"
local subcommand = require "clue.shared.subcommand"

local options = {}

local function word(option)
  return function(text)
    if not text:find "[%s\"']" then return text end
    return nil, ("%s '%s': it must not contain blanks or quotation marks; pass them with --options"):format(option,
      text)
  end
end

-- "TILE=16", for a template.
local function setting(text)
  local name, value = text:match "^([%a_][%w_]*)=(.*)$"
  if name then return {name, tonumber(value) or value} end
  return nil, ("--set '%s': it must be NAME=VALUE"):format(text)
end

--- Adds those for the compiler of a file.
-- @tparam[opt=""] string what what the help texts begin with
function options.add_compiler(parser, what)
  what = what or ""
  parser:option("-D", what .. "define a macro, with or without a value"):argname "NAME[=VALUE]":count "*"
    :target "defines":convert(word "-D")
  parser:option("-I", what .. "a folder to search for headers, besides the file's own"):argname "FOLDER":count "*"
    :target "folders"
  parser:option("--options", what .. "more options for the compiler, such as '-cl-fast-relaxed-math -w'")
    :argname "TEXT":count "*"
end

--- Adds the common arguments and options to a parser.
-- @tparam string devices the help text of --device
function options.add(parser, devices)
  local file = parser:argument("file", "the OpenCL C to compile; or a script, NAME.lua, which runs with all words "
    .. "after it, and whose programs are compiled, each for the devices of its context; or a walkthrough, whose steps "
    .. "are such scripts")
  subcommand.completes(subcommand.reads(file), "walkthrough .cl .lua")
  subcommand.device(parser, devices)
  options.add_compiler(parser)
  parser:option("--std", "the language: CL1.2, CL2.0, CL3.0, ..."):argname "VERSION":convert(word "--std")
  parser:flag("--template", "the file is a template, which cl.template expands")
  parser:option("--set", "a value for the template; implies --template"):argname "NAME=VALUE":count "*"
    :convert(setting)
  parser:option("--steps", "of a walkthrough: the steps to compile, 2-5, or 1,4,7-9 (default: all)")
  parser:option("--size", "of a walkthrough: the problem's size (default: a small one)")
  subcommand.time_limit(parser, "120", "stop a device's compiler after so many seconds")
end

--- Prepares words for the parser: the value of --options itself begins with a '-', and what follows a script is the
-- script's own.
-- @tparam {string,...} args
-- @tparam table command
-- @treturn {string,...}
-- @treturn {string,...} the words after a script (without a -- before them), or after a --; nil if there are none
function options.words(args, command)
  local words, i = {}, 1
  local own, of_script = subcommand.script_words(args, command)
  if of_script[1] == "--" then table.remove(of_script, 1) end
  args = own
  while args[i] and args[i] ~= "--" do
    local joined = args[i] == "--options" and args[i + 1]
    words[#words + 1] = joined and "--options=" .. joined or args[i]
    i = i + (joined and 2 or 1)
  end
  if of_script[1] then return words, of_script end
  local rest = args[i] and {}
  for k = i + 1, #args do rest[#rest + 1] = args[k] end
  return words, rest
end

--- The folder of the file, if a compiler cannot take its name as an option.
-- @treturn ?string
function options.odd_folder(parsed)
  local own = parsed.file:match "^(.+)/[^/]*$"
  return own and own:find "[%s\"']" and own or nil
end

--- The words that options.add_compiler() and --std give.
-- @treturn {string,...}
function options.given(parsed)
  local words = filter(parsed.options, function(text) return text ~= "" end)
  if parsed.std then words[#words + 1] = "-cl-std=" .. parsed.std end
  for _, folder in ipairs(parsed.folders) do words[#words + 1] = include.folder_option(folder) end
  for _, define in ipairs(parsed.defines) do words[#words + 1] = "-D " .. define end
  return words
end

--- The text of the options for compilers.
-- @tparam[opt] string link to the file's folder, if that is an odd one
-- @treturn string "-cl-std=CL1.2 -I kernels -D TILE=8"
function options.text(parsed, link)
  local words = options.given(parsed)
  local own = parsed.file:match "^(.+)/[^/]*$"
  if own then words[#words + 1] = "-I " .. (options.odd_folder(parsed) and link or own) end
  return table.concat(words, " ")
end

local NO_SUCH_FILE = 2 -- ENOENT

--- Whether a walkthrough is meant.
function options.is_walkthrough(parsed)
  local mode, _, code = lfs.attributes(parsed.file, "mode")
  return not parsed.file:find "%.[%a]+$" and (mode == "directory" or not mode and code == NO_SUCH_FILE)
end

local of_file_only = {
  {"std", "--std"}, {"options", "--options"}, {"template", "--template"}, {"defines", "-D"}, {"folders", "-I"},
  {"set", "--set"},
}

--- Why a script's programs cannot be compiled with the given options.
-- @treturn ?string nil if they can
function options.refusal_for_script(parsed)
  for _, each in ipairs(of_file_only) do
    local given = parsed[each[1]]
    if given and (type(given) ~= "table" or given[1]) then
      return ("%s is for a file of OpenCL C: a script gives its own options"):format(each[2])
    end
  end
end

return options
