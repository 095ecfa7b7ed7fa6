-- Sweeps of `clue walk`: host loops are measured once, and --until-stable measures until all is certain.
-- suite: whole
local exchange = require "clue.walk.exchange"
local json = require "dkjson"
local runner = require "clue.run.runner"
local statistics = require "clue.result.statistics"
local support = require "support"
local walks = require "walk_support"

-- Runs `clue walk`, which must succeed. Returns the runs of its document.
local function runs_of(env, ...)
  local path = support.temporary ".json"
  support.ended(0, support.run({"walk", "--json", path, ...}, env))
  return json.decode(support.read(path)).walkthroughs[1].runs
end

describe("the host loops of a sweep", function()
  -- Whether the loop of each run's first row was measured at another point.
  local function reused(runs)
    local list = {}
    for i, run in ipairs(runs) do
      local row = run.rows[1]
      list[i] = row.host.reused or false
      for _, host in ipairs(row.beside or {}) do assert.equal(list[i], host.reused or false) end
    end
    return list
  end

  it("are measured once for each step and size, as they do not depend on parameters", function()
    local runs = runs_of(walks.interpreted(), "submatrix", "--set", "tile=2,4,8", "--steps", "5", "--size", "8,16",
      "--repeat", "2")
    assert.same({false, true, true, false, true, true}, reused(runs))
    assert.same(runs[1].rows[1].host.times, runs[3].rows[1].host.times)
    assert.not_same(runs[1].rows[1].host.times, runs[4].rows[1].host.times)
  end)

  it("do not depend on compiler options or the device either, but a step that is one measures it each time", function()
    local two = support.drivers("pocl", {POCL_DEVICES = "pthread pthread"})
    local function options(...)
      return runs_of(two, "submatrix", "--size", "8", "--repeat", "1", "--options", "", "--options", "-w", ...)
    end
    assert.same({false, true, true, true}, reused(options("--steps", "4", "--device", "all")))
    assert.same({false, false}, reused(options("--steps", "1")))
  end)

  it("are measured once in a walk, too, where its steps compute the same", function()
    local function of(...)
      local list = {}
      for i, row in ipairs(runs_of(walks.interpreted(), ...)[1].rows) do list[i] = row.host.reused or false end
      return list
    end
    assert.same({false, false, true}, of("mql5", "--steps", "2-4", "--size", "8", "--repeat", "1"))
    assert.same({false, false, true}, of("reduce", "--steps", "2,9,10", "--size", "99", "--repeat", "1")) -- sum, scans
  end)

  it("are kept beside one that is known already", function()
    local hosts, step = runner.hosts(), {path = "a"}
    hosts:keep(step, {}, {problem = "p", host = {name = "known", reused = true}, beside = {{name = "new"}}})
    assert.same({'CLUE_WALK_HOSTS=[{"host":{"name":"new"}}]'}, exchange.settings {hosts = hosts:of(step, {})})
    assert.same({}, exchange.settings {hosts = runner.hosts():of(step, {})})
  end)
end)

describe("clue walk --until-stable", function()
  -- The first values of a list.
  local function first(list, count)
    local some = {}
    for i = 1, count do some[i] = list[i] end
    return some
  end

  -- No more values than make their median certain.
  local function assert_until_certain(list)
    assert.is_true(#list >= 6)
    for i = 1, #list - 1 do assert.is_false(statistics.are_stable(first(list, i), 0), i .. " of " .. #list) end
  end

  it("runs the steps at each point until their medians are certain, and A and B in turn until the gain is", function()
    local runs = runs_of(walks.interpreted(), "tests/specimens/turns/", "--steps", "1", "--until-stable", "--options",
      "", "--options", "-w")
    local gain = runs[2].rows[1].gain
    assert.equal("A", gain.over)
    assert_until_certain(statistics.quotients(gain.before, gain.now))
    for _, run in ipairs(not gain.disturbed and runs or {}) do
      assert_until_certain(run.rows[1].times.total)
    end
  end)

  it("is for sizes and parameters, too, by the time of the kernels as their tables", function()
    for _, run in ipairs(runs_of(walks.interpreted(), "submatrix", "--set", "tile=2,4", "--steps", "5", "--size", "8",
      "--until-stable")) do
      assert_until_certain(run.rows[1].times.kernel)
    end
  end)

  -- How many runs are enough if only the kernel's time, or only the total, is the same in each.
  local function runs_with(same, together)
    local program = ([[
      local binding, clock = require "clue.binding", 0 -- a clock that no other work delays
      function binding.now() clock = clock + 1e-5 return clock end
      local measure, turn = require "clue.walk.measure", 0
      require("clue.result.statistics").most_seconds, measure.warm_seconds = 0.3, 0
      print(measure.run({flops = 1, together = %s or nil, execute = function()
        turn = turn + 1
        local slow, finish = turn %% 2 == 0, binding.now() + 0.001
        while %q ~= "total" and slow and binding.now() < finish do end
        return %q == "kernel" and 1 or slow and 2 or 1
      end}).runs)]]):format(tostring(together), same, same)
    local env = support.drivers "none"
    env.CLUE_UNTIL_STABLE = "1"
    local out = support.ended(0, support.run({"-e", program}, env))
    return tonumber(out)
  end

  it("decides by the time that a step is judged by: the kernel's if it has one", function()
    assert.equal(6, runs_with("kernel", false))
    assert.is_true(runs_with("total", false) > 6)
    assert.is_true(runs_with("kernel", true) > 6) -- of several devices together
  end)
end)
