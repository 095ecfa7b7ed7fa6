--- The strategies of a search, each a function of the search; see @{clue.tune.search}. The one that needs a model of
-- the costs is in clue.tune.search.surrogate.
-- Parameters with one meaning everywhere: search, the Search that asks.
local strategies = {}

--- All configurations in the order of the space.
function strategies.exhaustive(search)
  for index = 1, search.space.count do
    search.ahead = {}
    for next_one = index + 1, math.min(index + 32, search.space.count) do table.insert(search.ahead, next_one) end
    search:cost(index)
  end
end

--- A random order: the search itself proposes random configurations once a strategy has ended.
function strategies.random() end

-- ---- local search ----

-- Goes to a better neighbour until there is none. Neighbours differ in one parameter; they are tried in random order,
-- and the first better one is taken.
local function descend(search, index)
  local cost, better = search:cost(index), true
  while better do
    better = false
    local neighbours = search.dice:shuffle(search.space:hamming(index))
    search.ahead = neighbours
    for _, neighbour in ipairs(neighbours) do
      local other = search:cost(neighbour)
      if other < cost then
        index, cost, better = neighbour, other, true
        break
      end
    end
  end
  return index, cost
end

-- Two to four random steps away from a configuration.
local function shaken(search, index)
  for _ = 1, 1 + search.dice:below(3) do
    local neighbours = search.space:hamming(index)
    if not neighbours[1] then return search:any() end
    index = search.dice:pick(neighbours)
  end
  return index
end

--- Iterated local search: descends from the best configuration so far, changes a few parameters of the result,
-- descends again, and goes on from the better of the two. Never ends.
function strategies.iterate(search)
  local at, cost = descend(search, search.best or search:any())
  while true do
    local other, other_cost = descend(search, shaken(search, at))
    if other_cost <= cost then at, cost = other, other_cost end
  end
end

--- Greedy: descends from a random configuration, and restarts from another one.
function strategies.greedy(search)
  while true do descend(search, search:any()) end
end

--- A quarter of the budget is random, the rest iterated local search from the best configuration.
function strategies.iterated(search)
  search:some(math.ceil(search.budget / 4))
  strategies.iterate(search)
end

-- ---- simulated annealing ----

local hot, cold = 0.5, 0.001 -- a temperature of 0.5 takes a cost 50 % higher with a probability of 1 / e

-- Whether to go from one cost to another.
local function accepts(search, from, to, temperature)
  if to <= from then return true end
  if to == math.huge then return false end
  return search.dice:number() < math.exp((1 - to / from) / temperature)
end

local function cool_down(search, steps)
  local at = search:any()
  local cost, factor = search:cost(at), (cold / hot) ^ (1 / steps)
  for step = 1, steps do
    local neighbours = search.space:hamming(at)
    if not neighbours[1] then return end
    local next_one = search.dice:pick(neighbours)
    local next_cost = search:cost(next_one)
    if accepts(search, cost, next_cost, hot * factor ^ step) then at, cost = next_one, next_cost end
  end
end

--- Simulated annealing: goes to a random neighbour if it is better, and to a worse one with a probability that falls
-- with the difference and with time. When it has cooled down, it starts again from a random configuration.
function strategies.annealing(search)
  while true do cool_down(search, math.max(10, search.budget)) end
end

-- ---- a genetic algorithm ----

local population_size = 20

-- Sorts by cost. Equal costs are sorted by index: table.sort gives no order of its own.
local function rank(search, population)
  table.sort(population, function(a, b)
    local first, second = search.costs[a], search.costs[b]
    if first == second then return a < b end
    return first < second
  end)
end

-- One of a ranked population; better ones more often.
local function parent(search, population)
  return population[math.min(search.dice:below(#population), search.dice:below(#population))]
end

-- A valid mixture of two configurations, changed with the probability of one parameter a child.
local function child(search, first, second)
  local space, dice = search.space, search.dice
  local a, b = space:key_of(first), space:key_of(second)
  for _ = 1, 20 do
    local key = 0
    for p, values in ipairs(space.values) do
      local digit = space:digit(dice:number() < 0.5 and a or b, p)
      if dice:number() < 1 / #space.values then digit = dice:below(#values) - 1 end
      key = key + digit * space.strides[p]
    end
    local index = space:number(key)
    if index then return index end
  end
  local neighbours = space:hamming(first)
  return neighbours[1] and dice:pick(neighbours) or search:any()
end

--- A genetic algorithm: the best configurations of a generation are mixed parameter by parameter, and some parameters
-- of the children change at random.
function strategies.genetic(search)
  local population = search:some(population_size)
  while true do
    rank(search, population)
    local next_one = {population[1], population[2]}
    while #next_one < population_size do
      next_one[#next_one + 1] = child(search, parent(search, population), parent(search, population))
    end
    search.ahead = next_one
    for _, index in ipairs(next_one) do search:cost(index) end
    population = next_one
  end
end

return strategies
