--- `clue count` on Windows: why it is not there.
-- @module clue.command.count
return require("clue.shared.subcommand").absent {
  name = "count",
  group = "kernel",
  summary = "what a script's kernels do (not on Windows)",
  about = "counting needs Oclgrind, of which there is no package for Windows; on Linux, or in WSL, `clue count` "
    .. "runs the same script.",
}
