--- Runs an MQL5 script after its chunk has run: inputs,
-- --help, --device, --repeat, OnInit(), OnStart(), OnDeinit().
local script = {}

local errors_module, inputs_module = "clue.mql5.errors", "clue.mql5.inputs"

-- A script may return its status as a program does. If it returns nothing, it failed if GetLastError() is still set.
local function status_of(result)
  if type(result) == "number" then return result end
  if type(result) == "boolean" then return result and 0 or 1 end
  local errors = package.loaded[errors_module]
  return type(errors) == "table" and errors.pending() and 1 or 0
end

local function say(name, problem)
  require("clue.output").say(("clue: %s: %s"):format(name, problem))
  return 1
end

local function run_times(on_start, times)
  for _ = 1, times do
    local status = status_of(on_start())
    if status ~= 0 then return status end
  end
  return 0
end

-- OnInit() returns nothing, or 0 for success; if it fails, OnStart() is not called, but OnDeinit() is, as in MQL5.
local function run_handlers(name, on_start, times)
  local handlers = require "clue.mql5.handlers"
  local on_init, on_deinit = handlers.around(name, "OnInit"), handlers.around(name, "OnDeinit")
  local result = 0
  if on_init then result = on_init() end
  local failed = result == false or type(result) == "number" and result ~= 0
  if failed then say(name, ("OnInit() returned %s, so OnStart() is not called"):format(tostring(result))) end
  local status = failed and 1 or run_times(on_start, times)
  if not on_deinit then return status end
  local before, reasons = status_of(nil), require("clue.mql5.constants").names
  on_deinit(failed and reasons.REASON_INITFAILED or reasons.REASON_PROGRAM)
  return math.max(status, status_of(nil) - before)
end

--- Runs what a script's chunk has defined. For every script with inputs or OnStart(), options are read and unknown
-- ones refused, so no --device is ignored.
-- @tparam string name the script's, as it was called
-- @treturn number exit status: OnStart()'s result; without one, 1 if GetLastError() is still set, else 0; 1 if what the
-- script defines would not run; 2 after a usage error
function script.run(name)
  local on_start = rawget(_G, "OnStart")
  local inputs = package.loaded[inputs_module]
  local has_inputs = type(inputs) == "table" and inputs.declared()
  if on_start ~= nil and type(on_start) ~= "function" then
    return say(name, "OnStart must be a function, not a " .. type(on_start))
  end
  local problem = require("clue.mql5.handlers").problem(name)
  if problem then return say(name, problem) end
  if not on_start and not has_inputs then return status_of(nil) end
  local status, times = require(inputs_module).finish(name)
  if status then return status end
  if not on_start then return say(name, "the script declares inputs, but has no OnStart() to use them") end
  return run_handlers(name, on_start, times)
end

return script
