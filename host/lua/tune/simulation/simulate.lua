--- Runs strategies on costs that are known, to see how fast each finds a good configuration.
-- @module clue.tune.simulation.simulate
local search = require "clue.tune.search"

local simulate = {}

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

--- Runs a strategy several times on a cache.
-- @tparam table cache as clue.tune.results.cache reads it
-- @tparam string name of the strategy
-- @tparam table options points = {evaluations, ...} in rising order; the last is the budget; repeats; seed of the
--   first run, the next ones have the numbers that follow
-- @treturn {table,...} for each point mean and deviation (standard, over the runs) of the fraction of the optimum
function simulate.strategy(cache, name, options)
  local runs, points = {}, {}
  for i = 1, options.repeats do runs[i] = run(cache, name, options.points, options.seed + i - 1) end
  for i = 1, #options.points do points[i] = summary(runs, i) end
  return points
end

--- The mean of several caches.
-- @tparam {table,...} results of @{strategy}, of the same points
-- @treturn {table,...} for each point the mean of the caches' means; deviation (standard) of these means
function simulate.mean(results)
  local means, points = {}, {}
  for i, result in ipairs(results) do
    means[i] = {}
    for j, point in ipairs(result) do means[i][j] = point.mean end
  end
  for j = 1, #means[1] do points[j] = summary(means, j) end
  return points
end

return simulate
