-- The walkthrough devices on PoCL's two devices and on two platforms: its efficiency, and where it is skipped.
-- walk_steps_spec runs its steps at odd sizes.
-- suite: whole
local support = require "support"
local walks = require "walk_support"

local two = support.drivers("pocl", {POCL_DEVICES = "pthread pthread"})

local steps = {"01_mandelbrot", "02_product", "03_nbody", "04_sum"}

describe("clue walk devices", function()
  it("is right on two devices of one platform, and tells their efficiency", function()
    for i, row in ipairs(walks.all_verified(#steps, {"devices", "--size", "45", "--repeat", "2"}, two)) do
      assert.equal(steps[i], ("%02d_%s"):format(row.number, row.name))
      assert.equal(5, #row.sweep)
      assert.is_nil(row.unlike)
      assert.same(row.sweep[5].times, row.times)
      assert.equal(5, row.variant)
      for _, scaling in ipairs {"strong", "weak"} do
        local of = row.efficiency[scaling]
        assert.equal(2, of.runs)
        assert.is_true(0 < of.least and of.least <= of.median and of.median <= of.most)
      end
      assert.matches("^all 2, efficiency %d", row.sweep[5].label)
      assert.matches("^efficiency, with the same work %(strong scaling%) ", row.notes[1])
      assert.matches("cannot reach 1", row.notes[#row.notes - (row.name == "sum" and 1 or 0)], 1, true)
    end
  end)

  it("is right on two platforms, and can do without the slow one alone", function()
    local rows = walks.all_verified(#steps, {"devices", "--size", "45", "--repeat", "1", "--device", "1:0", "--set",
      "with=every", "--set", "alone=first"}, support.drivers "both")
    for _, row in ipairs(rows) do
      assert.equal(2, #row.sweep)
      assert.is_nil(row.efficiency)
      assert.is_true(row.unlike)
      assert.is_true(row.over_first_device.median > 0)
    end
  end)

  it("leaves out what a device would take over ten seconds for alone, and says so", function()
    local out = support.clean(support.run({"--quiet", "-e", "require('clue.walk.several_devices').most_seconds = 0",
      "scripts/walkthroughs/devices/04_sum.lua", "--size", "1003", "--repeat", "1"}, two))
    assert.matches("the rate of all, by that of 0:0 alone ", out, 1, true)
    assert.matches("0:1 alone would take about [%d.e-]+ s, which was not measured %(%-%-set alone=all%)", out)
    assert.not_matches("efficiency, with the same work", out, 1, true)
  end)

  it("is skipped with the reason where there is one device", function()
    local one = support.drivers("pocl", {POCL_DEVICES = false, COLUMNS = "200"})
    local _, out, _, document = walks.walk({"devices", "--size", "45"}, one)
    for _, row in ipairs(walks.rows(document)) do
      assert.matches("there is no second device; POCL_DEVICES=", row.skipped, 1, true)
    end
    assert.matches("^devices: 0 of 4 steps verified: none could run here %(steps 1 to 4 skipped: there is no "
      .. 'second device; POCL_DEVICES="pthread pthread" shows this CPU as two%)\non [^\n]*\n+$', out)
  end)

end)
