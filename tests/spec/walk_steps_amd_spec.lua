-- The steps of amd as walk_steps.lua says: right, counted and free of races.
-- suite: whole
-- cost: 60
local run = require "walk_steps_run"

run("amd", "simulated")
run("amd", "verified")
