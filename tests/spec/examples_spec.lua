-- The examples run unchanged, and the README shows the first one.
-- suite: quick
-- builds: luajit asan lua54
local support = require "support"

describe("scripts/examples/hello.lua", function()
  local path = "scripts/examples/hello.lua"

  it("squares its numbers and frees everything", function()
    local status, out, err = support.run {"--strict", path}
    assert.equal(0, status, err)
    assert.equal("1 4 9 16 25\n", (out:gsub("%.0", ""))) -- Lua 5.4 prints floats with .0
    assert.is_nil(err:find("never freed", 1, true))
  end)

  it("is in the README, line for line", function()
    local shown = support.read(path):gsub("^%-%-[^\n]*\n", ""):gsub("CLBufferFree[^\n]*\n$", "")
    assert.equal(shown, support.read("README.md"):match "```lua\n(.-)```")
  end)
end)

-- ---- examples of the object layer ----

-- For each example: its arguments here, what it must print, and faults that it must find in its kernel (the text to
-- replace, its replacement, the message). picture: the ending of the picture that it writes.
local objects = {
  hello_printf = {
    arguments = {"--items", "4"},
    says = {"hello from .+:\n.*work%-item 3, number 1 of work%-group 1.*\nthat was all\n"},
    faults = {{"here[i] = i + 1", "here[i] = i", "work%-item 0 did not come"}},
  },
  saxpy = {
    arguments = {"--count", "3000"},
    says = {"3000 elements right; [%d.]+ ms, [%d.]+ GB/s"},
    faults = {{"a * x[i] + y[i]", "a * x[i]", "element 1 is 3, should be 4"}},
  },
  mandelbrot = {
    arguments = {"--width", "96", "--iterations", "200"},
    picture = ".png",
    says = {"96 x 72 pixels, x from %-2.25 to 0.75, in [%d.]+ ms; area 1%.[45]"},
    faults = {
      {"0.5f - y", "0.4f - y", "is not that of its mirror image"},
      {"2 * zx * zy", "3 * zx * zy", "its area is"},
    },
  },
  histogram = {
    arguments = {"--count", "5000", "--group", "32"},
    more = {"--global"},
    says = {"5000 values counted in %l+ memory"},
    faults = {
      {"own[k] = 0", "own[k] = 1", "value %d+: counted %d+ times, occurs %d+ times"},
      {"atomic_add(bins + k, own[k])", "bins[k] = own[k]", "value %d+: counted %d+ times, occurs %d+ times"},
    },
  },
  reduction = {
    arguments = {"--count", "5000", "--group", "32"},
    says = {"5000 numbers from %d+ groups of 32: %-?%d+, [%d.]+ ms"},
    faults = {
      {"own[here] += own[here + half_of]", "own[here] += own[here + half_of - 1]", "the sum is %-?%d+, should be"},
    },
  },
  prefix_sum = {
    arguments = {"--count", "5003", "--group", "16"},
    says = {"5003 prefix sums right: 7 launches"},
    faults = {
      {"block > 0", "block > 1", "sum 16 is %-?%d+, should be"},
      {"distance < size", "distance < size / 2", "sum %d+ is %-?%d+, should be"},
    },
  },
  nbody = {
    arguments = {"--count", "64", "--steps", "3"},
    says = {"64 bodies right; 3 steps in [%d.]+ ms; body 0 is now at float4%("},
    faults = {
      {"square * sqrt(square)", "square", "body 0: velocity%.[xyz] is %S+, should be"},
      {"k = 0; k < s.count", "k = 1; k < s.count", "body %d+: velocity%.[xyz] is %S+, should be"},
    },
  },
  blur = {
    arguments = {"--radius", "1"},
    picture = ".png",
    says = {"320 x 200 pixels, radius 1, [%d.]+ ms; %d+ values checked"},
    faults = {
      {"y = -radius", "y = 1 - radius", "pixel %(%d+, %d+%), channel %d"},
      {'addressing_mode = "clamp_to_edge"', 'addressing_mode = "clamp"', "pixel %(0, %d+%), channel %d"},
    },
  },
  kmeans = {
    arguments = {"--count", "3000"},
    says = {"3000 points in 6 clusters after %d+ rounds; centres at most 0%.0%d+ from the middles"},
    faults = {
      {"square < least)", "square > least)", "point %d+ is nearer to centre %d than to %d"},
      {"nearest[i] == cluster ?", "nearest[i] >= cluster ?", "centre %d is at %S+, should be at %S+"},
    },
  },
  heat = {
    arguments = {"--size", "33", "--steps", "41"},
    says = {"33 x 33 points, 41 steps: the middle cooled from 1.000 to 0%.85%d+; difference from the "},
    faults = {
      {'up, down = from:slice ":-2, 1:-1"', 'up, down = from:slice ":-2, :-2"', "difference from the solution is"},
      {"- 4 * inner", "- 3.99 * inner", "the greatest difference from the solution is"},
    },
  },
  sorted_keys = {
    arguments = {"--count", "3000", "--distinct", "900"},
    says = {"3000 keys: counted in [%d.]+ ms, sorted with their numbers in [%d.]+ ms"},
    faults = {
      {"* 256 / distinct", "* 255 / distinct", "bin %d+: %d+ keys counted, there are %d+"},
      {"exclusive = true", "exclusive = false", "bin 0 begins at %d+, should begin at 0"},
      {'values = "uint"}', 'values = "uint", descending = true}', "place 0: the key %d+ is not between the borders"},
      {"number[i] = i", "number[i] = n - 1 - i", "place %d+: "},
    },
  },
  pi = {
    arguments = {"--strips", "65536", "--items", "512"},
    says = {"float  3%.1415"},
    faults = {{"1 + x * x", "1 + x", "float: %S+ is further from pi than rounding explains"}},
  },
  several_sum = {
    arguments = {"--count", "20011", "--devices", "0,0"},
    says = {"20011 numbers: %-?%d+%.%d+, the same in other chunks; 20 items in "},
    faults = {
      {"sum += numbers[i]", "sum += 1.1f * numbers[i]", "the sum is %S+, should be"},
      {"sums[block] = sum", "sums[block] = sum + first * 1e-4f", "in other chunks the sum is"},
    },
  },
  several_mandelbrot = {
    arguments = {"--width", "96", "--iterations", "200", "--devices", "0"},
    says = {"96 x 72 pixels, the same in other chunks; area 1%.[3-7]"},
    faults = {
      {"2 * zx * zy", "3 * zx * zy", "its area is"},
      {"(size_t)y * width", "(size_t)(y + first % 2) * width", "in other chunks"},
    },
  },
  several_product = {
    arguments = {"--size", "33", "--devices", "0"},
    says = {"33 rows of C right; 33 items in "},
    faults = {{"k < n;", "k < n - 1;", "row %d+ times the vector is %S+, should be"}},
  },
  several_nbody = {
    arguments = {"--count", "64", "--steps", "3", "--devices", "0"},
    says = {"3 steps of 64 bodies, total momentum 0; the last: 64 items in "},
    faults = {{"k = 0; k < count", "k = 1; k < count", "momentum %d is"}},
  },
  overlap = {
    arguments = {"--pieces", "5", "--count", "500", "--rounds", "9"},
    says = {"5 pieces right, 15 commands; "},
    faults = {
      {"1664525u", "1664527u", "piece 1, number 0: %d+, should be %d+"},
    },
  },
}

