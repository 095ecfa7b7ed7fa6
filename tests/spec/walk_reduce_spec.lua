-- The reduction of `clue walk reduce`: every step adds up any number of values on every platform, and its check finds
-- planted faults. Scan and histogram are in walk_numbers_spec.lua.
-- suite: whole
local reduce = require "clue.walk.reduce"
local support = require "support"
local walk = require "clue.walk"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/reduce/"
local steps = {"01_interleaved", "02_sequential", "03_first_add_at_load", "04_unrolled", "05_many_per_item",
               "06_warp_wide", "07_bandwidth"}
local WARP = 6 -- skipped where neither sub-groups nor NVIDIA's shuffles are

-- The rows of the reduction; all but the step of warps must be verified.
local function verified(args, env)
  local words = {"reduce", "--steps", "1-7", "--repeat", "1"}
  for _, word in ipairs(args) do words[#words + 1] = word end
  local status, out, err, document = walks.walk(words, env)
  assert.equal(0, status, out .. err)
  local rows = walks.rows(document)
  assert.equal(#steps, #rows)
  for i, row in ipairs(rows) do
    assert.is_true(i == WARP and row.skipped ~= nil or row.check.verified, row.name .. ": " .. out)
  end
  return rows
end

describe("the steps of reduce", function()
  for _, size in ipairs {"1", "2", "255", "513", "4099"} do
    it("are right on Oclgrind with " .. size .. " values", function()
      verified({"--size", size}, walks.interpreted())
    end)
  end

  it("are right on PoCL, and say that so few values are not read from memory", function()
    local rows = verified {"--size", "70001"}
    assert.equal(4 * 70001, rows[1].times.bytes)
    assert.equal("GB/s", rows[1].times.rate)
    assert.equal("reduction", rows[1].study)
    assert.matches("caches may hold the data", table.concat(rows[7].notes, "\n"), 1, true)
    assert.matches("neither sub-groups", rows[WARP].skipped, 1, true)
    assert.is_true(#rows[7].sweep > 1)
    for _, variant in ipairs(rows[7].sweep) do -- the row is the fastest by the kernel's time, not by the total
      assert.is_true(rows[7].times.kernel[1] <= variant.times.kernel[1])
    end
  end)

  it("are right on rusticl", function()
    verified({"--size", "30011"}, support.drivers "rusticl")
  end)

  it("run in groups of any power of two", function()
    for _, group in ipairs {"2", "100", "65536"} do
      for i = 1, 5 do
        local status, out, err = support.run({folder .. steps[i] .. ".lua", "--size", "1001", "--repeat", "1",
                                              "--group", group}, walks.interpreted())
        assert.equal(0, status, out .. err)
        if group == "100" then assert.matches("groups of 64 work-items", out, 1, true) end
      end
    end
  end)

  it("compare with the speed of reading if caches cannot hold the values", function()
    local status, out, err = support.run({folder .. steps[7] .. ".lua", "--size", "33554467", "--repeat", "1"})
    assert.equal(0, status, out .. err)
    assert.matches("of the speed of clue peak's fastest reading kernel %(read float", out)
  end)

  it("refuse wrong sizes and groups", function()
    for wrong, says in pairs {["--size 0"] = "must be 1 to 2^40", ["--size x"] = "not a whole number",
                              ["--size 2147483649"] = "must be 1 to 2^31",
                              ["--group 1"] = "'1' is not a whole number from 2 to 65536"} do
      local words = {folder .. steps[1] .. ".lua"}
      for word in wrong:gmatch "%S+" do words[#words + 1] = word end
      local status, _, err = support.run(words)
      assert.equal(2, status, wrong)
      assert.matches(says, err, 1, true)
    end
  end)
end)

-- Texts that are replaced in a step, and by what; the check must find each fault.
local faults = {
  ["01_interleaved"] = {{"own[here] += own[here + step];", "own[here] += own[here];"},
                        {"i < count ?", "i + 1 < count ?"}},
  ["02_sequential"] = {{"step > 0; step /= 2", "step > 1; step /= 2"}},
  ["03_first_add_at_load"] = {{"if (i + get_local_size(0) < count)", "if (i + get_local_size(0) + 1 < count)"}},
  ["04_unrolled"] = {{"step > 0; step /= 2", "step > 1; step /= 2"}},
  ["05_many_per_item"] = {{"i < count; i +=", "i + 1 < count; i +="}},
  ["07_bandwidth"] = {{"rest < count; rest", "rest + 1 < count; rest"},
                      {"k = 1; k < SUMS; k++)\n        sums[0]", "k = 2; k < SUMS; k++)\n        sums[0]"}},
}

describe("a fault that is planted in a step of reduce", function()
  for _, step in ipairs(steps) do
    for i, fault in ipairs(faults[step] or {}) do
      it(("is found: %s, %d"):format(step, i), function()
        local path = walks.planted(folder .. step .. ".lua", fault[1], fault[2])
        local status, out, err = support.run({path, "--size", step == "07_bandwidth" and "9003" or "1003",
                                              "--repeat", "1"}, walks.interpreted())
        assert.equal(1, status, out .. err)
        assert.matches("WRONG", out, 1, true)
      end)
    end
  end

  it("is reported by Oclgrind if it is a race", function()
    local path = walks.planted(folder .. "02_sequential.lua", [[
            own[here] += own[here + step];
        barrier(CLK_LOCAL_MEM_FENCE);
]], [[
            own[here] += own[here + step];
]])
    local _, out, err = support.run({path, "--size", "600", "--repeat", "1"}, walks.oclgrind())
    assert.is_true(#walks.complaints(out .. err) > 0)
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
