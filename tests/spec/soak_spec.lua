-- A short soak (tests/fuzz/soak): objects of every kind, 60,000 at once, 10,000 outstanding events, on the driver that
-- does nothing and on two platforms at the same time. Nothing grows; and if something does, the soak says so.
-- suite: whole
-- cost: 20
local support = require "support"

local function soak(...)
  return support.execute({"tests/fuzz/soak", ...}, {CLUE = support.clue})
end

describe("a soak", function()
  for _, binding in ipairs {"ffi", "capi"} do
    it("leaves nothing behind on the driver that does nothing, over " .. binding, function()
      -- Caches fill during three laps, and what grows after a third of all is a fault.
      local out = support.ended(0, soak("--laps", "9", "--binding", binding))
      assert.matches("\nhandles grew by 0 .*\n657000 cycles, .* 9 laps in [%d.]+ s: flat\n$", out)
    end)
  end

  it("leaves nothing behind on several platforms at once", function()
    local out = support.ended(0, soak("--laps", "2", "--driver", "pocl,oclgrind", "--seed", "2"))
    assert.matches("one by one: array %d", out)
  end)

  for what, laps in pairs {handles = 3, descriptors = 3, memory = 12} do
    it(("notices growing %s"):format(what), function()
      local out = support.ended(1, soak("--laps", laps, "--leak", what, "--live", "100"))
      assert.matches("\n" .. what .. " grew by [^\n]*: TOO MUCH\n", "\n" .. out)
    end)
  end
end)
