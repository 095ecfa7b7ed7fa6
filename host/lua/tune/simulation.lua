--- Compares strategies on files with known results, for `clue tune --simulate`: how fast each finds a good
-- configuration.
local counted = require("clue.text").count
local json = require "clue.shared.json"
local map = require("clue.shared.list").map
local output = require "clue.output"
local search = require "clue.tune.search"
local space = require "clue.tune.search.space"
local tables = require "clue.table"
local tuning = require "clue.result.tuning"

-- ---- stored results ----

local function space_of(run)
  local configurations = map(run.results, function(result) return result.p end)
  return space.of(run.names, run.tune_params, configurations)
end

local function cost_of(run, result)
  if not result.value then return math.huge end
  return run.more and 1 / result.value or result.value
end

-- Reads a file as the costs of a space. Returns path; space: of the configurations in the file; costs = {[index] =
-- cost}, math.huge for those that failed; best: the lowest cost; value: that of the objective; failed: how many failed;
-- objective. Or nil and what is wrong.
local function read(path, objective)
  local run, why = tuning.read(path, objective)
  if not run then return nil, why end
  local made, of = pcall(space_of, run)
  if not made then return nil, ("%s: %s"):format(path, of) end
  local costs, best, value, failed = {}, math.huge, nil, 0
  for _, result in ipairs(run.results) do
    local cost = cost_of(run, result)
    costs[of:index(result.p)] = cost
    if cost < best then best, value = cost, result.value end
    if cost == math.huge then failed = failed + 1 end
  end
  if best == math.huge then
    return nil, ("%s: none of its %d configurations has a number as its '%s'"):format(path, #run.results,
      tostring(run.objective))
  end
  return {path = path, space = of, costs = costs, best = best, value = value, failed = failed,
          objective = run.objective}
end

-- ---- runs ----

-- The cost of the best after each of some numbers of evaluations, as fractions of the optimum: 1 is the optimum
-- itself, 0: no configuration succeeded.
local function run(cache, name, points, seed)
  local budget = points[#points]
  local fractions, at = {}, search.new(cache.space, name, {seed = seed, budget = budget})
  for i, point in ipairs(points) do
    while at.count < point do
      local index = at:ask()
      if not index then break end
      at:tell(cache.costs[index])
    end
    fractions[i] = cache.best / at.best_cost
  end
  return fractions
end

local function summary(runs, i)
  local sum, squares = 0, 0
  for _, fractions in ipairs(runs) do sum = sum + fractions[i] end
  local mean = sum / #runs
  for _, fractions in ipairs(runs) do squares = squares + (fractions[i] - mean) ^ 2 end
  return {mean = mean, deviation = #runs > 1 and math.sqrt(squares / (#runs - 1)) or 0}
end

-- Runs a strategy several times on a cache, with seeds that follow each other. Returns for each number of evaluations
-- the mean and the standard deviation, over the runs, of the fraction of the optimum.
local function simulate(cache, name, options)
  local runs, points = {}, {}
  for i = 1, options.repeats do runs[i] = run(cache, name, options.evaluations, options.seed + i - 1) end
  for i = 1, #options.evaluations do points[i] = summary(runs, i) end
  return points
end

-- For each number of evaluations the mean of the caches' means, and the standard deviation of these.
local function mean_of(results)
  local means, points = {}, {}
  for i, result in ipairs(results) do
    means[i] = {}
    for j, point in ipairs(result) do means[i][j] = point.mean end
  end
  for j = 1, #means[1] do points[j] = summary(means, j) end
  return points
end

local function read_all(options)
  local caches = {}
  for i, path in ipairs(options.simulate) do
    output.progress(("reading %s"):format(path))
    local cache, why = read(path, options.objective)
    if not cache then error(why, 0) end
    caches[i] = cache
  end
  return caches
end

-- By strategy: the results on each cache, in the order of the caches.
local function run_all(caches, options)
  local by_strategy = {}
  for s, name in ipairs(options.strategy) do
    by_strategy[s] = {strategy = name, results = {}}
    for i, each in ipairs(caches) do
      output.progress(("%s on %s (%d of %d)"):format(name, each.path, i, #caches))
      by_strategy[s].results[i] = simulate(each, name, options)
    end
    by_strategy[s].mean = mean_of(by_strategy[s].results)
  end
  output.clear_progress()
  return by_strategy
end

-- ---- what is shown ----

local function columns(points)
  local heads = {{title = "strategy"}}
  for i, point in ipairs(points) do heads[i + 1] = {title = "after " .. point, right = true} end
  return heads
end

local function row(name, points)
  local cells = {name}
  for i, point in ipairs(points) do cells[i + 1] = ("%.3f +- %.3f"):format(point.mean, point.deviation) end
  return cells
end

local function print_table(by_strategy, points, get)
  local rows = map(by_strategy, function(each) return row(each.strategy, get(each)) end)
  output.print_lines(tables.lines(columns(points), rows))
end

local function show(caches, by_strategy, options)
  for i, each in ipairs(caches) do
    output.print(("%s: %s, %d failed, the best %s is %.6g%s; %s"):format(each.path,
      counted(each.space.count, "configuration"), each.failed, each.objective, each.value,
      each.objective == "time" and " ms" or "", counted(options.repeats, "run")))
    print_table(by_strategy, options.evaluations, function(one) return one.results[i] end)
    output.print ""
  end
  if #caches < 2 then return end
  output.print(("mean of %d files, +- the standard deviation between files"):format(#caches))
  print_table(by_strategy, options.evaluations, function(one) return one.mean end)
end

local function document_of(caches, by_strategy, options)
  local files = map(caches, function(each)
    return {path = each.path, configurations = each.space.count, failed = each.failed, best = each.value,
            objective = each.objective}
  end)
  return {format = "clue tune simulation 1", evaluations = json.list(options.evaluations), repeats = options.repeats,
          seed = options.seed, files = json.list(files), strategies = json.list(by_strategy)}
end

--- Runs the strategies and prints the results.
-- @tparam table options simulate: paths; strategy: names; evaluations: a list; repeats, seed, objective, json
-- @treturn number exit status
return function(options)
  local caches = read_all(options)
  local by_strategy = run_all(caches, options)
  if options.json then
    output.print(json.text(document_of(caches, by_strategy, options), true))
  else
    show(caches, by_strategy, options)
  end
  return 0
end
