-- MQL5's array functions over typed arrays.
-- suite: quick
-- process: shared

local mql5 = require "clue.mql5"
local options = require "clue.options"
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

  it("free an array and tell its dimensions", function()
    local a = array.double(6):reshape(2, 3)
    assert.same({2, 3}, {mql5.ArrayRange(a, 0), mql5.ArrayRange(a, 1)})
    assert.equal(0, select("#", mql5.ArrayFree(a)))
    assert.same({0, 0, 3}, {#a, mql5.ArrayRange(a, 0), mql5.ArrayRange(a, 1)})
    assert.error_matches(function() mql5.ArrayRange(array.int(4), 1) end,
      "ArrayRange: rank_index must be an index of 0 %(only a matrix has more dimensions%), got 1")
    assert.error_matches(function() mql5.ArrayRange(array.int(4):reshape(2, 2), 2) end,
      "must be an index of 0 or 1, got 2")
  end)

  it("find the first of the greatest and of the least elements", function()
    local a = array.int {4, 1, 19, 3, 19, 1}
    assert.same({2, 1}, {mql5.ArrayMaximum(a), mql5.ArrayMinimum(a)})
    assert.same({4, 5}, {mql5.ArrayMaximum(a, 3), mql5.ArrayMinimum(a, 3)})
    assert.same({0, 1}, {mql5.ArrayMaximum(a, 0, 2), mql5.ArrayMinimum(a, 0, 2)})
    assert.same({4, 5}, {mql5.ArrayMaximum(a, 3, 100), mql5.ArrayMinimum(a, 3, mql5.WHOLE_ARRAY)})
    assert.same({1, 2}, {mql5.ArrayMaximum(array.float {0 / 0, 5, 1}), mql5.ArrayMinimum(array.float {0 / 0, 5, 1})})
  end)

  it("find nothing where there is nothing", function()
    local quiet = options.quiet
    options.quiet = true
    for _, case in ipairs {
      {"start 0 is outside the array of 0 elements", array.int(0)},
      {"start 3 is outside the array of 3 elements", array.int(3), 3},
      {"start %-1 is outside", array.int(3), -1},
      {"count is 0", array.int(3), 0, 0},
      {"all elements are NaN", array.double {0 / 0}},
    } do
      local index, message = mql5.ArrayMaximum(case[2], case[3], case[4])
      assert.equal(-1, index)
      assert.matches("^ArrayMaximum: error 4003: " .. case[1], message)
      assert.equal(4003, mql5.GetLastError())
      mql5.ResetLastError()
      assert.equal(-1, (mql5.ArrayMinimum(case[2], case[3], case[4])))
      mql5.ResetLastError()
    end
    options.quiet = quiet
  end)

  it("reverse an array, a part of it, and rows", function()
    local a = array.int {1, 2, 3, 4, 5, 6, 7, 8}
    assert.is_true(mql5.ArrayReverse(a))
    assert.same({8, 7, 6, 5, 4, 3, 2, 1}, a:table())
    assert.is_true(mql5.ArrayReverse(a, 4, 3))
    assert.same({8, 7, 6, 5, 2, 3, 4, 1}, a:table())
    assert.is_true(mql5.ArrayReverse(a, 6))
    assert.same({8, 7, 6, 5, 2, 3, 1, 4}, a:table())
    a:reshape(2, 4)
    assert.is_true(mql5.ArrayReverse(a))
    assert.same({2, 3, 1, 4, 8, 7, 6, 5}, a:table())
    local large = array.ulong {1, "18446744073709551615"}
    mql5.ArrayReverse(large)
    assert.equal("18446744073709551615", large:decimal(0))
  end)

  it("insert and remove elements and rows", function()
    local a, b = array.int {0, 1, 2, 3}, array.int {10, 11, 12}
    assert.is_true(mql5.ArrayInsert(a, b, 2, 1))
    assert.same({0, 1, 11, 12, 2, 3}, a:table())
    assert.is_true(mql5.ArrayInsert(a, b, 6, 0, 1))
    assert.is_true(mql5.ArrayInsert(a, b, 0, 2, 0))
    assert.same({0, 1, 11, 12, 2, 3, 10}, a:table())
    assert.same({10, 11, 12}, b:table())
    assert.is_true(mql5.ArrayRemove(a, 1, 3))
    assert.same({0, 2, 3, 10}, a:table())
    assert.is_true(mql5.ArrayRemove(a, 2))
    assert.same({0, 2}, a:table())
    local rows = array.int {1, 2, 3, 4}:reshape(2, 2)
    assert.is_true(mql5.ArrayInsert(rows, array.int {5, 6}:reshape(1, 2), 1))
    assert.same({3, 2, 1, 2, 5, 6, 3, 4}, {rows:rows(), rows:columns(), unpack(rows:table())})
    assert.is_true(mql5.ArrayRemove(rows, 0, 2))
    assert.same({1, 3, 4}, {rows:rows(), unpack(rows:table())})
  end)

  it("exchange contents", function()
    local a, b = array.double {1, 2, 3}, array.double(0)
    assert.is_true(mql5.ArraySwap(a, b))
    assert.same({0, 1, 2, 3}, {#a, unpack(b:table())})
    assert.is_true(mql5.ArraySwap(b, b))
    assert.same({1, 2, 3}, b:table())
  end)

  it("refuse to move what is not there", function()
    local quiet = options.quiet
    options.quiet = true
    local a, b, columns = array.int {1, 2, 3}, array.float {1}, array.int(4):reshape(2, 2)
    for _, case in ipairs {
      {"ArrayReverse", 5052, "start 3 is outside the array of 3 elements", a, 3},
      {"ArrayReverse", 5052, "start 1 and count 3 go past the array's 3 elements", a, 1, 3},
      {"ArrayReverse", 5052, "start 1 and count 2 go past the array's 2 rows", columns, 1, 2},
      {"ArrayInsert", 4006, "an array cannot be inserted into itself", a, a, 0},
      {"ArrayInsert", 4006, "the arrays have elements of different types, int and float", a, b, 0},
      {"ArrayInsert", 4006, "the arrays have rows of 1 and 2 elements", a, columns, 0},
      {"ArrayInsert", 5052, "start 0 is outside the array of 0 elements", a, array.int(0), 0},
      {"ArrayInsert", 5052, "start 4 is outside the array of 3 elements", a, array.int(1), 4},
      {"ArrayRemove", 5052, "start -1 is outside the array of 3 elements", a, -1},
      {"ArrayRemove", 4003, "start 2 and count 2 go past the array's 3 elements", a, 2, 2},
      {"ArraySwap", 4006, "the arrays have elements of different types, int and float", a, b},
    } do
      local done, message = mql5[case[1]](unpack(case, 4, 7))
      assert.is_false(done)
      assert.equal(("%s: error %d: %s"):format(case[1], case[2], case[3]), message)
      assert.equal(case[2], mql5.GetLastError())
      mql5.ResetLastError()
    end
    assert.same({1, 2, 3}, a:table())
    options.quiet = quiet
  end)

  it("zero arrays and the fields of tables", function()
    local a = array.float {1, 2}
    local structure = {n = 5, name = "x", on = true, prices = array.int {3}, inner = {m = 1}}
    assert.equal(0, select("#", mql5.ZeroMemory(a)))
    assert.same({0, 0}, a:table())
    mql5.ZeroMemory(structure)
    assert.same({0, "", false, 0, 0}, {structure.n, structure.name, structure.on, structure.prices[0],
      structure.inner.m})
    assert.error_matches(function() mql5.ZeroMemory(5) end,
      "ZeroMemory: variable must be an array or a table, got 5; a variable keeps its value: assign 0 to it")
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
      {"ArraySize: array must be an array, got a table; #t is the length of a Lua table", mql5.ArraySize, {1}},
      {"ArrayResize: array must be an array, got a table; array.float(0) makes one", mql5.ArrayResize, {}, 5},
      {"ArrayMaximum: array must be an array, got a table; array.float{...}", mql5.ArrayMaximum, {1}},
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
