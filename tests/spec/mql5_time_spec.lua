-- MQL5's clocks and Sleep.

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
    mql5.Sleep(-1000)
    assert.is_true(mql5.GetMicrosecondCount() - before < 500000)
    assert.error_matches(function() mql5.Sleep("1") end, 'Sleep: milliseconds must be a number, got "1"')
  end)

  it("give the local time of the time zone in seconds", function()
    for zone, offset in pairs {["UTC0"] = 0, ["XYZ-5:30"] = 19800, ["ABC8"] = -28800,
      ["AAA0BBB-2,M1.1.0,M12.5.6"] = false} do
      local _, out = support.run_script("print(TimeLocal() - os.time(), os.date('*t').isdst)", nil, {TZ = zone})
      local difference, summer = out:match("^(%S+)\t(%S+)\n$")
      local wanted = offset or (summer == "true" and 7200 or 0)
      assert.is_true(math.abs(tonumber(difference) - wanted) <= 1, zone .. ": " .. out)
    end
  end)
end)
