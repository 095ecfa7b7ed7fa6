--- A model of costs: predicts the ranks of configurations from those that were measured.
--
-- It is a Gaussian process. The rank is nearly 1 for the best and nearly 0 for the worst of what was measured, as which
-- failures count. (Where most configurations are many times as slow as the best, performances say nothing about these:
-- nearly all are close to 0.) Two configurations are the more alike, the fewer parameters differ, and the closer the
-- values of these are: their correlation is exp(-sum over parameters of weight * distance). The weights are those with
-- which the measured values are most likely.
local strategies = require "clue.tune.search.strategies"

local Surrogate = {}
Surrogate.__index = Surrogate

local surrogate = {}

local noise = 1e-3       -- of the variance: no value is reached exactly
local least_variance = 1e-6 -- if all values are equal
local least_step = 0.5   -- the distance of neighbouring values, of 1 for the first and last value
local usual = 0.12       -- a weight before anything is known of its parameter
local fitted = 100       -- the most values to fit weights to: the work grows with their third power

--- Makes a model that knows nothing yet.
-- @tparam Space space
-- @treturn Surrogate with measured = {index, ...}
function surrogate.new(space)
  local self = setmetatable({space = space, measured = {}, digits = {}, weights = {}, rows = {}}, Surrogate)
  for p in ipairs(space.names) do self.weights[p] = usual end
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

-- For each parameter, what a difference of two values' numbers leaves of the correlation.
local function alikeness(self)
  local all = {}
  for p, values in ipairs(self.space.values) do
    all[p] = {[0] = 1}
    for difference = 1, #values - 1 do
      local far = #values > 2 and (difference - 1) / (#values - 2) or 1
      all[p][difference] = math.exp(-self.weights[p] * (least_step + (1 - least_step) * far))
    end
  end
  return all
end

local function correlation(by_difference, a, b)
  local product = 1
  for p = 1, #a do product = product * by_difference[p][math.abs(a[p] - b[p])] end
  return product
end

-- ---- linear algebra ----

-- Extends the Cholesky factor of the correlations between configurations by the rows that it lacks.
local function extend(self, rows, list)
  local by_difference = alikeness(self)
  for i = #rows + 1, #list do
    local a, row = digits_of(self, list[i]), {}
    for j = 1, i do
      local other = rows[j] or row
      local sum = j == i and 1 + noise or correlation(by_difference, a, digits_of(self, list[j]))
      for k = 1, j - 1 do sum = sum - row[k] * other[k] end
      row[j] = j == i and math.sqrt(sum) or sum / other[j]
    end
    rows[i] = row
  end
  return rows
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

local function squares(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + value * value end
  return sum
end

-- ---- weights ----

-- The larger, the more likely are the values: the logarithm of their likelihood with the best variance. Weights far
-- from the usual one are slightly less likely from the start.
local function likelihood(self, list, values)
  local rows, log, prior = extend(self, {}, list), 0, 0
  for i, row in ipairs(rows) do log = log + math.log(row[i]) end
  for _, weight in ipairs(self.weights) do prior = prior + math.log(weight / usual) ^ 2 end
  return -#list / 2 * math.log(squares(solve_down(rows, values)) / #list + 1e-12) - log - prior / 8
end

--- Fits the weights of the parameters to what was measured: tries to change each of them.
-- @tparam {number,...} values the rank of each measured configuration, minus the mean
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
  self.rows = {}
end

-- ---- predictions ----

--- Prepares predictions.
-- @tparam {number,...} values as for @{fit}
function Surrogate:learn(values)
  extend(self, self.rows, self.measured)
  self.down = solve_down(self.rows, values)
  self.variance = math.max(squares(self.down) / #values, least_variance)
end

-- Takes one more measured configuration into account, if its row of the factor is known.
local function add_to(candidate, row, likeness)
  local known = candidate.known
  for k = 1, #known do likeness = likeness - row[k] * known[k] end
  likeness = likeness / row[#known + 1]
  known[#known + 1], candidate.certain = likeness, candidate.certain + likeness * likeness
end

--- Predicts for many configurations.
-- @tparam {table,...} pool candidates with index; the model keeps in them what it computed with the same weights, so
--   pass the same tables again. Each gets mean, the predicted value, and certain, from 0 to 1
function Surrogate:predict(pool)
  local by_difference, rows, down = alikeness(self), self.rows, self.down
  for _, candidate in ipairs(pool) do
    if candidate.rows ~= rows then candidate.rows, candidate.known, candidate.certain = rows, {}, 0 end
    local known, digits = candidate.known, digits_of(self, candidate.index)
    for i = #known + 1, #rows do
      add_to(candidate, rows[i], correlation(by_difference, digits, digits_of(self, self.measured[i])))
    end
    local mean = 0
    for i = 1, #rows do mean = mean + known[i] * down[i] end
    candidate.mean = mean
  end
end

--- Takes it that a candidate is measured and has the predicted value. That changes no prediction, only how certain
-- those of similar candidates are, until @{forget}.
-- @tparam {table,...} pool of @{predict}
-- @tparam table chosen one of them
function Surrogate:assume(pool, chosen)
  local by_difference, digits, row = alikeness(self), digits_of(self, chosen.index), {}
  for k, value in ipairs(chosen.known) do row[k] = value end
  row[#row + 1] = math.sqrt(math.max(1 + noise - chosen.certain, noise))
  for _, candidate in ipairs(pool) do
    add_to(candidate, row, correlation(by_difference, digits, digits_of(self, candidate.index)))
  end
end

--- Takes back what was assumed.
-- @tparam {table,...} pool of @{predict}
function Surrogate:forget(pool)
  for _, candidate in ipairs(pool) do
    local known = candidate.known
    for k = #known, #self.rows + 1, -1 do known[k] = nil end
    candidate.certain = squares(known)
  end
end

--- The uncertainty of a prediction.
-- @tparam table candidate of @{predict}
-- @treturn number standard deviation
function Surrogate:deviation(candidate)
  return math.sqrt(self.variance * math.max(0, 1 - candidate.certain))
end

-- ---- the search ----

local first = 5           -- random configurations before the model is used
local candidates = 1000   -- random ones; in larger spaces the neighbours reach the rest
local last = 400          -- evaluations with the model, whose work grows with their third power
local enough = 20         -- evaluations before the model's weights are fitted: few values fit anything
local often, part = 10, 0.2 -- and between two fits: so many, and so large a part of those before
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

-- The rank of what is measured, minus the mean. Equal costs have the mean of their ranks.
local function values_of(search, measured)
  local costs, order, values = {}, {}, {}
  for i, index in ipairs(measured) do costs[i], order[i] = search.costs[index], i end
  table.sort(order, function(a, b) return costs[a] < costs[b] end)
  local from = 1
  for at, i in ipairs(order) do
    if costs[order[at + 1]] ~= costs[i] then
      for k = from, at do values[order[k]] = 0.5 - ((from + at) / 2 - 0.5) / #order end
      from = at + 1
    end
  end
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
    model:forget(pool)
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
  local pool, next_fit = new_pool(search), enough
  while search.count < last do
    clean(search, pool)
    if search.best and search.best ~= known then
      known = search.best
      for _, index in ipairs(search.space:hamming(known)) do add(search, pool, index) end
    end
    local values = values_of(search, model.measured)
    if #values >= next_fit then
      model:fit(values)
      next_fit = #values + math.max(often, math.floor(#values * part))
    end
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
