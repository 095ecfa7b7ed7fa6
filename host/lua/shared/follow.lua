--- Follows the binding's functions in a process that reports what a script does. Must come before the modules that use
-- them are loaded.
-- @module clue.shared.follow
local binding = require "clue.binding"

--- Calls a function after each call of one of the binding's.
-- @tparam string name of the binding's function
-- @tparam function after after(result, ...) gets the first result and the arguments
return function(name, after)
  local original = binding[name]
  binding[name] = function(...)
    local result, second = original(...)
    after(result, ...)
    return result, second
  end
end
