-- `clue walk --all`: every step of every walkthrough at a small size, in every interpreter and build.
local walk_support = require "walk_support"

describe("clue walk --all", function()
  it("verifies every step of every walkthrough", function()
    -- Over a hundred steps, each of which compiles: most of the test's own time limit.
    local status, out, err, document = walk_support.walk({"--all", "--size", "33", "--repeat", "1", "--device", "cpu"},
      nil, 570)
    assert.equal(0, status, out .. err)
    local names, steps = {}, 0
    for i, walkthrough in ipairs(document.walkthroughs) do
      names[i] = walkthrough.name
      steps = steps + #walkthrough.runs[1].rows
      assert.equal(#walkthrough.steps, #walkthrough.runs[1].rows, walkthrough.name)
      for _, row in ipairs(walkthrough.runs[1].rows) do
        local place = ("%s %s %s"):format(walkthrough.name, row.number, row.name)
        assert.truthy(row.skipped or row.check and row.check.verified, place)
        assert.is_nil(row.failed, place)
      end
    end
    assert.same({"amd", "dcltk", "devices", "hello", "mql5", "reduce", "submatrix"}, names)
    assert.is_true(steps >= 101, steps)
    assert.truthy(document.finished)
  end)
end)
