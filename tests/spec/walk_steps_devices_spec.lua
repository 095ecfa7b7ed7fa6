-- The steps of devices as walk_steps.lua says: right, counted, free of races, and planted faults are found.
-- suite: whole
-- cost: 25
require "walk_steps_run" "devices"
