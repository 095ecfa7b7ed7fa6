--- Runs in a child of `clue walk --set`: reads which inputs the steps declare. The steps' scripts run, but not their
-- OnStart().
-- @module clue.run.parameters_inside
local inputs = require "clue.mql5.inputs"
local send = require "clue.shared.send"

local inside = {}

-- The globals that a script made must not be in the way of the next one.
local function forget(known)
  for name in pairs(_G) do
    if not known[name] then rawset(_G, name, nil) end
  end
  inputs.reset()
end

local function names_of(globals)
  local names = {}
  for name in pairs(globals) do names[name] = true end
  return names
end

--- Sends the inputs of each script: path; inputs, or why: what is wrong with the script.
-- @tparam string ... paths
function inside.inputs(...)
  for _, path in ipairs {...} do
    local known = names_of(_G)
    rawset(_G, "arg", {[0] = path})
    local done, why = pcall(dofile, path)
    send(done and {path = path, inputs = inputs.list()} or {path = path, why = tostring(why)})
    forget(known)
  end
end

return inside
