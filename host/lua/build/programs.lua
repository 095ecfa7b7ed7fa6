--- The programs that `clue build` and `clue asm` compile: one of a file of OpenCL C, or all that a script builds.
local builds = require "clue.build.child"
local children = require "clue.shared.child"
local clue_options = require "clue.options"
local lfs = require "lfs"
local lists = require "clue.shared.list"
local options = require "clue.build.options"
local output = require "clue.output"
local read_file = require("clue.file").read
local space_advice = require("clue.shared.script").space_advice
local temporary = require("clue.shared.paths").with_temporary_folder

local programs = {}

-- ---- which programs ----

-- The program of a file: its text, or what a template makes of it.
local function of_file(parsed, text, folder)
  local source, odd, link = text, options.odd_folder(parsed), nil
  if parsed.template or parsed.set[1] then
    local values = {}
    for _, each in ipairs(parsed.set) do values[each[1]] = each[2] end
    source = require("clue.template").expand(text, values, parsed.file)
  end
  if odd then
    link = folder .. "/beside"
    assert(lfs.link(odd:find "^/" and odd or ("%s/%s"):format(lfs.currentdir(), odd), link, true))
  end
  return {{parts = {{source = source, options = options.text(parsed, link), headers = {}}}, file = parsed.file,
           text = text, link_to = odd and {link = link, folder = odd}, device = parsed.device or clue_options.device}}
end

local function may_have_kernel(program, name)
  if not name then return true end
  return lists.any(program.parts, function(part) return part.source:find(name, 1, true) end)
end

-- A program's place, as its heading has it. Library code and texts that a script puts together have no line.
local function title(place, number)
  if place.name == "source" then return ("program %d"):format(number) end
  return ("program %d, %s:%d"):format(number, place.name, place.first)
end

-- Two builds of the same texts for the same devices are one.
local function key(program)
  local words = {program.link or false, table.concat(program.devices, ",")}
  for _, part in ipairs(program.parts) do
    words[#words + 1], words[#words + 2] = part.source, part.options
    for _, text in ipairs(part.headers) do words[#words + 1] = text end
  end
  for i, word in ipairs(words) do words[i] = ("%q"):format(tostring(word)) end
  return table.concat(words)
end

-- Runs a script to its end, to learn which programs it builds. Its output goes to stderr. Drivers and clue build
-- everything anew, so PoCL's folder has what the script's launches were compiled to. Returns the programs in the order
-- of their first build, each once, as @{clue.build.recorder.start} reports them, with title and file (the place's
-- name), and how the script failed; nil if it succeeded.
local function programs_of(path, words, device, folder, prelude)
  local list, known = {}, {}
  local seen = children.start {
    arguments = children.clue({device = device, quiet = clue_options.quiet, strict = clue_options.strict},
      {"-e", "require('clue.build.recorder').start() " .. (prelude or ""), path}, words),
    environment = builds.environment(folder),
    output = function(text) output.err:write(text) end,
    errors = function(text) output.err:write(text) end,
    results = function(value)
      local program = value.program
      if not program or known[key(program)] then return end
      known[key(program)] = true
      list[#list + 1] = program
      program.title, program.file = title(program.place, #list), program.place.name
    end,
  }:follow()
  if seen:is_well() then return list end
  return list, select(2, seen:reason())
end

-- The programs of a script; with a kernel's name, those whose text has that word.
local function of_script(parsed, words, folder)
  local all, failure = programs_of(parsed.file, words, parsed.device or clue_options.device, folder, parsed.prelude)
  if failure then output.err:write(("%s %s\n"):format(parsed.file, failure)) end
  local chosen = lists.filter(all, function(program) return may_have_kernel(program, parsed.kernel) end)
  if #all == 0 then
    error(("%s built no program from source%s"):format(parsed.file, space_advice(parsed.file)), 0)
  end
  return chosen[1] and chosen or all, failure -- none has it: what they have is told
end

-- ---- compiling ----

-- A text with the file's folder instead of the link to it.
local function told(program, text)
  local it = program.link_to
  if not (it and text) then return text end
  local parts, from = {}, 1
  local first, last = text:find(it.link, 1, true)
  while first do
    parts[#parts + 1] = text:sub(from, first - 1) .. it.folder
    from = last + 1
    first, last = text:find(it.link, from, true)
  end
  return table.concat(parts) .. text:sub(from)
end

-- Compiles a program: adds its folder, and for each device what came of it.
local function compile(program, parsed, request, folder, progress)
  program.folder, request.folder = folder, folder
  request.file = not program.title and program.file or nil
  request.device = program.devices and table.concat(program.devices, ",") or program.device
  local built, problem = builds.build(program, request, parsed.time_limit, progress)
  if not built then error(problem, 0) end
  program.built, program.options = built, told(program, program.parts[1].options)
  for _, each in ipairs(built) do
    for _, field in ipairs {"log", "failed", "options"} do each.result[field] = told(program, each.result[field]) end
  end
end

--- A compiler's messages about a program, with the places in its file.
-- @tparam table program of @{build}'s list
-- @tparam table result a device's
-- @treturn {table,...} see @{clue.build.messages.read}
function programs.messages(program, result)
  local text = program.text or read_file(program.file) or program.parts[1].source
  return require("clue.build.messages").read(result.log, program.file, text)
end

--- Runs one of the two commands: compiles the programs, and reports what goes wrong.
-- @tparam table command see @{clue.shared.subcommand.new}
-- @tparam table parsed the parser's result; prelude: Lua text that runs before the script, for a walkthrough's step
-- @tparam ?{string,...} words for a script
-- @tparam table request for @{clue.build.child.build}: binary, most; the rest comes from parsed
-- @tparam function work work(programs, launched): returns the exit status. Each program has file (its name in
--   messages), text (of that file), options (a text), folder (of its own), built (see @{clue.build.child.build});
--   those of a script also have title. launched: the folder in which PoCL kept what the script's launches needed; nil
--   for a file
-- @tparam[opt] function progress as for @{clue.build.child.build}
-- @treturn number exit status: work's result; 1 if it raised or a script failed, 2 for wrong use, 130 if interrupted
function programs.build(command, parsed, words, request, work, progress)
  local is_script = parsed.file:find "%.lua$" ~= nil
  local text, why = read_file(parsed.file)
  if text == "" then why, text = parsed.file .. ": the file is empty", nil end
  if not text then return command.refuse(why, 2) end
  why = (parsed.steps or parsed.size) and not parsed.prelude
    and "--steps and --size are for walkthroughs; a script's own options follow it"
    or is_script and options.refusal_for_script(parsed)
    or not is_script and words and "words after -- are for a script, NAME.lua"
  if why then return command.wrong_use(why) end
  return command.attempt(temporary, function(folder)
    local list, failure
    if is_script then
      list, failure = of_script(parsed, words or {}, folder)
    else
      list = of_file(parsed, text, folder)
    end
    for i, program in ipairs(list) do
      compile(program, parsed, request, ("%s/%d"):format(folder, i), progress or function() end)
    end
    local status = work(list, is_script and folder or nil)
    return failure and status == 0 and 1 or status
  end)
end

return programs
