--- The shorter strategies of a search, each a function of the search; see @{clue.tune.search}. strategy/ has the longer
-- ones.
-- @module clue.tune.search.strategies
local strategies = {}

--- All configurations in the order of the space.
-- @tparam Search search
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
-- @tparam Search search
function strategies.iterate(search)
  local at, cost = descend(search, search.best or search:any())
  while true do
    local other, other_cost = descend(search, shaken(search, at))
    if other_cost <= cost then at, cost = other, other_cost end
  end
end

--- Greedy: descends from a random configuration, and restarts from another one.
-- @tparam Search search
function strategies.greedy(search)
  while true do descend(search, search:any()) end
end

--- A quarter of the budget is random, the rest iterated local search from the best configuration.
-- @tparam Search search
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
-- @tparam Search search
function strategies.annealing(search)
  while true do cool_down(search, math.max(10, search.budget)) end
end

return strategies
