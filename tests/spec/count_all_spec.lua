-- `clue count` of every walkthrough and every example: all that runs on a device is counted, at small sizes.
local catalogue = require "clue.walk.catalogue"
local json = require "dkjson"
local lfs = require "lfs"
local support = require "support"

-- Why a step is not counted.
local skipped = {
  ["mql5 21"] = "OpenBLAS", ["mql5 22"] = "CLBlast", ["mql5 23"] = "cuBLAS",
  ["dcltk 21"] = "OpenBLAS", ["dcltk 22"] = "CLBlast", ["dcltk 23"] = "cuBLAS",
  ["reduce 6"] = "neither sub%-groups", ["amd 8d"] = "for CPUs", ["amd 27"] = "cannot be divided equally",
  ["amd 28"] = "cannot be divided by counts", ["amd 29"] = "cannot be divided by affinity domain",
  ["amd 37"] = "only PoCL's CPU devices", ["amd 38"] = "one device of this kind only",
}
-- Steps that run on the host alone, or only copy.
local without_kernel = {["mql5 1"] = true, ["hello 0"] = true, ["amd 15"] = true, ["amd 35"] = true,
                        ["submatrix 1"] = true, ["submatrix 2"] = true, ["submatrix 3"] = true}

local function check_kernel(kernel, where)
  assert.is_true(kernel.items > 0 and kernel.instructions > 0, where)
  assert.is_false(kernel.cut, where)
  for _, width in ipairs {"warp", "wavefront"} do
    assert.equal(kernel.instructions, kernel[width].lanes, where) -- every instruction is some lane's
    assert.is_true(kernel[width].lanes <= kernel[width].instructions * kernel[width].width, where)
  end
  for _, site in ipairs(kernel.sites) do
    local of = site.warp
    if of then
      assert.is_true(of.requests > 0 and of.requests <= site.accesses, where)
      assert.is_true(of.sectors >= of.least_sectors and of.passes >= of.least_passes, where)
    end
  end
end

for _, name in ipairs(catalogue.names()) do
  describe("clue count " .. name, function()
    it("counts every step that runs on a device", function()
      local file = support.temporary ".json"
      local status, out, err = support.run {"count", name, "--json", file}
      assert.equal(0, status, err .. out)
      local runs = json.decode(support.read(file)).runs
      assert.equal(#catalogue.get(name).steps, #runs)
      for _, run in ipairs(runs) do
        local where = ("%s %s"):format(name, tostring(run.number))
        if run.skipped then
          assert.matches(skipped[where] or "nothing", run.skipped, where)
        else
          assert.equal(not without_kernel[where], run.kernels[1] ~= nil, where)
          for _, kernel in ipairs(run.kernels) do check_kernel(kernel, where) end
        end
      end
    end)
  end)
end

-- Arguments that make the examples small.
local arguments = {
  blur = {"--radius", "1", "--input", support.write("P2 24 16 9\n" .. ("1 5 9 "):rep(128), support.temporary ".pgm"),
          "--output", support.temporary ".png"},
  heat = {"--size", "32", "--steps", "4"}, hello_printf = {"--items", "4"},
  histogram = {"--count", "2000", "--group", "32"}, kmeans = {"--count", "300", "--rounds", "3"},
  mandelbrot = {"--width", "32", "--iterations", "100", "--output", support.temporary ".png"},
  ["mql5/bitonic"] = {"--count", "256"}, ["mql5/mandelbrot"] = {"--width", "32", "--height", "24"},
  ["mql5/pi"] = {"--strips", "4096", "--items", "64"}, nbody = {"--count", "64", "--steps", "1"},
  overlap = {"--count", "256", "--rounds", "4"}, pi = {"--strips", "4096", "--items", "64"},
  prefix_sum = {"--count", "3000"}, reduction = {"--count", "5000", "--group", "32"}, saxpy = {"--count", "3000"},
  sorted_keys = {"--count", "1000"},
}

local function examples(folder, list)
  for file in lfs.dir("scripts/examples/" .. folder) do
    local name = file:match "^(.*)%.lua$"
    if name then list[#list + 1] = folder .. name end
  end
  return list
end

describe("clue count of the examples", function()
  for _, name in ipairs(examples("mql5/", examples("", {}))) do
    it("counts " .. name, function()
      local file = support.temporary ".json"
      local words = {"count", "--json", file, ("scripts/examples/%s.lua"):format(name)}
      for _, word in ipairs(arguments[name] or {}) do words[#words + 1] = word end
      local status, out, err = support.run(words)
      assert.equal(0, status, err .. out)
      local kernels = json.decode(support.read(file)).runs[1].kernels
      assert.is_true(#kernels > 0)
      for _, kernel in ipairs(kernels) do check_kernel(kernel, name) end
    end)
  end
end)
