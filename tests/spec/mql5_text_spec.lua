-- Print and similar functions, StringFormat, DoubleToString, IntegerToString, StringConcatenate.
-- suite: quick
-- process: shared

local mql5 = require "clue.mql5"
local unpack = rawget(table, "unpack") or rawget(_G, "unpack")
local support = require "support"

describe("StringFormat", function()
  local format = mql5.StringFormat

  it("formats as C's printf does", function()
    assert.equal("a 5 b", format("a %d b", 5))
    assert.equal("100%", format("%d%%", 100))
    assert.equal("   -7|-7   |-0007|+7|007| 7", format("%5d|%-5d|%05d|%+d|%.3d|% d", -7, -7, -7, 7, 7, 7))
    assert.equal("ff FF 0xff 17 000000ff", format("%x %X %#x %o %08x", 255, 255, 255, 15, 255))
    assert.equal("1.50|  1.50|1.5e+00|1.5", format("%.2f|%6.2f|%.1e|%g", 1.5, 1.5, 1.5, 1.5))
    assert.equal("text|  text|text  |te", format("%s|%6s|%-6s|%.2s", "text", "text", "text", "text"))
    assert.equal("A", format("%c", 65))
    assert.equal("no conversions", format("no conversions"))
  end)

  it("takes width and precision from arguments", function()
    assert.equal("    5|5    |1.500", format("%*d|%*d|%.*f", 5, 5, -5, 5, 3, 1.5))
  end)

  it("knows MQL5's length modifiers and %u, which string.format lacks", function()
    assert.equal("1 2 3 4 5 6", format("%I64d %lld %ld %hd %I32u %u", 1, 2, 3, 4, 5, 6))
    assert.equal("4294967295", format("%u", -1))
    assert.equal("ffffffff", format("%x", -1))
    assert.equal("9007199254740991 18014398509481984", format("%I64d %I64u", 2 ^ 53 - 1, 2 ^ 54))
    assert.equal("1fffffffffffff", format("%I64x", 2 ^ 53 - 1))
    assert.equal("9223372036854775808 18446744073709549568|", format("%I64u %I64u|", 2 ^ 63, 2 ^ 64 - 2048))
    assert.equal(" 9223372036854775808|-9223372036854775808", format("%20I64d|%I64d", 2 ^ 63, -2 ^ 63))
  end)

  it("shows all bits of Lua 5.4's integers", function()
    local max = rawget(math, "maxinteger")
    if not max then return end
    assert.equal("7fffffffffffffff 7FFFFFFFFFFFFFFF 777777777777777777777", format("%I64x %I64X %I64o", max, max, max))
    assert.equal("7ffffffffffffffe ff 17 ffffffff", format("%I64x %x %o %x", max - 1, 255, 15, -1))
  end)

  it("has no negative 0 among whole numbers, but C's among others", function()
    local zero = 0
    assert.equal("0 0 0 0 0", format("%d %i %u %x %s", -zero, -zero, -zero, -zero, -zero))
    assert.equal("0", mql5.IntegerToString(-zero))
    local negative = -1 / math.huge -- Lua 5.1 takes a written -0.0 for 0
    assert.equal("-0 -0.0", format("%g %.1f", negative, negative))
    assert.equal("-0.0", mql5.DoubleToString(negative, 1))
  end)

  it("counts the characters of %s", function()
    assert.equal("Grö|    é|é    |   Gr|", format("%.3s|%5s|%-5s|%*.2s|", "Größe", "é", "é", 5, "Größe"))
  end)

  it("takes typed values, even of 64 bits, exactly, and booleans as numbers", function()
    assert.equal("9007199254740993|3|1.5", format("%I64d|%d|%g", mql5.long("9007199254740993"), mql5.int(3),
      mql5.float(1.5)))
    assert.equal("1 0 true", format("%d %d %s", true, false, true))
    assert.equal("5 0.1 nil", format("%s %s %s", 5, 0.1, nil))
  end)

  it("raises at the script's line if C would print the value wrong", function()
    local wrong = {
      {"StringFormat: argument #2 must be a whole number for %d, got 1.5", "%d", 1.5},
      {"StringFormat: argument #2 must be a number for %f, got \"1\"", "%f", "1"},
      {"StringFormat: there is no value for %s, which would be argument #2", "%s"},
      {"%y is not a conversion", "%y", 1},
      {"% is not a conversion", "100%"},
      {"must be a number of 0 or more for %I64u, got -1", "%I64u", -1},
      {"must be 0 to 127 for %c (%s takes any text), got 8364", "%c", 8364},
      {"must not exceed 99", "%100.3f", 1},
      {"must be a whole number for %d, got nan", "%d", 0 / 0},
      {"%I64x takes no 64-bit value from 2^53 on", "%I64x", mql5.ulong("9007199254740993")},
      {"%I64X takes no 64-bit value from 2^53 on", "%I64X", mql5.ulong("9007199254740993")},
      {"%I64o takes no 64-bit value from 2^53 on", "%I64o", mql5.long("9007199254740993")},
    }
    for _, case in ipairs(wrong) do
      local done, problem = pcall(function() format(case[2], unpack(case, 3)) end)
      local message = tostring(problem)
      assert.is_false(done)
      assert.truthy(message:find(case[1], 1, true), message)
      assert.truthy(message:find("mql5_text_spec%.lua:%d+: "), message)
    end
    assert.error_matches(function() format() end, "StringFormat: pattern must be a string, got nil")
  end)
end)

