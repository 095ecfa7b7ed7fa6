-- The module of the walkthroughs' arithmetic: its results, and the arguments that it refuses before C sees them.
-- suite: quick
-- process: shared

local arithmetic = require "clue.walk.arithmetic"
local array = require "clue.array"
local error_object = require "clue.error"

describe("the host's matrix product", function()
  local function product(type_name, m, k, n, layout)
    return {
      type = type_name, m = m, k = k, n = n, b_layout = layout or "rows",
      a = array[type_name](m * k), b = array[type_name](k * n), c = array[type_name](m * n),
    }
  end

  it("multiplies in every order, B by rows and by columns", function()
    local variants = {"rck", "rkc", "crk", "ckr", "krc", "kcr", "linear_rows", "linear_columns", "optimised"}
    for _, variant in ipairs(variants) do
      for _, name in ipairs {"float", "double"} do
        local p = product(name, 2, 3, 2, variant == "linear_columns" and "columns" or "rows")
        p.a:copy_from(array.float {1, 2, 3, 4, 5, 6})
        p.b:copy_from(array.float(p.b_layout == "rows" and {1, 2, 3, 4, 5, 6} or {1, 3, 5, 2, 4, 6}))
        arithmetic.baseline_product(p, variant, 1, 0, arithmetic.baseline_extent(p, variant))
        assert.same({22, 28, 49, 64}, p.c:table(), variant .. " " .. name)
        assert.is_string(arithmetic.baseline_compiler(variant))
      end
    end
  end)

  it("is refused if an array is too short, of another type, or missing", function()
    local p = product("float", 4, 4, 4)
    p.c = array.float(15)
    assert.error_matches(function() arithmetic.baseline_product(p, "rck", 1, 0, 1) end,
      "c has 15 elements, but 4 x 4 needs 16")
    p.c = array.double(16)
    assert.error_matches(function() arithmetic.verify_exact(p, 1) end, "c is not an array of float")
    p.c = nil
    assert.error_matches(function() arithmetic.verify_rounded(p, 1) end, "array expected, got no value")
    p = product("float", 4, 4, 4)
    assert.error_matches(function() arithmetic.baseline_product(p, "abc", 1, 0, 1) end, "no baseline is called abc")
    p.b_layout = nil
    assert.error_matches(function() arithmetic.baseline_extent(p, "rck") end, "b_layout must be 'rows' or 'columns'")
    p.m = 0
    assert.error_matches(function() arithmetic.baseline_extent(p, "rck") end, "b_layout")
  end)

  it("that cannot be computed raises an error object, as in the object layer", function()
    local done, failure = pcall(arithmetic.baseline_product, product("float", 4, 4, 4), "rck", 1, 2, 3)
    assert.is_false(done)
    assert.is_true(error_object.is(failure))
    assert.equal("3 iterations from 2 on: the outermost loop has 4, counted from 0", failure.detail)
    assert.matches("walk_arithmetic_spec%.lua:%d+: walk_baseline_product: CL_INVALID_VALUE %(%-30%): 3 iterations",
      tostring(failure))
  end)

  it("is checked, and a wrong element is found", function()
    local p = product("float", 9, 7, 5)
    p.a:random(-0.5, 0.5, 1)
    p.b:random(-0.5, 0.5, 2)
    arithmetic.baseline_product(p, "rck", 1, 0, 9)
    local right, report = arithmetic.verify_rounded(p, 3)
    assert.is_true(right)
    assert.is_true(report.sigmas < 6)
    p.c[13] = p.c[13] + 0.01
    local wrong, fault = arithmetic.verify_rounded(p, 3)
    assert.is_false(wrong)
    assert.equal(2, fault.row)
    assert.is_true(fault.sigmas > 6)
  end)

  it("of whole numbers is checked exactly", function()
    local p = product("double", 6, 8, 4, "columns")
    p.a:copy_from(array.int(48):random(-3, 3, 1))
    p.b:copy_from(array.int(32):random(-3, 3, 2))
    arithmetic.baseline_product(p, "linear_columns", 1, 0, 6)
    assert.is_true((arithmetic.verify_exact(p, 5)))
    local before = p.c[10]
    p.c[10] = before + 1
    local right, fault = arithmetic.verify_exact(p, 5)
    assert.is_false(right)
    assert.equal(2, fault.row)
  end)

  it("is refused at the line of the call, however deep the check is", function()
    local function message(member, ...)
      local given = {...}
      local done, text = pcall(function()
        local result = member(given[1], given[2])
        return result
      end)
      assert.is_false(done)
      return text
    end
    local here = "^[^:]*walk_arithmetic_spec%.lua:%d+: bad argument #"
    assert.matches(here, message(arithmetic.baseline_extent, 1, "rck"))
    assert.matches(here, message(arithmetic.baseline_extent, {type = "float"}, "rck"))
    assert.matches(here, message(arithmetic.baseline_extent, {}, {}))
    assert.matches(here, message(arithmetic.verify_exact, {}, 1))
  end)

  it("uses only the table's own fields, so that no metamethod can change an array meanwhile", function()
    local p = product("float", 2, 2, 2)
    local behind = setmetatable({}, {__index = p})
    assert.error_matches(function() arithmetic.verify_exact(behind, 1) end, "type must be 'float' or 'double'")
  end)
end)
