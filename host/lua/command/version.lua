--- `clue version`: what `clue --version` prints.
local clue_options = require "clue.options"
local subcommand = require "clue.shared.subcommand"

local command = subcommand.new {
  name = "version",
  group = "clue",
  summary = "print the version, and what this clue was built from",
  about = "Prints the version and, below it, the commit, the compiler and the headers that this clue was built from. "
    .. "Give them when you report a fault.",
}

function command.options() end

function command.work()
  clue_options.print_version()
  return 0
end

return command
