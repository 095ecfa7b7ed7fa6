-- A step that sleeps for 24 ms.
local binding = require "clue.binding"
local walk = require "clue.walk"

input.int("_repeat", 0, "measured runs")

local row = {number = 1, name = "slow", problem = "sleeping"}

function OnStart()
  local parts = {flops = 1e6, repeats = _repeat > 0 and _repeat or nil}
  function parts.execute() binding.sleep(0.024) end
  row.check = {verified = true, text = "it sleeps"}
  row.times = walk.run(parts)
  walk.report(row)
end
