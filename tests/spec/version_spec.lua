-- `clue version`.
-- suite: quick
local support = require "support"

describe("clue version", function()
  it("prints what clue --version prints", function()
    local status, out = support.run "version"
    assert.equal(0, status)
    assert.equal((select(2, support.run "--version")), out)
  end)
end)
