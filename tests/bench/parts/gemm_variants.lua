-- The variants that tests/bench/gemm tries for a type: the parameter sets of context:gemm, and experiments.
local gemm = require "gemm"
local gpu_sets = require "clue.gemm.gpu_sets"

local type_name, all, by_name = ..., {}, {}
local narrower = type_name == "double" and {V = 2} or {}

local function add(name, base, ...)
  local parameters = {}
  for _, part in ipairs {base, ...} do
    for key, value in pairs(part) do parameters[key] = value end
  end
  parameters.type = type_name
  all[#all + 1] = gemm.variant(name, parameters)
end

for _, set in ipairs(gpu_sets.list) do
  by_name[set.name] = set
  if not set.types or set.types[type_name] then
    local vectors = not set.types and type_name == "double" and {V = 2, A_WIDTH = 2, B_WIDTH = 2} or narrower
    add(set.name, set, vectors)
  end
end

if type_name == "float" then
  local large, many = by_name.large, {options = {"-cl-nv-maxrregcount=128"}, WM = 32, TM = 8}
  add("large, three buffers", large, {BUFFERS = 3, FRAGMENTS = 2})
  add("large, 256 x 128", large, {BM = 256, BN = 128})
  add("large, 512 work-items", large, many)
  local small = by_name["portable 32 x 64"]
  add("portable 32 x 64, one fragment", small, {FRAGMENTS = 1})
  add("portable 32 x 64, 4 slices", small, {SLICES = 4})
  add("portable 32 x 64, narrow A", small, {A_WIDTH = 1})
  add("portable 32 x 64, 8 x 4", small, {TN = 4, WN = 32, SLICES = 4})
  add("portable 32 x 64, BK 64", small, {BK = 64, BUFFERS = 1, FRAGMENTS = 2})
  add("portable 32 x 64, 16 slices", small, {SLICES = 16, TM = 8, TN = 8, BK = 32, FRAGMENTS = 2})
  add("portable 32 x 32", small, {BN = 32, WN = 32, TM = 4})
  add("portable 32 x 64, one buffer", small, {BUFFERS = 1})
elseif type_name == "half" then
  add("portable large, narrow A", by_name["portable large"], {A_WIDTH = 1})
elseif type_name == "int" then
  add("large, 512 work-items", by_name.large, {options = {"-cl-nv-maxrregcount=128"}, WM = 32, TM = 8, FRAGMENTS = 2})
else
  local large = by_name["double 128 x 128"]
  add("double 128 x 128, two fragments", large, {FRAGMENTS = 2})
  add("double 128 x 128, three buffers", large, {BUFFERS = 3, BK = 4})
  add("double 64 x 128", large, {BM = 64, BN = 128, WM = 32, WN = 32, TM = 4, BUFFERS = 2})
  add("double 128 x 128, rows", large, {LANE_BLOCK = 1})
end

return all
