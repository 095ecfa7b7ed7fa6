--- Parameter sets of kernels/gemm.cl, for @{clue.gemm.gpu} and for tests/bench/gemm.
--
-- A set has the kernel's parameters, of which A_WIDTH is the width of loads along K and B_WIDTH that of other loads.
-- And it has
--
--   - name
--   - types: the types that it is for, by name (nil: all)
--   - vendor: "nvidia" if only the compiler of that vendor was seen to give it enough registers (nil: any)
--   - cost: nanoseconds for one step along K of all groups that run at once, with wide loads, with narrow ones, and
--     with wide ones and B stored by columns (those of the first if not given). They were measured on an H200
--     (docs/measurements/gemm-h200.txt, gemm-columns-h200.txt, gemm-shapes-h200.txt). Only their ratios count
--   - share: groups that run at once on a compute unit, all at this cost (1)
--   - resident: groups that run at once on a compute unit, of which the cost is each one's part (1)
--
-- SPLITS is none of the kernel's parameters: so many groups share each tile of C, each with its part of K (1).
-- @module clue.gemm.gpu_sets
local storage = require "clue.gemm.storage"

local gpu_sets = {}

--- The kernel's file.
gpu_sets.file = "gemm.cl"

-- The simplest form. Each set names what it has instead.
local PLAIN = {
  BM = 64, BN = 64, BK = 8, TM = 8, TN = 8, SLICES = 1, V = 4, A_WIDTH = 1, B_WIDTH = 1, PAD = 0, BUFFERS = 1,
  ASYNC = 0, FRAGMENTS = 1, SPLIT = 0, LANE_BLOCK = 1, BAND = 1, UNROLL = 0,
}

local JOIN, RATE = 10000, 5500 -- nanoseconds for a second kernel; bytes of sums per nanosecond, written and read

local fields = {name = true, types = true, vendor = true, cost = true, share = true, resident = true}

--- Completes the parameters of a set.
-- @tparam table given parameters that differ from the kernel's simplest form
-- @treturn table all of them, without a set's other fields
function gpu_sets.complete(given)
  local made = {}
  for name, value in pairs(PLAIN) do made[name] = value end
  for name, value in pairs(given) do
    if not fields[name] then made[name] = value end
  end
  made.WM, made.WN = made.WM or made.BM, made.WN or made.BN
  return made
end

local divided = {{"BM", "WM"}, {"BN", "WN"}, {"WM", "TM"}, {"WN", "TN"}, {"TM", "V"}, {"TN", "V"}, {"PAD", "V"},
                 {"BK", "SLICES"}}

-- What the kernel refuses, and why; see kernels/gemm.cl.
local refused = {
  {"two fragments need an even BK / SLICES", function(p) return p.FRAGMENTS == 2 and p.BK / p.SLICES % 2 ~= 0 end},
  {"blocks of 2 x 2 work-items need an even WM / TM and WN / TN",
   function(p) return p.LANE_BLOCK == 2 and (p.WM / p.TM % 2 ~= 0 or p.WN / p.TN % 2 ~= 0) end},
  {"ASYNC = 1 needs 2 to 4 buffers", function(p) return p.ASYNC == 1 and (p.BUFFERS < 2 or p.BUFFERS > 4) end},
  {"ASYNC = 0 needs 1 or 2 buffers", function(p) return p.ASYNC == 0 and p.BUFFERS > 2 end},
  {"ASYNC = 1 needs A_WIDTH = 1", function(p) return p.ASYNC == 1 and p.A_WIDTH > 1 end},
}

--- What is wrong with parameters on any device.
-- @tparam table p of @{complete}
-- @treturn ?string nil: nothing
function gpu_sets.fault(p)
  for _, pair in ipairs(divided) do
    local whole, part = pair[1], pair[2]
    if p[whole] % p[part] ~= 0 then
      return ("%s = %.0f must be a multiple of %s = %.0f"):format(whole, p[whole], part, p[part])
    end
  end
  for _, rule in ipairs(refused) do
    if rule[2](p) then return rule[1] end
  end
end

--- Whether a group's work-items share the copies of a tile evenly.
-- @tparam table p of @{complete}
-- @tparam number length of the tile's rows, as stored
-- @tparam number rows
-- @tparam number width of the loads
-- @treturn boolean
function gpu_sets.is_shared(p, length, rows, width)
  local items, pieces = gpu_sets.items(p), length / width
  local across = math.min(pieces, items)
  return length % width == 0 and pieces % across == 0 and items % across == 0 and rows % (items / across) == 0
end

--- The names of all parameters, with true.
gpu_sets.known = {WM = true, WN = true, SPLITS = true}
for name in pairs(PLAIN) do gpu_sets.known[name] = true end

