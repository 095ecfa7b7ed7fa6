--- MQL5's clocks, dates and Sleep. All clocks whose names begin with Get are monotonic.
local argument = require "clue.argument"
local binding = require "clue.binding"
local check = require "clue.mql5.check"
local constants = require "clue.mql5.constants"
local errors = require "clue.mql5.errors"
local has = require("clue.bytes").has_bit

local names, codes = constants.names, constants.errors

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

--- The local time: there is no trade server, whose last quote has the time in MQL5.
-- @treturn number seconds, as TimeLocal gives them
function time_names.TimeCurrent()
  return time_names.TimeLocal()
end

--- @treturn number seconds of the wall clock since 1970.01.01 00:00 UTC
function time_names.TimeGMT()
  return os.time()
end

-- ---- dates ------------------------------------------------------------------------------------------------------

local function seconds(name, given)
  if type(given) == "number" and given >= 0 and given < 2 ^ 42 then return floor(given) end
  check.refuse(name, 1, "time in seconds since 1970", given)
end

--- A time as text: "2026.11.22 19:30".
-- @tparam number time in seconds since 1970
-- @tparam[opt=TIME_DATE+TIME_MINUTES] number mode which parts: TIME_DATE, TIME_MINUTES, TIME_SECONDS (hh:mm:ss), added
-- @treturn string
function time_names.TimeToString(time, mode)
  time = seconds("TimeToString", time)
  mode = mode == nil and names.TIME_DATE + names.TIME_MINUTES or check.number("TimeToString", 2, mode)
  if mode % 1 ~= 0 or mode < 1 or mode > 7 then
    check.refuse("TimeToString", 2, "sum of TIME_DATE, TIME_MINUTES and TIME_SECONDS", mode)
  end
  local parts = {}
  if has(mode, names.TIME_DATE) then parts[1] = "!%Y.%m.%d" end
  local clock = has(mode, names.TIME_SECONDS) and "!%H:%M:%S" or has(mode, names.TIME_MINUTES) and "!%H:%M"
  if clock then parts[#parts + 1] = clock end
  for i, part in ipairs(parts) do parts[i] = os.date(part, time) end
  return table.concat(parts, " ")
end

-- The days from 1970.01.01 to a date of the Gregorian calendar.
local function days_to(year, month, day)
  if month <= 2 then year, month = year - 1, month + 12 end
  local leap = floor(year / 4) - floor(year / 100) + floor(year / 400)
  return 365 * year + leap + floor((153 * (month - 3) + 2) / 5) + day - 1 - 719468
end

local function is_date(year, month, day)
  if year < 1970 or month < 1 or month > 12 or day < 1 or day > 31 then return false end
  local next_month = month == 12 and days_to(year + 1, 1, 1) or days_to(year, month + 1, 1)
  return days_to(year, month, day) < next_month
end

-- The seconds of "2026.11.22", nil if there is no such day.
local function date_of(text)
  local year, month, day = text:match "(%d%d%d%d)[./-](%d%d?)[./-](%d%d?)"
  year, month, day = tonumber(year), tonumber(month), tonumber(day)
  return year and is_date(year, month, day) and days_to(year, month, day) * 86400 or nil
end

-- The seconds of "19:30" and "19:30:05", nil if there is no such time.
local function clock_of(text)
  local hour, minute, second = text:match "(%d%d?):(%d%d):?(%d*)"
  hour, minute, second = tonumber(hour), tonumber(minute), tonumber(second) or 0
  return hour and hour < 24 and minute < 60 and second < 60 and hour * 3600 + minute * 60 + second or nil
end

--- The time that a text gives: "2026.11.22", "2026.11.22 19:30", "2026.11.22 19:30:05", or "19:30", which is today.
-- @tparam string text
-- @treturn number seconds since 1970; 0 and the message if the text gives none
function time_names.StringToTime(text)
  check.string("StringToTime", 1, text)
  local has_date, has_clock = text:find "%d[./-]%d", text:find ":"
  local now = time_names.TimeLocal()
  local date = has_date and date_of(text) or not has_date and now - now % 86400
  local clock = not has_clock and 0 or clock_of(text)
  if date and clock and (has_date or has_clock) then return date + clock end
  return 0, errors.fail("StringToTime", codes.ERR_WRONG_STRING_DATE, ("'%s' is no time yyyy.mm.dd hh:mi"):format(text))
end

--- The parts of a time. MQL5 returns them by reference; here they are the second result.
-- @tparam number time in seconds since 1970
-- @param ... nothing: MQL5's MqlDateTime
-- @treturn boolean true
-- @treturn table year, mon, day, hour, min, sec, day_of_week (0: Sunday), day_of_year (0: January 1)
function time_names.TimeToStruct(time, ...)
  check.output("TimeToStruct", 2, "the structure is the second result: ok, date = TimeToStruct(time)", ...)
  local at = os.date("!*t", seconds("TimeToStruct", time))
  return true, {year = at.year, mon = at.month, day = at.day, hour = at.hour, min = at.min, sec = at.sec,
    day_of_week = at.wday - 1, day_of_year = at.yday - 1}
end

--- The time of a structure.
-- @tparam table date year, mon, day, hour, min, sec
-- @treturn number seconds since 1970
function time_names.StructToTime(date)
  argument.typed(date, "table", "date", "a table with year, mon, day, hour, min and sec")
  for _, part in ipairs {"year", "mon", "day", "hour", "min", "sec"} do
    check.number("StructToTime", part, date[part])
  end
  return days_to(date.year, date.mon, date.day) * 86400 + date.hour * 3600 + date.min * 60 + date.sec
end

-- ---- pauses -----------------------------------------------------------------------------------------------------

--- Pauses the script.
-- @tparam number milliseconds
function time_names.Sleep(milliseconds)
  check.number("Sleep", 1, milliseconds)
  if milliseconds > 0 then binding.sleep(milliseconds / 1000) end
end

return {names = time_names}
