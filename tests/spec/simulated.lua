-- What the specs of `clue count` and `clue check` know of the walkthroughs and the examples: both run all of them on a
-- simulator.
local lfs = require "lfs"
local support = require "support"

local simulated = {}

--- Why a step does not run on the simulator, by walkthrough and number.
simulated.skipped = {
  ["mql5 21"] = "OpenBLAS", ["mql5 22"] = "CLBlast", ["mql5 23"] = "cuBLAS",
  ["dcltk 21"] = "OpenBLAS", ["dcltk 22"] = "CLBlast", ["dcltk 23"] = "cuBLAS",
  ["reduce 6"] = "neither sub%-groups", ["amd 8d"] = "for CPUs", ["amd 27"] = "cannot be divided equally",
  ["amd 28"] = "cannot be divided by counts", ["amd 29"] = "cannot be divided by affinity domain",
  ["amd 37"] = "only PoCL's CPU devices", ["amd 38"] = "one device of this kind only",
}
--- Steps that run on the host alone, or only copy.
simulated.without_kernel = {["mql5 1"] = true, ["hello 0"] = true, ["amd 15"] = true, ["amd 35"] = true,
                            ["submatrix 1"] = true, ["submatrix 2"] = true, ["submatrix 3"] = true}

--- Arguments that make the examples small, by name.
simulated.arguments = {
  blur = {"--radius", "1", "--input", support.write("P2 24 16 9\n" .. ("1 5 9 "):rep(128), support.temporary ".pgm"),
          "--output", support.temporary ".png"},
  heat = {"--size", "32", "--steps", "4"}, hello_printf = {"--items", "4"},
  histogram = {"--count", "2000", "--group", "32"}, kmeans = {"--count", "300", "--rounds", "3"},
  mandelbrot = {"--width", "32", "--iterations", "100", "--output", support.temporary ".png"},
  ["mql5/bitonic"] = {"--count", "256"}, ["mql5/mandelbrot"] = {"--width", "32", "--height", "24"},
  ["mql5/pi"] = {"--strips", "4096", "--items", "64"}, nbody = {"--count", "64", "--steps", "1"},
  overlap = {"--count", "256", "--rounds", "4"}, pi = {"--strips", "4096", "--items", "64"},
  prefix_sum = {"--count", "3000"}, reduction = {"--count", "5000", "--group", "32"}, saxpy = {"--count", "3000"},
  several_mandelbrot = {"--width", "16", "--iterations", "100"}, several_nbody = {"--count", "64", "--steps", "1"},
  several_product = {"--size", "32"}, several_sum = {"--count", "5000"}, sorted_keys = {"--count", "1000"},
}

local function examples_in(folder, list)
  for file in lfs.dir("scripts/examples/" .. folder) do
    local name = file:match "^(.*)%.lua$"
    if name then list[#list + 1] = folder .. name end
  end
  return list
end

--- The names of all examples: "saxpy", "mql5/pi".
-- @treturn {string,...}
function simulated.examples()
  return examples_in("mql5/", examples_in("", {}))
end

return simulated
