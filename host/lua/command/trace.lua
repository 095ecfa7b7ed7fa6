--- `clue trace`: records a script's OpenCL calls and commands, as a picture and as a summary.
local capture = require "clue.capture"
local child = require "clue.shared.child"
local clue_options = require "clue.options"
local counted = require("clue.text").count
local lfs = require "lfs"
local lists = require "clue.shared.list"
local misspelt = require "clue.misspelt"
local output = require "clue.output"
local paths = require "clue.shared.paths"
local shell_word = require("clue.shared.shell").shown
local read = require "clue.trace.read"
local space_advice = require("clue.shared.script").space_advice
local subcommand = require "clue.shared.subcommand"
local temporary = require("clue.shared.paths").with_temporary_folder
local trace = require "clue.trace"
local view = require "clue.trace.view"

local command = subcommand.new {
  name = "trace",
  group = "kernel",
  page = "reference/trace.md",
  instead = {device = "it goes before trace: clue --device SPEC trace SCRIPT"},
  summary = "record what devices do for a script, and where the time went",
  about = "Runs a script (or a subcommand, such as walk) and records every OpenCL call and every command on "
    .. "a queue: when it was queued, submitted, started and ended. Writes a trace that https://ui.perfetto.dev and "
    .. "chrome://tracing open, and prints on stderr where the time went. The exit status is the script's; 2: wrong "
    .. "use.",
}

local refuse = command.refuse

-- ---- options ----

-- "scale:3", or "scale".
local function wanted_call(text)
  local kernel, number = text:match "^([%a_][%w_]*)$", 1
  if not kernel then
    kernel, number = text:match "^([%a_][%w_]*):(%d+)$"
    number = tonumber(number)
  end
  if kernel and number >= 1 and number < 2 ^ 31 then return {kernel = kernel, number = number} end
  return nil, ("--capture: '%s' must be a kernel's name, or NAME:N for its N-th call (from 1)"):format(text)
end

function command.options(parser)
  subcommand.completes(subcommand.reads(parser:argument("script", "the script; it gets all words after it, except for "
    .. "-o FILE directly after it"):args "?"), ".lua")
  subcommand.writes(parser:option("-o --output", "the file of the trace"):argname "FILE":default "trace.json")
  subcommand.json_file(parser, "write the summary to this file")
  parser:option("--capture", "save the N-th call of a kernel (default: the first), its program, arguments and "
    .. "buffers, in a folder, with a script replay.lua that repeats it"):argname "KERNEL:N":convert(wanted_call)
  parser:option("--capture-folder", "the folder for --capture (default: KERNEL-N)"):argname "FOLDER"
end

