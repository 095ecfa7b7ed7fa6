--- `clue farm` on Windows: why it is not there.
-- @module clue.command.farm
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "farm",
  summary = "walkthroughs and tuning on many machines (not on Windows)",
  about = "many machines are reached by ssh and GNU parallel, for which clue has no code on Windows; start it on "
    .. "Linux, or in WSL.",
}

function command.options() end

function command.run(args)
  local asks = args[1] == "--help" or args[1] == "-h"
  if asks then print(command.about) else command.refuse(command.about) end
  return asks and 0 or 1
end

return command
