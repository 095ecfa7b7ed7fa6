-- Lines of an error, fitted to a width.
-- suite: quick
-- process: shared
local log_lines = require "clue.shared.log_lines"
local tables = require "clue.table"

-- A source line of so many characters with "oops" at a column, and its caret.
local function pair(length, column, letter)
  return ((letter or "x"):rep(column - 1) .. "oops" .. (letter or "x"):rep(length - column - 3)),
    (" "):rep(column - 1) .. "^"
end

-- What stands above the caret.
local function pointed_at(lines)
  local before = #lines[2]:match "^(.-)%^"
  return (lines[1]:gsub("…", "."):gsub("ä", "x")):sub(before + 1, before + 4)
end

describe("a source line above a caret", function()
  it("is shortened around the caret's column if it is longer than the width", function()
    for _, column in ipairs {1, 2, 20, 30, 31, 100, 180, 197} do
      local source, caret = pair(200, column)
      local lines = log_lines.fitted({source, caret}, 40)
      assert.equal(2, #lines)
      assert.equal("oops", pointed_at(lines):gsub("%.$", "s"):gsub("^%.", "o"), column)
      assert.is_true(tables.width(lines) <= 40, column)
      assert.equal(column > 28, lines[1]:find "^…" ~= nil, column)
      assert.equal(column < 185, lines[1]:find "…$" ~= nil, column)
    end
  end)

  it("is left as it is if it fits", function()
    local source, caret = pair(40, 30)
    assert.same({source, caret}, log_lines.fitted({source, caret}, 40))
    assert.same({"| " .. source, "| " .. caret}, log_lines.fitted({source, caret}, 42, "| "))
  end)

  it("may have tabs, letters of several bytes and marks around the caret", function()
    local source, caret = pair(100, 60, "ä")
    local lines = log_lines.fitted({source, caret .. "~~~"}, 40)
    assert.equal("oops", pointed_at(lines))
    assert.matches("^ +%^~~~$", lines[2])
    lines = log_lines.fitted({"\t\t" .. source, "\t\t" .. caret}, 40)
    assert.equal("oops", pointed_at(lines))
  end)

  it("is shortened with room for the prefix of each line", function()
    local source, caret = pair(200, 150)
    local lines = log_lines.fitted({source, caret}, 40, "  | ")
    assert.is_true(tables.width(lines) <= 40)
    assert.equal("oops", pointed_at(lines))
    assert.matches("^  | …", lines[1])
    assert.matches("^  |  +%^$", lines[2])
  end)
end)

describe("other lines of an error", function()
  it("are wrapped, keep their indentation, and have the prefix on each part", function()
    assert.same({"| one two", "|   three", "|   four"}, log_lines.fitted({"one two", "  three four"}, 9, "| "))
    assert.same({"a   b", ""}, log_lines.fitted({"a   b", ""}, 9))
  end)
end)
