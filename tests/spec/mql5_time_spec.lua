-- MQL5's clocks and Sleep.
-- suite: quick
-- process: shared

local mql5 = require "clue.mql5"
local support = require "support"

describe("MQL5's clocks and Sleep", function()
  it("count whole milliseconds and microseconds, including those of Sleep", function()
    local ticks, ticks64, micro = mql5.GetTickCount(), mql5.GetTickCount64(), mql5.GetMicrosecondCount()
    mql5.Sleep(30)
    for before, after in pairs {[ticks] = mql5.GetTickCount(), [ticks64] = mql5.GetTickCount64()} do
      assert.equal(before, math.floor(before))
      assert.is_true(after - before >= 29 and after - before < 5000)
    end
    assert.is_true(mql5.GetMicrosecondCount() - micro >= 30000)
    assert.is_true(ticks < 2 ^ 32)
  end)

  it("return at once from a Sleep of 0 or less", function()
    local before = mql5.GetMicrosecondCount()
    mql5.Sleep(0)
    mql5.Sleep(-60000)
    assert.is_true(mql5.GetMicrosecondCount() - before < 30e6)
    assert.error_matches(function() mql5.Sleep("1") end, 'Sleep: milliseconds must be a number, got "1"')
  end)

  it("give the local time of the time zone in seconds #once", function()
    for zone, offset in pairs {["UTC0"] = 0, ["XYZ-5:30"] = 19800, ["ABC8"] = -28800,
      ["AAA0BBB-2,M1.1.0,M12.5.6"] = false} do
      local _, out = support.run_script("print(TimeLocal() - os.time(), os.date('*t').isdst)", nil, {TZ = zone})
      local difference, summer = out:match("^(%S+)\t(%S+)\n$")
      local wanted = offset or (summer == "true" and 7200 or 0)
      assert.is_true(math.abs(tonumber(difference) - wanted) <= 1, zone .. ": " .. out)
    end
  end)

  it("take the local time for that of the server", function()
    local difference = mql5.TimeCurrent() - mql5.TimeLocal()
    assert.is_true(math.abs(difference) <= 1)
    assert.is_true(math.abs(mql5.TimeGMT() - os.time()) <= 1)
  end)
end)

describe("MQL5's dates", function()
  it("become text and are read again, in every part of the calendar", function()
    assert.equal("1970.01.01 00:00", mql5.TimeToString(0))
    assert.equal("2001.09.09 01:46:40", mql5.TimeToString(1e9, mql5.TIME_DATE + mql5.TIME_SECONDS))
    assert.equal("01:46", mql5.TimeToString(1e9, mql5.TIME_MINUTES))
    assert.equal("2001.09.09", mql5.TimeToString(1e9 + 0.5, mql5.TIME_DATE))
    for time = 0, 5e9, 86399 * 997 do
      local text = mql5.TimeToString(time, mql5.TIME_DATE + mql5.TIME_SECONDS)
      assert.equal(time, mql5.StringToTime(text), text)
      local ok, date = mql5.TimeToStruct(time)
      assert.is_true(ok)
      assert.equal(time, mql5.StructToTime(date), text)
    end
    assert.equal(951782400 + 19 * 3600 + 1800, mql5.StringToTime "2000.02.29 19:30")
    assert.equal(951782400, mql5.StringToTime "2000.2.29")
  end)

  it("have parts as MQL5 counts them", function()
    local _, date = mql5.TimeToStruct(951782400 + 3661)
    assert.same({year = 2000, mon = 2, day = 29, hour = 1, min = 1, sec = 1, day_of_week = 2, day_of_year = 59}, date)
  end)

  it("are today's if a text has only a time of day", function()
    local time = mql5.StringToTime "07:08:09"
    assert.equal(7 * 3600 + 8 * 60 + 9, time % 86400)
    assert.is_true(math.abs(time - mql5.TimeLocal()) <= 2 * 86400)
  end)

  it("are refused where there is no such day or time", function()
    local options = require "clue.options"
    local quiet = options.quiet
    options.quiet = true
    for _, text in ipairs {"", "x", "2001.02.29", "2000.13.01", "2000.00.10", "1969.12.31", "2000.01.01 24:00",
      "2000.01.01 10:60", "2000.01.32"} do
      local time, message = mql5.StringToTime(text)
      assert.equal(0, time, text)
      assert.equal(("StringToTime: error 5031: '%s' is no time yyyy.mm.dd hh:mi"):format(text), message)
      assert.equal(5031, mql5.GetLastError())
      mql5.ResetLastError()
    end
    options.quiet = quiet
  end)

  it("raise for arguments of other kinds", function()
    assert.error_matches(function() mql5.TimeToString "now" end,
      'TimeToString: time must be a time in seconds since 1970, got "now"')
    assert.error_matches(function() mql5.TimeToString(0, 8) end, "mode must be a sum of TIME_DATE, TIME_MINUTES and ")
    assert.error_matches(function() mql5.TimeToStruct(0, {}) end,
      "argument #2 must be left out, got a table; the structure is the second result")
    assert.error_matches(function() mql5.StructToTime {year = 2000} end, "StructToTime: mon must be a number, got nil")
    assert.error_matches(function() mql5.StructToTime(5) end, "StructToTime: date must be a table with year")
  end)
end)
