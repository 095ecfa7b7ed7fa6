-- A step that never ends. It sleeps, and leaves the processors to others.
local product = require "clue.walk.product"

product.inputs(input, "16")

function OnStart()
  while true do Sleep(1000) end
end
