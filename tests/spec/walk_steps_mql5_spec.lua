-- The steps of mql5 as walk_steps.lua says: right, counted, free of races, and planted faults are found.
-- suite: whole
-- cost: 55
require "walk_steps_run" "mql5"
