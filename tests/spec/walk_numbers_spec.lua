-- Scan and histogram of `clue walk reduce`: every step is right for any number of values on every platform, and its
-- check finds planted faults.
-- suite: whole
local array = require "clue.array"
local numbers = require "clue.walk.numbers"
local support = require "support"
local walk = require "clue.walk"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/reduce/"
local steps = {"08_scan_by_doubling", "09_scan_groups", "10_scan_tree", "11_scan_runs", "12_scan_sums_first",
               "13_scan_one_pass", "13b_best_here", "14_histogram_global", "15_histogram_groups", "16_histogram_many",
               "17_histogram_copies", "18_histogram_bandwidth"}
local ONE_PASS, BEST, BANDWIDTH = 6, 7, 12

-- The rows of scan and histogram; all must be verified, but the step of one pass may lack its atomics.
local function verified(size, env, without_atomics)
  local status, out, err, document = walks.walk({"reduce", "--steps", "8-18,13b", "--repeat", "1", "--size", size}, env)
  assert.equal(0, status, out .. err)
  local rows = walks.rows(document)
  assert.equal(#steps, #rows)
  for i, row in ipairs(rows) do
    if i == ONE_PASS and without_atomics then
      assert.equal("no cl_khr_int64_base_atomics", row.skipped)
    else
      assert.is_true(row.check.verified, row.name .. ": " .. out)
    end
    assert.equal(i <= BEST and "scan" or "histogram", row.study)
  end
  return rows
end

describe("the steps of scan and histogram", function()
  for _, size in ipairs {"1", "2", "255", "513", "10007"} do
    it("are right on Oclgrind with " .. size .. " numbers", function() verified(size, walks.interpreted()) end)
  end

  it("are right on PoCL, and count what is read and written", function()
    local rows = verified "300007"
    assert.same({2 * 4 * 300007, 4 * 300007}, {rows[1].times.bytes, rows[#rows].times.bytes})
    assert.matches("the prefix sums of 300007 uints", rows[1].problem, 1, true)
    assert.matches("a histogram of 300007 uints in 256 bins", rows[#rows].problem, 1, true)
    assert.matches("GB/s if all numbers are in one bin", table.concat(rows[BANDWIDTH].notes, "\n"), 1, true)
    assert.is_true(#rows[ONE_PASS].sweep > 1 and #rows[BANDWIDTH].sweep > 1)
  end)

  it("are right on rusticl, where 64-bit atomics are missing", function()
    verified("70001", support.drivers "rusticl", true)
  end)

  it("run in groups of any power of two", function()
    for _, items in ipairs {"2", "100", "65536"} do
      for i, step in ipairs(steps) do
        if i ~= ONE_PASS and i ~= BEST and i ~= BANDWIDTH then
          local status, out, err = support.run({folder .. step .. ".lua", "--size", "1001", "--repeat", "1",
                                                "--group", items}, walks.interpreted())
          assert.equal(0, status, out .. err)
          if items == "100" then assert.matches("groups of 64 work-items", out, 1, true) end
        end
      end
    end
  end)

  it("add up a tile that another core has not added up soon", function()
    local impatient = walks.planted(folder .. "13_scan_one_pass.lua", "#define POLLS 256", "#define POLLS 0")
    local status, out, err = support.run {impatient, "--size", "300007", "--repeat", "1"}
    assert.equal(0, status, out .. err)
  end)

  it("refuse wrong sizes and groups", function()
    for wrong, says in pairs {["--size 0"] = "must be 1 to 2^40", ["--size 2147483649"] = "must be 1 to 2^31",
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
  ["08_scan_by_doubling"] = {{"i >= distance ?", "i > distance ?"}},
  ["09_scan_groups"] = {{"i < count && group > 0", "i < count && group > 1"}},
  ["10_scan_tree"] = {{"reach = SIZE / 4;", "reach = SIZE / 8;"}},
  ["11_scan_runs"] = {{"before = here > 0 ?", "before = here > 1 ?"}},
  ["12_scan_sums_first"] = {{"step > 0; step /= 2", "step > 1; step /= 2"}},
  ["13_scan_one_pass"] = {{"k < WINDOW && k <= last", "k < WINDOW && k < last"},
                          {"before += here > 0 ?", "before += here > 1 ?"}},
  ["13b_best_here"] = {{'"sum"', '"max"'}},
  ["14_histogram_global"] = {{"atomic_inc(&bins[from[i] % 256])", "atomic_inc(&bins[from[i] % 255])"}},
  ["15_histogram_groups"] = {{"if (i < count)", "if (i + 1 < count)"}},
  ["16_histogram_many"] = {{"atomic_add(&bins[bin], own[bin])", "atomic_xchg(&bins[bin], own[bin])"}},
  ["17_histogram_copies"] = {{"k = 0; k < COPIES", "k = 1; k < COPIES"}},
  ["18_histogram_bandwidth"] = {{"rest < count; rest", "rest + 1 < count; rest"}},
}

describe("a fault that is planted in a step of scan or histogram", function()
  for _, step in ipairs(steps) do
    for i, fault in ipairs(faults[step]) do
      it(("is found: %s, %d"):format(step, i), function()
        local path = walks.planted(folder .. step .. ".lua", fault[1], fault[2])
        local status, out, err = support.run({path, "--size", "9003", "--repeat", "1"}, walks.interpreted())
        assert.equal(1, status, out .. err)
        assert.matches("WRONG", out, 1, true)
      end)
    end
  end

  for _, step in ipairs {"09_scan_groups", "11_scan_runs", "12_scan_sums_first", "15_histogram_groups"} do
    it("is reported by Oclgrind if it is a race: " .. step, function()
      local text = support.read(folder .. step .. ".lua")
      local path = support.write((text:gsub("( +barrier%(CLK_LOCAL_MEM_FENCE%);\n)", "")))
      local _, out, err = support.run({path, "--size", "5003", "--repeat", "1"}, walks.oclgrind())
      assert.is_true(#walks.complaints(out .. err) > 0)
    end)
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
