-- MQL5's conversions between texts, numbers, arrays of characters and names of constants.
-- suite: quick
-- process: shared

local array = require "clue.array"
local mql5 = require "clue.mql5"
local options = require "clue.options"

describe("StringToInteger", function()
  it("reads the whole number at the beginning", function()
    assert.same({42, -42, 7, 0, 0, 12, 2 ^ 53}, {mql5.StringToInteger "42", mql5.StringToInteger "  -42abc",
      mql5.StringToInteger "+7", mql5.StringToInteger "", mql5.StringToInteger "x1", mql5.StringToInteger "12.9",
      mql5.StringToInteger "9007199254740992"})
    assert.equal("0", mql5.IntegerToString(mql5.StringToInteger "-0"))
  end)

  it("reads the numbers beyond 2^53 that Lua holds", function()
    assert.equal(2 ^ 53 + 2, mql5.StringToInteger "9007199254740994")
    assert.equal(-2 ^ 63, mql5.StringToInteger "-9223372036854775808")
    local max = rawget(math, "maxinteger")
    if max then assert.equal(max, mql5.StringToInteger "9223372036854775807") end
  end)

  it("raises for a number that Lua does not hold", function()
    if not rawget(math, "type") then -- Lua 5.4 holds all of 64 bits
      for _, digits in ipairs {"9007199254740993", "-9007199254740993", "9223372036854775807"} do
        assert.error_matches(function() mql5.StringToInteger(digits) end,
          "StringToInteger: a Lua number does not hold " .. digits .. " exactly", 1, true)
      end
    end
    assert.error_matches(function() mql5.StringToInteger "9223372036854775808" end,
      "StringToInteger: a long does not hold 9223372036854775808")
    assert.error_matches(function() mql5.StringToInteger(5) end, "StringToInteger: text must be a string, got 5")
  end)
end)

it("StringToDouble reads the number at the beginning", function()
  local cases = {["1.5"] = 1.5, ["  -.5x"] = -0.5, ["5."] = 5, ["1e3"] = 1000, ["-1.5E-2 "] = -0.015, ["1e"] = 1,
    [""] = 0, ["."] = 0, ["x"] = 0, ["-"] = 0, ["0x10"] = 0, ["inf"] = 0, ["+2"] = 2}
  for text, number in pairs(cases) do assert.equal(number, mql5.StringToDouble(text), text) end
end)

describe("NormalizeDouble", function()
  it("rounds halves away from zero", function()
    assert.same({1.2346, 3, -3, 0.5, 0.12345679}, {mql5.NormalizeDouble(1.23456, 4), mql5.NormalizeDouble(2.5, 0),
      mql5.NormalizeDouble(-2.5, 0), mql5.NormalizeDouble(0.5, 8), mql5.NormalizeDouble(0.123456789, 8)})
    assert.equal(1e300, mql5.NormalizeDouble(1e300, 8))
    assert.equal(math.huge, mql5.NormalizeDouble(math.huge, 2))
    assert.equal("nan", tostring(mql5.NormalizeDouble(0 / 0, 2)):match "nan")
  end)

  it("raises for other digits", function()
    for _, digits in ipairs {-1, 9, 0.5, "2"} do
      assert.error_matches(function() mql5.NormalizeDouble(1, digits) end,
        "NormalizeDouble: digits must be a whole number from 0 to 8, got ")
    end
    assert.error_matches(function() mql5.NormalizeDouble("1", 2) end, "value must be a number")
  end)
end)

it("CharToString and ShortToString give a character by its code", function()
  assert.same({"A", "é", "€"}, {mql5.CharToString(65), mql5.ShortToString(0xE9), mql5.ShortToString(0x20AC)})
  assert.error_matches(function() mql5.CharToString(128) end,
    "CharToString: char_code must be a whole number from 0 to 127, got 128")
  assert.error_matches(function() mql5.ShortToString(65536) end, "from 0 to 65535")
end)

