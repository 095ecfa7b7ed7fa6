-- The linter of Lua style (tests/lint/style.lua), on small files.
-- suite: quick

local support = require "tests.spec.support"

-- The numbers of the lines in which it finds faults, as one text: "1 3".
local function found(text)
  local status, out = support.run {"tests/lint/style.lua", support.write(text)}
  local lines = {}
  for line in out:gmatch ":(%d+): a blank" do lines[#lines + 1] = line end
  assert.equal(#lines == 0 and 0 or 1, status)
  return table.concat(lines, " ")
end

describe("the linter of Lua style", function()
  it("finds blanks within the braces of a table constructor", function()
    assert.equal("1 2 3 4", found "a = { 1}\nb = {1 }\nc = {\t-1}\nd = { }\n")
  end)

  it("accepts braces at the end and at the beginning of lines", function()
    assert.equal("", found "a = {\n  1,\n  {2}, {},\n}\n")
  end)

  it("accepts a comment after a brace", function()
    assert.equal("", found "a = { -- why\n  1,\n}\n")
  end)

  it("ignores strings and comments", function()
    assert.equal("", found [==[a = {"{ 1 }", '\'{ 2 }', [[
{ 3 }]]} -- { 4 }
--[=[ { 5 }
{ 6 } ]=] b = {}
]==])
  end)

  it("counts the lines of what it ignores", function()
    assert.equal("4", found "a = [[\n{ 1 }\n]]\nb = { 2}\n")
  end)
end)
