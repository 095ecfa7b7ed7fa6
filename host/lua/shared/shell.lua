--- Words as a shell reads them, commands that messages name, and whether a command is there.
local shell = {}

--- A word in quotes.
-- @tparam string word
function shell.quoted(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

--- A word as a person would write it: plain ones without quotes.
-- @tparam string word
function shell.shown(word)
  return word:find "^[%w_./:,=+@%%-]+$" and word or shell.quoted(word)
end

--- The command that finds what a script's kernels do wrong.
-- @tparam string path of the script, of a walkthrough's step, or of a space
-- @tparam[opt] {string,...} ... lists of its words
-- @treturn string "clue check FILE --size 64"
function shell.check(path, ...)
  return shell.check_with({}, path, ...)
end

--- The same, with options of `clue check`, which stand before the script.
-- @tparam {string,...} options
-- @tparam string path
-- @tparam[opt] {string,...} ... lists of its words
-- @treturn string "clue check --set TILE=8 FILE"
function shell.check_with(options, path, ...)
  local words = {"clue check"}
  for _, list in ipairs {options, {path}, ...} do
    for _, word in ipairs(list) do words[#words + 1] = shell.shown(word) end
  end
  return table.concat(words, " ")
end

--- Whether a command's program is where its name says, or in a folder of PATH: one that is started in vain has done
-- harm before that is known.
-- @tparam {string,...} words of the command; variables, NAME=VALUE, may stand before its name
-- @treturn boolean
function shell.finds(words)
  local at = 1
  while words[at] and words[at]:find "^[%w_]+=" do at = at + 1 end
  local name = words[at] or ""
  for folder in (name:find "/" and "." or os.getenv "PATH" or ""):gmatch "[^:]+" do
    local file = io.open(name:find "^/" and name or folder .. "/" .. name)
    if file then return file:close() end
  end
  return false
end

return shell
