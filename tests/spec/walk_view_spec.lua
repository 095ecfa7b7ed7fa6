-- What `clue walk` prints: the verdict, the table, the chart, the notes; in a terminal of any width.
local figures = require "clue.shared.figures"

describe("a figure of a source", function()
  it("has the digits that the source prints", function()
    for text, value in pairs {["0.028"] = 0.028, ["3"] = 3, ["12.729"] = 12.729, ["1.18"] = 1.18, ["5160"] = 5160} do
      assert.equal(text, figures.published(value))
    end
    assert.is_nil(figures.published(nil))
  end)
end)
