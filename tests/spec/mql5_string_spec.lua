-- MQL5's string functions: they count characters, and return what MQL5 changes in place.
-- suite: quick
-- process: shared

local mql5 = require "clue.mql5"
local options = require "clue.options"
local support = require "support"

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

  it("say of each call that drops the new text, as MQL5's do not return it, that it does nothing #once", function()
    local script = [[
-- StringToLower(x)
local s, t = "ABC", {name = " q "}
StringToLower(s) Print(s)
if s == "x" then StringReplace(s, "a,(", "b") end
local x = "ABC"
StringTrimLeft(x)
StringTrimRight(t["name"]); StringAdd(
  t.name,
  "b")
local ok, y = StringToUpper(x)
StringToLower("abc" .. x)
for i = 1, 2 do StringConcatenate(s, "a", 5) end
StringConcatenate(s) StringToUpper (t["name"])
]]
    local place = "^clue: [^:]*:%d+: note: "
    local expected = {
      "3 StringToLower write ok, s = StringToLower(s)",
      '4 StringReplace write n, s = StringReplace(s, "a,(", "b")',
      "6 StringTrimLeft write n, x = StringTrimLeft(x)",
      '7 StringTrimRight write n, t["name"] = StringTrimRight(t["name"])',
      '7 StringAdd write ok, t.name = StringAdd( t.name, "b")',
      "11 StringToLower the new text is the second result of StringToLower",
      '12 StringConcatenate write n, s = StringConcatenate("a", 5)',
      "13 StringConcatenate write n, s = StringConcatenate(s)",
      '13 StringToUpper write ok, t["name"] = StringToUpper (t["name"])',
    }
    local _, out, err = support.run_script(script)
    local found = {}
    for line in err:gmatch "[^\n]+" do
      assert.matches(place .. "%a+ changes nothing here, since Lua passes texts by value: ", line)
      found[#found + 1] = line:gsub("^.-:(%d+): note: (%a+) .-: ", "%1 %2 ")
    end
    assert.equal("ABC\n", out)
    assert.same(expected, found)
  end)

  it("say nothing of calls whose results go somewhere, and raise with --strict #once", function()
    local right = [[
local s = "ABC"
local ok,
  t = StringToLower(s)
ok, t =
  StringToUpper(t)
Print("StringToLower(s)", ok and StringReplace(s, "A", "B"), (StringAdd(t, "x")), #{StringTrimLeft(s)})
local function lower(text) return StringToLower(text) end
local own = {StringAdd = function() end}
own.StringAdd(s, "x")
local function StringTrimRight(list) list[1] = 1 end
StringTrimRight({})
if StringSetCharacter(s, 0, 120) then lower(s) end
]]
    assert.equal("", select(3, support.run_script(right)))
    local wrong = support.write "local s = StringAdd\nlocal t = 'A'\nStringToLower(t)\n"
    local _, err = support.ended(1, support.run {"--strict", wrong})
    assert.matches(":3: StringToLower changes nothing here, since Lua passes texts by value: write ok, t = ", err, 1,
      true)
    assert.equal("", select(3, support.run {"--quiet", wrong}))
  end)

  it("are looked for in a moment, also in a large script #once", function()
    local text = ('do local s = "x" .. StringSubstr("abc", 1) end\n'):rep(4000)
    local _, out, err = support.run_script(text .. "local s = 'a' StringAdd(s, 'b') Print(os.clock())")
    assert.matches(":4001: note: StringAdd changes nothing here", err, 1, true)
    assert.is_true(tonumber(out) < 3, out)
  end)
end)
