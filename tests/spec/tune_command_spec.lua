-- `clue tune --simulate`, as users run it, on small files that the specs write.
-- suite: quick
-- builds: luajit lua54
local json = require "dkjson"
local support = require "support"

local unpack = unpack or table.unpack -- luacheck: ignore

-- All configurations of two parameters: the best is x = 8, y = 3; x = 9 failed.
local function each_configuration(take)
  for x = 1, 12 do
    for y = 1, 4 do take(x, y, x ~= 9 and 0.5 + (x - 8) ^ 2 / 10 + (y - 3) ^ 2 / 10 or nil) end
  end
end

local function kernel_tuner()
  local entries = {}
  each_configuration(function(x, y, time)
    entries[#entries + 1] = ('"%d,%d": {"x": %d, "y": %d, "time": %s, "power": %d}'):format(x, y, x, y,
      time and tostring(time) or '"RuntimeFailedConfig"', time and 100 - x or 200)
  end)
  return '{"kernel_name": "k", "tune_params_keys": ["y", "x"], "tune_params": {"x": [1,2,3,4,5,6,7,8,9,10,11,12], '
    .. '"y": [1,2,3,4]}, "objective": "time", "cache": {\n' .. table.concat(entries, ",\n") .. "}}"
end

local function t4()
  local results = {}
  each_configuration(function(x, y, time)
    results[#results + 1] = {
      configuration = {x = x, y = y}, times = {runtimes = {time}}, objectives = {"time"},
      invalidity = time and "correct" or "runtime", correctness = time and 1 or 0,
      measurements = {{name = "power", value = 100 - x, unit = "W"}, {name = "time", value = time or "", unit = "ms"}},
    }
  end)
  return json.encode {schema_version = "1.0.0", results = results}
end

local function file(text) return support.write(text, support.temporary ".json") end

local function simulate(paths, more)
  return support.run(support.words({"tune", "--simulate"}, paths, more))
end

local function document(paths, more)
  table.insert(more, "--json")
  local out = support.clean(simulate(paths, more))
  return assert(json.decode(out))
end

