--- `clue doctor`: finds out why there is no OpenCL device, or not the one wanted, and what to type.
local clue_options = require "clue.options"
local output = require "clue.output"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "doctor",
  group = "device",
  page = "reference/devices.md",
  summary = "find out why there is no device, and what to do",
  about = "Looks for what keeps OpenCL devices away: the loader, the drivers (registered, on the disk or missing), "
    .. "permissions, settings; then runs a small kernel. Exit status 0: a device runs it, and every registered driver "
    .. "and layer works; 1: otherwise; 2: wrong use.",
}

function command.options(parser)
  subcommand.device(parser, "find out why this device is missing, named as in `clue devices`")
  subcommand.time_limit(parser, "20", "stop a driver that does not answer after so many seconds")
  parser:flag("--json", "print everything as JSON")
end

-- Shows on a terminal what is being looked at.
local function progress(text)
  output.progress("looking at " .. text)
end

local function examine(options)
  local examination, files = require "clue.doctor.examination", require "clue.doctor.files"
  local exam = examination.examine(files.new(), {
    seconds = options.time_limit, device = options.device or clue_options.device, progress = progress,
  })
  output.clear_progress()
  return exam
end

local function diagnose(options)
  local exam = examine(options)
  local judged = require("clue.doctor.diagnosis").judge(exam)
  local report = require "clue.doctor.report"
  if options.json then
    output.print(report.json(exam, judged))
  else
    require("clue.show.text").print(report.blocks(exam, judged), {most = 100})
  end
  return judged.status
end

function command.work(options)
  if pcall(require, "lfs") then return command.attempt(diagnose, options) end
  return command.refuse("the Lua library LuaFileSystem is not installed; on Debian and Ubuntu: "
    .. "apt install lua-filesystem", 2)
end

return command
