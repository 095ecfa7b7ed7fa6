--- `clue count` on Windows: why it is not there.
-- @module clue.command.count
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "count",
  summary = "what a script's kernels do (not on Windows)",
  about = "counting needs Oclgrind, of which there is no package for Windows; on Linux, or in WSL, `clue count` "
    .. "runs the same script.",
}

function command.options() end

function command.run(args)
  local asks = args[1] == "--help" or args[1] == "-h"
  if asks then print(command.about) else command.refuse(command.about) end
  return asks and 0 or 1
end

return command
