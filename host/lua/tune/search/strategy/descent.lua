--- Local search, which several strategies use.
-- @module clue.tune.search.strategy.descent
local descent = {}

--- Goes to a better neighbour until there is none. Neighbours differ in one parameter; they are tried in random order,
-- and the first better one is taken.
-- @tparam Search search
-- @tparam int index where to begin
-- @treturn int a configuration without better neighbours
-- @treturn number its cost
function descent.down(search, index)
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
function descent.iterate(search)
  local at, cost = descent.down(search, search.best or search:any())
  while true do
    local other, other_cost = descent.down(search, shaken(search, at))
    if other_cost <= cost then at, cost = other, other_cost end
  end
end

return descent
