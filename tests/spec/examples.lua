--- The scripts in scripts/examples, as examples_spec.lua and examples_drivers_spec.lua run them.
local assert = require "luassert"
local support = require "support"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

-- Rows of tiles, as bytes of grey.
local PICTURE = (("\1\1\1\1\200\200\200\200"):rep(5) .. ("\150\150\150\150\9\9\9\9"):rep(5)):rep(12)

-- For each example: its arguments here, what it must print, and faults that it must find in its kernel (the text to
-- replace, its replacement, the message). picture: the ending of the picture that it writes. The name's first word is
-- the script's.
local list = {
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
    arguments = {"--width", "64", "--iterations", "100"},
    picture = ".png",
    says = {"64 x 48 pixels, x from %-2.25 to 0.75, in [%d.]+ ms; area 1%.[45]"},
    faults = {
      {"0.5f - y", "0.4f - y", "is not that of its mirror image"},
      {"2 * zx * zy", "3 * zx * zy", "its area is"},
    },
  },
  histogram = {
    arguments = {"--count", "5000", "--group", "32"},
    says = {"5000 values counted in local memory"},
    faults = {
      {"own[k] = 0", "own[k] = 1", "value %d+: counted %d+ times, occurs %d+ times"},
      {"atomic_add(bins + k, own[k])", "bins[k] = own[k]", "value %d+: counted %d+ times, occurs %d+ times"},
    },
  },
  ["histogram --global"] = {
    arguments = {"--count", "5000", "--group", "32", "--global"},
    says = {"5000 values counted in global memory"},
    faults = {},
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
    arguments = {"--radius", "1", "--input", support.write(("P5 40 24 255 %s"):format(PICTURE))},
    picture = ".png",
    says = {"40 x 24 pixels, radius 1, [%d.]+ ms; %d+ values checked"},
    faults = {
      {"y = -radius", "y = 1 - radius", "pixel %(%d+, %d+%), channel %d"},
      {'addressing_mode = "clamp_to_edge"', 'addressing_mode = "clamp"', "pixel %(0, %d+%), channel %d"},
    },
  },
  kmeans = {
    arguments = {"--count", "900", "--rounds", "10"},
    says = {"900 points in 6 clusters after %d+ rounds; centres at most 0%.0%d+ from the middles"},
    faults = {
      {"square < least)", "square > least)", "point %d+ is nearer to centre %d than to %d"},
      {"nearest[i] == cluster ?", "nearest[i] >= cluster ?", "centre %d is at %S+, should be at %S+"},
    },
  },
  heat = {
    arguments = {"--size", "17", "--steps", "21"},
    says = {"17 x 17 points, 21 steps: the middle cooled from 1.000 to 0%.72%d+; difference from the "},
    faults = {
      {'up, down = from:slice ":-2, 1:-1"', 'up, down = from:slice ":-2, :-2"', "difference from the solution is"},
      {"- 4 * inner", "- 3.99 * inner", "the greatest difference from the solution is"},
    },
  },
  sorted_keys = {
    arguments = {"--count", "700", "--distinct", "300"},
    says = {"700 keys: counted in [%d.]+ ms, sorted with their numbers in [%d.]+ ms"},
    faults = {
      {"* 256 / distinct", "* 255 / distinct", "bin %d+: %d+ keys counted, there are %d+"},
      {"exclusive = true", "exclusive = false", "bin 0 begins at %d+, should begin at 0"},
      {'values = "uint"}', 'values = "uint", descending = true}', "place 0: the key %d+ is not between the borders"},
      {"number[i] = i", "number[i] = n - 1 - i", "place %d+: "},
    },
  },
  pi = {
    arguments = {"--strips", "16384", "--items", "128"},
    says = {"float  3%.1415"},
    faults = {{"1 + x * x", "1 + x", "float: %S+ is further from pi than rounding explains"}},
  },
  several_sum = {
    arguments = {"--count", "5011", "--devices", "0,0"},
    says = {"5011 numbers: %-?%d+%.%d+, the same in other chunks; 5 items in "},
    faults = {
      {"sum += numbers[i]", "sum += 1.1f * numbers[i]", "the sum is %S+, should be"},
      {"sums[block] = sum", "sums[block] = sum + first * 1e-4f", "in other chunks the sum is"},
    },
  },
  several_mandelbrot = {
    arguments = {"--width", "76", "--iterations", "100", "--devices", "0"},
    says = {"76 x 57 pixels, the same in other chunks; area 1%.[3-7]"},
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
  -- ---- of MQL5's functions ----
  ["mql5/pi"] = {
    arguments = {"--strips", "16384", "--items", "128", "--runs", "2"},
    says = {"float: pi = 3%.1415", "kernel [%d]+ us %([%d]+ to [%d]+, the %l+'s clock%)"},
    faults = {
      {"1 + x * x", "1 + x", "FAILED: float: pi is off by more than rounding explains"},
      {"strip = item", "strip = item + items", "FAILED: float: pi is off by more than rounding explains"},
      {"void partial_sums", "void partial", "FAILED: CLKernelCreate, error 5107"},
    },
  },
  ["mql5/mandelbrot"] = {
    arguments = {"--width", "48", "--height", "36", "--iterations", "64", "--checked", "2000"},
    says = {"48 x 36 pixels, up to 64 iterations: kernel %d+ us", "1728 of 1728 pixels repeated on the host: all the "
      .. "same, %d%d+ of them inside"},
    faults = {
      {"2.0f * x * y", "2.0f * x * x", "FAILED: pixel %(%d+, %d+%) is %d+, on the host it is %d+"},
      {"top - pixel", "top + 1.01f * pixel", "FAILED: pixel %(%d+, %d+%) is %d+, on the host it is %d+"},
      {"const float cx", "float cx = q; cx", "FAILED: CLProgramCreate, error 5105"},
    },
  },
  ["mql5/bitonic"] = {
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

local examples = {list = list}

--- Runs an example with the results of support.run.
-- @tparam string name
-- @tparam string driver
-- @tparam[opt] table more arguments
-- @tparam[opt] table fault one of its faults, which is planted. With it, or without a driver, the example itself tells
--   what failed; else clue raises it (--strict)
function examples.run(name, driver, more, fault)
  local example, path = list[name], ("scripts/examples/%s.lua"):format(name:match "%S+")
  if fault then
    local text = support.read(path)
    local start, stop = text:find(fault[1], 1, true)
    assert(start and not text:find(fault[1], stop + 1, true), "not exactly once in the script: " .. fault[1])
    path = support.write(text:sub(1, start - 1) .. fault[2] .. text:sub(stop + 1))
  end
  return support.run(support.words({(fault or driver == "none") and "--quiet" or "--strict", path}, example.arguments,
    more, example.picture and {"--output", support.temporary(example.picture)}), support.drivers(driver))
end

local function expect_right(name, status, out, err)
  assert.equal(0, status, out .. err)
  for _, expected in ipairs(list[name].says) do assert.matches(expected, out) end
  for _, word in ipairs {"Invalid", "data race", "divergence", "never freed", "FAILED"} do
    assert.is_nil((out .. err):find(word, 1, true), err)
  end
  -- Lua 5.4 prints a whole float as 3.0. Measured times end so by chance.
  local counts = out:gsub("%d+%.%d+ [um]?s%f[%A]", "")
  assert.is_nil(counts:find("%d%.0%f[^%d.]"), out)
end

--- Runs an example, which must find its results right and free everything.
function examples.check(name, driver)
  expect_right(name, examples.run(name, driver))
end

-- Runs scripts as clue does, one after the other.
local TOGETHER = [[
local inputs, script = require "clue.mql5.inputs", require "clue.mql5.run_script"
local function run(name, ...)
  local known, path = {}, ("scripts/examples/%s.lua"):format(name:match "%S+")
  for global in pairs(_G) do known[global] = true end
  rawset(_G, "arg", {[0] = path, ...})
  local done, status = pcall(function()
    dofile(path)
    return script.run(path)
  end)
  print(("end of %s: %s"):format(name, done and status or tostring(status)))
  io.stdout:flush()
  for global in pairs(_G) do
    if not known[global] then rawset(_G, global, nil) end
  end
  inputs.reset()
end
]]

--- Runs all examples in one process, because PoCL's compiler takes longer to start than to compile one of them.
-- @tparam string driver
-- @treturn function check(name): the example found its results right
function examples.run_all(driver)
  local text = TOGETHER
  for name, example in pairs(list) do
    local words = {unpack(example.arguments)}
    if example.picture then words[#words + 1], words[#words + 2] = "--output", support.temporary(example.picture) end
    for i, word in ipairs(words) do words[i] = (", %q"):format(word) end
    text = text .. ("run(%q%s)\n"):format(name, table.concat(words))
  end
  local _, out, err = support.run({"--strict", support.write(text)}, support.drivers(driver))
  return function(name)
    local before, status = out:match("^(.*\n)end of " .. name:gsub("%p", "%%%0") .. ": ([^\n]*)")
    expect_right(name, tonumber(status), before and before:match "^.*\nend of [^\n]*\n(.*)$" or before or out, err)
  end
end

return examples
