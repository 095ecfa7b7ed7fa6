-- CLBufferCreate, CLBufferWrite, CLBufferRead, CLBufferFree.
-- suite: quick
-- process: shared
-- drivers: pocl

local handles = require("handles").from_here()
local mql5 = require "clue.mql5"
local options = require "clue.options"
local array = mql5.array

describe("an MQL5 buffer", function()
  local context, buffer

  setup(function()
    options.quiet = true
    context = mql5.CLContextCreate(mql5.CL_USE_ANY)
  end)
  teardown(function()
    mql5.CLContextFree(context)
    options.quiet = false
    assert.equal(0, handles.count())
  end)
  before_each(function()
    mql5.ResetLastError()
    buffer = mql5.CLBufferCreate(context, 40, mql5.CL_MEM_READ_WRITE)
    mql5.CLBufferWrite(buffer, array.float {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  end)
  after_each(function() mql5.CLBufferFree(buffer) end)

  local function assert_fails(code, pattern, count, message)
    assert.equal(0, count)
    assert.equal(code, mql5.GetLastError())
    assert.truthy(message:find(pattern, 1, true), message)
  end

  it("is written and read as a whole, and returns the number of elements", function()
    local data = array.float(10)
    assert.equal(10, mql5.CLBufferWrite(buffer, data:random(-1, 1, 3)))
    local back = array.float(10)
    assert.equal(10, mql5.CLBufferRead(buffer, back))
    assert.is_nil(back:compare(data))
    assert.equal(0, mql5.GetLastError())
  end)

  it("may have its source changed as soon as the write returns", function()
    local data = array.float(10):fill(5)
    mql5.CLBufferWrite(buffer, data)
    data:fill(6)
    mql5.CLBufferRead(buffer, data)
    assert.equal(50, data:sum())
  end)

  it("takes its own offset in bytes, and the array's offset and count in elements", function()
    local data = array.float(5):fill(-1)
    assert.equal(2, mql5.CLBufferRead(buffer, data, 3 * 4, 1, 2))
    assert.same({-1, 3, 4, -1, -1}, data:table())
    assert.equal(1, mql5.CLBufferWrite(buffer, array.float {10, 20, 30}, 8 * 4, 2, 1))
    assert.equal(3, mql5.CLBufferRead(buffer, data, 7 * 4))
    assert.same({7, 30, 9, -1, -1}, data:table())
  end)

  it("is read whole by default, into an array that may be longer", function()
    local data = array.float(12):fill(-1)
    assert.equal(10, mql5.CLBufferRead(buffer, data, 0, 1, mql5.WHOLE_ARRAY))
    assert.same({-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1}, data:table())
  end)

  it("is required: CLBufferRead itself refuses a handle that is not a buffer", function()
    local _, message = mql5.CLBufferRead(-1, array.float(4))
    assert.matches("CLBufferRead: error 5102 (CL_INVALID_MEM_OBJECT): ", message, 1, true)
    assert.equal(5102, mql5.GetLastError())
  end)

  it("is not truncated to an array that is too short for it", function()
    local data = array.float(4)
    assert_fails(5110, "holds 10 elements of type float from offset 0 on, but the array has room for 4",
      mql5.CLBufferRead(buffer, data))
    assert.equal(0, data:sum())
    assert_fails(5110, "room for 1", mql5.CLBufferRead(buffer, data, 0, 3))
    assert_fails(5110, "holds 10 bytes, which is not a whole number of elements of type double",
      mql5.CLBufferRead(buffer, array.double(9), 30))
    assert.equal(4, mql5.CLBufferRead(buffer, data, 0, 0, 4))
    assert.equal(6, data:sum())
  end)

  it("does not truncate an array that is too long for it", function()
    assert_fails(5110, "44 bytes from offset 0", mql5.CLBufferWrite(buffer, array.float(11)))
    assert_fails(5110, "40 bytes from offset 4", mql5.CLBufferWrite(buffer, array.float(10), 4))
    assert_fails(5110, "8 bytes from offset 36", mql5.CLBufferRead(buffer, array.float(10), 36, 0, 2))
  end)

  it("refuses offsets beyond its ends", function()
    assert_fails(5111, "offset -4", mql5.CLBufferWrite(buffer, array.float(1), -4))
    assert_fails(5111, "offset 44", mql5.CLBufferWrite(buffer, array.float(1), 44))
    assert_fails(5111, "buffer_offset 40", mql5.CLBufferRead(buffer, array.float(10), 40))
    assert_fails(5111, "offset 40", mql5.CLBufferRead(buffer, array.float(10), 40, 0, 1))
    assert_fails(5111, "offset 40", mql5.CLBufferWrite(buffer, array.float(10), 40))
    assert_fails(5111, "buffer_offset -4", mql5.CLBufferRead(buffer, array.float(20), -4))
    assert_fails(5111, "buffer_offset 0.5 is not a whole number", mql5.CLBufferRead(buffer, array.float(10), 0.5))
  end)

  it("refuses parts of an array that are not inside the array", function()
    local data = array.float(4)
    assert_fails(4003, "data_offset 5 is outside the array of 4", mql5.CLBufferWrite(buffer, data, 0, 5))
    assert_fails(4003, "data_offset -1 is outside", mql5.CLBufferWrite(buffer, data, 0, -1, 1))
    assert_fails(4003, "has 1 element from data_offset 3 on, but data_count is 2",
      mql5.CLBufferWrite(buffer, data, 0, 3, 2))
    assert_fails(4003, "data_count must be at least 1", mql5.CLBufferWrite(buffer, data, 0, 0, 0))
    for _, transfer in ipairs {mql5.CLBufferWrite, mql5.CLBufferRead} do
      assert_fails(4003, "data_offset 4 is outside the array of 4", transfer(buffer, data, 0, 4))
      assert_fails(4003, "data_offset 4 is outside the array of 4", transfer(buffer, data, 0, 4, 1))
      assert_fails(4003, "data_offset 5 is outside the array of 4", transfer(buffer, data, 0, 5))
    end
    assert_fails(4003, "data_count must be at least 1", mql5.CLBufferRead(buffer, data, 0, 0, -2))
    assert_fails(4003, "data_count 1.5 is not a whole number", mql5.CLBufferRead(buffer, data, 0, 0, 1.5))
    assert_fails(4003, "the array is empty", mql5.CLBufferRead(buffer, array.float(0)))
  end)

  it("takes arrays of every type", function()
    for _, name in ipairs {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float",
      "double"} do
      local data, back = array[name] {1, 2, 3}, array[name](3)
      assert.equal(3, mql5.CLBufferWrite(buffer, data), name)
      assert.equal(3, mql5.CLBufferRead(buffer, back, 0, 0, 3), name)
      assert.is_nil(back:compare(data), name)
    end
  end)

  it("raises for data that is not an array, and says how to make one of a Lua table", function()
    local function assert_raises(text, call, ...)
      local done, problem = pcall(function(...) call(...) end, ...)
      local message = tostring(problem)
      assert.is_false(done)
      assert.truthy(message:find(text, 1, true), message)
      assert.truthy(message:find("mql5_buffer_spec%.lua:%d+: "), message)
    end
    assert_raises("CLBufferWrite: data must be an array, got nil", mql5.CLBufferWrite, buffer, nil)
    assert_raises("CLBufferRead: data must be an array, got a table; array.float{...} makes one",
      mql5.CLBufferRead, buffer, {1, 2})
    assert_raises("CLBufferWrite: buffer must be a handle, got nil", mql5.CLBufferWrite, nil,
      array.int(1))
    assert_raises("CLBufferWrite: buffer_offset must be a number, got \"0\"", mql5.CLBufferWrite, buffer,
      array.int(1), "0")
  end)

  it("refuses impossible sizes, flags and contexts", function()
    local function assert_none(code, pattern, handle, message)
      assert.equal(-1, handle)
      assert.equal(code, mql5.GetLastError())
      assert.truthy(message:find(pattern, 1, true), message)
    end
    assert_none(5112, "0 bytes", mql5.CLBufferCreate(context, 0, 1))
    assert_none(5112, "-8 bytes", mql5.CLBufferCreate(context, -8, 1))
    assert_none(5112, "size 0.5 is not a whole number", mql5.CLBufferCreate(context, 0.5, 1))
    assert_none(5112, "a buffer of 1125899906842624 bytes: the maximum on", mql5.CLBufferCreate(context, 2 ^ 50, 1))
    assert_none(5112, "CL_MEM_READ_WRITE and CL_MEM_WRITE_ONLY exclude each other", mql5.CLBufferCreate(context, 8, 3))
    assert_none(5112, "0x10000000000 is no flag of a buffer", mql5.CLBufferCreate(context, 8, 2 ^ 40))
    assert_none(5102, "CLBufferCreate: ", mql5.CLBufferCreate(buffer, 8, 1))
    assert.error_matches(function() mql5.CLBufferCreate(context, 8) end,
      "CLBufferCreate: flags must be a number, got nil")
  end)
end)
