-- A step that dies where it is run once more after it was measured.
local binding = require "clue.binding"
local walk = require "clue.walk"

input.int("_repeat", 0, "measured runs")

local row = {number = 4, name = "once_only", problem = "sleeping"}

function OnStart()
  local told = false
  local parts = {flops = 1e6, repeats = _repeat > 0 and _repeat or nil}
  function parts.execute()
    if told then os.exit(9, true) end
    binding.sleep(0.002)
  end
  row.check = {verified = true, text = "it sleeps"}
  row.times = walk.run(parts)
  told = true
  walk.report(row)
end
