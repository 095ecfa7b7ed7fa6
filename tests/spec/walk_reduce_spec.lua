-- The reduction of `clue walk reduce`: what its rows say, wrong sizes, and the check of a sum. Scan and histogram are
-- in walk_numbers_spec.lua; walk_steps_spec runs all steps.
-- suite: whole
local cl = require "clue"
local reduce = require "clue.walk.reduce"
local support = require "support"
local walk = require "clue.walk"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/reduce/"
describe("the steps of reduce", function()
  it("say that so few values are not read from memory", function()
    local rows = walks.all_verified(2, {"reduce", "--steps", "1,7", "--size", "70001", "--repeat", "1"})
    assert.equal(4 * 70001, rows[1].times.bytes)
    assert.equal("GB/s", rows[1].times.rate)
    assert.equal("reduction", rows[1].study)
    assert.matches("caches may hold the data", table.concat(rows[2].notes, "\n"), 1, true)
    assert.is_true(#rows[2].sweep > 1)
    for _, variant in ipairs(rows[2].sweep) do -- the row is the fastest by the kernel's time, not by the total
      assert.is_true(rows[2].times.kernel[1] <= variant.times.kernel[1])
    end
  end)

  it("run in groups of a power of two, and say so", function()
    for _, step in ipairs {"01_interleaved", "14_histogram_global"} do
      local out = support.ended(0, support.run({folder .. step .. ".lua", "--size", "1001", "--repeat", "1", "--group",
                                                "100"}, walks.interpreted()))
      assert.matches("groups of 64 work-items", out, 1, true)
    end
  end)

  it("compare with the speed of reading if caches cannot hold the values", function()
    local cache = cl.context().device.global_mem_cache_size -- the step's 4 bytes a value must be 4 times as many
    local size = ("%d"):format(math.max(33554467, cache + 3))
    local out = support.ended(0, support.run({folder .. "07_bandwidth.lua", "--size", size, "--repeat", "1"}))
    assert.matches("of the speed of clue peak's fastest reading kernel %(read float", out)
  end)

  it("refuse wrong sizes and groups", function()
    support.refuses({folder .. "01_interleaved.lua"}, {
      ["--size 0"] = "must be 1 to 2^40", ["--size x"] = "not a whole number",
      ["--size 2147483649"] = "must be 1 to 2^31",
      ["--group 1"] = "'1' is not a whole number from 2 to 65536",
    })
  end)
end)

describe("the check of a sum", function()
  local size = support.thorough and "20000003" or "10007"

  local function verdict(spoil, pass)
    local sum = reduce.new{size = size}
    local passes = sum:passes(math.ceil(math.log(sum.count) / math.log(2)))
    return walk.verify({execute = function() sum.found[0] = sum.values:sum() end, read = function() spoil(sum) end},
      {passes[pass]})
  end

  for pass = 1, 2 do
    it(("passes a right sum: pass %d"):format(pass), function()
      assert.is_true(verdict(function() end, pass).verified)
    end)

    for name, spoil in pairs {
      ["one value left out"] = function(sum) sum.found[0] = sum.found[0] - sum.values[7] end,
      ["one value counted twice"] = function(sum) sum.found[0] = sum.found[0] + sum.values[sum.count - 1] end,
      ["not a number"] = function(sum) sum.found[0] = 0 / 0 end,
    } do
      it(("finds %s: pass %d"):format(name, pass), function()
        assert.is_false(verdict(spoil, pass).verified)
      end)
    end
  end

  it("gives the bound of rounding", function()
    local check = verdict(function(sum) sum.found[0] = 1e9 end, 2)
    assert.matches("rounding explains differences up to ", check.text, 1, true)
  end)
end)
