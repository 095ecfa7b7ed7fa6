-- The variants that tests/bench/gemm tries for a type: the parameter sets of context:gemm, and experiments.
local gemm = require "gemm"
local gpu_sets = require "clue.gemm.gpu_sets"
local tensor_sets = require "clue.gemm.tensor_sets"

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
  if not set.types or set.types[type_name] or type_name == "char" and set.types.int and set.ASYNC ~= 1 then
    local vectors = not set.types and type_name == "double" and {V = 2, A_WIDTH = 2, B_WIDTH = 2} or narrower
    add(set.name, set, vectors)
  end
end

local MANY = {options = {"-cl-nv-maxrregcount=128"}, WM = 32, TM = 8, FRAGMENTS = 2} -- 512 work-items of 8 x 8
if type_name == "float" then
  local large, portable, small = by_name.large, by_name["portable large"], by_name["portable 32 x 64"]
  add("large, three buffers", large, {BUFFERS = 3, FRAGMENTS = 2})
  add("large, 512 work-items", large, MANY)
  add("portable large, one fragment", portable, {FRAGMENTS = 1})
  add("portable large, narrow A", portable, {A_WIDTH = 1})
  add("portable large, rows", portable, {LANE_BLOCK = 1})
  add("portable large, rolled", portable, {UNROLL = 0})
  add("portable large, 512 work-items", portable, MANY, {A_WIDTH = 1})
  add("portable 32 x 64, 4 slices", small, {SLICES = 4, FRAGMENTS = 2})
  add("portable 32 x 64, 8 x 4", small, {TN = 4, WN = 32, SLICES = 4, FRAGMENTS = 2})
  add("32 x 64, one fragment", by_name["32 x 64"], {FRAGMENTS = 1})
  add("64 x 128, one fragment", by_name["64 x 128"], {FRAGMENTS = 1})
  add("portable 64 x 128, one fragment", by_name["portable 64 x 128"], {FRAGMENTS = 1})
elseif type_name == "half" then
  add("large of half, wide A", by_name["large of half"], {A_WIDTH = 4})
  add("large of half, one fragment", by_name["large of half"], {FRAGMENTS = 1})
elseif type_name == "int" then
  add("large, 512 work-items", by_name.large, MANY)
elseif type_name == "double" then
  local large = by_name["double 128 x 128"]
  add("double 128 x 128, two fragments", large, {FRAGMENTS = 2})
  add("double 128 x 128, three buffers", large, {BUFFERS = 3, BK = 4})
  add("double 128 x 128, rows", large, {LANE_BLOCK = 1})
end

-- The tiles of a group and of a warp, BK, STAGES
local function tensor(bm, bn, bk, wm, wn, stages, more)
  local name = ("tensor %dx%dx%d %dx%d s%d"):format(bm, bn, bk, wm, wn, stages)
  for key, value in pairs(more or {}) do name = ("%s %s=%s"):format(name, key, tostring(value)) end
  if more and more.WGMMA then name = name:gsub(" WGMMA=1", "") .. " wgmma" end
  add(name, {TENSOR = 1, BM = bm, BN = bn, BK = bk, WM = wm, WN = wn, STAGES = stages}, more or {})
end

for _, set in ipairs(tensor_sets.list) do
  if set.KIND == tensor_sets.kind(90, type_name == "tf32" and "float" or type_name, type_name) then
    for _, splits in ipairs(set.BM * set.BN <= 64 * 128 and {1, 2, 4, 8, 16} or {1}) do
      tensor(set.BM, set.BN, set.BK, set.WM, set.WN, set.STAGES,
        {WGMMA = set.WGMMA, RESIDENT = set.RESIDENT, SPLITS = splits > 1 and splits or nil})
    end
  end
end
if type_name == "double" then
  tensor(64, 64, 8, 32, 32, 6)
  tensor(128, 64, 16, 32, 32, 2)
  tensor(128, 64, 8, 64, 32, 4, {BAND = 16})
elseif type_name == "half" then
  tensor(128, 128, 32, 64, 64, 3, {BAND = 16})
  tensor(128, 192, 32, 64, 192, 2, {WGMMA = 1, RESIDENT = 2})
  tensor(64, 256, 32, 64, 256, 2, {WGMMA = 1, RESIDENT = 3})
  tensor(64, 128, 32, 64, 128, 3, {WGMMA = 1, RESIDENT = 5})
elseif type_name == "char" then
  tensor(128, 256, 32, 64, 64, 4)
  tensor(256, 128, 32, 64, 64, 4)
  tensor(128, 128, 64, 64, 32, 3)
  tensor(128, 128, 64, 32, 64, 3)
  tensor(64, 128, 128, 32, 64, 2)
  tensor(128, 128, 32, 64, 64, 6)
elseif type_name == "tf32" then
  tensor(128, 128, 16, 64, 32, 3)
end

return all
