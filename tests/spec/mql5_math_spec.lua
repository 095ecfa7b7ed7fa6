-- MQL5's Math functions.
-- suite: quick
-- builds: luajit lua54
-- process: shared

local mql5 = require "clue.mql5"

local function assert_near(expected, found, name)
  local allowed = 4 * 2 ^ -52 * math.max(1e-300, math.abs(expected))
  assert.is_true(math.abs(found - expected) <= allowed, ("%s: %.17g, not %.17g"):format(name, found, expected))
end

describe("MathRand", function()
  it("gives whole numbers from 0 to 32767, and eventually both of these", function()
    local low, high = math.huge, -math.huge
    mql5.MathSrand(12) -- one that soon gives both
    for _ = 1, 10000 do
      local number = mql5.MathRand()
      low, high = math.min(low, number), math.max(high, number)
      if number ~= math.floor(number) then error "a fraction" end
    end
    assert.same({0, 32767}, {low, high})
  end)

  it("gives the same sequence for the same seed", function()
    local function sequence(seed)
      mql5.MathSrand(seed)
      return {mql5.MathRand(), mql5.MathRand(), mql5.MathRand()}
    end
    assert.same(sequence(7), sequence(7))
    assert.same(sequence(-1), sequence(2 ^ 32 - 1))
    assert.not_same(sequence(7), sequence(8))
    assert.error_matches(function() mql5.MathSrand(0.5) end, "MathSrand: start must be a whole number, got 0%.5")
  end)
end)

describe("the Math functions", function()
  it("round as C does", function()
    local odd = 2 ^ 52 + 1
    local cases = {[2.5] = 3, [-2.5] = -3, [0.49999999999999994] = 0, [-0.4] = 0, [1.5] = 2, [odd] = odd}
    for given, wanted in pairs(cases) do assert.equal(wanted, mql5.MathRound(given) + 0) end
    assert.equal(-1, mql5.MathMod(-7, 3))
    assert.equal(1, mql5.MathMod(7, -3))
    assert.equal(-3, mql5.MathFloor(-2.5))
    assert.equal(-2, mql5.MathCeil(-2.5))
  end)

  it("agree with values computed in high precision", function()
    assert_near(0.5493061443340548, mql5.MathArctanh(0.5), "MathArctanh")
    assert_near(1e-10, mql5.MathArctanh(1e-10), "MathArctanh")
    assert_near(0.48121182505960347, mql5.MathArcsinh(0.5), "MathArcsinh")
    assert_near(-23.7189981105004, mql5.MathArcsinh(-1e10), "MathArcsinh")
    assert_near(1.3169578969248168, mql5.MathArccosh(2), "MathArccosh")
    assert_near(1.3486991523485068e-06, mql5.MathArccosh(1 + 2 ^ -40), "MathArccosh")
    assert_near(1.1752011936438014, mql5.MathSinh(1), "MathSinh")
    assert_near(1e-09, mql5.MathSinh(1e-9), "MathSinh")
    assert_near(1.543080634815244, mql5.MathCosh(-1), "MathCosh")
    assert_near(0.7615941559557649, mql5.MathTanh(1), "MathTanh")
    assert_near(9.999999999500001e-11, mql5.MathLog1p(1e-10), "MathLog1p")
    assert_near(1.00000000005e-10, mql5.MathExpm1(1e-10), "MathExpm1")
    assert_near(2.302585092994046, mql5.MathLog(10), "MathLog")
    assert_near(3, mql5.MathLog10(1000), "MathLog10")
    assert_near(2.356194490192345, mql5.MathArctan2(1, -1), "MathArctan2")
    assert_near(1024, mql5.MathPow(2, 10), "MathPow")
    assert_near(3, mql5.MathSqrt(9), "MathSqrt")
  end)

  it("pass infinities and NaN through", function()
    for _, name in ipairs {"MathSinh", "MathExpm1", "MathLog1p", "MathArcsinh", "MathRound", "MathSqrt"} do
      assert.equal(math.huge, mql5[name](math.huge), name)
      local nothing = mql5[name](0 / 0)
      assert.not_equal(nothing, nothing, name)
    end
    assert.equal(math.huge, mql5.MathCosh(-math.huge))
    assert.equal(-1, mql5.MathTanh(-math.huge))
    assert.is_true(mql5.MathIsValidNumber(1))
    assert.is_false(mql5.MathIsValidNumber(math.huge))
    assert.is_false(mql5.MathIsValidNumber(0 / 0))
    assert.equal(5, mql5.MathMax(5, -6))
    assert.equal(-6, mql5.MathMin(5, -6))
  end)

  it("have C's short names too", function()
    local pairs_of_names = {fabs = "MathAbs", acos = "MathArccos", asin = "MathArcsin", atan = "MathArctan",
      ceil = "MathCeil", cos = "MathCos", exp = "MathExp", floor = "MathFloor", log = "MathLog", log10 = "MathLog10",
      round = "MathRound", sin = "MathSin", sqrt = "MathSqrt", tan = "MathTan", expm1 = "MathExpm1",
      log1p = "MathLog1p", cosh = "MathCosh", sinh = "MathSinh", tanh = "MathTanh", asinh = "MathArcsinh",
      atanh = "MathArctanh"}
    for short, long in pairs(pairs_of_names) do
      for _, x in ipairs {0.3, -0.7} do
        local wanted, found = mql5[long](x), mql5[short](x)
        assert.is_true(wanted == found or wanted ~= wanted and found ~= found, short)
      end
    end
    assert.equal(mql5.MathArccosh(2), mql5.acosh(2))
    for short, long in pairs {atan2 = "MathArctan2", fmax = "MathMax", fmin = "MathMin", fmod = "MathMod",
      pow = "MathPow"} do
      assert.equal(mql5[long](7, 2), mql5[short](7, 2), short)
    end
    mql5.srand(7)
    local first = mql5.rand()
    mql5.MathSrand(7)
    assert.equal(first, mql5.MathRand())
  end)

  it("raise errors under their own names", function()
    assert.error_matches(function() mql5.sqrt() end, "sqrt: x must be a number, got nil")
    assert.error_matches(function() mql5.fmod(1, "2") end, 'fmod: y must be a number, got "2"')
    assert.error_matches(function() mql5.MathMax(1, 2, 3) end,
      "MathMax: argument #3 must be left out, got 3; the function takes two numbers")
    assert.error_matches(function() mql5.srand(0.5) end, "srand: start must be a whole number, got 0%.5")
    assert.error_matches(function() mql5.MathSqrt() end, "MathSqrt: x must be a number, got nil")
    assert.error_matches(function() mql5.MathPow(1, "2") end, 'MathPow: y must be a number, got "2"')
  end)
end)

