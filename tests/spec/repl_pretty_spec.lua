-- clue.repl.pretty: how the prompt shows values and durations.
-- suite: quick
-- process: shared
local array = require "clue.array"
local pretty = require "clue.repl.pretty"

local function text(value)
  return pretty.text(value, 60)
end

describe("a value at the prompt", function()
  it("that is plain looks like Lua code", function()
    assert.equal("nil", text(nil))
    assert.equal("0.25", text(0.25))
    assert.equal('"a\\"b\\t\\\\"', text 'a"b\t\\')
    assert.equal('"\\0001"', text "\0001")
  end)

  it("that is a text of several lines is shown as it is", function()
    assert.equal("a\nb", text "a\nb")
    assert.equal('{"a\\nb"}', text {"a\nb"})
  end)

  it("that is a table shows its contents: the list first, then the names in order", function()
    assert.equal('{10, "x", ["a b"] = 1, alpha = true, beta = {}, ["end"] = 2, [true] = 0}',
      pretty.text({10, "x", beta = {}, alpha = true, ["end"] = 2, ["a b"] = 1, [true] = 0}, 100))
  end)

  it("that is too wide has one entry on each line", function()
    local wide = {name = ("x"):rep(30), other = ("y"):rep(30)}
    assert.equal(('{\n  name = "%s",\n  other = "%s"\n}'):format(wide.name, wide.other), text(wide))
  end)

  it("that contains itself, or is deep or long, is cut", function()
    local ring = {}
    ring[1] = ring
    assert.equal("{{...} (the table itself)}", text(ring))
    assert.equal("{{{{{...}}}}}", text {{{{{{}, 1}}}}}:gsub(", 1", ""))
    local long = {}
    for i = 1, 70 do long[i] = i end
    assert.matches(",\n  50,\n  %.%.%. %(20 more%)\n}$", text(long))
  end)

  it("that has a __tostring is shown by it", function()
    assert.equal("an object", text(setmetatable({1, 2}, {__tostring = function() return "an object" end})))
  end)
end)

describe("an array at the prompt", function()
  it("is shown with its type, length, elements and extremes", function()
    assert.equal("int[3] {3, 1, 2}, min 1, max 3", text(array.int {3, 1, 2}))
    local many = array.float(1000)
    for i = 0, 999 do many[i] = i / 2 end
    assert.equal("float[1000] {0, 0.5, 1, 1.5, 2, 2.5, ..., 499.5}, min 0, max 499.5", text(many))
    assert.equal("int[9] {0, 0, 0, 0, 0, 0, ..., 0}, min 0, max 0", text(array.int(9)))
    assert.equal("int[8] {0, 0, 0, 0, 0, 0, 0, 0}, min 0, max 0", text(array.int(8)))
  end)

  it("that is empty, or has only NaN, is shown without extremes", function()
    assert.equal("float[0] {}", text(array.float(0)))
    assert.equal("float[2] {nan, nan}, 2 NaN", text(array.float {0 / 0, 0 / 0}):gsub("%-nan", "nan"))
  end)

  it("shows 64-bit numbers exactly", function()
    assert.equal("ulong[1] {18446744073709551615}, min 18446744073709551615, max 18446744073709551615",
      text(array.ulong {"18446744073709551615"}))
  end)

  it("that is a matrix is shown by rows: if there are many, the first ones and the last", function()
    local low = array.int({1, 2, 3, 4, 5, 6}):reshape(2, 3)
    assert.equal("int[2 x 3], min 1, max 6\n  {1, 2, 3}\n  {4, 5, 6}", text(low))
    local high = array.int(7):reshape(7, 1)
    high[6] = 9
    assert.equal("int[7 x 1], min 0, max 9\n  {0}\n  {0}\n  {0}\n  {0}\n  ...\n  {9}", text(high))
  end)
end)
