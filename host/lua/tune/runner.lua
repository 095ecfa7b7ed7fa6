--- Searches a space on a device: asks the search for configurations, lets child processes prepare and measure them, and
-- keeps every result.
local binding = require "clue.binding"
local lists = require "clue.shared.list"
local results = require "clue.timing.results"
local sequential = require "clue.tune.measure.sequential"
local statistics = require "clue.timing.statistics"
local worker = require "clue.tune.worker"

local Runner = {}
Runner.__index = Runner

local runner = {}

--- Prepares a run.
-- @tparam table task script (a Script), space, search; how: as for @{clue.tune.worker.new}; measurer: a worker that has
--   reported its device; processes: how many compile at once; known: results of the runs before, in their order, with
--   index; earlier: the seconds of these runs; on_result: called with each new result; budget: evaluations, seconds
--   (either may be nil; both count the runs before), rate at which the run ends (nil: none)
-- @treturn Runner with results: {result, ...} in the order of the evaluations, those of the runs before first; best:
--   the result with the lowest cost
function runner.new(task)
  local self = setmetatable({task = task, search = task.search, results = {}, known = {}}, Runner)
  self.measurer = task.measurer
  if task.processes > 1 then self.pool = worker.pool(task.how, task.processes, self.measurer.device.is_cpu) end
  return self
end

--- Starts processes that will compile, one with each call.
function Runner:start()
  if self.pool then self.pool:start() end
end

-- ---- one configuration ----

-- Which configurations to prepare: those that the search will probably ask for, after this one if it is given.
local function plan(self, first)
  local likely = lists.filter(self.search:likely(self.task.processes - (first and 1 or 0)), function(index)
    return not self.known[index]
  end)
  self.pool:plan(lists.map(lists.joined({first}, likely), function(index)
    return {index = index, p = self.task.space:configuration(index)}
  end))
end

-- On a CPU nothing may be at work beside a measurement, since it would disturb it. So several configurations are
-- prepared at once, and measured once all of them are done.
local function wait_until_alone(self, index)
  if not self.pool.results[index] then plan(self, index) end
  repeat
    local active = self.pool:step(0.01)
  until self.pool.results[index] and not active
end

-- Elsewhere the processes work beside the measurement. What none of them has begun is built where it is measured.
local function wait_if_begun(self, index)
  while self.pool:is_doing(index) do self.pool:step(0.01) end
  plan(self)
  self.pool:step(0)
end

-- What came of preparing a configuration; an empty table if it was not prepared.
local function prepared(self, index)
  if not self.pool then return {} end
  -- the first result comes soonest from a single configuration, where it is measured
  if self.measurer.device.is_cpu and #self.results == 0 then return {} end
  local wait = self.measurer.device.is_cpu and wait_until_alone or wait_if_begun
  wait(self, index)
  return self.pool.results[index] or {}
end

local function wait_for(self)
  while true do
    local result = self.measurer:poll(0.02)
    if result then return result end
    if self.pool and not self.measurer.device.is_cpu then self.pool:step(0) end
  end
end

-- What decides whether a configuration is measured to the end; nil if there is no best yet.
local function bar(self)
  local best = self.best
  if not best or best.cost == math.huge then return nil end
  return sequential.bar(best.costs)
end

-- Measures a configuration, or says why it failed.
local function evaluate(self, index)
  local p = self.task.space:configuration(index)
  local before = prepared(self, index)
  if before.failed then return before end
  self.measurer:give {what = "measure", p = p, best = bar(self)}
  local result = wait_for(self)
  if before.build then result.build = before.build end -- not the cache's time
  return result
end

-- Makes a result that of a configuration that failed.
local function fail(result, why)
  result.failed, result.text, result.samples, result.cost = why.failed, why.text, nil, math.huge
end

-- What follows from a configuration's samples: seconds, metrics, cost, and the costs of all samples. Returns nil and
-- {failed, text} if a metric fails the configuration; raises what the script raises.
local function figures(self, p, samples)
  local script = self.task.script
  local done, found = pcall(function()
    local seconds = statistics.median(samples)
    local one = {seconds = seconds, metrics = script:metrics(p, seconds), cost = script:cost(p, seconds), costs = {}}
    for i, sample in ipairs(samples) do one.costs[i] = script:cost(p, sample) end
    return one
  end)
  if done then return found end
  if type(found) ~= "table" or not found.failed then error(found, 0) end
  return nil, found
end

-- Adds what follows from the samples.
local function complete(self, index, result)
  result.index, result.p, result.cost = index, self.task.space:configuration(index), math.huge
  if not result.samples then return result end
  local found, why = figures(self, result.p, result.samples)
  for name, value in pairs(found or {}) do result[name] = value end
  if why then fail(result, why) end
  return result
