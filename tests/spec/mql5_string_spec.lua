-- MQL5's string functions: they count characters, and return what MQL5 changes in place.
-- suite: quick
-- process: shared

local mql5 = require "clue.mql5"
local options = require "clue.options"

-- A failure: sets the code and gives the message last.
local function assert_fails(code, pattern, expected, ...)
  local results = {...}
  assert.equal(code, mql5.GetLastError())
  mql5.ResetLastError()
  for i, value in ipairs(expected) do assert.equal(value, results[i]) end
  assert.matches(pattern, results[#expected + 1])
end

describe("MQL5's string functions", function()
  local quiet

  setup(function() quiet, options.quiet = options.quiet, true end)
  teardown(function() options.quiet = quiet end)
  before_each(mql5.ResetLastError)

  it("count characters, not bytes", function()
    assert.equal(0, mql5.StringLen "")
    assert.equal(3, mql5.StringLen "abc")
    assert.equal(4, mql5.StringLen "aб€😀")
    assert.equal(5, mql5.StringFind("абвгдабв", "аб", 1))
    assert.equal("вгд", mql5.StringSubstr("абвгд", 2))
  end)

  it("find a text, from a position on", function()
    assert.equal(0, mql5.StringFind("abcabc", "ab"))
    assert.equal(3, mql5.StringFind("abcabc", "ab", 1))
    assert.equal(3, mql5.StringFind("abcabc", "ab", 3))
    assert.equal(-1, mql5.StringFind("abcabc", "ab", 4))
    assert.equal(-1, mql5.StringFind("abc", "x"))
    assert.equal(-1, mql5.StringFind("abc", "c", 99))
    assert.equal(-1, mql5.StringFind("", "a"))
    assert.equal(-1, mql5.StringFind("abc", ""))
    assert.equal(0, mql5.StringFind("abc", "a", -5))
    assert.equal(1, mql5.StringFind("a.b%", ".b%"))
    assert.equal(0, mql5.GetLastError())
  end)

  it("cut out a part", function()
    assert.equal("bc", mql5.StringSubstr("abcd", 1, 2))
    assert.equal("bcd", mql5.StringSubstr("abcd", 1))
    assert.equal("bcd", mql5.StringSubstr("abcd", 1, -1))
    assert.equal("d", mql5.StringSubstr("abcd", 3, 99))
    assert.equal("", mql5.StringSubstr("abcd", 1, 0))
    assert.equal("", mql5.StringSubstr("abcd", 4))
    assert.equal("", mql5.StringSubstr("abcd", -1))
    assert.equal("б", mql5.StringSubstr("aбc", 1, 1))
    assert.equal("c", mql5.StringSubstr("aбc", 2, 9))
    assert.equal("", mql5.StringSubstr("aбc", 3))
  end)

  it("split by a character or its code", function()
    assert.same({3, {"life", "is", "good"}}, {mql5.StringSplit("life_is_good", ("_"):byte())})
    assert.same({4, {"", "a", "", ""}}, {mql5.StringSplit(",a,,", ",")})
    assert.same({1, {"whole"}}, {mql5.StringSplit("whole", ",")})
    assert.same({0, {}}, {mql5.StringSplit("", ",")})
    assert.same({2, {"a", "b"}}, {mql5.StringSplit("a€b", 0x20AC)})
    assert.error_matches(function() mql5.StringSplit("a", ",", {}) end,
      "StringSplit: argument #3 must be left out, got a table; the parts are the second result, from 1: ")
    assert.error_matches(function() mql5.StringSplit("a", "ab") end,
      'StringSplit: separator must be a character or its code, got "ab"')
    assert.error_matches(function() mql5.StringSplit("a", 1.5) end, "must be a character or its code, got 1.5")
  end)

  it("change between small letters and capitals, in any of MQL5's scripts", function()
    assert.same({true, "abc àöþ αλφάώ ажя ёђ ґӂ ÿ"}, {mql5.StringToLower "ABC ÀÖÞ ΑΛΦΆΏ АЖЯ ЁЂ ҐӁ Ÿ"})
    assert.same({true, "ABC ÀÖÞ ΑΛΦΆΏ АЖЯ ЁЂ ҐӁ Ÿ"}, {mql5.StringToUpper "abc àöþ αλφάώ ажя ёђ ґӂ ÿ"})
    assert.same({true, "ŁŽĶ"}, {mql5.StringToUpper "łžķ"})
    assert.same({true, "1×÷ß€"}, {mql5.StringToLower "1×÷ß€"})
    assert.same({true, "\255\128"}, {mql5.StringToUpper "\255\128"})
  end)

  it("replace every occurrence", function()
    assert.same({2, "The slow cat, slow"}, {mql5.StringReplace("The quick cat, quick", "quick", "slow")})
    assert.same({0, "abc"}, {mql5.StringReplace("abc", "x", "y")})
    assert.same({2, "%1a%1"}, {mql5.StringReplace(".a.", ".", "%1")})
    assert.same({1, "ac"}, {mql5.StringReplace("a\0c", "\0", "")})
    assert_fails(5040, "StringReplace: error 5040: the text to find is empty", {-1, "abc"},
      mql5.StringReplace("abc", "", "x"))
  end)

  it("trim and append", function()
    assert.same({3, "a \n"}, {mql5.StringTrimLeft " \t\na \n"})
    assert.same({2, " \ta"}, {mql5.StringTrimRight " \ta \n"})
    assert.same({2, ""}, {mql5.StringTrimLeft "  "})
    assert.same({2, ""}, {mql5.StringTrimRight "\r\n"})
    assert.same({0, ""}, {mql5.StringTrimRight ""})
    assert.same({true, "ab"}, {mql5.StringAdd("a", "b")})
  end)

  it("compare in the alphabet's order", function()
    assert.equal(-1, mql5.StringCompare("Apple", "home"))
    assert.equal(1, mql5.StringCompare("home", "Apple"))
    assert.equal(1, mql5.StringCompare("A", "a"))
    assert.equal(-1, mql5.StringCompare("aбc", "aБc"))
    assert.equal(0, mql5.StringCompare("A", "a", false))
    assert.equal(0, mql5.StringCompare("abc", "abc"))
    assert.equal(-1, mql5.StringCompare("", "a"))
  end)

  it("read and write single characters", function()
    assert.equal(0x431, mql5.StringGetCharacter("aбc", 1))
    assert.same({97, 0x20AC, 0x1F600}, {mql5.StringGetCharacter("a", 0), mql5.StringGetCharacter("€", 0),
      mql5.StringGetCharacter("😀", 0)})
    assert_fails(5041, "position 3 is outside the text of 3 characters", {0}, mql5.StringGetCharacter("aбc", 3))
    assert_fails(5041, "position %-1", {0}, mql5.StringGetCharacter("abc", -1))
    assert.same({true, "axc"}, {mql5.StringSetCharacter("aбc", 1, 120)})
    assert.same({true, "abc€"}, {mql5.StringSetCharacter("abc", 3, "€")})
    assert.same({true, "ab"}, {mql5.StringSetCharacter("abcd", 2, 0)})
    assert_fails(5041, "position 4", {false, "abc"}, mql5.StringSetCharacter("abc", 4, "x"))
  end)

  it("raise at the script's line for what is no text", function()
    for _, name in ipairs {"StringLen", "StringFind", "StringSubstr", "StringSplit", "StringToLower", "StringToUpper",
      "StringReplace", "StringTrimLeft", "StringTrimRight", "StringAdd", "StringGetCharacter", "StringSetCharacter"} do
      for _, given in ipairs {5, {}, false} do
        local done, problem = pcall(function() mql5[name](given, 1, 1) end)
        assert.is_false(done, name)
        assert.matches(("mql5_string_spec.lua:%%d+: %s: text must be a string, got "):format(name), tostring(problem))
      end
    end
    assert.error_matches(function() mql5.StringFind("a", nil) end, "StringFind: match must be a string, got nil")
    assert.error_matches(function() mql5.StringSubstr("a", 0.5) end, "start_pos must be a whole number, got 0.5")
    assert.error_matches(function() mql5.StringCompare("a") end, "StringCompare: right must be a string, got nil")
    assert.error_matches(function() mql5.StringSetCharacter("a", 0, "xy") end,
      'StringSetCharacter: character must be a character or its code, got "xy"')
  end)
end)
