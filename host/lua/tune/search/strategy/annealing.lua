--- Simulated annealing: goes to a random neighbour if it is better, and to a worse one with a probability that falls
-- with the difference and with time. When it has cooled down, it starts again from a random configuration.
-- @module clue.tune.search.strategy.annealing

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

return function(search)
  while true do cool_down(search, math.max(10, search.budget)) end
end
