-- Variants of a step: they are checked on the same inputs, each pass filling them once, and measured by turns.
-- suite: quick
-- builds: luajit lua54
-- process: shared alone
local measure = require "clue.walk.measure"
local reduce = require "clue.walk.reduce"
local walk = require "clue.walk"

-- Variants of a sum, of which some are wrong; how often each part of each ran.
local function variants_of(sum, names, wrong)
  local list, ran = {}, {}
  for i, name in ipairs(names) do
    local counts = {upload = 0, reset = 0, filled = 0, execute = 0, read = 0}
    ran[name] = counts
    local function count(part, run)
      return function()
        counts[part] = counts[part] + 1
        if run then return run() end
      end
    end
    list[i] = {
      label = name, value = i, repeats = 3, upload = count "upload", read = count "read",
      reset = count("reset", function()
        sum.found:fill(1)
        sum:forget()
        if sum.found[0] ~= 1 then counts.filled = counts.filled + 1 end
      end),
      execute = count("execute", function()
        sum.found[0] = sum.values:sum() + (wrong == name and 1 or 0)
        return name == "slow" and 0.2 or 0.1, "device"
      end),
    }
  end
  return list, ran
end

describe("variants of a step", function()
  local warm = measure.warm_seconds
  local sum = reduce.new {size = "99"}

  after_each(function() measure.warm_seconds = warm end)

  it("are checked in the same passes, whose inputs are filled once", function()
    local passes, filled = sum:passes(9), 0
    for _, pass in ipairs(passes) do
      local prepare = pass.prepare
      function pass.prepare()
        filled = filled + 1
        prepare()
      end
    end
    local list, ran = variants_of(sum, {"slow", "fast"})
    local check = walk.verify_sweep(list, passes)
    assert.same({verified = true, text = "exact on whole numbers, six sigma on uniform values"}, check)
    assert.equal(2, filled)
    assert.equal(2, ran.slow.execute)
    assert.equal(2, ran.fast.execute)
  end)

  it("fail by name", function()
    for _, wrong in ipairs {"slow", "fast"} do
      local check = walk.verify_sweep(variants_of(sum, {"slow", "fast"}, wrong), sum:passes(9))
      assert.is_false(check.verified)
      assert.matches("^" .. wrong .. ": exact on whole numbers: the sum is ", check.text)
    end
  end)

  it("may each be checked in their own way", function()
    local list = variants_of(sum, {"slow", "fast"})
    local check = walk.verify_sweep(list, function(variant)
      return {{name = "its name", prepare = function() end,
               check = function() return variant.label ~= "fast", "it is fast" end}}
    end)
    assert.same({verified = false, text = "fast: its name: it is fast"}, check)
  end)

  it("are refused by the name of the call", function()
    assert.error_matches(function() walk.verify_sweep({}, {}) end, "walk.verify_sweep: there are no variants", 1, true)
    assert.error_matches(function() walk.verify_sweep({{}}, {}) end,
      "walk.verify_sweep: execute must be a function, got nil", 1, true)
  end)

  it("are not warmed up if one run takes longer", function()
    local runs = 0
    measure.warm_seconds = 0.02
    measure.run {repeats = 1, execute = function()
      local stop = os.clock() + 0.03
      repeat until os.clock() > stop
      runs = runs + 1
    end}
    assert.equal(2, runs)
  end)

  it("are measured after a warm-up without transfers, and the fastest is told", function()
    measure.warm_seconds = 0.05
    local list, ran = variants_of(sum, {"slow", "fast"})
    walk.verify_sweep(list, sum:passes(9))
    for _, variant in ipairs(list) do variant.last_run = 0 end
    local times, sweep, fastest = walk.sweep(list)
    assert.equal(list[2], fastest)
    assert.equal(sweep[2].times, times)
    for _, counts in pairs(ran) do
      assert.is_true(counts.execute > 2 + 3)
      assert.equal(2 + 3, counts.upload) -- checked in two passes, measured three times
      assert.equal(2 + 3, counts.read)
      assert.equal(counts.execute, counts.reset)
      assert.equal(2 + 3, counts.filled) -- the host's memory of results, where it is read into
    end
  end)
end)
