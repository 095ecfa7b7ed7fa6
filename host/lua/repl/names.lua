--- The names that every prompt has, whether a person types there or a program: `cl` and `help`.
-- @module clue.repl.names
local names = {}

--- Defines them, unless a script before the prompt did.
function names.give()
  local clue = require "clue"
  if rawget(_G, "cl") == nil then rawset(_G, "cl", clue) end
  if rawget(_G, "help") == nil then rawset(_G, "help", require("clue.repl.help").global()) end
end

return names
