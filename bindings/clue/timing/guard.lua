--- What makes a measured time worthless: the process was suspended meanwhile, or the clock stood still.
--
-- Everything in clue that measures calls these. Where a time is worthless, it is measured again or there is an error;
-- nobody gets it as a result.
-- @module clue.timing.guard
local argument = require "clue.argument"
local binding = require "clue.binding"

local guard = {}

--- How often the same measurement may be suspended before it is given up.
guard.most = 20

--- How many measurements of this process were suspended, and therefore repeated.
guard.repeated = 0

--- Measures, again and again until the process is not suspended (Ctrl-Z, SIGSTOP) meanwhile. Raises if it always is.
-- @tparam function measured must be a measurement that can be repeated
-- @param ... what it takes, up to two values
-- @return what it returns, up to three values
function guard.undisturbed(measured, ...)
  for _ = 1, guard.most do
    local before = binding.suspension_count()
    local first, second, third = measured(...)
    if binding.suspension_count() == before then return first, second, third end
    guard.repeated = guard.repeated + 1
  end
  return argument.fail("the process was suspended during each of %d attempts to measure: nothing was measured",
    guard.most)
end

--- Counts suspended measurements from now on.
-- @treturn function gives their number, nil for none
function guard.counter()
  local before = guard.repeated
  return function() return guard.repeated > before and guard.repeated - before or nil end
end

--- Refuses a time of nothing, from which speeds without an end would be computed.
-- @tparam number seconds
-- @tparam string what it is the time of: "a run"
-- @treturn number seconds
function guard.positive(seconds, what)
  if seconds > 0 then return seconds end
  return argument.fail("%s took no time: the system's clock (CLOCK_MONOTONIC) stands still, or went back", what)
end

local function moves(from)
  for _ = 1, 10 do
    binding.sleep(0.01)
    if binding.now() > from then return true end
  end
  return false
end

--- A clock for loops that go on until some time has passed: it raises if the system's clock stands still, for then such
-- a loop would never end.
-- @treturn function gives the seconds since the start
function guard.clock()
  local start = binding.now()
  local last, same = start, 0
  return function()
    local now = binding.now()
    same = now > last and 0 or same + 1
    last = now
    if same > 3 then
      if not moves(now) then guard.positive(0, "the measured work") end
      same = 0
    end
    return now - start
  end
end

return guard
