-- `clue walk mql5`: what its rows say on other drivers, and a step that runs alone. walk_steps_spec runs all
-- steps.
-- suite: whole
local support = require "support"
local walks = require "walk_support"

describe("the steps of mql5", function()
  it("have the host's times on rusticl", function()
    local rows = walks.all_verified(1, {"mql5", "--size", "19x21x23", "--repeat", "1", "--steps", "2"},
      support.drivers "rusticl")
    assert.equal("host", rows[1].times.clock)
  end)

  it("are skipped in double if the device has no fp64", function()
    local _, _, document = support.ended(1, walks.walk({"mql5", "--size", "8", "--steps", "2-20", "--type", "double",
      "--verify"}, support.drivers "rusticl"))
    for _, row in ipairs(walks.rows(document)) do assert.equal("no fp64", row.skipped) end
  end)

  it("run alone, each with its own table", function()
    local status, out = support.run {"scripts/walkthroughs/mql5/04_sum_local.lua", "--size", "20", "--repeat", "2"}
    assert.equal(0, status)
    assert.matches("matr_mul_sum_local", out, 1, true)
    assert.matches("1 of 1 step verified", support.flat(out), 1, true)
  end)
end)