describe("DoubleToString", function()
  it("gives 8 digits, or the requested number from 0 to 16", function()
    assert.equal("0.12345679", mql5.DoubleToString(0.123456789))
    assert.equal("0.1235", mql5.DoubleToString(0.123456789, 4))
    assert.equal("2", mql5.DoubleToString(1.75, 0))
    assert.equal("0.5000000000000000", mql5.DoubleToString(0.5, 16))
  end)

  it("gives scientific notation for -1 to -16, and 8 digits for anything else", function()
    assert.equal("1.2346e-01", mql5.DoubleToString(0.123456789, -4))
    assert.equal("0.12345679", mql5.DoubleToString(0.123456789, 17))
    assert.equal("0.12345679", mql5.DoubleToString(0.123456789, -20))
    assert.equal("0.12345679", mql5.DoubleToString(0.123456789, 0.5))
  end)
end)

describe("IntegerToString", function()
  it("pads on the left", function()
    assert.equal("42", mql5.IntegerToString(42))
    assert.equal("   42", mql5.IntegerToString(42, 5))
    assert.equal("00042", mql5.IntegerToString(42, 5, "0"))
    assert.equal("**-42", mql5.IntegerToString(-42, 5, 42))
    assert.equal("9007199254740991", mql5.IntegerToString(2 ^ 53 - 1, 3))
    assert.equal("··42", mql5.IntegerToString(42, 4, "·"))
  end)

  it("takes all that a long holds", function()
    assert.same({"9007199254740992", "-1152921504606846976"},
      {mql5.IntegerToString(2 ^ 53), mql5.IntegerToString(-2 ^ 60)})
    assert.error_matches(function() mql5.IntegerToString(2 ^ 63) end, "number must be a whole number of 64 bits, got ")
    mql5.MathSrand(2 ^ 60)
  end)

  it("raises for numbers that are not whole", function()
    assert.error_matches(function() mql5.IntegerToString(1.5) end,
      "IntegerToString: number must be a whole number, got 1%.5")
  end)

  it("raises for a length and a character that it cannot pad with", function()
    for _, length in ipairs {65536, 1.5, 0 / 0} do
      assert.error_matches(function() mql5.IntegerToString(1, length) end,
        "IntegerToString: length must be a whole number below 65536, got ")
    end
    for _, fill in ipairs {"ab", "", 200, false} do
      assert.error_matches(function() mql5.IntegerToString(1, 5, fill) end,
        "IntegerToString: fill must be a character, or its code up to 127, got ")
    end
  end)
end)

it("StringConcatenate gives the length in characters, then the text", function()
  assert.same({8, "n = 5, ü"}, {mql5.StringConcatenate("n = ", 5, ", ü")})
  assert.same({0, ""}, {mql5.StringConcatenate()})
  assert.error_matches(function() mql5.StringConcatenate(nil, "a") end, "StringConcatenate: argument #1 must be a "
    .. "value, got nil; MQL5's first parameter is left out: n, s = StringConcatenate(a, b)", 1, true)
end)

describe("Print, PrintFormat, printf, Alert and Comment", function()
  it("write a line to standard output #once", function()
    local _, out, err = support.run_script [[
      Print("a", 1, " ", 0.1, " ", 1e300, " ", true, " ", nil)
      Print()
      Print(require("clue").float(0.1), " ", long("9007199254740993"), " ", -0.5, " ", 2 ^ 52)
      PrintFormat("%05.1f|%s", 2.21, "x")
      printf("%d%%", 7)
      Alert("look ", 3)
      Comment("here")]]
    assert.equal("a1 0.1 1e+300 true nil\n\n0.1 9007199254740993 -0.5 4503599627370496\n"
      .. "002.2|x\n7%\nAlert: look 3\nhere\n", out)
    assert.equal("", err)
  end)
end)
