--- Measures functions and kernels: cl.time(f) one, cl.compare(f, g) two by turns.
--
-- A function that returns an event is measured by that event: `function() return scale(queue, n, nil, x, 2) end` gives
-- the kernel's time on the device. Any other function is measured by the host's monotonic clock, or by the CPU time
-- that the process uses.
-- @module clue.timing
local argument = require "clue.argument"
local binding = require "clue.binding"
local guard = require "clue.timing.guard"
local Series = require "clue.timing.series"
local results = require "clue.timing.results"

local timing = {}

local DEFAULT_SECONDS, WARM_UP = 0.5, 3
local LEAST_ROUNDS, MOST_ROUNDS = 7, 1000 -- for a time budget

-- ---- options ----

local known = {rounds = "whole", seconds = "checked", warm_up = "whole", clock = "text", names = "checked"}
local clocks = {host = true, cpu = true}

local function check_function(f, name)
  if type(f) == "function" then return end
  argument.refuse(name, "a function", f, "a kernel is measured by function() return kernel(queue, ...) end")
end

local function check_names(names)
  if names == nil then return end
  if type(names) == "table" and type(names[1]) == "string" and type(names[2]) == "string" then return end
  argument.refuse("names", 'two texts, {"rows", "columns"}', names)
end

local function checked(options)
  options = argument.options(options, "options", known)
  check_names(options.names)
  if options.rounds then argument.whole(options.rounds, "rounds", 1) end
  if options.warm_up then argument.whole(options.warm_up, "warm_up", 0) end
  if options.clock then argument.word(options.clock, clocks, "clock") end
  local seconds = options.seconds
  if seconds ~= nil and not (type(seconds) == "number" and seconds > 0 and seconds < math.huge) then
    argument.refuse("seconds", "a number above 0", seconds)
  end
  if seconds and options.rounds then argument.fail "rounds and seconds: give one of them" end
  return options
end

-- Calls a function in every round: as often as the options say, or until their time is over.
local function each_round(options, run)
  if options.rounds then
    for round = 1, options.rounds do run(round) end
    return
  end
  local budget, start, round = options.seconds or DEFAULT_SECONDS, binding.now(), 0
  repeat
    round = round + 1
    run(round)
  until round == MOST_ROUNDS or round >= LEAST_ROUNDS and (Series.once or binding.now() - start >= budget)
end

-- ---- measuring ----

--- Measures how long a function takes, or the command whose event it returns.
-- @tparam function f called without arguments, again and again
-- @tparam[opt] table options rounds: how many samples; or seconds: how long to measure (0.5), with 7 to 1000 samples;
--   warm_up: how many calls before, at least one (3; calls to find how many make a sample follow);
--   clock: "host" or "cpu" (see cl.cpu_time), also for a function that returns an event, whose end then counts too
-- @treturn table in seconds for each call: median, min, low and high (10 and 90 % of the samples lie below), interval
--   ({low, high}: the median's, of 95 % confidence; nil for fewer than 6 rounds), samples; spread: (high - low) /
--   median; rounds; calls in each; suspended: how many samples were taken again because the process was suspended
--   meanwhile (Ctrl-Z, SIGSTOP), nil for none; clock: "device", "host" (also for an event, if the device's timer cannot
--   be trusted) or "cpu". tostring describes it in a line.
function timing.time(f, options)
  check_function(f, "f")
  options = checked(options)
  local suspended = guard.counter()
  local series, samples = Series.new(f, options.clock, options.warm_up or WARM_UP), {}
  each_round(options, function(round) samples[round] = series:take() end)
  return results.time(series, samples, suspended())
end

local function check_clocks(first, second)
  if first.clock == second.clock then return end
  argument.fail('f is measured by the %s clock, g by the %s clock: return an event from both, or give clock = "host"',
    first.clock, second.clock)
end

--- Compares how long two functions take. They are measured by turns, in the order f g g f, so a disturbance hits both.
-- @tparam function f as for @{time}
-- @tparam function g
-- @tparam[opt] table options as for @{time}; rounds are pairs, one sample of each function; names: what tostring calls
--   the two, {"rows", "columns"}
-- @treturn table ratio: the median of the pairs' g / f; interval: {low, high}, of 95 % confidence, nil for fewer than 6
--   pairs; low and high: 10 and 90 % of the pairs' ratios lie below; spread: (high - low) / ratio; ratios; pairs;
--   differs: whether 1 is outside the interval, nil without one; f, g: as @{time} gives them; clock; suspended; names.
--   tostring says it in a line: "g takes 0.83 times as long as f (0.81 to 0.85, 31 pairs, device clock)"
function timing.compare(f, g, options)
  check_function(f, "f")
  check_function(g, "g")
  options = checked(options)
  local warm_up, suspended = options.warm_up or WARM_UP, guard.counter()
  local first, second = Series.new(f, options.clock, warm_up), Series.new(g, options.clock, warm_up)
  local of_first, of_second = {}, {}
  each_round(options, function(pair)
    if pair % 2 == 1 then
      of_first[pair], of_second[pair] = first:take(), second:take()
    else
      of_second[pair], of_first[pair] = second:take(), first:take()
    end
    check_clocks(first, second)
  end)
  return results.compare(results.time(first, of_first), results.time(second, of_second), suspended(), options.names)
end

return timing
