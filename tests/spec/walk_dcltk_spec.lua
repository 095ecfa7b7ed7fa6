-- `clue walk dcltk`: smaller sizes for repeated work, and what its rows say. walk_steps_spec runs all steps.
-- suite: whole
local sizes = require "clue.walk.size"
local support = require "support"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/dcltk/"

it("a size that is too large for a step is made smaller in the same shape", function()
  assert.equal("10x20x30", sizes.product_at_most("100x200x300", 6000))
  assert.equal("100x200x300", sizes.product_at_most("100x200x300", 6e6))
  local _, _, n = sizes.product(sizes.product_at_most("1x1x4000", 1e3))
  assert.is_true(n <= 1000 and n > 200)
  assert.equal("1x1x1", sizes.product_at_most("30x1x4000", 1))
  assert.equal("nonsense", sizes.product_at_most("nonsense", 10))
end)

describe("the steps of dcltk", function()
  it("reduce the size in steps 1 and 2 if their repeated work would take long, and say so", function()
    local rows = walks.all_verified(2, {"dcltk", "--steps", "1,2", "--repeat", "1"})
    assert.equal(1, rows[2].gain.over)
    for _, row in ipairs(rows) do
      assert.same({m = 36, k = 73, n = 109}, row.size)
      assert.matches("100x200x300 is made smaller here, to 36x73x109", table.concat(row.notes, "\n"), 1, true)
    end
  end)

  it("show the author's figures", function()
    local rows = walks.all_verified(3, {"dcltk", "--steps", "0,1,4", "--size", "8", "--repeat", "1"})
    assert.equal(0.711, rows[2].published[1].seconds)
    assert.equal(2.1, rows[3].published[2].seconds)
    assert.matches("extensions: cl_khr_icd", table.concat(rows[1].notes, "\n"), 1, true)
    assert.matches("this device is no GPU", table.concat(rows[1].notes, "\n"), 1, true)
  end)

  it("list the devices first, then print Hello once for each work-item", function()
    local out = support.ended(0, support.run {folder .. "00_hello.lua", "--items", "3"})
    assert.is_true(assert(out:find("device 0:0: ", 1, true)) < assert(out:find("Hello from", 1, true)))
    local _, listings = out:gsub("device 0:0: ", "")
    assert.equal(1, listings)
    for id = 0, 2 do assert.matches(("Hello from work-item %d of 3"):format(id), out, 1, true) end
    assert.is_nil(out:find "work%-item 3 of")
  end)
end)