describe("clue tune --simulate", function()
  it("prints the fraction of the optimum after some evaluations, by strategy", function()
    local path = file(kernel_tuner())
    local out = support.clean(simulate({path}, {"--strategy", "exhaustive,random", "--evaluations", "4,48",
      "--repeats", "5"}))
    assert.matches(path .. ": 48 configurations, 4 failed, the best time is 0.5 ms; 5 runs", out, 1, true)
    assert.matches("strategy +after 4 +after 48\n", out)
    -- "y" is the first name in the file, so the first four are x = 1 to 4 with y = 1: 0.5 + 1.6 + 0.4.
    assert.matches("\nexhaustive +0.200 %+%- 0.000 +1.000 %+%- 0.000\n", out)
    assert.matches("\nrandom +0.%d%d%d %+%- 0.%d%d%d +1.000 %+%- 0.000\n", out)
    assert.is_nil(out:find("mean of", 1, true))
  end)

  it("adds the mean of several files", function()
    local path = file(kernel_tuner())
    local _, out = simulate({path, path}, {"--strategy", "exhaustive", "--evaluations", "4", "--repeats", "1"})
    assert.matches("mean of 2 files, [^\n]+\nstrategy +after 4\nexhaustive +0.200 %+%- 0.000\n$", out)
  end)

  it("reads T4 results", function()
    local how = {"--strategy", "greedy", "--evaluations", "4,16", "--repeats", "20"}
    local one = document({file(t4())}, how)
    assert.same({path = one.files[1].path, configurations = 48, failed = 4, best = 0.5, objective = "time"},
      one.files[1])
    assert.is_true(one.strategies[1].mean[2].mean > 0.7)
  end)

  it("reads files that gzip compressed", function()
    local path = file(kernel_tuner())
    local plain = document({path}, {"--strategy", "genetic", "--evaluations", "10"})
    assert.equal(0, (support.execute {"/usr/bin/env", "gzip", path}))
    local packed = document({path .. ".gz"}, {"--strategy", "genetic", "--evaluations", "10"})
    assert.same(plain.strategies, packed.strategies)
  end)

  it("reads a cache whose run was stopped", function()
    local text = kernel_tuner():gsub("}}$", ",\n")
    local one = document({file(text)}, {"--strategy", "random", "--evaluations", "48", "--repeats", "1"})
    assert.equal(48, one.files[1].configurations)
  end)

  it("makes another measurement small if --objective names it", function()
    for _, text in ipairs {kernel_tuner(), t4()} do
      local one = document({file(text)}, {"--objective", "power", "--strategy", "random", "--repeats", "1"})
      assert.equal("power", one.files[1].objective)
      assert.equal(88, one.files[1].best) -- x = 12
    end
  end)

  it("repeats a run for the same seed", function()
    local path = file(kernel_tuner())
    local function with(seed)
      return document({path}, {"--strategy", "all", "--evaluations", "5,12", "--repeats", "3", "--seed", seed})
        .strategies
    end
    local first = with "7"
    assert.equal(7, #first)
    assert.same(first, with "7")
    assert.are_not.same(first, with "8")
  end)

  it("refuses what it cannot read, and says why", function()
    local function refused(text, reason)
      local path = file(text)
      local err = support.refused(1, simulate({path}, {"--repeats", "1"}))
      assert.matches("clue tune: " .. path .. ": ", err, 1, true)
      assert.matches(reason, err, 1, true)
    end
    refused("", "not JSON")
    refused("[1, 2", "not JSON")
    refused("{}", "neither a cache of Kernel Tuner (it has no 'cache') nor T4 results (it has no 'results')")
    refused("\31\139rubbish", "gzip cannot read it")
    refused('{"results": [{}]}', "its result 1 has no configuration")
    refused('{"cache": {"1": 5}}', "an entry of its cache is not an object")
    refused('{"cache": {}, "tune_params_keys": ["x"], "tune_params": {"x": [1]}}', "none of its 0 configurations")
    refused('{"cache": {"1": {"x": 1, "time": "CompilationFailedConfig"}}, "tune_params_keys": ["x"], '
      .. '"tune_params": {"x": [1]}}', "none of its 1 configurations has a number as its 'time'")
    refused('{"cache": {"1": {"x": 2, "time": 1}}, "tune_params_keys": ["x"], "tune_params": {"x": [1]}}',
      "configuration 1: x = 2 is not in tune_params")
    refused(("["):rep(2000), "nested more than 1000 deep")
    local _, err = support.ended(1, simulate {"/nowhere.json"})
    assert.matches("/nowhere.json", err, 1, true)
  end)

  it("refuses wrong options by name", function()
    local function refused(words, reason)
      local _, err = support.ended(2, support.run {"tune", unpack(words)})
      assert.matches(reason, err, 1, true)
    end
    refused({}, "give a space, or files: clue tune SPACE.lua, clue tune --show FILE, clue tune --simulate CACHE")
    refused({"--simulate", "x", "--resume"}, "--resume does not go with --simulate, which measures nothing")
    for option, value in pairs {["--device"] = "cpu", ["--finalists"] = "4", ["--time-limit"] = "60"} do
      refused({"--simulate", "x", option, value}, option .. " does not go with --simulate, which measures nothing")
      refused({"--show", "x", option, value}, option .. " does not go with --show, which measures nothing")
    end
    for option, value in pairs {["--strategy"] = "random", ["--seed"] = "1", ["--repeats"] = "30"} do
      refused({"--show", "x", option, value}, option .. " does not go with --show, which measures nothing")
    end
    refused({"space.lua", "--repeats", "30"}, "--repeats goes with --simulate")
    refused({"--simulate", "x", "--strategy", "best"}, "there is no strategy 'best'; there are: exhaustive, random")
    refused({"--simulate", "x", "--evaluations", "20,10"}, "must be whole numbers of 1 or more, in rising order")
    refused({"--simulate", "x", "--repeats", "0"}, "--repeats: '0' must be a whole number from 1 to 1000000")
    refused({"--simulate", "x", "--seed", "1.5"}, "--seed: '1.5' must be a whole number from 0")
  end)
end)
