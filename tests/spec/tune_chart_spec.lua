-- The charts of `clue tune` in the terminal, on small files that the specs write.
-- suite: quick
-- builds: luajit lua54
local json = require "dkjson"
local support = require "support"

local unpack = unpack or table.unpack -- luacheck: ignore

local function file(text) return support.write(text, support.temporary ".json") end

local function show(path, more)
  return support.run(support.words({"tune", "--show", path}, more), {COLUMNS = "80"})
end

local function shown(path, more)
  local out = support.clean(show(path, more))
  return (out:gsub(path:gsub("%p", "%%%0"), "FILE", 1))
end

-- x, y, milliseconds or the failure, seconds since the start: in the order of the evaluations.
local measured = {
  {1, 1, 8, 0}, {2, 1, 4.2, 1}, {4, 2, "RuntimeFailedConfig", 2}, {1, 2, 9, 3}, {2, 2, 2, 5}, {4, 1, 1.1, 6},
  {8, 1, 1, 8.5}, {8, 2, "CompilationFailedConfig", 9}, {2, 4, 2.1, 10},
}

local function kernel_tuner()
  local entries = {}
  for i, each in ipairs(measured) do
    local time = type(each[3]) == "number" and ("%.2f"):format(each[3]) or '"' .. each[3] .. '"'
    entries[i] = ('"%d,%d,7": {"x": %d, "y": %d, "z": 7, "time": %s, "GFLOP/s": %.1f, "timestamp": "2026-01-02 '
      .. '03:04:%05.2f+00:00"}'):format(each[1], each[2], each[1], each[2], time, 100 / (tonumber(each[3]) or 1),
      50 + each[4])
  end
  return '{"device_name": "Some GPU", "kernel_name": "scale", "tune_params_keys": ["x", "y", "z"], "tune_params": '
    .. '{"x": [1, 2, 4, 8], "y": [1, 2, 4], "z": [7]}, "objective": "time", "cache": {\n'
    .. table.concat(entries, ",\n") .. "}}"
end

local function t4(change)
  local results = {}
  for i, each in ipairs(measured) do
    local good = type(each[3]) == "number"
    results[i] = {configuration = {x = each[1], y = each[2]}, invalidity = good and "correct" or "runtime",
      objectives = {"GFLOPS"}, measurements = good and {{name = "time", value = each[3], unit = "ms"},
        {name = "GFLOPS", value = 100 / each[3], unit = ""}} or {}, clue = {seconds_into_run = each[4],
        failure = not good and "needs 9 KiB of local memory" or nil}}
  end
  local document = {schema_version = "1.0.0", metadata = {framework = "clue 0"}, results = results,
    clue = {name = "scale", device = {name = "Some GPU"}, tune_params = {x = {1, 2, 4, 8}, y = {1, 2, 4}},
            best = {}}}
  if change then change(document) end
  return json.encode(document)
end

