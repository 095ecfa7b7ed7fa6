-- MQL5's array functions over typed arrays.

local mql5 = require "clue.mql5"
local unpack = rawget(table, "unpack") or rawget(_G, "unpack")
local array = mql5.array

describe("MQL5's array functions", function()
  it("return and change the length", function()
    local a = array.int {1, 2, 3}
    assert.equal(3, mql5.ArraySize(a))
    assert.equal(5, mql5.ArrayResize(a, 5))
    assert.same({1, 2, 3, 0, 0}, a:table())
    assert.equal(1, mql5.ArrayResize(a, 1, 100))
    assert.same({1}, a:table())
  end)

  it("fill a whole array or a part", function()
    local a = array.float(4)
    assert.equal(4, mql5.ArrayInitialize(a, 2.5))
    mql5.ArrayFill(a, 1, 2, -1)
    assert.same({2.5, -1, -1, 2.5}, a:table())
    assert.equal(0, select("#", mql5.ArrayFill(a, 0, 1, 0)))
  end)

  it("copy up to the requested count, convert types and grow the target", function()
    local target = array.double(2)
    assert.equal(3, mql5.ArrayCopy(target, array.int {1, 2, 3}))
    assert.same({1, 2, 3}, target:table())
    assert.equal(2, mql5.ArrayCopy(target, array.int {7, 8, 9}, 0, 1))
    assert.same({8, 9, 3}, target:table())
    assert.equal(1, mql5.ArrayCopy(target, array.int {7, 8, 9}, 4, 2, 50))
    assert.same({8, 9, 3, 0, 9}, target:table())
    assert.equal(1, mql5.ArrayCopy(target, array.int {5, 6}, 0, 0, 1))
    assert.equal(0, mql5.ArrayCopy(target, array.int {5, 6}, 0, 2))
    assert.same({5, 9, 3, 0, 9}, target:table())
  end)

  it("raise errors for wrong ranges and values at the script's line", function()
    local a = array.uchar(3)
    local cases = {
      {"ArrayFill: ", mql5.ArrayFill, a, 2, 2, 1},
      {"ArrayInitialize: ", mql5.ArrayInitialize, a, 300},
      {"ArrayResize: ", mql5.ArrayResize, a, -1},
      {"ArrayCopy: ", mql5.ArrayCopy, a, array.int {1, 300}},
      {"ArrayCopy: ", mql5.ArrayCopy, a, array.int {1, 2}, -1},
      {"ArrayResize: size must be a whole number, got 1.5", mql5.ArrayResize, a, 1.5},
      {"ArraySize: array must be an array, got a table; array.float{...}", mql5.ArraySize, {1}},
      {"ArrayCopy: source must be an array, got nil", mql5.ArrayCopy, a},
      {"ArrayInitialize: value must be a number, got \"x\"", mql5.ArrayInitialize, a, "x"},
    }
    for _, case in ipairs(cases) do
      local done, problem = pcall(function() case[2](unpack(case, 3, 7)) end)
      local message = tostring(problem)
      assert.is_false(done)
      assert.truthy(message:find("mql5_array_spec%.lua:%d+: "), message)
      assert.truthy(message:find(case[1], 1, true), message)
      assert.is_nil(message:match("%.lua:%d+:.*%.lua:%d+:"), message)
    end
  end)
end)
