-- What arrays do at a prompt and beside FFI: nearness, norms, loops, texts, tables, and where their memory is.
-- suite: quick
-- process: shared

local array = require "clue.array"
local binding = require "clue.binding"

local types = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"}
local nan = 0 / 0

local function refused(words, call, ...)
  local done, problem = pcall(call, ...)
  assert.is_false(done)
  assert.matches(words, tostring(problem), 1, true)
end

describe("array:allclose", function()
  local a = array.float {1, 100, 0}

  it("is NumPy's rule, with its bounds", function()
    assert.same({n = 1, true}, {n = select("#", a:allclose(a:copy())), a:allclose(a:copy())})
    assert.is_true((a:allclose(array.float {1.000009, 100.0009, 1e-9})))
    assert.same({false, 1}, {a:allclose(array.float {1, 100.01, 0})})
    assert.same({false, 2}, {a:allclose(array.float {1, 100, 2e-8})})
  end)

  it("takes other bounds; the relative one counts from the other array's elements", function()
    assert.is_true((a:allclose(array.float {2, 101, 1}, {relative = 0, absolute = 1})))
    assert.same({false, 0}, {a:allclose(array.float {2.5, 101, 1}, {relative = 0, absolute = 1})})
    local ten, eleven = array.double {10}, array.double {11}
    assert.is_true((ten:allclose(eleven, {relative = 0.0945, absolute = 0})))
    assert.is_false((eleven:allclose(ten, {relative = 0.0945, absolute = 0})))
  end)

  it("compares arrays of any two types", function()
    for _, left in ipairs(types) do
      for _, right in ipairs(types) do
        assert.is_true((array[left] {1, 2, 100}:allclose(array[right] {1, 2, 100})), left .. " " .. right)
        assert.same({false, 1}, {array[left] {1, 3, 100}:allclose(array[right] {1, 2, 100})})
      end
    end
  end)

  it("keeps 64-bit integers apart that are the same double", function()
    local even, odd = array.long {"9007199254740992"}, array.long {"9007199254740993"}
    assert.same({false, 0}, {even:allclose(odd, {relative = 0, absolute = 0})})
    assert.is_true((even:allclose(odd, {relative = 0, absolute = 1})))
  end)

  it("lets NaN equal NaN only if asked, and infinities only themselves", function()
    local special = array.double {math.huge, -math.huge, nan}
    assert.same({false, 2}, {special:allclose(special)})
    assert.is_true((special:allclose(special, {equal_nan = true})))
    assert.same({false, 0}, {array.double {1e308}:allclose(array.double {math.huge}, {relative = 1})})
    assert.same({false, 0}, {array.double {-math.huge}:allclose(array.double {math.huge}, {relative = 1})})
  end)

  it("finds the first difference in an array of many blocks", function()
    local long = array.float(5000):random(-1, 1, 1)
    for _, at in ipairs {0, 1023, 1024, 3000, 4999} do
      local other = long:copy()
      other[at] = 5
      assert.same({false, at}, {long:allclose(other)})
    end
  end)

  it("refuses other lengths, options and bounds", function()
    refused("float[3] and float[2] differ in length", a.allclose, a, array.float(2))
    refused("array:allclose: other must be an array, got a table", a.allclose, a, {1, 2, 3})
    refused('there is no option "rtol"', a.allclose, a, a, {rtol = 1})
    refused("relative must be a number of 0 or more, got -1", a.allclose, a, a, {relative = -1})
    refused("absolute must be a number of 0 or more, got nan", a.allclose, a, a, {absolute = nan})
    refused("relative must be a number, got \"1\"", a.allclose, a, a, {relative = "1"})
  end)
end)

