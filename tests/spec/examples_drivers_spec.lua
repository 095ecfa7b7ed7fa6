-- The examples on PoCL and rusticl, and with faults, which their own checks must find.
-- suite: whole
-- cost: 30
local examples = require "examples"

for _, driver in ipairs {"pocl", "rusticl"} do
  describe("on " .. driver, function()
    local check
    setup(function() check = examples.run_all(driver) end)

    for name in pairs(examples.list) do
      it(name .. " checks itself", function() check(name) end)
    end
  end)
end

for name, example in pairs(examples.list) do
  describe(name, function()
    for _, fault in ipairs(example.faults) do
      it(("finds %s in place of %s"):format(fault[2], fault[1]), function()
        -- Each fault is a new program, which Oclgrind need not compile to machine code.
        local status, out, err = examples.run(name, "oclgrind", nil, fault)
        assert.equal(1, status, out .. err)
        assert.matches(fault[3], out .. err)
      end)
    end
  end)
end

it("scripts/examples/mql5/pi.lua repeats the sum in double, or says that the device does not support it", function()
  local _, out = examples.run("mql5/pi", "pocl")
  assert.matches("double: pi = 3%.14159265", out)
  local _, without = examples.run("mql5/pi", "rusticl")
  assert.matches("double: this device does not support it", without, 1, true)
  assert.is_nil(without:find("double: pi", 1, true))
end)
