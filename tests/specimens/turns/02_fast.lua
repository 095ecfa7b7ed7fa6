-- A step that sleeps for 8 ms.
local binding = require "clue.binding"
local walk = require "clue.walk"

input.int("_repeat", 0, "measured runs")

local row = {number = 2, name = "fast", problem = "sleeping"}

function OnStart()
  local parts = {flops = 1e6, repeats = _repeat > 0 and _repeat or nil}
  function parts.execute() binding.sleep(0.008) end
  row.check = {verified = true, text = "it sleeps"}
  row.times = walk.run(parts)
  walk.report(row)
end
