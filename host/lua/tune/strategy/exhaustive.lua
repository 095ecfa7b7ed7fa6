--- Measures all configurations in the order of the space.
-- @module clue.tune.strategy.exhaustive

return function(search)
  for index = 1, search.space.count do search:cost(index) end
end
