-- Typed values, which float(1), int(3) and the like make.
-- suite: quick
-- process: shared

local binding = require "clue.binding"
local value = require "clue.value"

describe("a typed value", function()
  it("knows its type, its code and its number", function()
    for name, code in pairs(binding.type_codes) do
      local v = value[name](3)
      assert.is_true(value.is(v))
      assert.equal(name, value.type(v))
      assert.equal(code, value.type_code(v))
      assert.equal(3, value.number(v))
      assert.equal(binding.type_sizes[name], #value.bytes(v))
      assert.equal(name .. "(3)", tostring(v))
    end
  end)

  it("holds 64-bit numbers exactly as text", function()
    local v = value.long("9007199254740993")
    assert.equal("9007199254740993", value.number(v))
    assert.equal("long(9007199254740993)", tostring(v))
    assert.equal("\1\0\0\0\0\0\32\0", value.bytes(v))
  end)

  it("has the number as its type stores it", function()
    assert.equal("half(0.1)", tostring(value.half(0.1)))
    assert.equal("\0\0\192\63", value.bytes(value.float(1.5)))
    assert.equal("\255", value.bytes(value.char(-1)))
  end)

  it("is made of another one as of its number", function()
    local v = value.double(value.float(0.1))
    assert.equal("double(0.10000000149011612)", tostring(v))
    assert.is_true(value.number(v) > 0.1)
    assert.equal("ulong(9007199254740993)", tostring(value.ulong(value.long "9007199254740993")))
    assert.error_matches(function() value.int(value.float(2.5)) end, "the value cannot be 2%.5: int holds")
  end)

  it("refuses numbers that its type cannot hold", function()
    assert.error_matches(function() value.uchar(300) end,
      "uchar: the value cannot be 300: uchar holds whole numbers from 0 to 255")
    assert.error_matches(function() value.int(1.5) end,
      "int: the value cannot be 1%.5: int holds whole numbers from %-2147483648 to 2147483647")
    assert.error_matches(function() value.int("x") end,
      'int: the value cannot be "x": int holds whole numbers from %-2147483648 to 2147483647')
    assert.error_matches(function() value.float({}) end,
      "float: the value cannot be a table: float holds numbers up to 3%.4028234663852886e%+38")
    assert.error_matches(function() value.float() end,
      "float: the value cannot be nil: float holds numbers up to 3%.4028234663852886e%+38")
  end)

  it("is refused at the line that makes it", function()
    local _, problem = pcall(function() local _ = value.uchar(300) end)
    assert.matches("value_spec%.lua:%d+: ", problem)
  end)

  it("cannot be changed", function()
    local v = value.int(1)
    assert.has_error(function() v.number = 2 end, "a typed value cannot be changed: make another one")
    assert.is_nil(next(v))
    assert.is_string(getmetatable(v))
  end)

  it("equals another of the same type and number", function()
    assert.is_true(value.float(1) == value.float(1))
    assert.is_false(value.float(1) == value.float(2))
    assert.is_false(value.float(1) == value.int(1))
  end)

  it("is not confused with other values", function()
    for _, other in ipairs {1, "float(1)", {}, print} do assert.is_false(value.is(other)) end
    assert.is_false(value.is(nil))
    assert.error_matches(function() value.number(3) end,
      "value%.number: self must be a typed value, got 3")
  end)
end)
