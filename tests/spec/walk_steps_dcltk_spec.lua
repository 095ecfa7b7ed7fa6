-- The steps of dcltk as walk_steps.lua says: right, counted, free of races, and planted faults are found.
-- suite: whole
-- cost: 40
require "walk_steps_run" "dcltk"
