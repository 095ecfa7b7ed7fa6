--- `clue doctor`: why there is no OpenCL device, or not this one, and what to type.
-- @module clue.command.doctor
local options_of_clue = require "clue.options"
local output = require "clue.output"

local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "doctor",
  summary = "tell why there is no device, or not this one, and what to do about it",
  about = "Looks for what keeps OpenCL devices away: the loader, the drivers that are registered, on the disk or "
    .. "missing, rights, settings; then runs a small kernel. Exit status 0: a device is there and runs it, and every "
    .. "registered driver and layer works; 1: not so; 2: wrong use.",
  shows_usage = true,
}

function command.options(parser)
  subcommand.device(parser, "why this one is not there, as `clue devices` names them")
  subcommand.time_limit(parser, "20", "seconds after which a driver that does not answer is stopped")
  parser:flag("--json", "everything as JSON")
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

function command.work(options)
  if not pcall(require, "lfs") then
    command.refuse "the Lua library LuaFileSystem is not there; Debian and Ubuntu: apt install lua-filesystem"
    return 2
  end
  local exam = examine(options)
  local judged = require("clue.doctor.diagnosis").judge(exam)
  local report = require "clue.doctor.report"
  if options.json then report.print_json(exam, judged) else report.print(exam, judged) end
  return judged.status
end

return command