end

local function keep(self, result)
  table.insert(self.results, result)
  if result.samples and not result.lost and (not self.best or result.cost < self.best.cost) then self.best = result end
end

-- ---- the run ----

local function is_over(self)
  local budget = self.task.budget
  if budget.evaluations and #self.results >= budget.evaluations then return true end
  if budget.seconds and self:elapsed() >= budget.seconds then return true end
  if budget.rate and self.best then
    return self.task.script:rate(self.best.p, self.best.seconds) >= budget.rate
  end
  return false
end

--- The seconds since the run began, with those of the runs that it continues.
-- @treturn number
function Runner:elapsed()
  return binding.now() - self.started + (self.task.earlier or 0)
end

-- Whatever the budget, what the runs before found is part of the results.
local function keep_known(self)
  for _, result in ipairs(self.task.known or {}) do
    self.known[result.index] = complete(self, result.index, result)
    keep(self, result)
  end
end

--- Searches until the budget is spent or all configurations are known. The search asks for known results as for others,
-- so that one with the same seed takes the same way again. Ctrl-C raises as everywhere; the results are kept.
function Runner:run()
  self.started = binding.now()
  keep_known(self)
  while not is_over(self) do
    local index = self.search:ask()
    if not index then break end
    local result = self.known[index]
    if not result then
      result = complete(self, index, evaluate(self, index))
      result.at = self:elapsed()
      keep(self, result)
      self.task.on_result(result)
    end
    self.search:tell(result.cost)
  end
end

--- Ends the child processes.
function Runner:stop()
  self.measurer:stop()
  if self.pool then self.pool:stop() end
end

-- ---- the best ----

local function ranked(self, most)
  local list = lists.filter(self.results, function(result) return result.samples and not result.lost end)
  table.sort(list, function(a, b)
    if a.cost == b.cost then return a.index < b.index end
    return a.cost < b.cost
  end)
  for i = #list, most + 1, -1 do list[i] = nil end
  return list
end

--- Measures the best configurations once more, by turns: the search measured each at another time.
-- @tparam table how count: how many; seconds; least, most: rounds
-- @treturn {table,...} the fastest first: result, samples, seconds (median), low and high (95 %), against: how much
--   longer than the fastest one it takes, as cl.compare gives it. Fewer if one fails now
function Runner:final(how)
  local list = ranked(self, how.count)
  while list[1] do
    local configurations = lists.map(list, function(result) return result.p end)
    self.measurer:give({what = "final", list = configurations, seconds = how.seconds, least = how.least,
                        most = how.most}, how.seconds + #list * self.task.how.seconds)
    local found = wait_for(self)
    local final
    if found.samples then
      final, found = self:order(list, found.samples, found.clock)
      if final then return final end
    end
    local fails = table.remove(list, found.which or 1) -- if the process ended, the fastest is the likeliest
    fail(fails, found)
    self.best = ranked(self, 1)[1]
    self.task.on_result(fails) -- the journal's later line counts
  end
  return {}
end

-- Compares all with one, by turns.
local function compare_with(leader, final, clock)
  local function costs_of(each) return {samples = each.costs, clock = clock} end
  for _, each in ipairs(final) do each.against = results.compare(costs_of(leader), costs_of(each)) end
end

local function is_better(each) return each.against.differs and each.against.ratio < 1 end

-- Puts the best first and compares the others with it. Ratios are of runs by turns, medians of runs that other work
-- may have disturbed: so the one of the best median gives way to one that is better for certain.
local function lead(final, clock)
  local leader, led = final[1], {}
  repeat
    led[leader] = true
    compare_with(leader, final, clock)
    leader = lists.find(final, is_better) or leader
  until led[leader]
  compare_with(leader, final, clock)
  for i, each in ipairs(final) do
    if each == leader then table.insert(final, 1, table.remove(final, i)) return end
  end
end

--- Orders the final measurements.
-- @tparam {table,...} list results
-- @tparam {table,...} samples of each
-- @tparam string clock of all
-- @treturn[1] {table,...} see @{final}
-- @treturn[2] nil
-- @treturn[2] table which of them fails now, failed and text
function Runner:order(list, samples, clock)
  local final = {}
  for i, result in ipairs(list) do
    local each, why = figures(self, result.p, samples[i])
    if not each then return nil, {which = i, failed = why.failed, text = why.text} end
    each.result, each.samples = result, samples[i]
    each.low, each.high = statistics.interval(statistics.sorted(samples[i]))
    final[i] = each
  end
  table.sort(final, function(a, b) return a.cost < b.cost end)
  lead(final, clock)
  return final
end

return runner
