-- What clue's programs do with all things of a list.
-- suite: quick
-- process: shared
local lists = require "clue.shared.list"

describe("the things of a list", function()
  local words = {"bb", "a", "cc", "d"}

  it("are found by a field, or by what a function makes of them; the last one of a key", function()
    local one, two = {number = 1}, {number = 2}
    assert.same({[1] = one, [2] = two}, lists.by({one, two}, "number"))
    assert.same({[1] = "d", [2] = "cc"}, lists.by(words, string.len))
  end)

  it("are added up, and what a function gives nothing for is none", function()
    assert.equal(6, lists.sum(words, string.len))
    assert.equal(4, lists.sum(words, function(word) return #word > 1 and #word end))
    assert.equal(0, lists.sum({}, string.len))
  end)

  it("have a best one, the first of those that are as good", function()
    assert.same({"bb", 2}, {lists.best(words, string.len)})
    assert.same({"a", -1}, {lists.best(words, function(word) return -#word end)})
    assert.same({"d", 1}, {lists.best(words, function(word) return word > "cc" and #word end)})
  end)

  it("have no best one where a function gives nothing, and the most is 0", function()
    local best, most = lists.best(words, function() return nil end)
    assert.is_nil(best)
    assert.equal(0, most)
  end)
end)