describe("the Math constants", function()
  it("have the values that their names say", function()
    local m = mql5
    for name, expected in pairs {M_E = math.exp(1), M_LOG2E = 1 / math.log(2), M_LOG10E = 1 / math.log(10),
      M_LN2 = math.log(2), M_LN10 = math.log(10), M_PI = math.pi, M_PI_2 = math.pi / 2, M_PI_4 = math.pi / 4,
      M_1_PI = 1 / math.pi, M_2_PI = 2 / math.pi, M_2_SQRTPI = 2 / math.sqrt(math.pi), M_SQRT2 = math.sqrt(2),
      M_SQRT1_2 = math.sqrt(0.5)} do
      assert_near(expected, m[name], name)
    end
  end)

  it("include the least and the greatest number of each type", function()
    for type, prefix in pairs {char = "CHAR", uchar = "UCHAR", short = "SHORT", ushort = "USHORT", int = "INT",
      uint = "UINT"} do
      local least, greatest = mql5[prefix .. "_MIN"] or 0, mql5[prefix .. "_MAX"]
      assert.same({least, greatest}, {mql5[type](least), mql5[type](greatest)})
      assert.same({greatest, least}, {mql5[type](least - 1), mql5[type](greatest + 1)})
    end
    assert.equal(mql5.FLT_MAX, mql5.array.float {mql5.FLT_MAX}[0])
    assert.equal(mql5.FLT_MIN, mql5.array.float {mql5.FLT_MIN}[0])
    assert.is_true(mql5.DBL_MAX < math.huge and mql5.DBL_MAX * (1 + mql5.DBL_EPSILON) == math.huge)
    assert.is_true(1 + mql5.DBL_EPSILON > 1 and 1 + mql5.DBL_EPSILON / 2 == 1)
    local cell = mql5.array.float {1 + mql5.FLT_EPSILON, 1 + mql5.FLT_EPSILON / 2}
    assert.is_true(cell[0] > 1 and cell[1] == 1)
    assert.equal(-2 ^ 63, mql5.LONG_MIN)
  end)

  it("include the digits and exponents of floating-point numbers", function()
    for prefix, epsilon in pairs {FLT = mql5.FLT_EPSILON, DBL = mql5.DBL_EPSILON} do
      local function is(name) return mql5[prefix .. "_" .. name] end
      local held = prefix == "FLT" and function(x) return mql5.array.float {x}[0] end or function(x) return x end
      assert.equal(2 ^ (1 - is "MANT_DIG"), epsilon)
      assert.equal(is "DIG", math.floor((is "MANT_DIG" - 1) * math.log(2) / math.log(10)))
      assert.is_true(held(2 ^ (is "MAX_EXP" - 1)) <= is "MAX" and is "MAX" / 2 < 2 ^ (is "MAX_EXP" - 1))
      assert.equal(is "MIN", 2 ^ (is "MIN_EXP" - 1))
      assert.is_true(10 ^ is "MAX_10_EXP" <= is "MAX" and is "MAX" / 10 < 10 ^ is "MAX_10_EXP")
      assert.is_true(10 ^ is "MIN_10_EXP" >= is "MIN" and 10 ^ is "MIN_10_EXP" / 10 < is "MIN")
    end
  end)
end)

it("Math functions of two numbers treat 0 and NaN as C does", function()
  local nan = 0 / 0
  for _, name in ipairs {"MathMax", "fmax", "MathMin", "fmin"} do
    assert.same({1, 1}, {mql5[name](1, nan), mql5[name](nan, 1)}, name)
  end
  for _, name in ipairs {"MathMod", "fmod"} do
    local rest = mql5[name](5, 0)
    assert.is_true(rest ~= rest, name)
  end
end)
