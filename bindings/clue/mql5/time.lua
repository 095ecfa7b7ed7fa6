--- MQL5's clocks and Sleep. All clocks but TimeLocal are monotonic.
local binding = require "clue.binding"
local check = require "clue.mql5.check"

local floor = math.floor

local time_names = {}

local start = binding.now()

--- @treturn number milliseconds of a clock that never goes back; as in MQL5, it wraps to 0 after 2^32
function time_names.GetTickCount()
  return floor(binding.now() * 1000) % 4294967296
end

--- @treturn number milliseconds of a clock that never goes back
function time_names.GetTickCount64()
  return floor(binding.now() * 1000)
end

--- @treturn number microseconds since the script first used an MQL5 name
function time_names.GetMicrosecondCount()
  return floor((binding.now() - start) * 1e6)
end

--- The computer's local time as MQL5's datetime: seconds of the wall clock since 1970.01.01 00:00.
-- @treturn number seconds
function time_names.TimeLocal()
  local now = os.time()
  local here, utc = os.date("*t", now), os.date("!*t", now)
  utc.isdst = here.isdst -- then both are read by one rule, and the difference is the whole offset
  return now + os.difftime(os.time(here), os.time(utc))
end

--- Pauses the script.
-- @tparam number milliseconds
function time_names.Sleep(milliseconds)
  check.number("Sleep", 1, milliseconds)
  if milliseconds > 0 then binding.sleep(milliseconds / 1000) end
end

return {names = time_names}
