-- Arrays with a shape, MQL5's matrix and vector, and transfers of them.
-- suite: quick
-- process: shared
-- drivers: pocl

local array = require "clue.array"
local handles = require("handles").from_here()
local mql5 = require "clue.mql5"
local options = require "clue.options"
local support = require "support"

describe("an array with a shape", function()
  it("can be read and written by row and column, and still by index", function()
    local a = array.float {1, 2, 3, 4, 5, 6}
    assert.equal(a, a:reshape(2, 3))
    assert.same({2, 3}, {a:rows(), a:columns()})
    assert.same({1, 3, 4, 6}, {a:get(0, 0), a:get(0, 2), a:get(1, 0), a:get(1, 2)})
    a:set(1, 1, 50)
    assert.equal(50, a[4])
    assert.equal(6, #a)
    assert.equal("float[2 x 3] {1, 2, 3, ...}", tostring(a))
    assert.equal(4, a:reshape(3, 2):get(1, 1))
  end)

  it("has no shape at first, and loses it when it is resized", function()
    local a = array.int(6)
    assert.is_nil(a:rows())
    assert.is_nil(a:columns())
    a:reshape(2, 3):resize(6)
    assert.is_nil(a:rows())
    assert.equal("int[6] {0, 0, 0, ...}", tostring(a))
    assert.error_matches(function() a:get(0, 0) end, "int%[6%]: it has no rows and columns: a:reshape")
  end)

  it("refuses wrong shapes, indexes and values at the caller's line", function()
    local a = array.uchar(6):reshape(2, 3)
    local here = "^[^:]*mql5_matrix_spec%.lua:%d+: "
    local function assert_raises(body, pattern)
      local done, problem = pcall(body)
      local message = tostring(problem)
      assert.is_false(done)
      assert.matches(here .. pattern, message)
    end
    assert_raises(function() a:reshape(2, 4) end, "array:reshape: 2 x 4 is 8 elements, but uchar%[2 x 3%] has 6")
    assert_raises(function() a:reshape(2) end, "array:reshape: columns must be a whole number of 0 or more, got nil")
    assert_raises(function() a:reshape(1.5, 4) end, "array:reshape: rows must be a whole number of 0 or more, got 1%.5")
    assert_raises(function() a:get(2, 0) end, "array:get: uchar%[2 x 3%]: row 2 is outside 0 to 1")
    assert_raises(function() a:get(0, 3) end, "array:get: uchar%[2 x 3%]: column 3 is outside 0 to 2")
    assert_raises(function() a:get(0, -1) end, "array:get: uchar%[2 x 3%]: column %-1 is outside")
    assert_raises(function() a:get(0.5, 0) end, "array:get: uchar%[2 x 3%]: row 0.5 is outside")
    assert_raises(function() a:get(0) end, "array:get: uchar%[2 x 3%]: a column must be a number, not nil")
    assert_raises(function() a:set(0, 3, 1) end, "array:set: uchar%[2 x 3%]: column 3 is outside")
    assert_raises(function() a:set(0, 1, 300) end, "array:set: element 1 of uchar%[2 x 3%] cannot be 300")
  end)

  -- This needs a process of its own: busted keeps everything that was passed to ffi.typeof.
  it("can be collected #once", function()
    local out = support.ended(0, support.run {"-e", [[
      local array = require "clue.array"
      local watched, alive = setmetatable({}, { __mode = "v" }), 0
      for i = 1, 100 do watched[i] = array.float(4):reshape(2, 2) end
      collectgarbage()
      collectgarbage()
      for _ in pairs(watched) do alive = alive + 1 end
      print(alive < 5)
    ]]})
    assert.equal("true\n", out)
  end)
end)

describe("a matrix's transfer", function()
  local quiet, context, buffer

  setup(function()
    quiet, options.quiet = options.quiet, true
    context = mql5.CLContextCreate(0)
  end)

  teardown(function()
    mql5.CLContextFree(context)
    assert.equal(0, handles.count())
    options.quiet = quiet
  end)

  before_each(function()
    mql5.ResetLastError()
    buffer = mql5.CLBufferCreate(context, 64, mql5.CL_MEM_READ_WRITE)
  end)

  after_each(function() mql5.CLBufferFree(buffer) end)

  local function assert_failed(code, pattern, done, message)
    assert.is_false(done)
    assert.equal(mql5[code], mql5.GetLastError())
    assert.matches(pattern, message)
    mql5.ResetLastError()
  end

  it("writes to a byte offset and reads back, and returns true", function()
    local m = mql5.matrixf {{1, 2, 3}, {4, 5, 6}}
    assert.is_true(mql5.CLBufferWrite(buffer, 8, m))
    local back = mql5.matrixf(2, 3)
    assert.is_true(mql5.CLBufferRead(buffer, 8, back))
    assert.same({1, 2, 3, 4, 5, 6}, back:table())
    local flat = array.float(8)
    assert.equal(8, mql5.CLBufferRead(buffer, flat, 0, 0, 8))
    assert.equal(1, flat[2])
    assert.equal(6, flat[7])
  end)

  it("gives a matrix the requested rows and columns, and a vector its size", function()
    mql5.CLBufferWrite(buffer, array.double {1, 2, 3, 4, 5, 6, 7, 8})
    local m, v = mql5.matrix(), mql5.vector()
    assert.is_true(mql5.CLBufferRead(buffer, 0, m, 4, 2))
    assert.same({4, 2, 7, 8}, {m:rows(), m:columns(), m:get(3, 0), m:get(3, 1)})
    assert.is_true(mql5.CLBufferRead(buffer, 16, v, 3))
    assert.same({3, 4, 5}, v:table())
  end)

  it("takes typed arrays with rows and columns too", function()
    local m, back = array.float({1, 2, 3, 4}):reshape(2, 2), array.float(0)
    assert.is_true(mql5.CLBufferWrite(buffer, 0, m))
    assert.is_true(mql5.CLBufferRead(buffer, 4, back, 3, 1))
    assert.same({3, 1, 2, 4}, {back:rows(), back:columns(), back[0], back[2]})
  end)

  it("moves complex elements as pairs of doubles", function()
    local m, back = mql5.matrixc {{mql5.complex(1, 2), 3}}, mql5.matrixc()
    assert.is_true(mql5.CLBufferWrite(buffer, 16, m))
    local flat = array.double(8)
    mql5.CLBufferRead(buffer, flat)
    assert.same({1, 2, 3, 0}, {flat[2], flat[3], flat[4], flat[5]})
    assert.is_true(mql5.CLBufferRead(buffer, 16, back, 1, 3))
    assert.equal(mql5.complex(1, 2), back[0][0])
    assert.equal(mql5.complex(3), back[0][1])
    local v = mql5.vectorc()
    assert.is_true(mql5.CLBufferRead(buffer, 32, v, 2))
    assert.equal(mql5.complex(3, 0), v[0])
    assert_failed("ERR_OPENCL_WRONG_BUFFER_SIZE", "4 elements of type complex are asked for, but the buffer holds 3",
      mql5.CLBufferRead(buffer, 16, back, 2, 2))
  end)

  it("refuses sizes of another kind than the object", function()
    assert.error_matches(function() mql5.CLBufferRead(buffer, 0, mql5.vector(), 2, 2) end,
      "CLBufferRead: cols must be left out for a vector, got 2")
    assert.error_matches(function() mql5.CLBufferRead(buffer, 0, mql5.matrix(), 2) end,
      "CLBufferRead: cols must be a number, as rows is given, got nil")
    assert.error_matches(function() mql5.CLBufferWrite(buffer, mql5.matrix(2, 2)) end,
      "CLBufferWrite: data must be an array, got a matrix; a matrix comes after the offset: CLBufferWrite%(buffer, 0, "
        .. "m%)")
    assert.error_matches(function() mql5.ArraySize(mql5.vector(2)) end,
      "ArraySize: array must be an array, got a vector; m:array%(%) has its elements")
  end)

  it("keeps the rows or the columns that are -1", function()
    local m, v = mql5.matrixf(2, 2), mql5.vector(2)
    assert.is_true(mql5.CLBufferRead(buffer, 0, m, -1, -1))
    assert.is_true(mql5.CLBufferRead(buffer, 0, v, -1))
    assert.same({2, 2, 2}, {m:rows(), m:columns(), #v})
    assert.is_true(mql5.CLBufferRead(buffer, 0, m, -1, 3))
    assert.same({2, 3}, {m:rows(), m:columns()})
    assert.is_true(mql5.CLBufferRead(buffer, 0, m, 1, -1))
    assert.same({1, 3}, {m:rows(), m:columns()})
    assert_failed("ERR_INVALID_PARAMETER", "the matrix or vector is empty",
      mql5.CLBufferRead(buffer, 0, mql5.matrixf(), -1, -1))
    assert_failed("ERR_INVALID_PARAMETER", "the matrix or vector is empty",
      mql5.CLBufferRead(buffer, 0, mql5.matrixf(), -1, 3))
  end)

  it("fails if it reaches beyond the buffer, and leaves the matrix unchanged", function()
    local m = mql5.matrix(3, 3, 9)
    assert_failed("ERR_OPENCL_WRONG_BUFFER_SIZE", "", mql5.CLBufferWrite(buffer, 0, m))
    assert_failed("ERR_OPENCL_WRONG_BUFFER_SIZE", "", mql5.CLBufferRead(buffer, 0, m))
    assert_failed("ERR_OPENCL_WRONG_BUFFER_SIZE", "16 elements of type double are asked for, but the buffer holds 7",
      mql5.CLBufferRead(buffer, 8, m, 4, 4))
    assert_failed("ERR_OPENCL_WRONG_BUFFER_OFFSET", "64", mql5.CLBufferRead(buffer, 64, m, 1, 1))
    assert_failed("ERR_OPENCL_WRONG_BUFFER_OFFSET", "%-8", mql5.CLBufferRead(buffer, -8, m, 1, 1))
    assert_failed("ERR_OPENCL_WRONG_BUFFER_OFFSET", "", mql5.CLBufferWrite(buffer, 72, mql5.vector(1)))
    assert_failed("ERR_OPENCL_WRONG_BUFFER_OFFSET", "0.5 is not a whole number",
      mql5.CLBufferWrite(buffer, 0.5, mql5.vector(1)))
    assert.same({3, 3, 81}, {m:rows(), m:columns(), m:sum()})
  end)

  it("fails for an empty matrix and for sizes below 1", function()
    assert_failed("ERR_INVALID_PARAMETER", "empty", mql5.CLBufferWrite(buffer, 0, mql5.matrix()))
    assert_failed("ERR_INVALID_PARAMETER", "empty", mql5.CLBufferRead(buffer, 0, mql5.vector()))
    assert_failed("ERR_INVALID_PARAMETER", "rows must be at least 1, not 0",
      mql5.CLBufferRead(buffer, 0, mql5.matrix(), 0, 1))
    assert_failed("ERR_INVALID_PARAMETER", "cols must be at least 1, not %-2",
      mql5.CLBufferRead(buffer, 0, mql5.matrix(), 1, -2))
    assert_failed("ERR_INVALID_PARAMETER", "rows 1.5", mql5.CLBufferRead(buffer, 0, mql5.vector(), 1.5))
  end)

  it("refuses arrays of another type", function()
    assert.error_matches(function() mql5.CLBufferWrite(buffer, 0, array.int(4)) end,
      "CLBufferWrite: matrix must be a matrix or vector of double or float, got an int array; pass an "
        .. "array of another type as the second argument")
    assert.error_matches(function() mql5.CLBufferRead(buffer, 0, {}) end,
      "CLBufferRead: matrix must be a matrix or vector of double or float, got a table; matrix {{1, 2}, {3, 4}} makes")
    assert.error_matches(function() mql5.CLBufferRead(buffer, 0, mql5.matrix(), nil, 2) end,
      "CLBufferRead: rows must be a number, got nil")
  end)

  it("is not looked for where a number was given for an array, or an array for the buffer", function()
    for name, transfer in pairs {CLBufferWrite = mql5.CLBufferWrite, CLBufferRead = mql5.CLBufferRead} do
      assert.error_matches(function() transfer(buffer, 5) end, name .. ": data must be an array, got 5$")
      assert.error_matches(function() transfer(array.float(4), buffer) end,
        name .. ": buffer is a float array on the host, not the handle of a buffer")
    end
  end)

  it("is written as a whole: a size after it would not count", function()
    assert.error_matches(function() mql5.CLBufferWrite(buffer, 0, mql5.matrix(2, 2), 1, 1) end,
      "CLBufferWrite: argument #4 must be left out, got 1; a matrix or vector is written as a whole")
    assert.error_matches(function() mql5.CLBufferWrite(buffer, 0, mql5.matrix(2, 2), nil, 3) end,
      "CLBufferWrite: argument #5 must be left out, got 3; a matrix or vector is written as a whole")
  end)
end)