local function run_object(name, env, more)
  local words = {"--strict", ("scripts/examples/%s.lua"):format(name)}
  for _, list in ipairs {objects[name].arguments, more or {}} do
    for _, word in ipairs(list) do words[#words + 1] = word end
  end
  if objects[name].picture then
    words[#words + 1] = "--output"
    words[#words + 1] = support.temporary(objects[name].picture)
  end
  return support.run(words, env)
end

-- The script's own Lua finds a fault, after the same OpenCL calls as in the run without it. So the sanitizers and
-- another Lua would see nothing new.
local function planted_faults(example)
  return (support.sanitized or not rawget(_G, "jit")) and {} or example.faults
end

-- Each fault is a new program, which Oclgrind needs not compile to machine code as PoCL does.
local faulty = support.drivers "oclgrind"

local function check_run(name, driver, more)
  local status, out, err = run_object(name, support.drivers(driver), more)
  assert.equal(0, status, out .. err)
  for _, expected in ipairs(objects[name].says) do assert.matches(expected, out) end
  for _, word in ipairs {"Invalid", "data race", "divergence", "never freed"} do
    assert.is_nil(err:find(word, 1, true), err)
  end
  -- Lua 5.4 prints a whole float as 3.0. Measured times end so by chance.
  local counts = out:gsub("%d+%.%d+ [um]?s%f[%A]", "")
  assert.is_nil(counts:find("%d%.0%f[^%d.]"), out)
end

-- Neither sanitizers nor another Lua depend on the driver.
local drivers = (support.sanitized or not rawget(_G, "jit")) and {"pocl"} or {"pocl", "oclgrind", "rusticl"}

for name, example in pairs(objects) do
  describe(("scripts/examples/%s.lua"):format(name), function()
    for _, driver in ipairs(drivers) do
      it("checks itself on " .. driver, function()
        check_run(name, driver)
        if example.more then check_run(name, driver, example.more) end
      end)
    end

    for _, fault in ipairs(planted_faults(example)) do
      it(("finds %s in place of %s"):format(fault[2], fault[1]), function()
        local text = support.read(("scripts/examples/%s.lua"):format(name))
        local start, stop = text:find(fault[1], 1, true)
        assert(start and not text:find(fault[1], stop + 1, true), "not exactly once in the script: " .. fault[1])
        local arguments = {}
        for i, word in ipairs(example.arguments) do arguments[i] = word end
        if example.picture then
          arguments[#arguments + 1], arguments[#arguments + 2] = "--output", support.temporary(example.picture)
        end
        local status, out, err = support.run_script(text:sub(1, start - 1) .. fault[2] .. text:sub(stop + 1), arguments,
          faulty)
        assert.equal(1, status, out .. err)
        assert.matches(fault[3], err)
      end)
    end
  end)
end

-- ---- examples of MQL5's functions ----

-- For each example: its arguments here, what it must print, and faults that it must find in its kernel, as above.
local mql5 = {
  pi = {
    arguments = {"--strips", "65536", "--items", "512", "--runs", "2"},
    says = {"float: pi = 3%.1415", "kernel [%d]+ us %([%d]+ to [%d]+, the %l+'s clock%)"},
    faults = {
      {"1 + x * x", "1 + x", "FAILED: float: pi is off by more than rounding explains"},
      {"strip = item", "strip = item + items", "FAILED: float: pi is off by more than rounding explains"},
      {"void partial_sums", "void partial", "FAILED: CLKernelCreate, error 5107"},
    },
  },
  mandelbrot = {
    arguments = {"--width", "48", "--height", "36", "--iterations", "64", "--checked", "2000"},
    says = {"48 x 36 pixels, up to 64 iterations: kernel %d+ us", "1728 of 1728 pixels repeated on the host: all the "
      .. "same, %d%d+ of them inside"},
    faults = {
      {"2.0f * x * y", "2.0f * x * x", "FAILED: pixel %(%d+, %d+%) is %d+, on the host it is %d+"},
      {"top - pixel", "top + 1.01f * pixel", "FAILED: pixel %(%d+, %d+%) is %d+, on the host it is %d+"},
      {"const float cx", "float cx = q; cx", "FAILED: CLProgramCreate, error 5105"},
    },
  },
  bitonic = {
    arguments = {"--count", "1024"},
    says = {"1024 elements, 55 launches: enqueued after %d+ us, done after %d+ us, read back after %d+ us",
      "in order, and the same elements as before"},
    faults = {
      {"(low & block) == 0", "true", "FAILED: not in order: element %d+ is %d+, the previous one is %d+"},
      {"data[high] = a", "data[high] = b", "FAILED: not the same elements: element %d+ is %d+, sorted %d+"},
      {"void compare_pairs", "void compare", "FAILED: CLKernelCreate, error 5107"},
    },
  },
}

local function run_mql5(name, env, more)
  local words = {"--strict", ("scripts/examples/mql5/%s.lua"):format(name)}
  for _, list in ipairs {mql5[name].arguments, more or {}} do
    for _, word in ipairs(list) do words[#words + 1] = word end
  end
  return support.run(words, env)
end

local function run_planted(name, fault)
  local text = support.read(("scripts/examples/mql5/%s.lua"):format(name))
  local start, stop = text:find(fault[1], 1, true)
  assert(start and not text:find(fault[1], stop + 1, true), "not exactly once in the script: " .. fault[1])
  return support.run_script(text:sub(1, start - 1) .. fault[2] .. text:sub(stop + 1), mql5[name].arguments, faulty)
end

for name, example in pairs(mql5) do
  describe(("scripts/examples/mql5/%s.lua"):format(name), function()
    for _, driver in ipairs(drivers) do
      it("checks itself and frees everything on " .. driver, function()
        local status, out, err = run_mql5(name, support.drivers(driver))
        assert.equal(0, status, out .. err)
        for _, expected in ipairs(example.says) do assert.matches(expected, out) end
        assert.is_nil(out:find("FAILED", 1, true))
        assert.is_nil(err:find("never freed", 1, true), err)
        for _, word in ipairs {"Invalid", "data race", "divergence"} do
          assert.is_nil(err:find(word, 1, true), err)
        end
        assert.is_nil(out:find("%d%.0%f[^%d]"), out) -- Lua 5.4 prints a whole float as 3.0
      end)
    end

    for _, fault in ipairs(planted_faults(example)) do
      it(("finds %s in place of %s"):format(fault[2], fault[1]), function()
        local status, out, err = run_planted(name, fault)
        assert.equal(1, status, out .. err)
        assert.matches(fault[3], out)
      end)
    end

    it("fails with the reason if there is no device", function()
      local text = support.read(("scripts/examples/mql5/%s.lua"):format(name))
      local status, out = support.run_script(text, {}, support.drivers "none")
      assert.equal(1, status)
      assert.matches("FAILED: CLContextCreate, error 5100", out, 1, true)
    end)
  end)
end

describe("scripts/examples/mql5/pi.lua", function()
  it("repeats the sum in double, or says that the device does not support it", function()
    local _, out = run_mql5("pi", support.drivers "pocl")
    assert.matches("double: pi = 3%.14159265", out)
    local _, without = run_mql5("pi", support.drivers "rusticl")
    assert.matches("double: this device does not support it", without, 1, true)
    assert.is_nil(without:find("double: pi", 1, true))
  end)
end)

describe("scripts/examples/mql5/mandelbrot.lua", function()
  it("writes a plain PGM of the requested size with --file", function()
    local path = support.temporary ".pgm"
    local status, out, err = run_mql5("mandelbrot", nil, {"--file", path})
    assert.equal(0, status, out .. err)
    assert.matches(path .. ": 48 x 36 pixels written", out, 1, true)
    local width, height, most, rest = support.read(path):match "^P2%s+(%d+)%s+(%d+)%s+(%d+)%s(.*)$"
    assert.same({"48", "36", "255"}, {width, height, most})
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

  it("fails if the picture cannot be written", function()
    local status, out = support.run {"scripts/examples/mql5/mandelbrot.lua", "--width", "8", "--height", "8",
      "--file", "/no/such/folder/m.pgm"}
    assert.equal(1, status, out)
    assert.matches("FAILED: FileOpen, error 5004", out, 1, true)
  end)
end)

describe("scripts/examples/mql5/bitonic.lua", function()
  it("sorts two elements, and refuses a count that is not a power of two", function()
    local script = "scripts/examples/mql5/bitonic.lua"
    assert.equal(0, (support.run {"--strict", script, "--count", "2"}))
    local status, out = support.run {"--strict", script, "--count", "1000"}
    assert.equal(1, status)
    assert.equal("FAILED: 1000 elements: a bitonic sort needs a power of two\n", out)
  end)
end)
