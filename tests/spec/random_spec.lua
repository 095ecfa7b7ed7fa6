-- queue:random: Philox4x32-10 on the device, against its published vectors and a slow model in Lua; in both forms of
-- its kernels (a local size chooses that with groups on CPUs, too).
-- suite: quick
-- builds: luajit lua54
-- process: shared bindings first
-- drivers: pocl oclgrind rusticl

local cl = require "clue"
local binding = require "clue.binding"
local objects = require "objects"
local random_source = require "clue.compute.random_source"

local array, refusal = cl.array, objects.refusal
local context, queue = objects.context()
local slow = objects.is_slow(context)

-- ---- the model ----

local unpack = unpack or table.unpack -- luacheck: ignore
local floor = math.floor

-- The high and the low half of a product of two 32-bit numbers.
local function product(a, b)
  local high, low = floor(a / 65536) * b, a % 65536 * b
  local rest = high % 65536 * 65536 + low
  return floor(high / 65536) + floor(rest / 2 ^ 32), rest % 2 ^ 32
end

local function xor(a, b)
  local result, bit = 0, 1
  while a > 0 or b > 0 do
    if a % 2 ~= b % 2 then result = result + bit end
    a, b, bit = floor(a / 2), floor(b / 2), bit * 2
  end
  return result
end

local function philox(counter, key)
  local a, b, c, d = (table.unpack or unpack)(counter) -- luacheck: ignore
  local key_0, key_1 = key[1], key[2]
  for _ = 1, 10 do
    local high_0, low_0 = product(a, 0xD2511F53)
    local high_2, low_2 = product(c, 0xCD9E8D57)
    a, b, c, d = xor(xor(high_2, b), key_0), low_2, xor(xor(high_0, d), key_1), low_0
    key_0, key_1 = (key_0 + 0x9E3779B9) % 2 ^ 32, (key_1 + 0xBB67AE85) % 2 ^ 32
  end
  return {a, b, c, d}
end

