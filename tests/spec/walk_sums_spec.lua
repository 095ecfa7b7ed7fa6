-- The checks of the outer sum and of the int product: at the walkthroughs' sizes, each pass finds the planted faults by
-- itself, and right results pass.
-- suite: quick
-- process: shared alone
local int_product = require "clue.walk.int_product"
local move = require "clue.walk.move"
local nbody = require "clue.walk.nbody"
local outer_sum = require "clue.walk.outer_sum"
local product = require "clue.walk.product"
local reduce = require "clue.walk.reduce"
local support = require "support"
local walk = require "clue.walk"

local function verdict(made, compute, spoil, pass)
  local passes = made:passes()
  return walk.verify({execute = compute, read = function() spoil(made) end}, pass and {passes[pass]} or passes)
end

local function nothing() end

local function of_sum(size, spoil, pass)
  local s = outer_sum.new {size = size}
  return verdict(s, function() s:on_host(0) end, spoil, pass)
end

local function of_product(size, spoil, pass)
  local p = int_product.new {size = size}
  return verdict(p, function() p:on_host("vector", 0) end, spoil, pass)
end

describe("the check of an outer sum", function()
  local size = support.thorough and "4099x16384" or "1003x1001"
  local faults = {
    ["one element"] = function(s) s.c[s.x - 1] = s.c[s.x - 1] + 1 end,
    ["the last y left out"] = function(s)
      for x = 0, s.x - 1 do s.c[x] = s.c[x] - s.a[x] * s.b[s.y - 1] end
    end,
    ["one tile left out"] = function(s)
      local tile = 0
      for y = 64, 127 do tile = tile + s.b[y] end
      for x = 0, s.x - 1 do s.c[x] = s.c[x] - s.a[x] * tile end
    end,
    ["the last x not written"] = function(s)
      for x = s.x - s.x % 8, s.x - 1 do s.c[x] = 0 / 0 end
    end,
  }

  it("passes a right result", function()
    local check = of_sum(size, nothing)
    assert.equal("exact on whole numbers, six sigma on uniform inputs", check.text)
    assert.is_true(check.verified)
  end)

  for name, spoil in pairs(faults) do
    for pass, says in ipairs {"C%[%d+%] is .-, should be", "standard deviations of rounding"} do
      it(("catches %s by pass %d"):format(name, pass), function()
        local check = of_sum(size, spoil, pass)
        assert.is_false(check.verified)
        assert.matches(says, check.text)
      end)
    end
  end

  it("can check every size that it accepts", function()
    for _, extreme in ipairs {"1x1", "1x16777215", "3x2097153"} do
      assert.is_true(of_sum(support.thorough and extreme or "1x1", nothing).verified)
    end
  end)
end)

describe("the check of an int product", function()
  local size = support.thorough and "700x500x600" or "100x101x102"
  local faults = {
    ["one element, by the highest bit"] = function(p)
      local at = math.floor(p.m / 3) * p.n + math.floor(p.n / 2)
      p.c[at] = p.c[at] < 0 and p.c[at] + 2 ^ 31 or p.c[at] - 2 ^ 31
    end,
    ["the last column"] = function(p)
      for row = 0, p.m - 1 do p.c[row * p.n + p.n - 1] = 0 end
    end,
    ["one tile"] = function(p)
      for row = 16, 31 do
        for column = 32, 47 do p.c[row * p.n + column] = p.c[row * p.n + column + 16] end
      end
    end,
    ["the last k left out"] = function(p)
      for row = 0, p.m - 1 do
        for column = 0, p.n - 1 do
          local at = row * p.n + column
          p.c[at] = p.c[at] - p.a[row * p.k + p.k - 1] * p.b[(p.k - 1) * p.n + column]
        end
      end
    end,
  }

  it("passes a right result", function()
    local check = of_product(size, nothing)
    assert.equal("exact on large ints, exact on the measured ints", check.text)
    assert.is_true(check.verified)
  end)

  for name, spoil in pairs(faults) do
    for pass = 1, 2 do
      it(("catches %s by pass %d"):format(name, pass), function()
        local check = of_product(size, spoil, pass)
        assert.is_false(check.verified)
        assert.matches("C%[%d+%]%[%d+%] is %-?%d+, should be %-?%d+", check.text)
      end)
    end
  end

  it("uses sums that a float cannot hold", function()
    local p = int_product.new {size = "3x512x3"}
    p:passes()[1].prepare()
    p:on_host("naive", 1)
    local largest = 0
    for i = 0, 8 do largest = math.max(largest, math.abs(p.c[i])) end
    assert.is_true(largest > 2 ^ 24)
  end)
end)

describe("the work of a problem", function()
  it("is two operations for each product, and 20 for each pair of bodies", function()
    assert.equal(2 * 3 * 5 * 7, product.new({size = "3x5x7", type = "double"}).flops)
    assert.equal(2 * 3 * 5 * 7, int_product.new({size = "3x5x7"}).flops)
    assert.equal(2 * 10 * 30, outer_sum.new({size = "10x30"}).flops)
    assert.equal(20 * 50 ^ 2, nbody.new({size = "50"}).flops)
  end)

  it("is every byte that is read or written once", function()
    assert.equal(4 * (10 + 30 + 10), outer_sum.new({size = "10x30"}):bytes())
    assert.equal(2 * 4 * 10 * 30, move.plane({size = "10x30"}).traffic)
    assert.equal(2 * 4 * 77, move.list({size = "77"}).traffic)
    assert.equal(2 * 2 * 4 * 4 * 50, nbody.new({size = "50"}):bytes()) -- two float4, in and out
  end)
end)

it("the check of a sum accepts what rounding explains, and not twice as much", function()
  local values = reduce.new {size = "1000"}
  local pass = values:passes(300)[2]
  pass.prepare()
  local sum, squares = 0, 0
  for i = 0, 999 do sum, squares = sum + values.values[i], squares + values.values[i] ^ 2 end
  local bound = 6 * 2 ^ -24 * math.sqrt(100 * squares)
  values.found[0] = sum + 0.9 * bound
  assert.is_true(pass.check())
  values.found[0] = sum - 2 * bound
  assert.is_false((pass.check()))
end)