--- The work-items of a group.
-- @tparam table p of @{complete}
-- @treturn number
function gpu_sets.items(p) return p.SLICES * p.BM / p.TM * p.BN / p.TN end

--- The local memory of a group.
-- @tparam table p of @{complete}
-- @tparam number bytes of a number
-- @treturn number bytes
function gpu_sets.memory(p, bytes)
  local tiles = p.BUFFERS * p.BK * (p.BM + p.BN + 2 * p.PAD)
  return bytes * math.max(tiles, math.floor(p.SLICES / 2) * p.BM * p.BN)
end

--- What it costs that several groups share each tile of C: their sums are written, and a second kernel adds them.
-- @tparam table _ parameters
-- @tparam number splits groups for each tile
-- @tparam number bytes of a sum
-- @tparam number m
-- @tparam number n
-- @treturn number nanoseconds
function gpu_sets.joining(_, splits, bytes, m, n)
  return JOIN + 2 * splits * bytes * m * n / RATE
end

-- ---- what a product allows ----------------------------------------------------------------------------------------

-- Whether all numbers are multiples of one.
local function multiples(of, ...)
  for i = 1, select("#", ...) do
    if select(i, ...) % of ~= 0 then return false end
  end
  return true
end

-- Whether the rows of a matrix may be read by vectors of a width.
local function is_even(call, name, width, stored)
  local _, start = storage.place(call[name])
  return multiples(width, call[name .. "_columns"], call["ld" .. name], start / stored[name] + call[name .. "_offset"])
end

-- The widest loads of a matrix whose tile has `extent` rows or columns of C.
local function load_width(p, along_k, extent, even)
  local length, rows = along_k and p.BK or extent, along_k and extent or p.BK
  local width = even and (along_k and p.A_WIDTH or p.B_WIDTH) or 1
  return gpu_sets.is_shared(p, length, rows, width) and width or 1
end

--- What the kernel must know of a product: how A and B are stored, the widths of loads, the type of offsets in tiles.
-- @tparam table product type_name, bytes (of a number that is computed with), stored (bytes of a, b and c)
-- @tparam table p of @{complete}
-- @tparam table call as @{clue.gemm} checked it
-- @treturn table definitions
function gpu_sets.traits(product, p, call)
  local longest = math.max(call.lda * math.max(p.BM, p.BK), call.ldb * math.max(p.BN, p.BK))
  local name, stored, is_shared = product.type_name, product.stored, (p.SPLITS or 1) > 1
  return {
    REAL = storage.sum(name), REAL_BYTES = product.bytes,
    HALF = name == "half" and 1 or 0, CHAR = name == "char" and 1 or 0,
    TRANSPOSED_A = call.transpose_a and 1 or 0, TRANSPOSED_B = call.transpose_b and 1 or 0,
    A_WIDTH = load_width(p, not call.transpose_a, p.BM, is_even(call, "a", p.V, stored)),
    B_WIDTH = load_width(p, call.transpose_b, p.BN, is_even(call, "b", p.V, stored)),
    C_WIDTH = is_even(call, "c", p.V, stored) and p.V or 1, OFFSET = longest < 2 ^ 31 and "int" or "long",
    SHARED = is_shared and 1 or 0,
  }
end

--- What a set's time for a product depends on, besides the extents.
-- @tparam table product bytes, stored
-- @tparam table call as @{clue.gemm} checked it
-- @treturn table index of the set's cost
function gpu_sets.column(product, call)
  local wide, stored = 16 / product.bytes, product.stored
  local narrow = not (is_even(call, "a", wide, stored) and is_even(call, "b", wide, stored)
                      and is_even(call, "c", wide, stored))
  return {index = narrow and 2 or call.transpose_b and 3 or 1}
end

--- How many tiles are on their way to local memory while one is multiplied.
-- @tparam table p of @{complete}
-- @treturn number
function gpu_sets.ahead(p) return p.ASYNC == 1 and math.max(p.BUFFERS - 1, 1) or 1 end

-- ---- the sets -----------------------------------------------------------------------------------------------------

local function set(name, ...)
  local made = {name = name}
  for _, part in ipairs {...} do
    for key, value in pairs(part) do made[key] = value end
  end
  return made
end

local WORDS = {types = {float = true, int = true}}
local HALF = {types = {half = true}}
local WORDS_AND_HALF = {types = {float = true, int = true, half = true}}
local PORTABLE = {ASYNC = 0, BUFFERS = 2, A_WIDTH = 4}
local PORTABLE_DOUBLE = {ASYNC = 0, BUFFERS = 2, A_WIDTH = 2}

