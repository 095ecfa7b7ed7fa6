--- `clue doctor`: why there is no OpenCL device, or not this one, and what to type.
-- @module clue.command.doctor
local argparse = require "argparse"
local options_of_clue = require "clue.options"
local output = require "clue.output"

local command = {summary = "tell why there is no device, or not this one, and what to do about it"}

local function refuse(text)
  output.err:write("clue doctor: ", text, "\n")
end

local function seconds(text)
  local number = tonumber(text)
  if number and number > 0 and number < math.huge then return number end
  return nil, ("--time-limit: '%s': seconds, more than 0"):format(text)
end

local function parse(args)
  local parser = argparse("clue doctor", "Looks for what keeps OpenCL devices away: the loader, the drivers that are "
    .. "registered, on the disk or missing, rights, settings; then runs a small kernel. Exit status 0: a device is "
    .. "there and runs it, and every registered driver and layer works; 1: not so; 2: wrong use.")
  parser:option("--device", "why this one is not there, as `clue devices` names them"):argname "SPEC"
  parser:option("--time-limit", "seconds after which a driver that does not answer is stopped"):argname "SECONDS"
    :default "20":convert(seconds)
  parser:flag("--json", "everything as JSON")
  parser:add_help(false)
  parser:flag("-h --help", "print this and exit")
  parser:help_max_width(80)
  return parser, parser:pparse(args)
end

-- The line that says what is looked at now; only a terminal gets it.
local function progress(text)
  output.progress("looking at " .. text)
end

local function examine(options)
  local examination, files = require "clue.doctor.examination", require "clue.doctor.files"
  local done, exam = pcall(examination.examine, files.new(), {
    seconds = options.time_limit, device = options.device or options_of_clue.device, progress = progress,
  })
  output.clear_progress()
  if not done then error(exam, 0) end
  return exam
end

--- Runs the command.
-- @tparam {string,...} args what stands behind `clue doctor`
-- @treturn number the exit status: 0 where a device is there and runs a kernel, and every registered driver and layer
-- works; 1 where not; 2 for wrong use
function command.run(args)
  local parser, parsed, options = parse(args)
  if not parsed then
    refuse(options .. "\n" .. parser:get_usage())
    return 2
  end
  if options.help then
    output.print(parser:get_help())
    return 0
  end
  if not pcall(require, "lfs") then
    refuse "the Lua library LuaFileSystem is not there; Debian and Ubuntu: apt install lua-filesystem"
    return 2
  end
  local exam = examine(options)
  local judged = require("clue.doctor.diagnosis").judge(exam)
  local report = require "clue.doctor.report"
  if options.json then report.print_json(exam, judged) else report.print(exam, judged) end
  return judged.status
end

return command
