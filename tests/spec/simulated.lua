-- What examples_simulated_spec knows of the examples, all of which run on a simulator.
local lfs = require "lfs"
local support = require "support"

local simulated = {}

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
  several_product = {"--size", "32"}, several_sum = {"--count", "5000"}, sorted_keys = {"--count", "300"},
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
