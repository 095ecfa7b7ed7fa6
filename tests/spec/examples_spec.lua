-- The examples run as they stand, and the README shows the first one as it is.
local support = require "support"

describe("scripts/examples/hello.lua", function()
  local path = "scripts/examples/hello.lua"

  it("squares its numbers and frees everything", function()
    local status, out, err = support.run {"--strict", path}
    assert.equal(0, status, err)
    assert.equal("1 4 9 16 25\n", (out:gsub("%.0", ""))) -- Lua 5.4 shows that they are floats
    assert.is_nil(err:find("never freed", 1, true))
  end)

  it("stands in the README, line for line", function()
    local readme = support.read "README.md"
    for line in support.read(path):gmatch "[^\n]+" do
      local shown = not line:find "^%-%-" and not line:find "^CLBufferFree"
      if shown then assert.truthy(readme:find("\n" .. line .. "\n", 1, true), line) end
    end
    assert.truthy(readme:find("\n1 4 9 16 25\n", 1, true))
  end)
end)
