-- A step that sleeps for 8 ms, and is compared with step 1.
local binding = require "clue.binding"
local walk = require "clue.walk"

input.int("_repeat", 0, "measured runs")

local row = {number = 6, name = "over_the_slow", problem = "sleeping"}

function OnStart()
  local parts = {flops = 1e6, repeats = _repeat > 0 and _repeat or nil}
  function parts.execute() binding.sleep(0.008) end
  row.check = {verified = true, text = "it sleeps"}
  row.times = walk.run(parts)
  walk.report(row)
end
