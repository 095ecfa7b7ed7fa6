-- Faults and races that are planted in the steps of amd (walk_steps.lua) are found.
-- suite: whole
-- cost: 35
require "walk_steps_run" ("amd", "planted")
