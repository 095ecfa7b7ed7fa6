--- `clue completion bash` and `clue completion zsh`: completion in a shell.
local command_line = require "clue.manual.command_line"
local output = require "clue.output"
local subcommand = require "clue.shared.subcommand"
local trim_end = require("clue.text").trim_end

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

-- ---- what kinds offer ----

local function walkthroughs(offer)
  local catalogue = require "clue.run.catalogue"
  for _, name in ipairs(catalogue.names()) do offer(name, catalogue.get(name).about) end
end

local classes = {{"cpu", "the best CPU device"}, {"gpu", "the best GPU"}, {"accelerator", "the best accelerator"}}

local function devices(offer)
  local found = require("clue.shared.child").devices("all", 10) or {}
  for _, each in ipairs(found) do offer(("%d"):format(each.ordinal), each.properties.CL_DEVICE_NAME) end
  for _, class in ipairs(classes) do offer(class[1], class[2]) end
end

local function commands(offer)
  for _, name in ipairs(command_line.commands()) do
    local loaded, its = pcall(require, "clue.command." .. name)
    if loaded then offer(name, its.summary) end
  end
end

local sources = {walkthrough = walkthroughs, device = devices, command = commands}

-- A list of {word, text}, with files: nil, or the endings ("" for any); folders: true if only folders fit.
local function new_answer()
  return {offer = function(self, word, text) self[#self + 1] = {word, text or ""} end}
end

local function add_kinds(answer, kinds)
  for kind in (kinds or ""):gmatch "%S+" do
    if sources[kind] then
      sources[kind](function(word, text) answer:offer(word, text) end)
    elseif kind:sub(1, 1) == "=" then
      answer:offer(kind:sub(2))
    elseif kind == "folder" then
      answer.folders = true
    else
      answer.files = (answer.files and answer.files .. " " or "") .. (kind == "file" and "" or kind)
    end
  end
  return answer
end

-- ---- where in the command line the last word is ----

local function add_options(answer, options)
  for _, option in ipairs(options) do
    for _, name in ipairs(option.names) do answer:offer(name, option.help) end
  end
  return answer
end

local function find_option(options, word)
  for _, option in ipairs(options) do
    for _, name in ipairs(option.names) do
      if name == word then return option end
    end
  end
end

-- Reads words from the place at on. If the last one is an option or the value of one, returns what fits there.
-- Otherwise nil, and the place of the first word that is no option.
local function skip_options(words, at, options)
  while at <= #words and words[at]:sub(1, 1) == "-" and (words[at] ~= "-" or at == #words) do
    if at == #words then return add_options(new_answer(), options) end
    local option = find_option(options, words[at])
    at = at + 1
    if option and option.takes_word then
      if at == #words then return add_kinds(new_answer(), option.kinds) end
      at = at + 1
    end
  end
  return nil, at
end

local at_start

local function of_command(words, at)
  local its = command_line.command(words[at])
  local place = 0
  at = at + 1
  while true do
    local answer
    answer, at = skip_options(words, at, its.options)
    if answer then return answer end
    place = place + 1
    local argument = its.arguments[place] or its.arguments[#its.arguments]
    if at == #words then return add_kinds(new_answer(), argument and argument.kinds) end
    -- What follows a script, or the subcommand that `watch` runs, is not the subcommand's own.
    local word, kinds = words[at], argument and argument.kinds or ""
    if word:find "%.lua$" and kinds:find(".lua", 1, true) then return add_kinds(new_answer(), "file") end
    if kinds:find "command" then return at_start(words, at, {}) end
    at = at + 1
  end
end

function at_start(words, at, options)
  local answer
  answer, at = skip_options(words, at, options)
  if answer then return answer end
  if at == #words then return add_kinds(new_answer(), "command .lua") end
  return command_line.has(words[at]) and of_command(words, at) or add_kinds(new_answer(), "file")
end

-- Divides --device=0 into --device and 0, as bash does. The last word's part before the value is returned, too.
local function divided(words)
  local parts, before = {}, ""
  for i, word in ipairs(words) do
    local name, value = word:match "^(%-%-[%w-]+)=(.*)$"
    if name then
      parts[#parts + 1], parts[#parts + 2] = name, value
      if i == #words then before = name .. "=" end
    elseif word ~= "=" then
      parts[#parts + 1] = word
    elseif i == #words then
      parts[#parts + 1] = ""
    end
  end
  return parts, before
end

-- Prints what fits at the end of the words after clue, of which the last one, perhaps empty, is to be completed: only
-- words that begin as that does.
local function print_fitting(words)
  local parts, before = divided(words)
  local typed = parts[#parts] or ""
  local answer = at_start(#parts > 0 and parts or {""}, 1, command_line.own())
  for _, entry in ipairs(answer) do
    local fits = entry[1]:sub(1, #typed) == typed and (entry[1]:sub(1, 1) ~= "-" or typed:sub(1, 1) == "-")
    if fits then output.print(before .. entry[1] .. "\t" .. entry[2]:gsub("%s+", " ")) end
  end
  if answer.folders then output.print ":folders" end
  if answer.files then output.print((trim_end(":files " .. answer.files))) end
  return 0
end

-- The functions that shells call for completion. They ask the program itself, `clue completion --words ...`, so they
-- fit every version of it. It answers with a line for each word: the word, a tab, and a description. A line that begins
-- with a colon says which files fit: ":files", with endings, or ":folders".
local shells = {
bash = [=[
# bash completion for clue; printed by `clue completion bash`
_clue() {
    local cur=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~/$HOME} tab=$'\t' line file ending
    local -a found=()
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :folders)
                compopt -o filenames
                while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$cur")
                ;;
            :files*)
                compopt -o filenames
                while IFS= read -r file; do
                    if [[ -d $file || $line == ":files" ]]; then COMPREPLY+=("$file"); continue; fi
                    for ending in ${line#:files}; do [[ $file == *"$ending" ]] && COMPREPLY+=("$file"); done
                done < <(compgen -f -- "${cur/#=/}")
                ;;
            *) found+=("$line") ;;
        esac
    done < <("$program" completion --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # Descriptions are shown in a list, and never inserted.
    if ((${#found[@]} + ${#COMPREPLY[@]} > 1 && COMP_TYPE == 63)); then
        for line in "${found[@]}"; do
            file=${line%%"$tab"*} line=${line#*"$tab"}
            [[ $line ]] && printf -v file '%-16s %s' "$file" "($line)"
            COMPREPLY+=("${file:0:${COLUMNS:-80}-2}")
        done
    else
        for line in "${found[@]}"; do COMPREPLY+=("${line%%"$tab"*}"); done
    fi
}
complete -F _clue clue
]=],
zsh = [=[
#compdef clue
# zsh completion for clue; printed by `clue completion zsh`
_clue() {
    local line kind program=${words[1]/#\~/$HOME}
    local -a found
    integer result=1
    for line in "${(@f)$("$program" completion --words "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
            :*) kind=$line ;;
            ?*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
    done
    ((${#found})) && _describe -t words word found && result=0
    case $kind in
        :folders) _files -/ && result=0 ;;
        :files) _files && result=0 ;;
        :files*) _files -g "*(${(j:|:)${=kind#:files }})(-.)" && result=0 ;;
    esac
    return result
}
if [ "$funcstack[1]" = _clue ]; then _clue "$@"; else compdef _clue clue; fi
]=],
}

function command.work(options, words)
  if options.words then return command.attempt(print_fitting, words) end
  if not options.shell then return command.wrong_use "for which shell? clue completion bash, clue completion zsh" end
  local script = shells[options.shell]
  if not script then
    return command.wrong_use(("'%s': there is completion for bash and for zsh"):format(options.shell))
  end
  output.print((script:gsub("\n$", "")))
  return 0
end

return command
