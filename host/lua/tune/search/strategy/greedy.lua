--- Greedy local search: descends from a random configuration, and restarts from another one.
-- @module clue.tune.search.strategy.greedy
local descent = require "clue.tune.search.strategy.descent"

return function(search)
  while true do descent.down(search, search:any()) end
end
