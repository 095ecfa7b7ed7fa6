--- Measures configurations in a random order.
-- @module clue.tune.search.strategy.random

-- The search itself proposes random configurations once a strategy has ended.
return function() end
