-- `clue version`.
-- suite: quick
local support = require "support"

it("clue version prints what clue --version prints", function()
  local out = support.ended(0, support.run "version")
  assert.equal((select(2, support.run "--version")), out)
end)
