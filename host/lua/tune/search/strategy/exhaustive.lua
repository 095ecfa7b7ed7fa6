--- Measures all configurations in the order of the space.
-- @module clue.tune.search.strategy.exhaustive

return function(search)
  for index = 1, search.space.count do
    search.ahead = {}
    for next_one = index + 1, math.min(index + 32, search.space.count) do table.insert(search.ahead, next_one) end
    search:cost(index)
  end
end
