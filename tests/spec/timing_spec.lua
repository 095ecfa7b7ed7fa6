-- cl.now, cl.cpu_time, cl.time, cl.compare, and the statistics under them. The clocks are the spec's own, which its
-- functions set forward: nothing here depends on how fast the machine is.
-- suite: quick
-- process: shared bindings
-- drivers: pocl oclgrind rusticl

local binding = require "clue.binding"
local cl = require "clue"
local statistics = require "clue.timing.statistics"

local replaced = {}
local wall, cpu

local function replace(name, with)
  replaced[name] = replaced[name] or binding[name]
  binding[name] = with
end

before_each(function()
  wall, cpu = 1000, 10
  replace("now", function() return wall end)
  replace("cpu_time", function() return cpu end)
end)

after_each(function()
  for name, original in pairs(replaced) do binding[name] = original end
  replaced = {}
end)

-- A function whose calls take these seconds, one after the other and again from the first; and how often it was called.
local function taking(times, log, letter)
  local count = 0
  return function()
    count = count + 1
    wall = wall + times[(count - 1) % #times + 1]
    if log then log[#log + 1] = letter end
  end, function() return count end
end

local function refusal(...)
  local done, problem = pcall(...)
  assert.is_false(done)
  return tostring(problem)
end

local function close_to(wanted, value)
  assert.is_true(math.abs(value - wanted) <= 1e-9 * math.abs(wanted), ("%.15g, not %.15g"):format(value, wanted))
end

describe("the clocks", function()
  it("are the binding's", function()
    assert.equal(replaced.now, cl.now)
    assert.equal(replaced.cpu_time, cl.cpu_time)
  end)

  it("do not go back, and CPU time passes while the process works", function()
    local start, used, x = cl.now(), cl.cpu_time(), 0
    assert.is_true(used > 0)
    while cl.cpu_time() <= used do x = x + 1 end
    assert.is_true(cl.now() >= start)
  end)
end)

describe("statistics", function()
  it("interpolate quantiles, and the median is one", function()
    assert.equal(3, statistics.median {5, 1, 3})
    assert.equal(2.5, statistics.median {4, 1, 3, 2})
    assert.equal(7, statistics.median {7})
    local ordered = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
    assert.equal(2, statistics.quantile(ordered, 0.1))
    assert.equal(10, statistics.quantile(ordered, 0.9))
    assert.equal(11, statistics.quantile(ordered, 1))
    assert.equal(1.5, statistics.quantile({1, 3}, 0.25))
    assert.equal(math.huge, statistics.quantile({1, 2, math.huge}, 1))
  end)

  it("leave their argument as it is", function()
    local values = {3, 1, 2}
    statistics.median(values)
    assert.same({3, 1, 2}, values)
  end)

  -- The ranks are those of the tables for the sign test.
  it("give the median's interval by the order of the values", function()
    local ordered = {}
    for i = 1, 31 do ordered[i] = i end
    assert.same({10, 22}, {statistics.interval(ordered)})
    assert.same({11, 21}, {statistics.interval(ordered, 0.9)})
    assert.same({1, 6}, {statistics.interval {1, 2, 3, 4, 5, 6}})
    assert.is_nil(statistics.interval {1, 2, 3, 4, 5})
    assert.same({1, 5}, {statistics.interval({1, 2, 3, 4, 5}, 0.9)})
    assert.is_nil(statistics.interval {})
  end)
end)

describe("cl.time", function()
  it("gives median, minimum, 10 and 90 %, interval and spread in seconds", function()
    -- Before the first sample, one call shows what the function returns, and one how many calls make a sample.
    local f = taking {0.008, 0.005, 0.009, 0.003, 0.011, 0.001, 0.007, 0.002, 0.010, 0.004, 0.006}
    local result = cl.time(f, {rounds = 11, warm_up = 0})
    close_to(0.006, result.median)
    close_to(0.001, result.min)
    close_to(0.002, result.low)
    close_to(0.010, result.high)
    close_to(0.002, result.interval[1])
    close_to(0.010, result.interval[2])
    close_to(8 / 6, result.spread)
    assert.equal(11, result.rounds)
    assert.equal(11, #result.samples)
    close_to(0.009, result.samples[1])
    assert.equal(1, result.calls)
    assert.equal("host", result.clock)
    assert.equal("median 6.00 ms (95 %: 2.00 ms to 10.0 ms), 10 to 90 %: 2.00 ms to 10.0 ms, min 1.00 ms, 11 rounds, "
      .. "host clock; spread 133 %", tostring(result))
  end)

  it("says nothing about a spread of 10 % or less, and has no interval for fewer than six rounds", function()
    local result = cl.time(taking {0.5}, {rounds = 1, warm_up = 0})
    assert.is_nil(result.interval)
    assert.equal("median 500 ms, 10 to 90 %: 500 ms to 500 ms, min 500 ms, 1 round, host clock", tostring(result))
  end)

  it("calls a short function so often that a sample takes a millisecond", function()
    local f, count = taking {1e-6}
    local result = cl.time(f, {rounds = 6, warm_up = 5})
    assert.equal(1024, result.calls)
    assert.equal(5 + 2047 + 6 * 1024, count())
    assert.is_true(math.abs(result.median - 1e-6) < 1e-9)
    assert.matches("6 rounds of 1024 calls, host clock", tostring(result), 1, true)
  end)

  it("measures for as long as it is told, and makes 7 to 1000 rounds", function()
    assert.equal(20, cl.time(taking {0.1}, {seconds = 1.95, warm_up = 0}).rounds)
    assert.equal(7, cl.time(taking {10}, {seconds = 1, warm_up = 0}).rounds)
    assert.equal(1000, cl.time(taking {0.001}, {seconds = 1e6, warm_up = 0}).rounds)
    assert.equal(5, cl.time(taking {0.1}, {rounds = 5}).rounds)
  end)

  it("calls the function three times before it measures, or as often as it is told", function()
    for warm_up, wanted in pairs {[0] = 3, [1] = 3, [10] = 12} do
      local f, count = taking {1}
      cl.time(f, {rounds = 1, warm_up = warm_up})
      assert.equal(wanted, count())
    end
    local f, count = taking {1}
    cl.time(f, {rounds = 1})
    assert.equal(5, count())
  end)

  it("measures CPU time if it is asked to", function()
    local result = cl.time(function()
      wall, cpu = wall + 0.030, cpu + 0.002
    end, {clock = "cpu", rounds = 7})
    close_to(0.002, result.median)
    assert.equal("cpu", result.clock)
    assert.matches("7 rounds, CPU time$", tostring(result))
  end)

  it("ends for a function that takes no CPU time", function()
    local result = cl.time(taking {0.01}, {clock = "cpu", rounds = 7})
    assert.equal(0, result.median)
    assert.equal(0, result.spread)
  end)

  it("passes an error of the function on", function()
    assert.matches("no such luck", refusal(cl.time, function() error "no such luck" end))
  end)

  it("refuses what it cannot measure, and options that it does not have", function()
    local function f() end
    assert.matches("cl.time: f must be a function, got 3; a kernel is measured by function() return kernel(queue, ...)",
      refusal(cl.time, 3), 1, true)
    assert.matches('there is no option "round" (is rounds meant?)', refusal(cl.time, f, {round = 3}), 1, true)
    assert.matches("rounds must be a whole number of 1 or more, got 0", refusal(cl.time, f, {rounds = 0}), 1, true)
    assert.matches("warm_up must be a whole number of 0 or more, got -1", refusal(cl.time, f, {warm_up = -1}), 1, true)
    for _, seconds in ipairs {0, -1, math.huge, 0 / 0, "1"} do
      assert.matches("seconds must be a number above 0", refusal(cl.time, f, {seconds = seconds}), 1, true)
    end
    assert.matches("rounds and seconds: give one of them", refusal(cl.time, f, {seconds = 1, rounds = 1}), 1, true)
    assert.matches('there is no clock "device"; there are cpu, host', refusal(cl.time, f, {clock = "device"}), 1, true)
  end)
end)

describe("cl.compare", function()
  it("measures by turns and gives the ratio of the pairs", function()
    local log = {}
    local f, g = taking({0.010}, log, "f"), taking({0.008}, log, "g")
    local result = cl.compare(f, g, {rounds = 7, warm_up = 0})
    assert.equal("ffgg" .. "fggffggffggffg", table.concat(log)) -- two calls of each come before its first sample
    close_to(0.8, result.ratio)
    close_to(0.8, result.low)
    close_to(0.8, result.high)
    close_to(0.8, result.interval[1])
    close_to(0.8, result.interval[2])
    assert.equal(7, result.pairs)
    assert.equal(7, #result.ratios)
    assert.is_true(result.differs)
    close_to(0.010, result.f.median)
    close_to(0.008, result.g.median)
    assert.equal("g takes 0.8 times as long as f (0.8 to 0.8, 7 pairs, host clock)", tostring(result))
  end)

  it("says the names that it is given", function()
    local result = cl.compare(taking {0.001}, taking {0.008}, {rounds = 7, warm_up = 0, names = {"rows", "columns"}})
    assert.equal("columns takes 8 times as long as rows (8 to 8, 7 pairs, host clock)", tostring(result))
    assert.matches('names must be two texts, {"rows", "columns"}',
      refusal(cl.compare, print, print, {names = {"a"}}), 1, true)
  end)

  it("finds no difference if the interval contains 1", function()
    local result = cl.compare(taking {0.010}, taking {0.009, 0.011}, {rounds = 8, warm_up = 0})
    assert.is_false(result.differs)
    assert.equal("no difference found: g takes 1 times as long as f (0.9 to 1.1, 8 pairs, host clock); spread 20 %",
      tostring(result))
  end)

  it("does not decide with fewer than six pairs", function()
    local result = cl.compare(taking {0.010}, taking {0.020}, {rounds = 5, warm_up = 0})
    assert.is_nil(result.differs)
    assert.is_nil(result.interval)
    assert.equal("g takes 2 times as long as f (5 pairs: too few to be sure, host clock)", tostring(result))
  end)

  it("calls each function as often as it needs", function()
    local result = cl.compare(taking {1e-6}, taking {1e-5}, {rounds = 6})
    assert.equal(1024, result.f.calls)
    assert.equal(128, result.g.calls)
    assert.is_true(math.abs(result.ratio - 10) < 1e-3)
  end)

  it("refuses a function that takes no time by the clock", function()
    assert.matches("cl.compare: a call of g took no time by the CPU time",
      refusal(cl.compare, function() wall, cpu = wall + 1, cpu + 1 end, taking {1}, {clock = "cpu"}), 1, true)
  end)

  it("refuses what is not a function", function()
    assert.matches("g must be a function, got nil", refusal(cl.compare, print), 1, true)
  end)
end)

describe("a function that returns an event", function()
  local queue, kernel, buffer

  setup(function()
    require("clue.options").quiet = true
    local context = cl.context()
    queue = context:queue()
    kernel = context:program "kernel void add(global int *x) { x[get_global_id(0)] += 1; }":kernel "add"
    buffer = context:buffer(cl.array.int(4))
  end)

  local function run() return kernel(queue, 4, nil, buffer) end

  -- Events that take these seconds by a clock.
  local function answer(times, clock)
    local count = 0
    replace("event_time", function(handle)
      assert.is_true(binding.event_wait(handle))
      count = count + 1
      return times[(count - 1) % #times + 1], clock
    end)
  end

  it("is measured by the device's clock", function()
    answer({3e-6, 1e-6, 2e-6}, "device")
    local result = cl.time(run, {rounds = 9})
    close_to(2e-6, result.median)
    assert.equal(1, result.calls)
    assert.equal("device", result.clock)
    assert.equal("median 2.00 us (95 %: 1.00 us to 3.00 us), 10 to 90 %: 1.00 us to 3.00 us, min 1.00 us, 9 rounds, "
      .. "device clock; spread 100 %", tostring(result))
    answer({4e-6, 1e-6, 1e-6, 4e-6}, "device")
    close_to(0.25, cl.compare(run, run, {rounds = 8}).ratio)
  end)

  it("is marked as measured by the host's clock if the device's cannot be trusted", function()
    answer({1e-3}, "host")
    assert.equal("host", cl.time(run, {rounds = 6}).clock)
  end)

  it("is measured to the command's end by the host's clock if that is asked for", function()
    local waited = 0
    local wait = binding.event_wait
    replace("event_wait", function(...)
      waited, wall = waited + 1, wall + 0.25
      return wait(...)
    end)
    local result = cl.time(run, {rounds = 6, clock = "host", warm_up = 0})
    assert.equal(0.25, result.median)
    assert.equal("host", result.clock)
    assert.equal(8, waited)
  end)

  it("must return one each time, and so must both that are compared", function()
    local count = 0
    assert.matches("cl.time: the function returned an event before, but now nil", refusal(cl.time, function()
      count = count + 1
      if count < 6 then return run() end
    end), 1, true)
    answer({1e-3}, "device")
    assert.matches('f is measured by the host clock, g by the device clock: return an event from both, or give '
      .. 'clock = "host"', refusal(cl.compare, taking {1}, run), 1, true)
  end)

  it("runs as often as it is measured and warmed up", function()
    queue:write_buffer(buffer, cl.array.int(4))
    local result = cl.time(run, {rounds = 6, warm_up = 2})
    local read = cl.array.int(4)
    queue:read_buffer(buffer, read)
    assert.same({8, 8, 8, 8}, read:table())
    assert.is_true(result.clock == "device" or result.clock == "host")
    assert.is_true(result.min >= 0 and result.min <= result.median)
  end)
end)
