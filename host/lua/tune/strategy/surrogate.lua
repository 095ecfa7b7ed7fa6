--- Search with a model: after a few random configurations, measures the one of which a model of the costs
-- (@{clue.tune.surrogate}) promises most. Candidates are random configurations and the neighbours of each new best
-- one. A long search ends with iterated local search.
-- @module clue.tune.strategy.surrogate
local descent = require "clue.tune.strategy.descent"
local surrogate = require "clue.tune.surrogate"

local first = 10          -- random configurations before the model is used
local candidates = 3000   -- random ones; in larger spaces the neighbours reach the rest
local last = 400          -- evaluations with the model, whose work grows with their third power
local often = 10          -- evaluations between two fits of the model's weights
local courage = 2         -- how much uncertainty counts, in standard deviations
local runners_up = 8      -- candidates to prepare besides the chosen one

local function add(search, pool, index)
  if pool.has[index] or search.costs[index] then return end
  pool.has[index] = true
  pool[#pool + 1] = {index = index}
end

-- Leaves out what is measured.
local function clean(search, pool)
  local kept = 0
  for i = 1, #pool do
    local candidate = pool[i]
    pool[i] = nil
    if not search.costs[candidate.index] then
      kept = kept + 1
      pool[kept] = candidate
    end
  end
end

local function new_pool(search)
  local pool = {has = {}}
  if search.space.count <= candidates then
    for index = 1, search.space.count do add(search, pool, index) end
  else
    for _ = 1, candidates do add(search, pool, search:any()) end
  end
  return pool
end

-- The performance of what is measured, minus the mean, and the mean.
local function values_of(search, measured)
  local values, sum = {}, 0
  for i, index in ipairs(measured) do
    values[i] = search.best and search.best_cost / search.costs[index] or 0
    sum = sum + values[i]
  end
  for i = 1, #values do values[i] = values[i] - sum / #values end
  return values
end

-- The candidates that promise most, the best one first.
local function choose(model, pool)
  local ranked = {}
  model:predict(pool, function(candidate, mean, deviation)
    candidate.promise = mean + courage * deviation
    ranked[#ranked + 1] = candidate
  end)
  local list = {}
  for i = 1, math.min(runners_up, #ranked) do
    local best = i
    for k = i + 1, #ranked do
      if ranked[k].promise > ranked[best].promise then best = k end
    end
    ranked[i], ranked[best] = ranked[best], ranked[i]
    list[i] = ranked[i].index
  end
  return list
end

return function(search)
  local model, known = surrogate.new(search.space), nil
  local function measure(index)
    if not search.costs[index] then table.insert(model.measured, index) end
    search:cost(index)
  end
  local random = {}
  for i = 1, first do random[i] = search:any() end
  search.ahead = random
  for _, index in ipairs(random) do measure(index) end
  local pool = new_pool(search)
  while search.count < last do
    clean(search, pool)
    if search.best and search.best ~= known then
      known = search.best
      for _, index in ipairs(search.space:hamming(known)) do add(search, pool, index) end
    end
    local values = values_of(search, model.measured)
    if #values % often == 0 then model:fit(values) end
    model:learn(values)
    local list = choose(model, pool)
    if not list[1] then return end
    search.ahead = list
    measure(list[1])
  end
  descent.iterate(search)
end
