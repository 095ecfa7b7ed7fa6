--- `clue check` on Windows: why it is not there.
-- @module clue.command.check
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "check",
  summary = "find faults of a script's kernels (not on Windows)",
  about = "checking needs Oclgrind, of which there is no package for Windows; on Linux, or in WSL, `clue check` "
    .. "runs the same script.",
}

function command.options() end

function command.run(args)
  local asks = args[1] == "--help" or args[1] == "-h"
  if asks then print(command.about) else command.refuse(command.about) end
  return asks and 0 or 1
end

return command