describe("clue tune --show", function()
  it("shows a cache of Kernel Tuner", function()
    assert.equal([[
FILE: scale on Some GPU: 9 configurations, 2 failed
failed: 1 by the device: RuntimeFailedConfig
        x=4 y=2
failed: 1 by the compiler: CompilationFailedConfig
        x=8 y=2

the best:
   time  of the best  configuration
1.00 ms        100 %  x=8 y=1
1.10 ms         91 %  x=4 y=1
2.00 ms         50 %  x=2 y=2
2.10 ms         48 %  x=2 y=4
4.20 ms         24 %  x=2 y=1

]], (shown(file(kernel_tuner())):match "^(.-\n)time in ms of each"))
  end)

  it("draws the best over evaluations and seconds", function()
    local out = shown(file(kernel_tuner()))
    assert.equal([[
time in ms of each configuration (·) and of the best so far (━), logarithmic
9.000 ┤━━━━━━━━┓              ·
      │        ┃
5.523 ┤        ┃
      │        ┗━━━━━━━━━━━━━━━━━━━━━┓
      │                              ┃
      │                              ┃
2.080 ┤                              ┗━━━━━━━┓                     ·
      │                                      ┃
      │                                      ┃
1.000 ┤                                      ┗━━━━━━━━━━━━━━━━━━━━━━
       1              3              5              7              9 evaluations
       0 s          2.00 s         5.00 s         8.50 s      10.0 s

]], (out:match "(time in ms of each.-\n\n)"))
  end)

  -- Of the logarithms, x explains 1 - 0.3479 / 4.603 * 6 / 3.
  it("orders the parameters by what they explain", function()
    local out = shown(file(kernel_tuner()))
    assert.equal([[
the effect of each parameter: its share of the variation of the time
parameter  share  value  tried  failed     best   median  of the best
x           85 %      1      2          8.00 ms  8.50 ms  █▌
                      2      3          2.00 ms  2.10 ms  ██████
                      4      2       1  1.10 ms  1.10 ms  ██████████▉
                      8      2       1  1.00 ms  1.00 ms  ████████████
y            0 %      1      4          1.00 ms  2.65 ms  ████████████
                      2      4       2  2.00 ms  5.50 ms  ██████
                      4      1          2.10 ms  2.10 ms  █████▊

]], (out:match "(the effect of.-\n\n)"))
  end)

  it("maps two parameters", function()
    local out = shown(file(kernel_tuner()))
    assert.equal([[
the best time in ms by x (down) and y (across)
x       1       2       4
1    8.00    9.00
2    4.20  ▒ 2.00  ░ 2.10
4  ▓ 1.10  failed
8  █ 1.00  failed
of the best: █ 95 % or more, ▓ 80 %, ▒ 50 %, ░ 25 %

]], (out:match "(the best time in.*)"))
  end)

  it("maps the parameters that --map names", function()
    local text = kernel_tuner():gsub('"z": 7', '"z": 8', 3)
      :gsub('"z": %[7%]', '"z": [7, 8]')
    local out = shown(file(text), {"--map", "z,y"})
    assert.matches("the best time in ms by y (down) and z (across)\ny       7       8\n1  █ 1.00    4.20\n", out,
      1, true)
    local _, err = support.ended(1, show(file(text), {"--map", "z,b"}))
    assert.matches("--map: there is no parameter 'b' with several values; there are: x, z, y\n", err, 1, true)
  end)

  it("reads what versions of Kernel Tuner write differently", function()
    local text = kernel_tuner():gsub('"objective": "time"', '"objective": ["time"]')
      :gsub('"time": "RuntimeFailedConfig"', '"__error__": "RuntimeFailedConfig"')
    assert.equal(shown(file(kernel_tuner())), shown(file(text)))
  end)

  it("shows the results of clue, whose metrics are better if they are higher", function()
    local out = shown(file(t4()))
    assert.matches("failed: 2 by the device: needs 9 KiB of local memory\n        such as x=4 y=2\n\nthe best:\n"
      .. "GFLOPS  of the best  configuration\n 100.0        100 %  x=8 y=1\n 90.91         91 %  x=4 y=1\n", out, 1,
      true)
    assert.matches("\nGFLOPS of each configuration", out, 1, true)
    assert.matches("100.0 ┤" .. (" "):rep(38) .. "┏" .. ("━"):rep(22) .. "\n", out, 1, true)
    assert.matches("\nx +85 %% +1 +2 +12.50 +11.81  █▌\n", out)
    assert.matches("\nthe best GFLOPS by x (down) and y (across)\n", out, 1, true)
    assert.matches("\n8  █  100  failed\n", out, 1, true)
  end)

  it("shows the best that were measured again", function()
    local path = file(t4(function(document)
      document.clue.best = {{configuration = {x = 8, y = 1}, time = 1.01, runtimes = {1, 1.01, 1.02}, ratio = 1,
                             metrics = {GFLOPS = 99}, ratio_low = 1, ratio_high = 1},
                            {configuration = {x = 4, y = 1}, time = 1.1, runtimes = {1, 1, 1.1, 1.1, 1.2, 1.2},
                             metrics = {GFLOPS = 91}, ratio = 1.09, ratio_low = 1.05, ratio_high = 1.2}}
    end))
    assert.matches("the best, measured again by turns:\n[^\n]+\n[^\n]+\n1.01 ms +99.00  x=8 y=1\n"
      .. "1.10 ms  1.00 ms to 1.20 ms +1.090  1.050 to 1.200 +91.00  x=4 y=1\n", shown(path))
  end)

  it("takes the measurement that --objective names, of which more is better if it is a rate", function()
    local path = file(kernel_tuner())
    local rate = shown(path, {"--objective", "GFLOP/s"})
    assert.matches("\nGFLOP/s  of the best  configuration\n  100.0        100 %  x=4 y=2\n", rate, 1, true)
    local out = support.ended(1, show(path, {"--objective", "power"}))
    assert.matches("failed: 9 without a result: it has no 'power'\n        such as x=1 y=1\n\n"
      .. "no configuration works\n$", out)
  end)

  it("leaves out values and parameters for which there is no room", function()
    local entries, xs = {}, {}
    for i = 1, 30 do
      xs[i] = i * 1000000
      for y = 1, 14 do
        entries[#entries + 1] = ('"%d,%d": {"x": %d, "y": %d, "w": %d, "time": %d}'):format(i, y, xs[i],
          y * 1000000, (i + y) % 3, i + y * 100)
      end
    end
    local ys = {}
    for y = 1, 14 do ys[y] = y * 1000000 end
    local out = shown(file(('{"tune_params_keys": ["x", "y", "w"], "tune_params": {"x": [%s], "y": [%s], '
      .. '"w": [0, 1, 2]}, "cache": {%s}}'):format(table.concat(xs, ","), table.concat(ys, ","),
      table.concat(entries, ","))))
    for line in out:match "time in ms of each.*":gmatch "[^\n]+" do
      local _, characters = line:gsub("[^\128-\191]", "")
      assert.is_true(characters <= 80, line)
    end
    assert.matches("less than 1 %: w\n", out, 1, true)
    assert.matches("\n +20 more\n", out)
    assert.matches("\nthe best time in ms by x (down) and y (across); not shown: the worst 6 values of\n"
      .. "  y and the worst 10 values of x\n", out, 1, true)
  end)

  it("shows a run in which everything failed", function()
    local status, out = show(file('{"tune_params_keys": ["x"], "tune_params": {"x": [1]}, "cache": {"1": {"x": 1, '
      .. '"time": "InvalidConfig"}}}'))
    assert.equal(1, status)
    assert.matches("failed: 1 by a constraint: InvalidConfig\n", out, 1, true)
    assert.matches("\nno configuration works\n$", out)
  end)

  it("finds no effect where all values are equal", function()
    local entries = {}
    for i = 1, 6 do
      entries[i] = ('"%d": {"x": %d, "y": %d, "time": 0.6}'):format(i, i % 3, i % 2)
    end
    local out = shown(file(('{"tune_params_keys": ["x", "y"], "tune_params": {"x": [0, 1, 2], "y": [0, 1]}, '
      .. '"cache": {%s}}'):format(table.concat(entries, ","))))
    assert.matches("time in us of each .*\n600.0 ┤━+", out)
    assert.matches("\nx +0 %% ", out)
    assert.matches("\ny +0 %% ", out)
  end)

  it("has no charts of a single configuration", function()
    local out = shown(file('{"tune_params_keys": ["x"], "tune_params": {"x": [1]}, "cache": {"1": {"x": 1, '
      .. '"time": 3}}}'))
    assert.equal("FILE: a kernel: 1 configuration, 0 failed\n\nthe best:\n   time  of the best  configuration\n"
      .. "3.00 ms        100 %  x=1\n\n", out)
  end)

  it("refuses what it cannot read", function()
    local function refused(text, reason)
      local err = support.refused(1, show(file(text)))
      assert.matches(reason, err, 1, true)
    end
    refused("{}", "neither a cache of Kernel Tuner")
    refused('{"tune_params_keys": ["x"], "tune_params": {}, "cache": {}}', "its tune_params have no values of 'x'")
  end)

  it("refuses options that do not fit", function()
    local function refused(words, reason)
      local _, err = support.ended(2, support.run {"tune", unpack(words)})
      assert.matches(reason, err, 1, true)
    end
    refused({"--show", "x", "--seconds", "5"}, "--seconds does not go with --show, which measures nothing")
    refused({"--simulate", "x", "--charts"}, "--charts does not go with --simulate, which measures nothing")
    refused({"x.lua", "--map", "a,b"}, "--map goes with --show")
    refused({"--show", "x", "--map", "a"}, "--map: 'a' must be the names of two parameters")
    refused({"x.lua", "--charts", "--json"}, "--charts does not go with --json")
  end)
end)

it("clue tune --simulate searches for the highest of a metric of clue", function()
  local out = support.ended(0, support.run {"tune", "--simulate", file(t4()), "--evaluations", "9", "--repeats", "1",
                                            "--strategy", "exhaustive"})
  assert.matches("9 configurations, 2 failed, the best GFLOPS is 100; 1 run", out, 1, true)
  assert.matches("exhaustive +1.000", out)
end)
