--- Which devices a command is for, asked in a child process: no driver is loaded here.
-- @module clue.shared.chosen_devices
local child = require "clue.shared.child"
local json = require "dkjson"

--- Finds them.
-- @tparam ?string choice as `clue devices` names them; nil: the one that a run takes
-- @tparam number seconds its limit
-- @treturn[1] {table,...} what `clue devices --json` says of each
-- @treturn[2] nil
-- @treturn[2] string why there is none
return function(choice, seconds)
  local words = {"devices", "--json"}
  if choice then words[3], words[4] = "--device", choice end
  local text, why = child.ask(words, seconds)
  local known = text and json.decode(text)
  if not known then return nil, why or "`clue devices --json` gave no JSON" end
  local found = {}
  for _, ordinal in ipairs(choice and known.chosen or {known.default.ordinal}) do
    for _, each in ipairs(known.devices) do
      if each.ordinal == ordinal then found[#found + 1] = each end
    end
  end
  return found
end
