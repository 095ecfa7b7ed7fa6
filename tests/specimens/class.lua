-- Writes the results of an invented class of twenty into a folder: clue tests/specimens/class.lua FOLDER
local folder = arg[1]
package.path = arg[0]:match "^(.*)/" .. "/../spec/?.lua;" .. package.path
local json = require "dkjson"
local sample = require "sample_documents"

local devices = {"NVIDIA GeForce RTX 3060", "NVIDIA GeForce GTX 1650 with Max-Q Design", "Intel(R) UHD Graphics 620",
                 "cpu-haswell-Intel(R) Core(TM) i5-8250U CPU @ 1.60GHz",
                 "cpu-haswell-Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz", "AMD Radeon(TM) Vega 8 Graphics"}
local scales = {0.3, 0.9, 1.8, 3, 2.2, 1.2} -- of the times

local i = 0
for name in ([[anna ben carla david emil frida georg hanna ida jan klara leo mia noah olga paul rosa simon tina uwe]])
  :gmatch "%a+" do
  i = i + 1
  local kind = i * 5 % #devices + 1
  local document = sample.walk {only = "copies", scale = scales[kind] * (0.9 + i * 7 % 20 / 100)}
  document.walkthroughs[1].runs, document.devices = {document.walkthroughs[1].runs[1]}, {document.devices[1]}
  document.devices[1].name, document.devices[1].peak = devices[kind], nil
  local file = assert(io.open(("%s/%s.json"):format(folder, name), "w"))
  file:write(json.encode(document))
  file:close()
end
