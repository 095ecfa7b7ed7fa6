--- Puts functions around the binding's, in a process that reports or changes what a script does. Must come before the
-- modules that use them are loaded.
local binding = require "clue.binding"

local follow = {}

-- What the binding does in one call is then done in steps, each of which goes through the functions put around it.
local in_steps = {
  buffer_setup = function(_, _, rest)
    return function(...) return (rest(false, ...)) end
  end,
  launch_setup = function(_, _, rest)
    return function(...) return (rest(nil, 0, nil, ...)) end
  end,
}

--- Puts a function in the place of one of the binding's.
-- @tparam string name of the binding's function
-- @tparam function instead instead(original, ...) gets the function and the arguments
function follow.around(name, instead)
  local original = binding[name]
  binding[name] = function(...) return instead(original, ...) end
  for each, setup in pairs(in_steps) do binding[each] = setup end
end

--- Calls a function after each call of one of the binding's.
-- @tparam string name of the binding's function
-- @tparam function after after(result, ...) gets the first result and the arguments
function follow.after(name, after)
  follow.around(name, function(original, ...)
    local result, second = original(...)
    after(result, ...)
    return result, second
  end)
end

return follow
