-- The steps of reduce as walk_steps.lua says: right, counted, free of races, and planted faults are found.
-- suite: whole
-- cost: 30
require "walk_steps_run" "reduce"
