-- The variants that tests/bench/gemm tries.
local gemm = require "gemm"
local all = {}

local function add(name, base, ...)
  local parameters = {}
  for _, part in ipairs {base, ...} do
    for key, value in pairs(part) do parameters[key] = value end
  end
  all[#all + 1] = gemm.variant(name, parameters)
end

-- 128 x 256 by 256 work-items, each 16 x 8
local LARGE = {
  BM = 128, BN = 256, BK = 8, WM = 64, WN = 64, TM = 16, TN = 8, B_WIDTH = 4, PAD = 4, BUFFERS = 2, ASYNC = 1,
  FRAGMENTS = 2, SPLIT = 1, LANE_BLOCK = 2, BAND = 8, UNROLL = 1,
}
add("large", LARGE)
add("large f1", LARGE, {FRAGMENTS = 1})
add("large b3", LARGE, {BUFFERS = 3})
add("large b3 f1", LARGE, {BUFFERS = 3, FRAGMENTS = 1})
add("large rolled", LARGE, {UNROLL = 0})
add("large rows", LARGE, {LANE_BLOCK = 1})
add("large band 4", LARGE, {BAND = 4})
add("large band 16", LARGE, {BAND = 16})
add("large 8 x 16", LARGE, {TM = 8, TN = 16})
add("large 256 x 128", LARGE, {BM = 256, BN = 128})

-- The same by 512 work-items, each 8 x 8
local MANY = {}
for key, value in pairs(LARGE) do MANY[key] = value end
MANY.WM, MANY.TM, MANY.options = 32, 8, {"-cl-nv-maxrregcount=128"}
add("many", MANY)
add("many f1", MANY, {FRAGMENTS = 1})
add("many b3", MANY, {BUFFERS = 3})
add("many b3 f1", MANY, {BUFFERS = 3, FRAGMENTS = 1})

-- Without cp.async
local PORTABLE = {ASYNC = 0, BUFFERS = 2}
add("portable large", LARGE, PORTABLE)
add("portable large f1", LARGE, PORTABLE, {FRAGMENTS = 1})
add("portable large a4", LARGE, PORTABLE, {A_WIDTH = 4})
add("portable many", MANY, PORTABLE)
add("portable many f1", MANY, PORTABLE, {FRAGMENTS = 1})

-- Two groups of 128 x 128 on a multiprocessor
local MIDDLE = {BN = 128, WM = 32, TM = 8, options = {"-cl-nv-maxrregcount=128"}}
add("middle", LARGE, MIDDLE)
add("middle bk16", LARGE, MIDDLE, {BK = 16})
add("middle bk16 f1", LARGE, MIDDLE, {BK = 16, FRAGMENTS = 1})
add("portable middle", LARGE, MIDDLE, PORTABLE)
add("portable middle bk16 a4", LARGE, MIDDLE, PORTABLE, {BK = 16, A_WIDTH = 4})

-- For small matrices: small tiles, which several slices share
local SMALL = {WM = 32, WN = 64, TM = 8, TN = 8, FRAGMENTS = 2}
add("64 x 128, 2 slices", LARGE, SMALL, {BM = 64, BN = 128, BK = 16, SLICES = 2, BUFFERS = 3})
add("64 x 128", LARGE, SMALL, {BM = 64, BN = 128, BK = 16, BUFFERS = 3})
add("64 x 64, 4 slices", LARGE, SMALL, {BM = 64, BN = 64, BK = 32, SLICES = 4, BUFFERS = 2})
add("32 x 64, 8 slices", LARGE, SMALL, {BM = 32, BN = 64, BK = 32, SLICES = 8, BUFFERS = 3})
add("32 x 64, 4 slices", LARGE, SMALL, {BM = 32, BN = 64, BK = 32, SLICES = 4, BUFFERS = 3})
add("32 x 32, 8 slices", LARGE, SMALL, {BM = 32, BN = 32, BK = 32, WN = 32, TM = 4, TN = 8, SLICES = 8, BUFFERS = 3})
add("portable 32 x 64, 4 slices", LARGE, SMALL, PORTABLE, {BM = 32, BN = 64, BK = 32, SLICES = 4, A_WIDTH = 4})
add("portable 64 x 128, 2 slices", LARGE, SMALL, PORTABLE, {BM = 64, BN = 128, BK = 16, SLICES = 2, A_WIDTH = 4})

return all
