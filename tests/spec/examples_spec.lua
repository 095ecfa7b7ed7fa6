-- The examples run as they stand, and the README shows the first one as it is.
local support = require "support"

describe("scripts/examples/hello.lua", function()
  local path = "scripts/examples/hello.lua"

  it("squares its numbers and frees everything", function()
    local status, out, err = support.run {"--strict", path}
    assert.equal(0, status, err)
    assert.equal("1 4 9 16 25\n", (out:gsub("%.0", ""))) -- Lua 5.4 shows that they are floats
    assert.is_nil(err:find("never freed", 1, true))
  end)

  it("stands in the README, line for line", function()
    local readme = support.read "README.md"
    for line in support.read(path):gmatch "[^\n]+" do
      local shown = not line:find "^%-%-" and not line:find "^CLBufferFree"
      if shown then assert.truthy(readme:find("\n" .. line .. "\n", 1, true), line) end
    end
    assert.truthy(readme:find("\n1 4 9 16 25\n", 1, true))
  end)
end)

-- What each of MQL5's scripts is run with here, what it must say, and faults for its kernel that it must find: what is
-- replaced, by what, and what it says then.
local mql5 = {
  pi = {
    arguments = { "--strips", "65536", "--items", "512", "--runs", "2" },
    says = { "float: pi = 3%.1415", "kernel [%d]+ us %([%d]+ to [%d]+, the %l+'s clock%)" },
    faults = {
      { "1 + x * x", "1 + x", "FAILED: float: pi is off by more than rounding explains" },
      { "strip = item", "strip = item + items", "FAILED: float: pi is off by more than rounding explains" },
      { "void partial_sums", "void partial", "FAILED: CLKernelCreate, error 5107" },
    },
  },
  mandelbrot = {
    arguments = { "--width", "48", "--height", "36", "--iterations", "64", "--checked", "2000" },
    says = { "48 x 36 pixels, up to 64 iterations: kernel %d+ us", "1728 of 1728 pixels repeated on the host: all the "
      .. "same, %d%d+ of them inside" },
    faults = {
      { "2.0f * x * y", "2.0f * x * x", "FAILED: pixel %(%d+, %d+%) is %d+, the host counts %d+" },
      { "top - pixel", "top + 1.01f * pixel", "FAILED: pixel %(%d+, %d+%) is %d+, the host counts %d+" },
      { "const float cx", "float cx = q; cx", "FAILED: CLProgramCreate, error 5105" },
    },
  },
  bitonic = {
    arguments = { "--count", "1024" },
    says = { "1024 elements, 55 launches: enqueued after %d+ us, done after %d+ us, read back after %d+ us",
      "in order, and the same elements as before" },
    faults = {
      { "(low & block) == 0", "true", "FAILED: not in order: element %d+ is %d+, the one before it %d+" },
      { "data[high] = a", "data[high] = b", "FAILED: no permutation: element %d+ is %d+, the host's sort has %d+" },
      { "void compare_pairs", "void compare", "FAILED: CLKernelCreate, error 5107" },
    },
  },
}

local function run_mql5(name, env, more)
  local words = { "--strict", ("scripts/examples/mql5/%s.lua"):format(name) }
  for _, list in ipairs { mql5[name].arguments, more or {} } do
    for _, word in ipairs(list) do words[#words + 1] = word end
  end
  return support.run(words, env)
end

local function run_planted(name, fault)
  local text = support.read(("scripts/examples/mql5/%s.lua"):format(name))
  local start, stop = text:find(fault[1], 1, true)
  assert(start and not text:find(fault[1], stop + 1, true), "not exactly once in the script: " .. fault[1])
  return support.run_script(text:sub(1, start - 1) .. fault[2] .. text:sub(stop + 1), mql5[name].arguments)
end

for name, example in pairs(mql5) do
  describe(("scripts/examples/mql5/%s.lua"):format(name), function()
    for _, driver in ipairs { "pocl", "oclgrind", "rusticl" } do
      it("checks itself and frees everything on " .. driver, function()
        local status, out, err = run_mql5(name, support.drivers(driver))
        assert.equal(0, status, out .. err)
        for _, expected in ipairs(example.says) do assert.matches(expected, out) end
        assert.is_nil(out:find("FAILED", 1, true))
        assert.is_nil(err:find("never freed", 1, true), err)
        for _, word in ipairs { "Invalid", "data race", "divergence" } do
          assert.is_nil(err:find(word, 1, true), err)
        end
        assert.is_nil(out:find("%d%.0%f[^%d]"), out) -- 3.0: a whole float of Lua 5.4
      end)
    end

    for _, fault in ipairs(example.faults) do
      it(("finds %s in the place of %s"):format(fault[2], fault[1]), function()
        local status, out, err = run_planted(name, fault)
        assert.equal(1, status, out .. err)
        assert.matches(fault[3], out)
      end)
    end

    it("says so where there is no device", function()
      local text = support.read(("scripts/examples/mql5/%s.lua"):format(name))
      local status, out = support.run_script(text, {}, support.drivers "none")
      assert.equal(1, status)
      assert.matches("FAILED: CLContextCreate, error 5100", out, 1, true)
    end)
  end)
end

describe("scripts/examples/mql5/pi.lua", function()
  it("goes on in double where the device has it, and says where not", function()
    local _, out = run_mql5("pi", support.drivers "pocl")
    assert.matches("double: pi = 3%.14159265", out)
    local _, without = run_mql5("pi", support.drivers "rusticl")
    assert.matches("double: this device does not have it", without, 1, true)
    assert.is_nil(without:find("double: pi", 1, true))
  end)
end)

describe("scripts/examples/mql5/mandelbrot.lua", function()
  it("writes a picture when asked: a plain PGM of the size that was asked for", function()
    local path = support.temporary ".pgm"
    local status, out, err = run_mql5("mandelbrot", nil, { "--file", path })
    assert.equal(0, status, out .. err)
    assert.matches(path .. ": 48 x 36 pixels written", out, 1, true)
    local width, height, most, rest = support.read(path):match "^P2%s+(%d+)%s+(%d+)%s+(%d+)%s(.*)$"
    assert.same({ "48", "36", "255" }, { width, height, most })
    local count, inside, longest = 0, 0, 0
    for number in rest:gmatch "%S+" do
      count = count + 1
      if number == "0" then inside = inside + 1 end
      assert.is_true(tonumber(number) >= 0 and tonumber(number) <= 255)
    end
    for line in rest:gmatch "[^\r\n]+" do longest = math.max(longest, #line) end
    assert.equal(48 * 36, count)
    assert.is_true(inside > 100 and inside < 864, inside)
    assert.is_true(longest <= 70)
  end)

  it("fails where the picture cannot be written", function()
    local status, out = support.run { "scripts/examples/mql5/mandelbrot.lua", "--width", "8", "--height", "8",
      "--file", "/no/such/folder/m.pgm" }
    assert.equal(1, status, out)
    assert.matches("FAILED: FileOpen, error 5004", out, 1, true)
  end)
end)

describe("scripts/examples/mql5/bitonic.lua", function()
  it("sorts two elements, and refuses what is no power of two", function()
    local script = "scripts/examples/mql5/bitonic.lua"
    assert.equal(0, (support.run { "--strict", script, "--count", "2" }))
    local status, out = support.run { "--strict", script, "--count", "1000" }
    assert.equal(1, status)
    assert.equal("FAILED: 1000 elements: a bitonic sort takes a power of two\n", out)
  end)
end)
