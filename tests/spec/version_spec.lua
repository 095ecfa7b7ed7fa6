-- `clue version`.
-- suite: quick
local support = require "support"

describe("clue version", function()
  it("prints what clue --version prints", function()
    local out = support.ended(0, support.run "version")
    assert.equal((select(2, support.run "--version")), out)
  end)
end)
