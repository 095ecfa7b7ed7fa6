-- MQL5's casts: int(3.7), uchar(300), float(0.1).
-- suite: quick
-- process: shared

local cl = require "clue"
local mql5 = require "clue.mql5"

local array = mql5.array

describe("MQL5's casts", function()
  it("give numbers, which are equal to others and go wherever a number goes", function()
    assert.is_true(mql5.int(3) == 3)
    assert.equal(1.5, mql5.double(3) * 0.5)
    local a = array.int(2)
    a[mql5.int(1)] = mql5.int(7)
    assert.equal(7, a[1])
    assert.equal("b", ({"a", "b"})[mql5.uchar(2)])
    assert.equal(2, math.max(mql5.int(2), 1))
    local count = 0
    for _ = 1, mql5.uint(3.5) do count = count + 1 end
    assert.equal(3, count)
    assert.is_true(mql5.short(2) < 3)
    assert.equal(5, mql5.ArrayResize(a, mql5.long(5)))
    local context = mql5.CLContextCreate(mql5.int(0))
    assert.not_equal(-1, context)
    mql5.CLContextFree(mql5.int(context))
  end)

  it("give integers of Lua 5.4, for its bit operators", function()
    local kind = rawget(math, "type")
    if not kind then return end
    for name, given in pairs {int = 3, uint = 3.7, char = -0.5, long = 2 ^ 40, ulong = 7} do
      assert.equal("integer", kind(mql5[name](given)), name)
    end
    assert.equal("float", kind(mql5.double(3)))
  end)

  it("drop the fraction towards 0", function()
    for _, name in ipairs {"char", "short", "int", "long"} do
      assert.same({3, -3, 0}, {mql5[name](3.7), mql5[name](-3.7), mql5[name](-0.9)}, name)
      assert.equal(1 / 0, 1 / mql5[name](-0.9), name)
    end
    for _, name in ipairs {"uchar", "ushort", "uint", "ulong"} do assert.equal(3, mql5[name](3.7), name) end
  end)

  it("wrap around as the bits of the type do", function()
    for _, case in ipairs {{"char", 200, -56}, {"uchar", 300, 44}, {"uchar", -1, 255}, {"short", 40000, -25536},
      {"ushort", -1, 65535}, {"int", 4294967295, -1}, {"int", 2 ^ 40 + 5, 5}, {"uint", -1, 4294967295},
      {"int", -2 ^ 63, 0}, {"long", 2 ^ 63, -2 ^ 63}, {"ulong", -2 ^ 62, 2 ^ 64 - 2 ^ 62}} do
      assert.equal(case[3], mql5[case[1]](case[2]), case[1])
    end
  end)

  it("round to the numbers of float and half", function()
    assert.equal(array.float {0.1}[0], mql5.float(0.1))
    assert.equal(array.half {0.1}[0], mql5.half(0.1))
    assert.equal(0.1, mql5.double(0.1))
    assert.is_true(mql5.float(0 / 0) ~= mql5.float(0 / 0))
  end)

  it("take booleans, texts of numbers and typed values", function()
    assert.same({1, 0, 1}, {mql5.int(true), mql5.int(false), mql5.double(true)})
    assert.same({12, 3, 44, -1.5}, {mql5.int "12", mql5.int " 3.9", mql5.uchar "300", mql5.double "-1.5"})
    assert.same({2, 0}, {mql5.int(cl.float(2.5)), mql5.double(cl.int(7)) - 7})
    assert.equal(array.float {0.1}[0], mql5.double(cl.float(0.1)))
  end)

  it("give a typed value where a double cannot hold 64 bits, which elements and other casts take", function()
    local greatest, odd = mql5.ulong(-1), mql5.long "9007199254740993"
    assert.equal("ulong(18446744073709551615)", tostring(greatest))
    assert.equal("long(9007199254740993)", tostring(odd))
    assert.same({-1, -1, 2 ^ 64, 1}, {mql5.long(greatest), mql5.int(greatest), mql5.double(greatest), mql5.int(odd)})
    assert.equal(4294967295, mql5.uint(mql5.long "-9007199254740993"))
    local a = array.ulong {greatest, odd}
    a[1] = greatest
    assert.same({"18446744073709551615", "18446744073709551615"}, {a:decimal(0), a:decimal(1)})
  end)

  it("refuse what is no number of 64 bits, at the script's line", function()
    local only = ": int converts numbers, booleans and decimal text"
    for _, case in ipairs {{"int", 0 / 0, "nan" .. only .. ", whole numbers of up to 64 bits"},
      {"int", 1e300, "1e+300" .. only .. ", whole numbers of up to 64 bits"}, {"int", "x", '"x"' .. only},
      {"long", "18446744073709551617", '"18446744073709551617": long converts numbers, booleans and decimal text, '
        .. "whole numbers of up to 64 bits"},
      {"int", "-9223372036854775809", '"-9223372036854775809"' .. only .. ", whole numbers of up to 64 bits"},
      {"int", nil, "nil" .. only}, {"int", cl.int2(1), "int2(1, 1)" .. only}, {"int", {}, "a table" .. only},
      {"float", 1e39, "1e+39: float holds numbers up to 3.4028234663852886e+38"}} do
      local _, problem = pcall(function() local _ = mql5[case[1]](case[2]) end)
      assert.matches("mql5_casts_spec%.lua:%d+: ", problem)
      assert.matches(case[1] .. ": the value cannot be " .. case[3], tostring(problem), 1, true)
    end
  end)
end)

it("An element of an array takes a typed value as the number that it is", function()
  local a, b = array.double(1), array.int(1)
  a[0], b[0] = cl.float(0.1), cl.uchar(7)
  assert.same({array.float {0.1}[0], 7}, {a[0], b[0]})
  assert.error_matches(function() b[0] = cl.float(2.5) end,
    "element 0 of int%[1%] cannot be float%(2%.5%): int holds")
  assert.error_matches(function() b[0] = cl.int2(1) end, "element 0 of int%[1%] cannot be int2%(1, 1%): int holds")
  assert.error_matches(function() b[1] = cl.int(1) end, "index 1 is outside int%[1%]")
end)
