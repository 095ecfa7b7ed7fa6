--- Runs an MQL5 script after its chunk has run: inputs,
-- --help, --device, --repeat, OnStart().
local output = require "clue.output"

local script = {}

local errors_module, inputs_module = "clue.mql5.errors", "clue.mql5.inputs"

-- A script may return its status as a program does. If it returns nothing, it failed if GetLastError() is still set.
local function status_of(result)
  if type(result) == "number" then return result end
  if type(result) == "boolean" then return result and 0 or 1 end
  local errors = package.loaded[errors_module]
  return type(errors) == "table" and errors.pending() and 1 or 0
end

local function run_times(on_start, times)
  for _ = 1, times do
    local status = status_of(on_start())
    if status ~= 0 then return status end
  end
  return 0
end

--- Runs what a script's chunk has defined. For every script with inputs or OnStart(), options are read and unknown
-- ones refused, so no --device is ignored.
-- @tparam string name the script's, as it was called
-- @treturn number exit status: OnStart()'s result; without one, 1 if GetLastError() is still set, else 0; 2 after a
-- usage error
function script.run(name)
  local on_start = rawget(_G, "OnStart")
  local inputs = package.loaded[inputs_module]
  local has_inputs = type(inputs) == "table" and inputs.declared()
  if on_start ~= nil and type(on_start) ~= "function" then
    output.say(("clue: %s: OnStart must be a function, not a %s"):format(name, type(on_start)))
    return 1
  end
  if not on_start and not has_inputs then return status_of(nil) end
  local status, times = require(inputs_module).finish(name)
  if status then return status end
  if not on_start then
    output.say(("clue: %s: the script declares inputs, but has no OnStart() to use them"):format(name))
    return 1
  end
  return run_times(on_start, times)
end

return script