-- 128 x 256 by 256 work-items, each 16 x 8: 200 registers and more
local LARGE = {
  vendor = "nvidia", BM = 128, BN = 256, BK = 8, WM = 64, WN = 64, TM = 16, TN = 8, B_WIDTH = 4, PAD = 4, BUFFERS = 2,
  ASYNC = 1, SPLIT = 1, LANE_BLOCK = 2, BAND = 8, UNROLL = 1,
}
-- Small tiles, which several slices share: for matrices with fewer large tiles than the device has compute units
local SMALL = {WM = 32, WN = 64, TM = 8, FRAGMENTS = 2, BUFFERS = 3}
local TILE_64_128 = {BM = 64, BN = 128, BK = 16, SLICES = 2}
local TILE_32_64 = {BM = 32, BN = 64, BK = 32, SLICES = 8}
-- Of double: 128 x 128 by 256 work-items, each 8 x 8
local DOUBLE = {
  types = {double = true}, vendor = "nvidia", BM = 128, BN = 128, BK = 8, WM = 32, WN = 64, V = 2, B_WIDTH = 2, PAD = 2,
  BUFFERS = 2, ASYNC = 1, SPLIT = 1, LANE_BLOCK = 2, BAND = 8, UNROLL = 1,
}
local SMALL_DOUBLE = {BK = 16, WM = 32, WN = 32, TM = 4, TN = 8}
-- Few rows or columns of C: many slices
local THIN = {TM = 4, TN = 4, BK = 64, SLICES = 32, B_WIDTH = 4, PAD = 4, BUFFERS = 2}

-- Some rows or columns
local NARROW = {TM = 4, TN = 4, BK = 32, A_WIDTH = 4, B_WIDTH = 4, PAD = 4, BUFFERS = 2}

gpu_sets.list = {
  set("large", LARGE, WORDS, {cost = {159, 168, 171.5}}),
  set("large, two fragments", LARGE, WORDS, {FRAGMENTS = 2, cost = {160.5, 166.5}}),
  set("portable large", LARGE, PORTABLE, WORDS, {FRAGMENTS = 2, cost = {170, 176, 164}}),
  set("large of half", LARGE, PORTABLE, HALF, {A_WIDTH = 1, FRAGMENTS = 2, cost = {174, 180}}),
  set("64 x 128", LARGE, SMALL, TILE_64_128, WORDS, {cost = {41.5, 46.5, 43.5}}),
  set("portable 64 x 128", LARGE, SMALL, TILE_64_128, PORTABLE, WORDS_AND_HALF, {cost = {46, 52}}),
  set("32 x 64", LARGE, SMALL, TILE_32_64, WORDS, {cost = {13.2, 15}}),
  set("portable 32 x 64", LARGE, SMALL, TILE_32_64, PORTABLE, WORDS_AND_HALF, {FRAGMENTS = 1, cost = {12.8, 22},
                                                                               resident = 2}),
  set("portable 32 x 64, two fragments", LARGE, SMALL, TILE_32_64, PORTABLE, WORDS_AND_HALF, {cost = {15.3, 18.3},
                                                                                              resident = 2}),
  set("double 128 x 128", DOUBLE, {cost = {162, 168}}),
  set("portable double 128 x 128", DOUBLE, PORTABLE_DOUBLE, {cost = {167, 173}}),
  set("double 64 x 128", DOUBLE, {BM = 64, WN = 32, TM = 4, cost = {94, 100}}),
  set("portable double 64 x 64", DOUBLE, SMALL_DOUBLE, PORTABLE_DOUBLE, {BM = 64, BN = 64, SLICES = 2,
                                                                        cost = {47.5, 58}}),
  set("portable double 32 x 64", DOUBLE, SMALL_DOUBLE, PORTABLE_DOUBLE, {BM = 32, BN = 64, SLICES = 4,
                                                                        cost = {28.5, 34}}),
  set("64 x 64", {BM = 64, BN = 64, TM = 4, TN = 4, BK = 16, A_WIDTH = 4, B_WIDTH = 4, PAD = 4, SPLIT = 1, BAND = 8,
                  cost = {33, 36}, resident = 3}),
  set("few rows", {BM = 4, BN = 64}, THIN, {SLICES = 8, BUFFERS = 1, cost = {3.2, 3.6}, resident = 5}),
  set("few columns", {BM = 32, BN = 4}, THIN, {cost = {14, 14.5}, share = 3}),
  set("32 x 16", NARROW, {BM = 32, BN = 16, SLICES = 8, cost = {7, 9}, resident = 4}),
  set("16 x 64", NARROW, {BM = 16, BN = 64, BK = 64, SLICES = 4, BUFFERS = 1, cost = {10, 12}, resident = 3}),
  set("16 x 16", {BM = 16, BN = 16, TM = 4, TN = 4, cost = {200, 205}, share = 32}),
}

return gpu_sets
