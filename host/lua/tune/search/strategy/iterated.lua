--- A quarter of the budget is random, the rest iterated local search from the best configuration.
-- @module clue.tune.search.strategy.iterated
local descent = require "clue.tune.search.strategy.descent"

return function(search)
  search:some(math.ceil(search.budget / 4))
  descent.iterate(search)
end
