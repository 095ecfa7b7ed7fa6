--- What `clue build` and `clue asm` have in common on the command line.
-- @module clue.build.options
local open = require "clue.open"
local output = require "clue.output"

local options = {}

local function seconds(text)
  local number = tonumber(text)
  if number and number > 0 and number < math.huge then return number end
  return nil, ("--time-limit: '%s': seconds, more than 0"):format(text)
end

local function word(option)
  return function(text)
    if not text:find "[%s\"']" then return text end
    return nil, ("%s '%s': no blanks or quotation marks can stand in it; --options takes a whole text"):format(option,
      text)
  end
end

--- Adds the common arguments and options to a parser.
-- @tparam table parser of argparse
-- @tparam string devices how the help names what --device takes
function options.add(parser, devices)
  parser:argument("file", "the OpenCL C to compile"):args "?" -- --help needs none
  parser:option("--device", devices):argname "SPEC"
  parser:option("-D", "define a macro, with or without a value"):argname "NAME[=VALUE]":count "*":target "defines"
    :convert(word "-D")
  parser:option("-I", "a folder to look for headers in; the file's own is known"):argname "FOLDER":count "*"
    :target "folders":convert(word "-I")
  parser:option("--options", "further options for the compiler, such as '-cl-fast-relaxed-math -w'"):argname "TEXT"
  parser:option("--std", "the language: CL1.2, CL2.0, CL3.0, ..."):argname "VERSION":convert(word "--std")
  parser:option("--time-limit", "seconds after which the compiler of a device is stopped"):argname "SECONDS"
    :default "120":convert(seconds)
  parser:add_help(false)
  parser:flag("-h --help", "print this and exit")
  parser:help_max_width(80)
end

--- Words as the parser takes them: what --options is given begins with a '-' of its own.
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

--- The text that compilers get.
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
-- @tparam ?string path
-- @treturn[1] string
-- @treturn[2] nil
-- @treturn[2] string why there is none
function options.source(path)
  if not path then return nil, "missing argument 'file': the OpenCL C to compile" end
  local file, why = open(path)
  if not file then return nil, why end
  local text, problem = file:read "*a"
  file:close()
  if not text then return nil, ("%s: %s"):format(path, problem) end
  if text == "" then return nil, path .. ": the file is empty" end
  return text
end

--- Runs a command: parses, helps, reads the source, and tells what went wrong.
-- @tparam string name "clue build"
-- @tparam table parser of argparse
-- @tparam {string,...} args what stands behind the name
-- @tparam function work work(parsed, source, folder): gives the exit status; folder: one for this run alone
-- @treturn number exit status: what work gave, 1 where it raised, 2 wrong use, 130 interrupted
function options.run(name, parser, args, work)
  local function refuse(text, status)
    output.err:write(name, ": ", text, "\n")
    return status
  end
  local known, parsed = parser:pparse(options.words(args))
  if not known then
    return refuse(("%s; `%s --help` lists the options"):format((parsed:gsub("\n", "; ")), name), 2)
  end
  if parsed.help then
    output.print(parser:get_help())
    return 0
  end
  local source, why = options.source(parsed.file)
  if not source then return refuse(why, 2) end
  local done, status = pcall(require "clue.shared.temporary", function(folder) return work(parsed, source, folder) end)
  if done then return status end
  return refuse(tostring(status), tostring(status):find("interrupted", 1, true) and 130 or 1)
end

return options