-- clue's own options come before the script, except for -o directly after it, since scripts have inputs called
-- --output. `--` there ends them.
function command.words(args)
  local ours, script, i, with_value = {}, nil, 1, subcommand.with_value(command)
  while args[i] do
    local word = args[i]
    if not script and not word:find "^%-." then
      script = word
    elseif word == "-o" or not script and with_value[word] then
      ours[#ours + 1], ours[#ours + 2] = word, args[i + 1]
      i = i + 1
    elseif not script or word:find "^%-o." then
      ours[#ours + 1] = word
    else
      if word == "--" then i = i + 1 end
      break
    end
    i = i + 1
  end
  local rest = {}
  for k = i, #args do rest[#rest + 1] = args[k] end
  ours[#ours + 1] = script
  return ours, script, rest
end

-- ---- the run ----

-- Runs the script in the foreground, with our input and output, as it would run alone: nothing comes between it and
-- the terminal. Returns its exit status.
local function run_script(folder, options, script, rest)
  local environment = {"CLUE_TRACE=" .. folder}
  if options.capture then
    environment[2] = ("CLUE_CAPTURE=%s:%d"):format(options.capture.kernel, options.capture.number)
    environment[3] = "CLUE_CAPTURE_FOLDER=" .. options.capture_folder
    environment[4] = "CLUE_CAPTURE_SCRIPT=" .. capture.script
  end
  io.stdout:flush()
  local words = child.clue(clue_options, {script}, rest)
  return child.start({arguments = words, environment = environment, foreground = true}):follow(10):status()
end

-- ---- the results ----

local function say_end(status)
  if status < 128 then return end
  output.err:write(("the script was ended by %s\n"):format(child.signal_name(status - 128)))
end

-- The tables are printed even if a file cannot be written: the run may have taken long.
local function write_all(options, script, processes)
  local document = trace.sums(processes)
  local saved, why = trace.save(options.output, processes, document, script)
  view.print(document, output.err, output.err:columns(100))
  if saved then
    output.err:write(("%s: open it in https://ui.perfetto.dev or chrome://tracing\n"):format(options.output))
  else
    refuse("--output: " .. why)
  end
  return command.save_json(options.json, document) and saved
end

-- How often a kernel was executed, and the names of all that were.
local function executions_of(processes, kernel)
  local commands = lists.flat(processes, function(process) return process.commands end)
  local names = lists.map(commands, function(each) return each.kernel end)
  return #lists.filter(names, function(name) return name == kernel end), lists.distinct(names)
end

-- Reports whether the call was captured, and returns it.
local function report_capture(options, processes)
  local kernel, number, folder = options.capture.kernel, options.capture.number, options.capture_folder
  local file = io.open(folder .. "/call.lua")
  if file then
    file:close()
    output.err:write(("%s: call %d of kernel '%s'; `clue %s` repeats it\n"):format(folder, number, kernel,
      shell_word(folder .. "/replay.lua")))
    return true
  end
  local count, names = executions_of(processes, kernel)
  if count == 0 then
    refuse("--capture: " .. misspelt.unknown("kernel", kernel, names))
  elseif count < number then
    refuse(("--capture: kernel '%s' was executed %s, so there was no call %d"):format(kernel,
      counted(count, "time"), number))
  end
  return false
end

local function record(options, script, rest)
  local status, processes, why
  temporary(function(folder)
    status = run_script(folder, options, script, rest)
    processes, why = read.folder(folder)
  end)
  say_end(status)
  if not processes then
    refuse(("the records of the run: %s"):format(why))
    return status == 0 and 1 or status
  end
  if #processes == 0 then
    if status ~= 0 then return status end -- the script has said why
    refuse(("'%s' made no OpenCL call: there is nothing to record%s"):format(script, space_advice(script)))
    return 1
  end
  local written = write_all(options, script, processes)
  local captured = not options.capture or report_capture(options, processes)
  return status == 0 and not (written and captured) and 1 or status
end

-- Why the folder cannot be used for a capture: files in it may have been changed, and are never overwritten.
local function taken(options)
  local folder = options.capture_folder
  if lfs.attributes(folder, "mode") ~= "directory" then return nil end
  for name in lfs.dir(folder) do
    if name ~= "." and name ~= ".." then
      return ("--capture: the folder '%s' is not empty, and its contents are never overwritten: remove it, or name "
        .. "another with --capture-folder"):format(folder)
    end
  end
end

-- Before the script runs, for it may take long.
local function wrong_file(options)
  for _, option in ipairs {"output", "json"} do
    local well, why = true, nil
    if options[option] then well, why = paths.can_be_written(options[option]) end
    if not well then return ("--%s: %s"):format(option, why) end
  end
end

function command.work(options, script, rest)
  if not script then return command.wrong_use "give a script: clue trace SCRIPT" end
  if options.capture_folder and not options.capture then
    return command.wrong_use "--capture-folder goes with --capture KERNEL:N"
  end
  local wrong = wrong_file(options)
  if wrong then return refuse(wrong, 1) end
  if options.capture then
    options.capture_folder = options.capture_folder or ("%s-%d"):format(options.capture.kernel, options.capture.number)
    local why = taken(options)
    if why then return refuse(why, 2) end
  end
  return record(options, script, rest)
end

return command