it("CharArrayToString makes text of a uchar array, up to a zero or a given count", function()
  local a = array.uchar {65, 66, 67, 0, 68}
  assert.equal("ABC", mql5.CharArrayToString(a))
  assert.equal("BC", mql5.CharArrayToString(a, 1))
  assert.equal("B", mql5.CharArrayToString(a, 1, 1, mql5.CP_UTF8))
  assert.equal("D", mql5.CharArrayToString(a, 4, mql5.WHOLE_ARRAY))
  assert.equal("", mql5.CharArrayToString(a, 3) .. mql5.CharArrayToString(a, 9))
  assert.equal("", mql5.CharArrayToString(array.uchar(0)))
  assert.error_matches(function() mql5.CharArrayToString(array.int(1)) end,
    "CharArrayToString: array must be a uchar array, got an int array")
  assert.error_matches(function() mql5.CharArrayToString(a, -1) end,
    "start must be a whole number of 0 or more, got %-1")
  assert.error_matches(function() mql5.CharArrayToString(a, 0, 0.5) end, "count must be a whole number, got 0.5")
  assert.error_matches(function() mql5.CharArrayToString(a, 0, 1, 1252) end,
    "codepage must be a code page, CP_ACP or CP_UTF8 %(both are UTF%-8%), got 1252")
end)

describe("StringToCharArray", function()
  it("writes a text and a zero into an array, which grows", function()
    local a = array.uchar(0)
    assert.equal(4, mql5.StringToCharArray("abc", a))
    assert.same({97, 98, 99, 0}, a:table())
    a = array.uchar(6, 9)
    assert.equal(3, mql5.StringToCharArray("xy", a, 2))
    assert.same({9, 9, 120, 121, 0, 9}, a:table())
    assert.equal(7, mql5.StringToCharArray("é€é", array.uchar(0), 0, 7, mql5.CP_UTF8))
  end)

  it("writes no zero if the count ends before it", function()
    local a = array.uchar(0)
    assert.equal(3, mql5.StringToCharArray("abc", a, 0, mql5.StringLen "abc"))
    assert.same({97, 98, 99}, a:table())
    assert.equal(0, mql5.StringToCharArray("abc", a, 0, 0))
    assert.equal(4, mql5.StringToCharArray("abc", a, 0, 50))
    assert.equal("abc", mql5.CharArrayToString(a))
  end)

  it("raises for other arguments", function()
    assert.error_matches(function() mql5.StringToCharArray("a", array.char(1)) end,
      "StringToCharArray: array must be a uchar array, got a char array")
    assert.error_matches(function() mql5.StringToCharArray("a", array.uchar(1), -1) end, "start must be a whole number")
    assert.error_matches(function() mql5.StringToCharArray(1, array.uchar(1)) end, "text must be a string, got 1")
  end)
end)

describe("EnumToString", function()
  it("finds the name of a number in MQL5's enumerations and in a script's", function()
    assert.equal("OPENCL_PROGRAM", mql5.EnumToString(2, mql5.ENUM_OPENCL_HANDLE_TYPE))
    assert.equal("A", mql5.EnumToString(7, {7, 7, A = 7}))
    assert.equal("CL_DEVICE_GPU", mql5.EnumToString(mql5.CL_DEVICE_GPU, mql5.ENUM_CL_DEVICE_TYPE))
    assert.equal("CL_BUFFER_SIZE", mql5.EnumToString(mql5.CL_BUFFER_SIZE, mql5.ENUM_OPENCL_PROPERTY_INTEGER))
    assert.equal("CL_DEVICE_NAME", mql5.EnumToString(mql5.CL_DEVICE_NAME, mql5.ENUM_OPENCL_PROPERTY_STRING))
    assert.equal("exact", mql5.EnumToString(1, {fast = 0, exact = 1}))
    assert.equal("first", mql5.EnumToString(1, {second = 1, first = 1}))
    assert.equal("fast", mql5.EnumToString "fast")
  end)

  it("never guesses the enumeration", function()
    assert.error_matches(function() mql5.EnumToString(2) end,
      "EnumToString: enumeration must be a table of numbers by name, got nil; for example EnumToString%(kind, {KIND_")
    assert.error_matches(function() mql5.EnumToString({}, {}) end, "value must be a number, got a table")
  end)

  it("fails for a number that the enumeration lacks", function()
    local quiet = options.quiet
    options.quiet = true
    local name, message = mql5.EnumToString(7, {fast = 0})
    options.quiet = quiet
    assert.equal("", name)
    assert.equal("EnumToString: error 4003: the enumeration has no 7", message)
    assert.equal(4003, mql5.GetLastError())
    mql5.ResetLastError()
  end)
end)
