--- A model of costs: predicts the performance of configurations from those that were measured.
--
-- It is a Gaussian process. Performance is the lowest cost divided by the cost, so it is 1 for the best, and 0 for a
-- failure. Two configurations are the more alike, the fewer parameters differ, and the closer the values of these are:
-- their correlation is exp(-sum over parameters of weight * distance). The weights are those with which the measured
-- values are most likely.
-- @module clue.tune.search.surrogate
local strategies = require "clue.tune.search.strategies"

local Surrogate = {}
Surrogate.__index = Surrogate

local surrogate = {}

local noise = 1e-3       -- of the variance: no value is reached exactly
local least_variance = 1e-6 -- if all values are equal
local least_step = 0.5   -- the distance of neighbouring values, of 1 for the first and last value
local fitted = 100       -- the most values to fit weights to: the work grows with their third power

--- Makes a model that knows nothing yet.
-- @tparam Space space
-- @treturn Surrogate with measured = {index, ...}
function surrogate.new(space)
  local self = setmetatable({space = space, measured = {}, digits = {}, weights = {}}, Surrogate)
  for p in ipairs(space.names) do self.weights[p] = 1 end
  return self
end

-- ---- likeness ----

-- The numbers of a configuration's values.
local function digits_of(self, index)
  local digits = self.digits[index]
  if digits then return digits end
  local key = self.space:key_of(index)
  digits = {}
  for p = 1, #self.weights do digits[p] = self.space:digit(key, p) end
  self.digits[index] = digits
  return digits
end

-- For each parameter, the weighted distance of two values by the difference of their numbers.
local function distances(self)
  local all = {}
  for p, values in ipairs(self.space.values) do
    all[p] = {[0] = 0}
    for difference = 1, #values - 1 do
      local far = #values > 2 and (difference - 1) / (#values - 2) or 1
      all[p][difference] = self.weights[p] * (least_step + (1 - least_step) * far)
    end
  end
  return all
end

local function correlation(by_difference, a, b)
  local sum = 0
  for p = 1, #a do sum = sum + by_difference[p][math.abs(a[p] - b[p])] end
  return math.exp(-sum)
end

-- ---- linear algebra ----

-- The Cholesky factor of the correlations between configurations, by rows, and the logarithm of its determinant.
local function factor(self, list)
  local by_difference, rows, log = distances(self), {}, 0
  for i, index in ipairs(list) do
    local a, row = digits_of(self, index), {}
    for j = 1, i do
      local other = rows[j] or row
      local sum = j == i and 1 + noise or correlation(by_difference, a, digits_of(self, list[j]))
      for k = 1, j - 1 do sum = sum - row[k] * other[k] end
      row[j] = j == i and math.sqrt(sum) or sum / other[j]
    end
    rows[i], log = row, log + math.log(row[i])
  end
  return rows, log
end

-- Solves (rows * x = values), from the first row on.
local function solve_down(rows, values)
  local x = {}
  for i, row in ipairs(rows) do
    local sum = values[i]
    for k = 1, i - 1 do sum = sum - row[k] * x[k] end
    x[i] = sum / row[i]
  end
  return x
end

-- Solves (transposed rows * x = values), from the last row on.
local function solve_up(rows, values)
  local x = {}
  for i = #rows, 1, -1 do
    local sum = values[i]
    for k = i + 1, #rows do sum = sum - rows[k][i] * x[k] end
    x[i] = sum / rows[i][i]
  end
  return x
end

local function squares(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + value * value end
  return sum
end

-- ---- weights ----

-- The larger, the more likely are the values: the logarithm of their likelihood with the best variance. Small weights
-- and large ones are slightly less likely from the start.
local function likelihood(self, list, values)
  local rows, log = factor(self, list)
  local prior = 0
  for _, weight in ipairs(self.weights) do prior = prior + math.log(weight) ^ 2 end
  return -#list / 2 * math.log(squares(solve_down(rows, values)) / #list + 1e-12) - log - prior / 8
end

--- Fits the weights of the parameters to what was measured: tries to change each of them.
-- @tparam {number,...} values the performance of each measured configuration, minus the mean
function Surrogate:fit(values)
  local list, part = {}, {}
  for i = math.max(1, #self.measured - fitted + 1), #self.measured do
    list[#list + 1], part[#part + 1] = self.measured[i], values[i]
  end
  local best = likelihood(self, list, part)
  for p, weight in ipairs(self.weights) do
    local chosen = weight
    for _, change in ipairs {2, 0.5} do
      self.weights[p] = weight * change
      local other = likelihood(self, list, part)
      if other > best then best, chosen = other, self.weights[p] end
    end
    self.weights[p] = chosen
  end
  self.changed = true
end

-- ---- predictions ----

--- Prepares predictions.
-- @tparam {number,...} values as for @{fit}
function Surrogate:learn(values)
  local rows = factor(self, self.measured)
  local down = solve_down(rows, values)
  self.factors, self.variance = solve_up(rows, down), math.max(squares(down) / #values, least_variance)
end

--- Predicts for many configurations.
-- @tparam {table,...} pool candidates with index; the model keeps likeness in them, so pass the same tables again. Each
--   gets mean, the predicted value; likeness, to the most similar measured configuration
function Surrogate:predict(pool)
  local by_difference, measured, factors = distances(self), self.measured, self.factors
  for _, candidate in ipairs(pool) do
    if self.changed or not candidate.alike then candidate.alike = {} end
    local alike, digits = candidate.alike, digits_of(self, candidate.index)
    for i = #alike + 1, #measured do
      alike[i] = correlation(by_difference, digits, digits_of(self, measured[i]))
    end
    local mean, most = 0, 0
    for i = 1, #measured do
      local likeness = alike[i]
      mean = mean + likeness * factors[i]
      if likeness > most then most = likeness end
    end
    candidate.mean, candidate.likeness = mean, most
  end
  self.changed = false
end

--- Takes it that a candidate is measured and has the predicted value. That changes no prediction, only how certain
-- those of similar candidates are.
-- @tparam {table,...} pool of @{predict}
-- @tparam table chosen one of them
function Surrogate:assume(pool, chosen)
  local by_difference, digits = distances(self), digits_of(self, chosen.index)
  for _, candidate in ipairs(pool) do
    candidate.likeness = math.max(candidate.likeness,
      correlation(by_difference, digits, digits_of(self, candidate.index)))
  end
end

--- The uncertainty of a prediction.
-- @tparam table candidate of @{predict}
-- @treturn number standard deviation
function Surrogate:deviation(candidate)
  return math.sqrt(self.variance * math.max(0, 1 - candidate.likeness * candidate.likeness))
end

-- ---- the search ----

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

--- A strategy: after a few random configurations, measures the one of which the model promises most. Candidates are
-- random configurations and the neighbours of each new best one. A long search ends with iterated local search.
-- @tparam Search search
function surrogate.strategy(search)
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

return surrogate
