-- Statistics of measured times, and their confidence.
local statistics = require "clue.walk.statistics"

describe("statistics", function()
  it("give the least, the median, the largest and the spread", function()
    assert.same({min = 1, median = 2, max = 10, spread = 4.5, count = 3}, statistics.of {2, 10, 1})
    assert.equal(2.5, statistics.of({1, 2, 3, 4}).median)
    assert.is_nil(statistics.of {})
  end)
end)

-- n values from 1 on, and m values that are larger than all of them.
local function separate(n, m)
  local before, now = {}, {}
  for i = 1, n do before[i] = i end
  for i = 1, m do now[i] = 1000 + i end
  return before, now
end

-- How many of all ratios are below the interval.
local function below(before, now, low)
  local count = 0
  for _, earlier in ipairs(before) do
    for _, later in ipairs(now) do
      if earlier / later < low then count = count + 1 end
    end
  end
  return count
end

describe("a gain of runs that did not take turns", function()
  it("leaves out as many pairs as the tables of Mann and Whitney say", function()
    for sizes, critical in pairs {
      [{4, 4}] = 0, [{5, 5}] = 2, [{6, 6}] = 5, [{7, 7}] = 8, [{7, 9}] = 12, [{10, 10}] = 23, [{20, 20}] = 127,
    } do
      local before, now = separate(sizes[1], sizes[2])
      local gain = statistics.gain(before, now)
      assert.equal(critical, below(before, now, gain.low), table.concat(sizes, " "))
    end
  end)

  it("has no interval if there are too few runs", function()
    local gain = statistics.gain(separate(3, 3))
    assert.is_nil(gain.low)
    assert.is_nil(gain.high)
    assert.equal(3, gain.count)
  end)

  it("has an interval for many runs, too", function()
    local before, now = separate(40, 40)
    local out = below(before, now, statistics.gain(before, now).low)
    assert.is_true(out >= 590 and out <= 600, out) -- 596 in the exact table
  end)

  it("is the median of all ratios", function()
    assert.equal(2, statistics.gain({2, 2, 2, 2}, {1, 1, 1, 1}).ratio)
    assert.equal(0.5, statistics.gain({1, 1, 1, 100}, {2, 2, 2, 2}).ratio)
  end)
end)

describe("a gain of runs that took turns", function()
  local function pairs_of(n)
    local before, now = {}, {}
    for i = 1, n do before[i], now[i] = i, 1 end
    return before, now
  end

  it("has an interval between the pairs that the binomial distribution gives", function()
    for n, out in pairs {[6] = 0, [8] = 0, [9] = 1, [11] = 1, [12] = 2, [15] = 3, [20] = 5} do
      local gain = statistics.paired_gain(pairs_of(n))
      assert.same({n, 1 + out, n - out}, {gain.count, gain.low, gain.high})
    end
  end)

  it("has no interval below six pairs", function()
    assert.is_nil(statistics.paired_gain(pairs_of(5)).low)
  end)

  it("is not changed by disturbances of both runs in a pair", function()
    local gain = statistics.paired_gain({2, 20, 2, 200, 2, 2}, {1, 10, 1, 100, 1, 1})
    assert.same({2, 2, 2}, {gain.ratio, gain.low, gain.high})
  end)
end)

describe("a gain in words", function()
  it("is a ratio with its interval", function()
    assert.equal("2.05 (1.98-2.11)", statistics.text {ratio = 2.05, low = 1.98, high = 2.11})
    assert.equal("12.3 (9.90-15.0)", statistics.text {ratio = 12.3, low = 9.9, high = 15})
    assert.equal("0.50 (0.40-0.60)", statistics.text {ratio = 0.5, low = 0.4, high = 0.6})
    assert.equal("1.95", statistics.text {ratio = 1.95})
  end)

  it("is 'no difference' if it is within the noise, or too small to matter", function()
    assert.equal("no difference", statistics.text {ratio = 1.02, low = 0.99, high = 1.05})
    assert.equal("no difference", statistics.text {ratio = 1.005, low = 1.004, high = 1.006})
    assert.equal("no difference", statistics.text {ratio = 0.995})
  end)
end)
