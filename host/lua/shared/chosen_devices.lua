--- The devices that a command is for, found in a child process: no driver is loaded here.
-- @module clue.shared.chosen_devices
local child = require "clue.shared.child"
local json = require "clue.shared.json"

--- Finds the devices.
-- @tparam ?string choice as for `clue devices`; nil: the one that a run takes
-- @tparam number seconds its limit
-- @treturn[1] {table,...} each as `clue devices --json` describes it
-- @treturn[2] nil
-- @treturn[2] string why there are none
return function(choice, seconds)
  local words = {"devices", "--json"}
  if choice then words[3], words[4] = "--device", choice end
  local text, why = child.ask(words, seconds)
  local known = text and json.read(text)
  if not known then return nil, why or "`clue devices --json` gave no JSON" end
  local found = {}
  for _, ordinal in ipairs(choice and known.chosen or {known.default.ordinal}) do
    for _, each in ipairs(known.devices) do
      if each.ordinal == ordinal then found[#found + 1] = each end
    end
  end
  return found
end
