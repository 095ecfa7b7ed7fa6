-- Scan and histogram of `clue walk reduce`: what their rows say, wrong sizes, their checks and host loops.
-- walk_steps_spec runs all steps.
-- suite: whole
local array = require "clue.array"
local numbers = require "clue.walk.numbers"
local support = require "support"
local walk = require "clue.walk"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/reduce/"
describe("the steps of scan and histogram", function()
  it("count what is read and written", function()
    local rows = walks.all_verified(4, {"reduce", "--steps", "8,13,14,18", "--size", "300007", "--repeat", "1"})
    assert.same({2 * 4 * 300007, 4 * 300007}, {rows[1].times.bytes, rows[#rows].times.bytes})
    assert.matches("the prefix sums of 300007 uints", rows[1].problem, 1, true)
    assert.matches("a histogram of 300007 uints in 256 bins", rows[#rows].problem, 1, true)
    assert.matches("GB/s if all numbers are in one bin", table.concat(rows[4].notes, "\n"), 1, true)
    for i, row in ipairs(rows) do assert.equal(i <= 2 and "scan" or "histogram", row.study) end
    assert.is_true(#rows[2].sweep > 1 and #rows[4].sweep > 1)
  end)

  it("refuse wrong sizes and groups", function()
    support.refuses({folder .. "08_scan_by_doubling.lua"}, {
      ["--size 0"] = "must be 1 to 2^40", ["--size 2147483649"] = "must be 1 to 2^31",
      ["--group 1"] = "'1' is not a whole number from 2 to 65536",
    })
  end)
end)

it("notes and variants of steps count one of a thing as one", function()
  for words, count in pairs {["reduce --steps 5,8,16-18 --size 2"] = 5, ["amd --steps 11,26,28 --size 257"] = 3,
                             ["hello --steps 1c,2b --size 1"] = 2, ["dcltk --steps 3 --size 1"] = 1} do
    for _, row in ipairs(walks.all_verified(count, support.words({}, words .. " --repeat 1"))) do
      local said = support.fields(row.sweep or {}, "label")
      for _, note in ipairs(row.notes) do said[#said + 1] = note end
      for _, text in ipairs(said) do assert.is_nil(("  " .. text):match "[^%dx] 1 [%l-]+s%f[%W].*", row.number) end
    end
  end
end)

describe("the check of prefix sums", function()
  local function verdict(spoil)
    local scan = numbers.scan{size = "10007"}
    return walk.verify({execute = function() scan.found:copy_from(scan.expected) end,
                        read = function() spoil(scan.found) end}, scan:passes())
  end

  it("passes right ones, which are those of the numbers modulo 2^32", function()
    assert.is_true(verdict(function() end).verified)
    local scan = numbers.scan{size = "5"}
    scan:passes()[1].prepare()
    local sum = 0
    for i = 0, 4 do
      sum = (sum + scan.values[i]) % 2 ^ 32
      assert.equal(sum, scan.expected[i])
    end
  end)

  it("finds one that is off by one, and says which", function()
    local check = verdict(function(found) found[4711] = (found[4711] + 1) % 2 ^ 32 end)
    assert.is_false(check.verified)
    assert.matches("sum 4711 is %d+, should be %d+", check.text)
  end)
end)

describe("the check of a histogram", function()
  local function verdict(spoil, pass)
    local counts = numbers.histogram{size = "10007"}
    local execute = function()
      counts.found:fill(0)
      for i = 0, counts.count - 1 do
        local bin = counts.values[i] % 256
        counts.found[bin] = counts.found[bin] + 1
      end
    end
    return walk.verify({execute = execute, read = function() spoil(counts.found) end}, {counts:passes()[pass]})
  end

  for pass = 1, 2 do
    it("passes right bins, and finds one number that is missing: pass " .. pass, function()
      assert.is_true(verdict(function() end, pass).verified)
      local check = verdict(function(found) found[77] = found[77] - 1 end, pass)
      assert.matches("bin 77 is %d+, should be %d+", check.text)
      assert.is_false(check.verified)
    end)
  end
end)

describe("the host's loops of numbers", function()
  local arithmetic = require "clue.walk.arithmetic"

  it("refuse arrays that are too short or of another type", function()
    for call, says in pairs {scan_baseline = "to has 3 elements, not 4",
                             histogram_baseline = "to has 3 elements, not 256"} do
      local ok, why = pcall(arithmetic[call], {count = 4, from = array.uint(4), to = array.uint(3)}, 0, 4)
      assert.is_false(ok)
      assert.matches(says, tostring(why), 1, true)
      ok, why = pcall(arithmetic[call], {count = 4, from = array.uint(3), to = array.uint(256)}, 0, 4)
      assert.is_false(ok)
      assert.matches("from has 3 elements, not 4", tostring(why), 1, true)
      assert.is_false((pcall(arithmetic[call], {count = 4, from = array.float(4), to = array.uint(256)}, 0, 4)))
    end
  end)
end)
