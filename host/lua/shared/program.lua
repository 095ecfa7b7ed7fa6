--- Programs of this machine.
-- @module clue.shared.program
local program = {}

--- Whether a command's program is where its name says, or in a folder of PATH: one that is started in vain has done
-- harm before that is known.
-- @tparam {string,...} words of the command; variables, NAME=VALUE, may stand before its name
-- @treturn boolean
function program.is_there(words)
  local at = 1
  while words[at] and words[at]:find "^[%w_]+=" do at = at + 1 end
  local name = words[at] or ""
  for folder in (name:find "/" and "." or os.getenv "PATH" or ""):gmatch "[^:]+" do
    local file = io.open(name:find "^/" and name or folder .. "/" .. name)
    if file then return file:close() end
  end
  return false
end

return program
