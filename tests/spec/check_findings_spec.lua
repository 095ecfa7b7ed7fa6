-- What `clue check` makes of single findings: each fault once, errors before notes, and the words for where it is.
-- suite: quick
-- process: shared
local findings = require "clue.check.findings"
local support = require "support"

-- A finding of lines of one file: first and second, a number and what is done there.
local function finding(kind, first, second, more)
  local it = {kind = kind, kernel = "f", object = {name = "a", space = "global", argument = 0, size = 400}, bytes = 4,
              times = 1, launches = 1, first = {file = "k.cl", line = first, access = "write"},
              second = second and {file = "k.cl", line = second, access = "read"}}
  return support.with(it, more)
end

-- The kinds and lines of what is left.
local function merged(...)
  local list = {}
  for i, each in ipairs(findings.merge {...}) do
    list[i] = ("%s %d x%d in %d"):format(each.kind, each.first.line, each.times, each.launches)
  end
  return list
end

describe("findings of a check", function()
  it("are one for the same lines, in whichever order, and count how often", function()
    assert.same({"race 3 x7 in 2"}, merged(finding("race", 3, 9, {times = 5}),
      finding("race", 9, 3, {times = 2, launches = 2})))
    assert.same({"race 3 x1 in 1", "race 3 x1 in 1"}, merged(finding("race", 3, 9), finding("race", 3, 10)))
    assert.same({"bounds 3 x2 in 1"}, merged(finding("bounds", 3), finding("bounds", 3)))
  end)

  it("are apart for other kernels and other objects", function()
    assert.equal(2, #merged(finding("bounds", 3), finding("bounds", 3, nil, {kernel = "g"})))
    assert.equal(2, #merged(finding("bounds", 3),
      finding("bounds", 3, nil, {object = {name = "b", space = "global"}})))
  end)

  it("come before notes, and take the place of a note about the same lines", function()
    assert.same({"bounds 8 x1 in 1", "same value 3 x1 in 1"}, merged(finding("same value", 3, 3),
      finding("bounds", 8)))
    assert.same({"race 3 x4 in 1"}, merged(finding("same value", 3, 3, {times = 3}), finding("race", 3, 3)))
    assert.same({"race 3 x1 in 1"}, merged(finding("race", 3, 3), finding("same value", 3, 3, {times = 3})))
  end)

  it("say of a race who writes", function()
    local both = finding("race", 3, 9, {within_group = true})
    assert.equal("work-items of one group access 'a', one at least writes, and nothing orders them",
      findings.title(both))
    both.second.access = "write"
    assert.equal("work-items of one group write 'a', and nothing orders them", findings.title(both))
  end)

  it("say how many work-items come to a barrier", function()
    local some = {kind = "divergence", arrived = 1, of = 8, first = {access = "barrier"}}
    assert.equal("1 of the group's 8 work-items comes to this barrier, the others do not", findings.title(some))
    some.arrived = 2
    assert.equal("2 of the group's 8 work-items come to this barrier, the others do not", findings.title(some))
    some.first.access = "wait"
    assert.equal("2 of the group's 8 work-items come to this wait for copies, the others do not", findings.title(some))
    some.first.access = "copy"
    assert.equal("2 of the group's 8 work-items made a copy that is waited for here, the others did not",
      findings.title(some))
  end)

  it("leave out reads of what was not written yet, if they race with the writer", function()
    local early = finding("uninitialised", 9)
    assert.same({"race 3 x1 in 1"}, merged(finding("race", 3, 9), early))
    assert.same({"race 3 x1 in 1", "uninitialised 10 x1 in 1"}, merged(finding("race", 3, 9),
      finding("uninitialised", 10)))
  end)

  it("count if they are errors, and not if they are notes", function()
    for _, kind in ipairs {"race", "bounds", "uninitialised", "divergence", "call", "read only"} do
      assert.is_true(findings.counts {kind = kind}, kind)
    end
    for _, kind in ipairs {"same value", "only atomics", "assumed size", "inexact"} do
      assert.is_false(findings.counts {kind = kind}, kind)
    end
  end)
end)

describe("a barrier between the two places of a race", function()
  -- Whether one is found if this text stands between the lines of the places.
  local function is_found(text)
    local source = ("x[i] = 1;\n%s\ny = x[j]; barrier(0);\n"):format(text)
    local last = 3 + select(2, text:gsub("\n", ""))
    return findings.barrier_between(source, {file = "source", line = last, column = 9},
      {file = "source", line = 1, column = 8})
  end

  it("is found in code", function()
    for _, text in ipairs {"barrier(CLK_LOCAL_MEM_FENCE);", "barrier (0);", "work_group_barrier(0);",
                           "a = '\"'; barrier(0); b = '\"';", 'printf("/*"); barrier(0); printf("*/");',
                           "a = b / c; barrier(0); // */", 'printf("\\"//"); barrier(0);', "/**/ barrier(0); /* */"} do
      assert.is_true(is_found(text), text)
    end
  end)

  it("is not found in comments, texts, or elsewhere in the source", function()
    for _, text in ipairs {"", "// barrier(0);", "/* barrier(0); */", "/* // */ // barrier(0);",
                           "/* a\nbarrier(0);\n*/", 'printf("barrier(0)");', 'printf("\\" barrier(0)");'} do
      assert.is_false(is_found(text), text)
    end
  end)
end)

describe("the place of a finding", function()
  local function place(object, bytes, more)
    return findings.place(support.with({object = object, bytes = bytes}, more))
  end

  it("is an element if the access is one, else bytes", function()
    assert.equal("element 100 of 100, each of 4 bytes", place({offset = 400, size = 400}, 4))
    assert.equal("element -1 of 100, each of 4 bytes", place({offset = -4, size = 400}, 4))
    assert.equal("bytes 398 to 401 of 400", place({offset = 398, size = 400}, 4))
    assert.equal("index 7 of a dimension that has 5 (0 to 4)", place({}, 4, {index = 7, limit = 5}))
    assert.is_nil(place({offset = 0, size = 4}, 4))
  end)

  it("is before the begin or past the end", function()
    local before = finding("bounds", 3, nil, {object = {name = "a", space = "global", offset = -4, size = 400}})
    local behind = finding("bounds", 3, nil, {object = {name = "a", space = "global", offset = 400, size = 400}})
    assert.equal("a write before the begin of 'a'", findings.title(before))
    assert.matches("not become less than 0", findings.remedy(before), 1, true)
    assert.equal("a write past the end of 'a'", findings.title(behind))
    behind.first.access = "read"
    assert.equal("a read past the end of 'a'", findings.title(behind))
  end)
end)