describe("array:norm", function()
  it("is Euclid's, the sum of magnitudes or the greatest", function()
    for _, name in ipairs {"char", "int", "long", "half", "float", "double"} do
      local a = array[name] {3, -4, 0}
      assert.same({5, 5, 7, 4}, {a:norm(), a:norm(2), a:norm(1), a:norm(math.huge)}, name)
    end
    assert.equal(0, array.float(0):norm())
    assert.equal(5e300, array.double {3e300, 4e300}:norm())
    assert.is_true(array.float {nan, 1}:norm() ~= array.float {nan, 1}:norm())
  end)

  it("refuses other orders", function()
    refused("array:norm: order must be 1, 2 or math.huge, got 3", array.float(1).norm, array.float(1), 3)
  end)
end)

describe("a for loop", function()
  it("goes over an array's indices and elements", function()
    for _, name in ipairs(types) do
      local seen = {}
      for i, element in array[name] {5, 6, 7} do seen[#seen + 1] = i .. "=" .. string.format("%d", element) end
      assert.same({"0=5", "1=6", "2=7"}, seen)
    end
    for _ in array.float(0) do error "there is no element" end
  end)

  it("can be left and nested", function()
    local a, pairs_seen = array.int {1, 2, 3}, 0
    for _, x in a do
      for _, y in a do
        if y > x then break end
        pairs_seen = pairs_seen + 1
      end
    end
    assert.equal(6, pairs_seen)
  end)

  it("raises for an element that a double cannot hold", function()
    refused("9007199254740993", function()
      for _ in array.long {1, "9007199254740993"} do nan = 0 / 0 end
    end)
  end)

  it("does not make arrays functions", function()
    local a = array.float(3)
    local calls = {function() return a() end, function() return a(1) end, function() return a(nil, 1, 2) end}
    for _, index in ipairs {{}, "1", -1, 0.5, 0 / 0, 1 / 0} do
      calls[#calls + 1] = function() return a(nil, index) end
    end
    for _, call in ipairs(calls) do
      refused("a float array cannot be called: a[i] is an element", call)
    end
  end)
end)

describe("text", function()
  it("becomes an array of its bytes, without a zero at the end", function()
    for _, name in ipairs {"char", "uchar"} do
      local a = array[name] "clue\0!"
      assert.same({99, 108, 117, 101, 0, 33}, a:table())
      assert.equal("clue", a:text())
    end
    assert.equal("", array.char(""):text())
    assert.same({-1, 255}, {array.char("\255")[0], array.uchar("\255")[0]})
  end)

  it("is written into an array, and zeros after it", function()
    local a = array.uchar(4, 9)
    assert.equal(a, a:set_text "ab")
    assert.same({97, 98, 0, 0}, a:table())
    assert.equal("abcd", a:set_text("abcd"):text())
    assert.equal("", a:set_text(""):text())
  end)

  it("is refused by other types, and if it is too long", function()
    refused("array.float: elements must be a length", array.float, "12")
    refused("float[3] holds no text: array.char and array.uchar do", array.float(3).text, array.float(3))
    refused("a text of 5 bytes is too long for char[4]", array.char(4).set_text, array.char(4), "abcde")
    refused("array:set_text: text must be a text, got 5", array.char(4).set_text, array.char(4), 5)
  end)
end)

describe("a table", function()
  local lists = {char = {-128, 127, 0}, ulong = {0, 2 ^ 53, 2 ^ 63}, long = {-2 ^ 63, 2 ^ 62, -5},
    half = {-65504, 2 ^ -24, 0.5}, float = {-2 ^ 127, 2 ^ -149, math.huge}, double = {1e308, -5e-324, -math.huge}}

  it("goes into an array and comes out again", function()
    for name, list in pairs(lists) do assert.same(list, array[name](list):table(), name) end
    for _, name in ipairs(types) do
      local list = {}
      for i = 1, 3000 do list[i] = i % 100 end
      assert.same(list, array[name](list):table(), name)
    end
  end)

  it("is refused at its first element that does not fit, wherever it is", function()
    for _, name in ipairs(types) do
      for _, at in ipairs {1, 2, 2500, 3000} do
        local list = {}
        for i = 1, 3000 do list[i] = 1 end
        list[at] = {}
        refused(("element %d of %s[3000] cannot be a table: elements are numbers in one list, of which a:reshape")
          :format(at - 1, name), array[name], list)
      end
    end
    refused("element 1 of half[3] cannot be 65520", array.half, {1, 65520, "x"})
    refused("element 2 of float[3] cannot be 1e+39", array.float, {1, nan, 1e39})
  end)

  it("may have texts of 64-bit integers between its numbers", function()
    local a = array.ulong {1, "18446744073709551615", 3, "9007199254740993", 2 ^ 60}
    local shown = {}
    for i = 0, 4 do shown[i + 1] = a:decimal(i) end
    assert.same({"1", "18446744073709551615", "3", "9007199254740993", "1152921504606846976"}, shown)
    refused("element 1 of ulong[5] is 18446744073709551615, which a double cannot hold", a.table, a)
  end)
end)

describe("the memory of an array", function()
  it("has an address, aligned to a page", function()
    local a = array.float {1, 2}
    local address, alignment = a:address()
    assert.equal((binding.array_view(a)), address)
    assert.is_true(alignment >= 4096 and address % alignment == 0)
    assert.same({n = 2}, {n = select("#", array.int(0):address()), array.int(0):address()})
    local has_ffi, ffi = pcall(require, "ffi")
    if has_ffi then assert.equal(2, ffi.cast("float *", (a:address()))[1]) end
  end)

  it("has the alignment asked for, and otherwise works like any other", function()
    for _, alignment in ipairs {1, 64, 2 ^ 16, 2 ^ 22} do
      for _, huge_pages in ipairs {false, true} do
        local a = array.double(1000, {alignment = alignment, huge_pages = huge_pages})
        assert.is_true(select(2, a:address()) >= alignment)
        assert.equal(0, a:sum())
        for _, count in ipairs {2000, 10, 70000} do
          assert.equal(math.min(count, 1000), a:resize(1000):fill(1):resize(count):sum())
          assert.is_true(select(2, a:address()) >= (huge_pages and math.max(alignment, 2 ^ 21) or alignment))
        end
      end
    end
    assert.is_true(select(2, array.int({1, 2}, {alignment = 2 ^ 20}):address()) >= 2 ^ 20)
    assert.equal("ab", array.char("ab", {alignment = 2 ^ 20}):text())
  end)

  it("says how much of it is in huge pages, or why none is", function()
    -- A small array may lie where a large one has been, for which clue asks for huge pages.
    for _, a in ipairs {array.float(1000), array.float(2 ^ 20, {huge_pages = true})} do
      local size, why = a:huge_pages()
      assert.is_true(size >= 0 and size <= a:bytes())
      assert.matches(size == 0 and "huge" or "nil", tostring(why))
    end
  end)

  it("is ordinary in copies: it does not begin a huge page each time", function()
    local kept, aligned = {}, 0
    for i = 1, 8 do
      kept[i] = array.float(10, {huge_pages = true})
      assert.is_true(select(2, kept[i]:address()) >= 2 ^ 21)
      kept[i + 8] = kept[i]:copy()
      if select(2, kept[i + 8]:address()) >= 2 ^ 21 then aligned = aligned + 1 end
    end
    assert.is_true(aligned < 4)
  end)

  it("is not made with options that mean nothing", function()
    refused("alignment must be a power of two, from 1 to 2^30, got 48", array.float, 3, {alignment = 48})
    refused("alignment must be a power of two, from 1 to 2^30, got 0", array.float, 3, {alignment = 0})
    refused("alignment must be a power of two, from 1 to 2^30", array.float, 3, {alignment = 2 ^ 31})
    refused("huge_pages must be true or false, got 1", array.float, 3, {huge_pages = 1})
    refused('there is no option "aligned"', array.float, 3, {aligned = 64})
  end)
end)
