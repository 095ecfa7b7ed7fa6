-- Lines of an error, fitted to a width.
-- suite: quick
-- process: shared
local log_excerpt = require "clue.log_excerpt"
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

it("other lines of an error are wrapped, keep their indentation, and have the prefix on each part", function()
  assert.same({"| one two", "|   three", "|   four"}, log_lines.fitted({"one two", "  three four"}, 9, "| "))
  assert.same({"a   b", ""}, log_lines.fitted({"a   b", ""}, 9))
end)

describe("what is shown of a compiler's log", function()
  local function shown(lines)
    return log_excerpt.lines(lines, "problem.log")
  end

  local function message(line, text, kind)
    return ("k.cl:%d:3: %s: %s"):format(line, kind or "error", text)
  end

  it("has equal messages once, with the lines of the others", function()
    local lines, source = {}, {"    x = WIDTH;", "        ^"}
    for i = 1, 36 do
      lines[#lines + 1], lines[#lines + 2], lines[#lines + 3] = message(i, "no 'WIDTH'"), source[1], source[2]
    end
    lines[#lines + 1] = message(50, "no 'HEIGHT'")
    assert.same({message(1, "no 'WIDTH'"), source[1], source[2], "  and 35 more like it: lines 2, 3, 4, 5, 6, ...",
      message(50, "no 'HEIGHT'")}, shown(lines))
    assert.same({message(1, "no 'A'"), "  and 1 more like it: line 2"},
      shown {message(1, "no 'A'"), message(2, "no 'A'")})
    assert.same({message(1, "no 'A'"), "  and 1 more like it: line a.h:7"},
      shown {message(1, "no 'A'"), "In file included from k.cl:1:", "a.h:7:1: error: no 'A'"})
  end)

  it("has the first twenty messages, errors before warnings", function()
    local lines = {}
    for i = 1, 30 do lines[i] = message(i, "odd " .. i, "warning") end
    for i = 31, 60 do lines[i] = message(i, "wrong " .. i) end
    lines[61] = "2 errors generated."
    local kept = shown(lines)
    assert.equal(21, #kept)
    assert.same({message(31, "wrong 31"), message(50, "wrong 50"), "(41 more; problem.log has all of them)"},
      {kept[1], kept[20], kept[21]})
  end)

  it("keeps notes, and headers that lead to a message, with the message", function()
    local lines = {"In file included from k.cl:1:", "a.h:2:1: error: no", "code", "  ^", message(3, "declared", "note"),
                   "Device x failed"}
    assert.same(lines, shown(lines))
  end)

  it("is around the caret of a long source line, and the text is never longer than the log", function()
    local source, caret = pair(500000, 440040)
    local kept = shown {message(1, "no 'oops'"), source, caret}
    assert.equal("oops", pointed_at {kept[2], kept[3]})
    assert.is_true(tables.width(kept) <= 160)
    assert.equal("a\n\n", log_excerpt.text("a\n\n", "problem.log"))
    assert.equal("", log_excerpt.text("", "problem.log"))
  end)
end)
