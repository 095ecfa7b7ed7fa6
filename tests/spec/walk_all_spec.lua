-- `clue walk --all`: every step of every walkthrough at a small size, in every interpreter and build.
-- suite: whole
-- builds: luajit asan lua54
local catalogue = require "clue.walk.catalogue"
local support = require "support"
local walk_support = require "walk_support"

-- The sanitizers look at C code, which is the same in neighbouring steps: there, every third step runs. Those of
-- devices need a second device, and would be skipped.
local function third(name)
  local numbers = {}
  for i, step in ipairs(catalogue.get(name).steps) do
    if i % 3 == 1 then numbers[#numbers + 1] = tostring(step.number) end
  end
  return numbers
end

for _, name in ipairs(support.sanitized and catalogue.names() or {}) do
  local check = name == "devices" and pending or it
  check("clue walk verifies every third step of " .. name, function()
    local numbers = third(name)
    local status, out, err, document = walk_support.walk {name, "--steps", table.concat(numbers, ","), "--size", "33",
      "--repeat", "1", "--device", "cpu"}
    assert.equal(0, status, out .. err)
    local rows = walk_support.rows(document)
    assert.equal(#numbers, #rows)
    for _, row in ipairs(rows) do
      assert.truthy(row.skipped or row.check and row.check.verified, ("%s %s"):format(row.number, row.name))
    end
  end)
end

if support.sanitized then return end

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
