--- `clue check` on Windows: why it is not there.
-- @module clue.command.check
return require("clue.shared.subcommand").absent {
  name = "check",
  group = "kernel",
  summary = "find faults of a script's kernels (not on Windows)",
  about = "checking needs Oclgrind, of which there is no package for Windows; on Linux, or in WSL, `clue check` "
    .. "runs the same script.",
}
