--- What clue says of a first word that it cannot run. host/main.c asks.
local lists = require "clue.shared.list"
local misspelt = require "clue.misspelt"
local nearest = require "clue.nearest"
local shell_word = require("clue.shared.shell").shown

local first_word = {}

-- The names of clue's walkthroughs; a tree without them has none.
local function walkthroughs()
  local loaded, catalogue = pcall(require, "clue.run.catalogue")
  return loaded and catalogue.names() or {}
end

--- What to say of a word that is neither a file nor a subcommand.
-- @tparam string word
-- @tparam {string,...} commands the subcommands' names
function first_word.missing(word, commands)
  if lists.set(walkthroughs())[word] then
    return ("there is no script or subcommand '%s', but a walkthrough: `clue walk %s`"):format(word, word)
  end
  local missing = ("there is no script or subcommand '%s'"):format(word)
  local meant = nearest(word, lists.set(commands))
  if meant then return ("%s: did you mean `clue %s`?"):format(missing, meant) end
  return ("%s; subcommands are: %s"):format(missing, table.concat(commands, ", "))
end

--- What to say of a folder.
-- @tparam string word its path
-- @treturn string
function first_word.folder(word)
  local path = word:gsub("(.)/+$", "%1")
  local function has(name)
    local file = io.open(("%s/%s"):format(path, name))
    return file and file:close()
  end
  if has "walkthrough.lua" then
    return ("'%s' is a walkthrough's folder: `clue walk %s`"):format(word,
      shell_word(path:find "/" and path or "./" .. path))
  end
  if has "call.lua" then
    return ("'%s' is a captured call: `clue %s` repeats it, `clue check %s` looks for faults"):format(word,
      shell_word(path .. "/replay.lua"), shell_word(word))
  end
  return ("cannot open '%s': it is a folder, not a script"):format(word)
end

-- ": did you mean `clue check`?" for --check; nil if there is no such subcommand.
local function as_command(option)
  local name = option:match "^%-%-(%l+)$"
  if not name or not pcall(require, "clue.command." .. name) then return nil end
  return (": did you mean `clue %s`?"):format(name)
end

--- What to say of a source of MQL5.
-- @tparam string word its path
-- @treturn string
function first_word.mql5(word)
  return require("clue.shared.mql5_source").describe(word, (require("clue.file").read(word)))
end

--- What to say of an option that clue does not have.
-- @tparam string option as it was typed
-- @tparam {string,...} known clue's own
-- @treturn string
function first_word.option(option, known)
  return misspelt.join(("unknown option '%s'%s"):format(option, as_command(option) or misspelt.guess(option, known)),
    "clue --help lists the options. A script's own options come after its name")
end

return first_word
