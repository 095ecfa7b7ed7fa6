--- `clue farm` on Windows: why it is not there.
-- @module clue.command.farm
return require("clue.shared.subcommand").absent {
  name = "farm",
  group = "device",
  summary = "walkthroughs and tuning on many machines (not on Windows)",
  about = "many machines are reached by ssh and GNU parallel, for which clue has no code on Windows; start it on "
    .. "Linux, or in WSL.",
}
