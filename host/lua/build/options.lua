--- The command line options that `clue build` and `clue asm` share.
-- @module clue.build.options
local host = require "clue.options"
local read_file = require "clue.read_file"
local subcommand = require "clue.shared.subcommand"
local temporary = require "clue.shared.temporary"

local options = {}

local function word(option)
  return function(text)
    if not text:find "[%s\"']" then return text end
    return nil, ("%s '%s': it must not contain blanks or quotation marks; pass them with --options"):format(option,
      text)
  end
end

--- Adds the common arguments and options to a parser.
-- @tparam table parser of argparse
-- @tparam string devices the help text of --device
function options.add(parser, devices)
  parser:argument("file", "the OpenCL C to compile")
  subcommand.device(parser, devices)
  parser:option("-D", "define a macro, with or without a value"):argname "NAME[=VALUE]":count "*":target "defines"
    :convert(word "-D")
  parser:option("-I", "a folder to search for headers, besides the file's own"):argname "FOLDER":count "*"
    :target "folders":convert(word "-I")
  parser:option("--options", "more options for the compiler, such as '-cl-fast-relaxed-math -w'"):argname "TEXT"
  parser:option("--std", "the language: CL1.2, CL2.0, CL3.0, ..."):argname "VERSION":convert(word "--std")
  subcommand.time_limit(parser, "120", "stop a device's compiler after so many seconds")
end

--- Prepares words for the parser: the value of --options itself begins with a '-'.
-- @tparam {string,...} args
-- @treturn {string,...}
function options.words(args)
  local words, i = {}, 1
  while i <= #args do
    local joined = args[i] == "--options" and args[i + 1]
    words[#words + 1] = joined and "--options=" .. joined or args[i]
    i = i + (joined and 2 or 1)
  end
  return words
end

--- The text of the options for compilers.
-- @tparam table parsed what the parser gave
-- @treturn string "-cl-std=CL1.2 -I kernels -D TILE=8"
function options.text(parsed)
  local words = {}
  if parsed.options and parsed.options ~= "" then words[#words + 1] = parsed.options end
  if parsed.std then words[#words + 1] = "-cl-std=" .. parsed.std end
  for _, folder in ipairs(parsed.folders) do words[#words + 1] = "-I " .. folder end
  local own = parsed.file:match "^(.+)/[^/]*$"
  if own and not own:find "[%s\"']" then words[#words + 1] = "-I " .. own end
  for _, define in ipairs(parsed.defines) do words[#words + 1] = "-D " .. define end
  return table.concat(words, " ")
end

--- The text of the file to compile.
-- @tparam string path
-- @treturn[1] string
-- @treturn[2] nil
-- @treturn[2] string why there is none
function options.source(path)
  local text, why = read_file(path)
  if text == "" then return nil, path .. ": the file is empty" end
  return text, why
end

--- Runs one of the two commands: compiles the source, and reports what goes wrong.
-- @tparam table command see @{clue.shared.subcommand.new}
-- @tparam table parsed the parser's result
-- @tparam table request for @{clue.build.child.build}: binary, most; the rest comes from parsed
-- @tparam function work work(built, source, folder, options): returns the exit status; folder: one for this run only
-- @tparam[opt] function progress as for @{clue.build.child.build}
-- @treturn number exit status: work's result, 1 if it raised, 2 if there is no source, 130 if interrupted
function options.build(command, parsed, request, work, progress)
  local source, why = options.source(parsed.file)
  if not source then return command.refuse(why, 2) end
  request.file, request.options, request.device = parsed.file, options.text(parsed), parsed.device or host.device
  return command.attempt(temporary, function(folder)
    request.folder = folder
    local built, problem = require("clue.build.child").build(request, parsed.time_limit, progress or function() end)
    if not built then error(problem, 0) end
    return work(built, source, folder, request.options)
  end)
end

return options
