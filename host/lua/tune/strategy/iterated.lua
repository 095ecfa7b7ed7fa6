--- A quarter of the budget is random, the rest iterated local search from the best configuration.
-- @module clue.tune.strategy.iterated
local descent = require "clue.tune.strategy.descent"

return function(search)
  search:some(math.ceil(search.budget / 4))
  descent.iterate(search)
end
