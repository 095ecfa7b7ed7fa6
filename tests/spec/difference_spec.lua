-- The line difference that `clue walk --diff` and the report show.
-- suite: quick
-- process: shared
local difference = require "clue.show.walk.difference"

-- The difference as one text: "=a -b +c".
local function told(before, after)
  local words = {}
  for i, line in ipairs(difference.lines(before, after)) do words[i] = line[1] .. line[2] end
  return table.concat(words, " ")
end

-- Rebuilds one of the two texts from a difference.
local function side(lines, own)
  local text = {}
  for _, line in ipairs(lines) do
    if line[1] == "=" or line[1] == own then text[#text + 1] = line[2] end
  end
  return table.concat(text, "\n")
end

local function lines_text(letters)
  return (letters:gsub("(.)", "%1\n"))
end

describe("the difference of two texts", function()
  it("keeps common lines, in order", function()
    assert.equal("=a -b +x =c", told("a\nb\nc\n", "a\nx\nc\n"))
    assert.equal("=a =b", told("a\nb", "a\nb\n"))
    assert.equal("-a -b +c +d", told("a\nb\n", "c\nd\n"))
    assert.equal("=a +b =a", told("a\na\n", "a\nb\na\n"))
  end)

  it("treats an empty text as no lines, and an empty line as a line", function()
    assert.equal("", told("", ""))
    assert.equal("+a +b", told("", "a\nb\n"))
    assert.equal("-a", told("a\n", ""))
    assert.equal("=a + =b", told("a\nb\n", "a\n\nb\n"))
    assert.equal("=", told("\n", "\n"))
  end)

  it("ignores the kind of line end", function()
    assert.equal("=a =b", told("a\r\nb\r\n", "a\nb\n"))
  end)

  it("finds the fewest changes", function()
    local before, after = "ABCABBA", "CBABAC" -- Myers' example: five changes
    local changes = 0
    for _, line in ipairs(difference.lines(lines_text(before), lines_text(after))) do
      if line[1] ~= "=" then changes = changes + 1 end
    end
    assert.equal(5, changes)
  end)

  it("contains both texts, whatever they are", function()
    local seed = 1
    local function random(most)
      seed = (seed * 16807) % 2147483647
      return seed % most
    end
    for _ = 1, 200 do
      local texts = {}
      for t = 1, 2 do
        local lines = {}
        for i = 1, random(12) do lines[i] = ("abcd"):sub(1 + random(4)):sub(1, 1) end
        texts[t] = table.concat(lines, "\n")
      end
      local lines = difference.lines(texts[1], texts[2])
      assert.equal(texts[1], side(lines, "-"))
      assert.equal(texts[2], side(lines, "+"))
    end
  end)

  it("treats texts that differ in too many lines as wholly different, but loses none", function()
    local before, after = {"head"}, {"head"}
    for i = 2, 3001 do before[i], after[i] = "b" .. i % 7, "b" .. i % 5 end
    before, after = table.concat(before, "\n"), table.concat(after, "\n")
    local lines = difference.lines(before, after)
    assert.same({"=", "head"}, lines[1])
    assert.equal(before, side(lines, "-"))
    assert.equal(after, side(lines, "+"))
  end)

  it("folds lines that are far from a change", function()
    local lines = difference.lines(lines_text "abcdefghij", lines_text "abcdeXghij")
    local words = {}
    for i, line in ipairs(difference.fold(lines, 2)) do words[i] = line[1] .. line[2] end
    assert.equal("…3 =d =e -f +X =g =h …2", table.concat(words, " "))
    assert.same({}, difference.fold(difference.lines("a\nb", "a\nb")))
  end)
end)
