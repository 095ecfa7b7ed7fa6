--- Search with a model: after a few random configurations, measures the one of which a model of the costs
-- (@{clue.tune.search.surrogate}) promises most. Candidates are random configurations and the neighbours of each new
-- best one. A long search ends with iterated local search.
-- @module clue.tune.search.strategy.surrogate
local strategies = require "clue.tune.search.strategies"
local surrogate = require "clue.tune.search.surrogate"

local first = 10          -- random configurations before the model is used
local candidates = 3000   -- random ones; in larger spaces the neighbours reach the rest
local last = 400          -- evaluations with the model, whose work grows with their third power
local often = 10          -- evaluations between two fits of the model's weights
local courage = 2         -- how much uncertainty counts, in standard deviations

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

local function promise(model, candidate)
  return candidate.mean + courage * model:deviation(candidate)
end

-- The candidate that promises most, of those that are left.
local function choose(model, pool, left)
  local best, most
  for _, candidate in ipairs(pool) do
    local value = (not left or left[candidate]) and promise(model, candidate)
    if value and (not most or value > most) then best, most = candidate, value end
  end
  return best
end

-- A function that lists what will be chosen next if the measurements are as predicted.
local function following(model, pool, chosen)
  return function(most)
    local list, left = {}, {}
    for _, candidate in ipairs(pool) do left[candidate] = true end
    for i = 1, most do
      left[chosen] = nil
      model:assume(pool, chosen)
      chosen = choose(model, pool, left)
      if not chosen then break end
      list[i] = chosen.index
    end
    return list
  end
end

return function(search)
  local model, known = surrogate.new(search.space), nil
  local function measure(index)
    if not search.costs[index] then table.insert(model.measured, index) end
    search:cost(index)
  end
  for i, index in ipairs(search.told) do model.measured[i] = index end
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
    model:predict(pool)
    local chosen = choose(model, pool)
    if not chosen then return end
    search.ahead = following(model, pool, chosen)
    measure(chosen.index)
  end
  strategies.iterate(search)
end
