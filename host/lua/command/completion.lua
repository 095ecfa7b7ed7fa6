--- `clue completion bash` and `clue completion zsh`: completion in a shell.
local completion = require "clue.manual.completion"
local output = require "clue.output"
local subcommand = require "clue.shared.subcommand"
local text = require "clue.text"

local command = subcommand.new {
  name = "completion",
  group = "clue",
  page = "howto/install.md",
  summary = "print what makes bash or zsh complete clue's command line",
  about = "Prints a script for a shell, after which Tab completes clue's options, subcommands, devices, walkthroughs "
    .. "and files. In ~/.bashrc: source <(clue completion bash). In ~/.zshrc, below compinit: source <(clue "
    .. "completion zsh). Debian's package needs neither.",
  words = function(args)
    if args[1] ~= "--words" then return args end
    local words = {}
    for i = 2, #args do words[i - 1] = args[i] end
    return {"--words"}, words
  end,
}

function command.options(parser)
  subcommand.completes(parser:argument("shell", "bash or zsh"):args "?", "=bash =zsh")
  parser:flag("--words", "print what fits at the end of the words after it: the scripts call this"):hidden(true)
end

local function print_fitting(words)
  local found = completion.find(words)
  for _, entry in ipairs(found) do output.print(entry[1] .. "\t" .. entry[2]:gsub("%s+", " ")) end
  if found.folders then output.print ":folders" end
  if found.files then output.print((text.trim_end(":files " .. found.files))) end
  return 0
end

function command.work(options, words)
  if options.words then return command.attempt(print_fitting, words) end
  if not options.shell then return command.wrong_use "for which shell? clue completion bash, clue completion zsh" end
  local script = completion.shells[options.shell]
  if not script then
    return command.wrong_use(("'%s': there is completion for bash and for zsh"):format(options.shell))
  end
  output.print((script:gsub("\n$", "")))
  return 0
end

return command
