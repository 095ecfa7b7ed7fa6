--- Measures configurations in a random order.
-- @module clue.tune.strategy.random

-- The search itself proposes random configurations once a strategy has ended.
return function() end
