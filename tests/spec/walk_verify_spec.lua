-- The check of a matrix product finds planted faults at the article's size, and right results pass.
-- suite: quick
-- process: shared alone
local product = require "clue.walk.product"
local support = require "support"
local walk = require "clue.walk"

local SIZE = support.thorough and 2000 or 250

-- The verdict on the product that the host computed; `spoil` changes C before the check.
local function verdict(p, spoil)
  return walk.verify({execute = function() p:on_host() end, read = function() spoil(p) end}, p:passes())
end

local function each_output(p, change)
  for row = 0, p.m - 1 do
    for column = 0, p.n - 1 do change(row, column) end
  end
end

local faults = {
  {"one element", function(p)
    local at = math.floor(p.m / 3) * p.n + math.floor(p.n / 2)
    p.c[at] = p.c[at] + 1
  end},
  {"the last k left out", function(p)
    local last = p.k - 1
    each_output(p, function(row, column)
      local at = row * p.n + column
      p.c[at] = p.c[at] - p.a[row * p.k + last] * p.b[last * p.n + column]
    end)
  end},
  {"the last column", function(p)
    for row = 0, p.m - 1 do p.c[row * p.n + p.n - 1] = 0 end
  end},
  {"one tile", function(p)
    for row = 16, 31 do
      for column = 32, 47 do p.c[row * p.n + column] = p.c[row * p.n + column + 16] end
    end
  end},
}

-- The verdict of one pass alone, so that each must find the fault.
local function verdict_of_pass(p, index, spoil)
  return walk.verify({execute = function() p:on_host() end, read = function() spoil(p) end},
    {p:passes()[index]})
end

describe("the check of a matrix product", function()
  for _, kind in ipairs {"float", "double"} do
    it("passes a right result in " .. kind, function()
      local check = verdict(product.new {size = tostring(SIZE), type = kind}, function() end)
      assert.equal("exact on whole numbers, six sigma on the author's inputs", check.text)
      assert.is_true(check.verified)
    end)
  end

  for _, fault in ipairs(faults) do
    for index, pass in ipairs {"exact", "six sigma"} do
      it(("catches %s by the %s pass"):format(fault[1], pass), function()
        local check = verdict_of_pass(product.new {size = tostring(SIZE), type = "float"}, index, fault[2])
        assert.is_false(check.verified)
        assert.matches(index == 1 and "C%[%d+%]%[%d+%] is .-, should be" or "off by [%d.e+-]+: C.*standard deviations",
          check.text)
      end)
    end
  end

  it("names the wrong element", function()
    local check = verdict(product.new {size = "9x8x7", type = "float"}, function(p) p.c[3 * 7 + 5] = 1e6 end)
    assert.matches("C[3][5] is 1000000, should be", check.text, 1, true)
  end)

  it("catches a result that is not a number", function()
    local check = verdict(product.new {size = "5", type = "float"}, function(p) p.c[7] = 0 / 0 end)
    assert.is_false(check.verified)
  end)
end)