-- The words of a sequence, from element first on.
local function words_of(key, first, count)
  local words, block, at = {}, nil, nil
  for i = first, first + count - 1 do
    if floor(i / 4) ~= at then
      at = floor(i / 4)
      block = philox({at % 2 ^ 32, floor(at / 2 ^ 32), 0, 0}, key)
    end
    words[#words + 1] = block[i % 4 + 1]
  end
  return words
end

-- ---- the device ----

-- What the queue makes, as a table.
local function made(name, count, where)
  local x = context:buffer(count * array[name](1):bytes())
  queue:random(x, name, where)
  return objects.contents(queue, x, name)
end

local vectors = { -- counter, key, block: of Random123's known answers
  {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
  {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff},
   {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
  {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0},
   {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
}

describe("the device's generator", function()
  it("gives the published answers", function()
    local program = context:program(random_source.philox .. [[
      kernel void block(global uint *words, const uint key_0, const uint key_1) {
        uint own[4];
        for (int i = 0; i < 4; i++) own[i] = words[i];
        clue_philox(own, key_0, key_1);
        for (int i = 0; i < 4; i++) words[i] = own[i];
      }]])
    for _, case in ipairs(vectors) do
      local x = context:buffer(array.uint(case[1]))
      program:kernel "block"(queue, 1, nil, x, case[2][1], case[2][2])
      assert.same(case[3], objects.contents(queue, x, "uint"))
      assert.same(case[3], philox(case[1], case[2])) -- the model, too
    end
  end)

end)

local seeds = { -- seed, key
  {0, {0, 0}}, {-1, {2 ^ 32 - 1, 2 ^ 32 - 1}}, {3 * 2 ^ 32 + 5, {5, 3}}, {0.5, {0, 0x3fe00000}},
  {math.huge, {0, 0x7ff00000}},
}

for form, size in pairs {["of the device"] = false, ["with groups"] = 16} do
  describe("the sequence, in the form " .. form, function()
    -- Elements of a seed's sequence, from first on.
    local function words(seed, first, count)
      return made("uint", count, {low = 0, high = 2 ^ 32 - 1, seed = seed, first = first, local_size = size or nil})
    end

    for _, case in ipairs(seeds) do
      it("takes the seed " .. tostring(case[1]), function()
        assert.same(words_of(case[2], 0, 9), words(case[1], 0, 9))
      end)
    end

    it("is made in any parts, at any place", function()
      local whole = words_of({7, 0}, 0, 600)
      for _, part in ipairs {{0, 600}, {1, 1}, {3, 2}, {5, 300}, {257, 261}, {599, 1}, {4, 8}} do
        local first, count = part[1], part[2]
        local expected = {}
        for i = 1, count do expected[i] = whole[first + i] end
        assert.same(expected, words(7, first, count), first)
      end
      local far = 2 ^ 36 + 2
      assert.same(words_of({7, 0}, far, 6), words(7, far, 6))
    end)

    it("is the same in large calls and in small ones", function()
      local count = slow and 17001 or 50001
      local many = words(3, 0, count)
      for _, first in ipairs {0, 16383, count - 11} do
        local few = words(3, first, 11)
        for i = 1, 11 do assert.equal(few[i], many[first + i], first + i) end
      end
    end)

    it("of small types is made in any parts, aligned or not", function()
      for name, limits in pairs {uchar = {0, 199}, short = {-300, 300}, half = {-1, 1}} do
        local width = array[name](1):bytes()
        local x, where = context:buffer(array.char(300 * width, 1)), {low = limits[1], high = limits[2], seed = 9}
        local function part(first, count, place)
          where.first, where.count, where.offset, where.local_size = first, count, place * width, size or nil
          queue:random(x, name, where)
          local read = objects.contents(queue, x, name)
          return {unpack(read, place + 1, place + count)}
        end
        local whole = part(0, 300, 0)
        for _, at in ipairs {{0, 3}, {5, 5}, {16, 32}, {31, 2}, {7, 7}} do
          local count = 100
          assert.same({unpack(whole, at[1] + 1, at[1] + count)}, part(at[1], count, at[2]), name)
        end
      end
    end)

    it("becomes a part of a buffer, and no other element", function()
      local x = context:buffer(array.int(12, -1))
      queue:random(x, "int", {low = 5, high = 5, offset = 8, count = 9, local_size = size or nil})
      assert.same({-1, -1, 5, 5, 5, 5, 5, 5, 5, 5, 5, -1}, objects.contents(queue, x, "int"))
      queue:random(x, "int", {count = 0}):wait()
    end)
  end)
end

describe("a device's random numbers", function()
  local function check_same(cases)
    local host = array.uint(1):random(0, 2 ^ 32 - 1, 0)
    if host[0] ~= vectors[1][3][1] then pending "array:random has another generator" end
    for name, bounds in pairs(cases) do
      if name ~= "double" or context.device:has_double() then
        local expected = array[name](203):random(bounds[1], bounds[2], 99)
        assert.same(expected:table(), made(name, 203, {low = bounds[1], high = bounds[2], seed = 99}), name)
      end
    end
  end

  it("are those of array:random for the same seed", function()
    check_same {uchar = {0, 255}, short = {-3, 3}, uint = {5, 2 ^ 31 + 7}, long = {-2 ^ 53, 2 ^ 53}, half = {-2, 7.3},
                float = {-0.1, 0.7}, double = {-1e300, 1e300}}
  end)

  it("are those of array:random in other types #oclgrind", function()
    check_same {char = {-100, 27}, ushort = {7, 65535}, int = {-2 ^ 31, 2 ^ 31 - 1}, ulong = {0, 2 ^ 40}}
  end)

  it("are whole from low to high, both included #oclgrind", function()
    local words = words_of({9, 0}, 0, 40)
    for name, bounds in pairs {char = {-128, 127}, ushort = {3, 3}, int = {-2 ^ 31, 2 ^ 31 - 1}, uint = {10, 19}} do
      local expected = {}
      for i, word in ipairs(words) do
        local high = product(word, (bounds[2] - bounds[1] + 1) % 2 ^ 32)
        expected[i] = bounds[1] + (bounds[2] - bounds[1] + 1 == 2 ^ 32 and word or high)
      end
      assert.same(expected, made(name, 40, {low = bounds[1], high = bounds[2], seed = 9}), name)
    end
  end)

  it("of 64 bits take two words", function()
    local words = words_of({0, 0}, 0, 4)
    local x = context:buffer(16)
    queue:random(x, "long", {low = 0, high = 2 ^ 32 - 1, seed = 0})
    assert.same({words[2], words[4]}, objects.contents(queue, x, "long"))
  end)

  it("are fractions from low up to, not including, high", function()
    local words = words_of({4, 0}, 0, 300)
    for i, number in ipairs(made("float", 300, {seed = 4})) do
      assert.equal(floor(words[i] / 256) / 2 ^ 24, number)
    end
    local most = 1 + 2 ^ -22
    for _, number in ipairs(made("float", 300, {low = 1, high = most, seed = 4})) do
      assert.is_true(number == 1 or number == 1 + 2 ^ -23, number)
    end
    local seen = {}
    for _, number in ipairs(made("half", 300, {low = 2, high = 2 + 2 ^ -8, seed = 4})) do seen[number] = true end
    assert.same({[2] = true, [2 + 2 ^ -9] = true}, seen)
  end)

  it("have other seeds in every call that gives none", function()
    array.seed(77)
    local first, second = made("uint", 4, {low = 0, high = 2 ^ 32 - 1}), made("uint", 4, {low = 0, high = 2 ^ 32 - 1})
    assert.same(words_of({77, 0}, 0, 4), first)
    assert.same(words_of({78, 0}, 0, 4), second)
  end)
end)

describe("normal random numbers", function()
  local function model(first, second)
    local radius = math.sqrt(-2 * math.log((first + 0.5) / 2 ^ 32))
    return radius * math.cos(2 * math.pi * second / 2 ^ 32), radius * math.sin(2 * math.pi * second / 2 ^ 32)
  end

  it("are Box and Muller's", function()
    local words, numbers = words_of({6, 0}, 0, 200), made("float", 200, {distribution = "normal", seed = 6})
    for i = 1, 199, 2 do
      local first, second = model(words[i], words[i + 1])
      assert.is_true(math.abs(first - numbers[i]) < 1e-5 and math.abs(second - numbers[i + 1]) < 1e-5, i)
    end
  end)

  for _, name in ipairs {"float", "double"} do
    it("have the mean and the deviation that they should: " .. name, function()
      if name == "double" and not context.device:has_double() then pending "the device has no double" end
      local count, sum, squares = slow and 5000 or 20000, 0, 0
      for _, number in ipairs(made(name, count, {distribution = "normal", mean = 3, deviation = 2, seed = 5})) do
        sum, squares = sum + number, squares + (number - 3) ^ 2
      end
      assert.is_true(math.abs(sum / count - 3) < 0.05 and math.abs(squares / count - 4) < 0.15)
    end)
  end
end)

local function interval(name, low, high)
  local first, width, scale, least, most = binding.random_interval(binding.type_codes[name], low, high)
  return first and {first = first, width = width, scale = scale, least = least, most = most}
end

describe("the interval of random numbers", function()
  it("has the type's least number from low on, and its greatest below high", function()
    assert.same({first = 0, width = 1, scale = 1, least = 0, most = 1 - 2 ^ -24}, interval("float", 0, 1))
    local of = interval("float", 0.1, 0.3)
    assert.is_true(of.least >= 0.1 and of.least - 0.1 < 2 ^ -26 and of.most < 0.3 and 0.3 - of.most < 2 ^ -24)
    assert.same({-1 - 2 ^ -23, -1}, {interval("float", -1 - 2 ^ -23, -1 + 2 ^ -24).least,
                                     interval("float", -1 - 2 ^ -23, -1 + 2 ^ -24).most})
    assert.equal(2 ^ -149, interval("float", 1e-60, 1).least)
    assert.equal(-2 ^ -149, interval("float", -1, 0).most)
    assert.equal(1 - 2 ^ -53, interval("double", 0, 1).most)
    assert.equal(2 - 2 ^ -10, interval("half", 0, 2).most)
  end)

  it("is halved if its width overflows", function()
    local most = (2 - 2 ^ -23) * 2 ^ 127
    local of = interval("float", -most, most)
    assert.same({-most / 2, most, 2}, {of.first, of.width, of.scale})
  end)

  it("is empty where the type has no number", function()
    assert.is_nil(interval("float", 1, 1))
    assert.is_nil(interval("float", 1 + 2 ^ -30, 1 + 2 ^ -29))
    assert.is_nil(interval("half", 0, 1e6))
    assert.is_nil(interval("float", 0, math.huge))
    assert.is_nil(interval("double", 0, 0 / 0))
    assert.equal("double has no random numbers from 2 to 1", (interval("double", 2, 1) or binding.error()).detail)
  end)

  it("is for floating-point types", function()
    assert.is_nil(interval("int", 0, 1))
    assert.is_nil(binding.random_interval(99, 0, 1))
  end)
end)

describe("queue:random", function()
  it("returns an event, and works through a queue's view", function()
    local x = context:buffer(16)
    local event = queue:random(x, "float")
    assert.equal("event", event.kind)
    assert.equal("kernel 'random_float'", queue:after(event):random(x, "float"):wait().what)
  end)

  it("refuses what it cannot do", function()
    local x = context:buffer(16)
    local function said(...) return refusal(queue.random, queue, ...) end
    assert.equal("queue:random: int has no random numbers from 3 to 2", said(x, "int", {low = 3, high = 2}))
    assert.equal("queue:random: uchar has no random numbers from 0 to 256", said(x, "uchar", {high = 256}))
    assert.equal("queue:random: float has no random numbers from 1 to 1", said(x, "float", {low = 1}))
    assert.equal("queue:random: mean is not for uniform random numbers", said(x, "float", {mean = 1}))
    assert.equal("queue:random: normal random numbers are float or double, not int",
      said(x, "int", {distribution = "normal"}))
    assert.matches('queue:random: there is no distribution "gauss"', said(x, "float", {distribution = "gauss"}))
    assert.matches('queue:random: there is no type "flaot" %(is float meant%?%)', said(x, "flaot"))
    assert.equal("queue:random: memory has 16 bytes, but needs 20", said(x, "float", {count = 5}))
    assert.equal("queue:random: offset 2 is not a multiple of 4, the bytes of float", said(x, "float", {offset = 2}))
    assert.matches("memory is a float array on the host: make a buffer of it", said(array.float(1), "float"))
    assert.matches("seed must be a number, got \"x\"", said(x, "float", {seed = "x"}))
    assert.matches("first must be a whole number of 0 or more", said(x, "float", {first = -1}))
  end)
end)
