--- A genetic algorithm: the best configurations of a generation are mixed parameter by parameter, and some parameters
-- of the children change at random.
-- @module clue.tune.search.strategy.genetic

local size = 20 -- of the population

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
  local a, b = space.keys[first], space.keys[second]
  for _ = 1, 20 do
    local key = 0
    for p, values in ipairs(space.values) do
      local digit = space:digit(dice:number() < 0.5 and a or b, p)
      if dice:number() < 1 / #space.values then digit = dice:below(#values) - 1 end
      key = key + digit * space.strides[p]
    end
    if space.indices[key] then return space.indices[key] end
  end
  local neighbours = space:hamming(first)
  return neighbours[1] and dice:pick(neighbours) or search:any()
end

return function(search)
  local population = search:some(size)
  while true do
    rank(search, population)
    local next_one = {population[1], population[2]}
    while #next_one < size do
      next_one[#next_one + 1] = child(search, parent(search, population), parent(search, population))
    end
    search.ahead = next_one
    for _, index in ipairs(next_one) do search:cost(index) end
    population = next_one
  end
end
