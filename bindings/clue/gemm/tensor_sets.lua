--- Parameter sets of kernels/gemm_tensor.cl, for @{clue.gemm.gpu} and for tests/bench/gemm: products on the tensor
-- cores of NVIDIA's GPUs.
--
-- A set has the kernel's parameters, and
--
--   - name
--   - cost: nanoseconds for one step along K of a compute unit's groups, divided by their number: with copies of 16
--     bytes, with narrower ones, and (the first if not given) with A and B of more than FAR_BYTES. Measured on an H200
--     (docs/measurements/gemm-tensor-h200.txt, gemm-shapes-h200.txt)
--   - alone: the same of a group that has a unit for itself: no product takes less
--   - resident: groups that run at once on a compute unit
-- @module clue.gemm.tensor_sets
local storage = require "clue.gemm.storage"

local tensor_sets = {}

--- The kernel's file.
tensor_sets.file = "gemm_tensor.cl"

--- The bytes of an element of A and B, by KIND: see kernels/gemm_tensor.cl.
tensor_sets.bytes = {[0] = 8, [1] = 2, [2] = 4, [3] = 1}

local DOUBLE, HALF, TF32, CHAR = 0, 1, 2, 3

local FAR_BYTES = 2 ^ 29
local COPY, COPY_RATE = 6000, 4000 -- nanoseconds; bytes per nanosecond, read and written
local STRADDLING = 1e-6 -- nanoseconds for each multiply-add, of a factor whose boxes' rows begin amid 32 bytes
local JOIN, GROUP_RATE, RATE = 3500, 28, 4000 -- nanoseconds; sums of a group, and bytes of all, per nanosecond

--- The kernel's KIND for a product.
-- @tparam number capability 10 times the major compute capability, and the minor one; 0 for other vendors
-- @tparam string type_name
-- @tparam ?string precision "tf32": what TF32 loses may be lost
-- @treturn ?number nil: the device has no tensor cores for it
function tensor_sets.kind(capability, type_name, precision)
  if capability < 80 then return nil end
  if type_name == "half" then return HALF end
  if type_name == "char" then return CHAR end
  if type_name == "float" and precision == "tf32" then return TF32 end
  -- The instruction for double is of 9.0. Compute capability 8.0 has one of half its size, later ones fewer units.
  return type_name == "double" and capability == 90 and DOUBLE or nil
end

local SIMPLEST = {BM = 64, BN = 64, BK = 16, STAGES = 2, BAND = 8, WGMMA = 0, SPLITS = 1, RESIDENT = 1}

--- Whether a device can run a set.
-- @tparam table set or its parameters
-- @tparam ?number kind of @{kind}
-- @tparam number capability
-- @treturn boolean
function tensor_sets.suits(set, kind, capability)
  return set.KIND == kind and (set.WGMMA ~= 1 or capability == 90)
end

--- Completes the parameters of a set.
-- @tparam table given parameters that differ from the simplest
-- @tparam number kind
-- @treturn table all of them, without a set's other fields
function tensor_sets.complete(given, kind)
  local made = {KIND = kind}
  for name, value in pairs(SIMPLEST) do made[name] = given[name] or value end
  made.WM = given.WM or made.WGMMA == 1 and 64 or 32
  made.WN = given.WN or made.WGMMA == 1 and made.BN or 32
  return made
end

--- The names of all parameters, with true. TENSOR = 1 chooses this kernel.
tensor_sets.known = {WM = true, WN = true, TENSOR = true}
for name in pairs(SIMPLEST) do tensor_sets.known[name] = true end

local function is_power(number)
  return number > 0 and 2 ^ math.floor(math.log(number) / math.log(2) + 0.5) == number
end

local steps = {[HALF] = 16, [CHAR] = 32} -- of K in one instruction

--- What is wrong with parameters on any device.
-- @tparam table p of @{complete}
-- @treturn ?string nil: nothing
function tensor_sets.fault(p)
  for _, name in ipairs {"BM", "BN", "BK", "WM", "WN"} do
    local is_panels = p.WGMMA == 1 and name ~= "BK"
    if is_panels and p[name] % 64 ~= 0 then return ("%s = %.0f must be a multiple of 64"):format(name, p[name]) end
    if not is_panels and not is_power(p[name]) then
      return ("%s = %.0f must be a power of 2"):format(name, p[name])
    end
  end
  local least, step = (p.KIND == TF32 or p.KIND == CHAR) and 32 or 16, steps[p.KIND] or 8
  if math.min(p.WM, p.WN) < least then return ("WM and WN must be %d or more"):format(least) end
  if p.WGMMA == 1 and (p.KIND ~= HALF and p.KIND ~= TF32 or p.WN ~= p.BN or math.max(p.BM, p.BN) > 256
                       or p.BK * tensor_sets.bytes[p.KIND] > 128) then
    return "WGMMA = 1 is for half and TF32, with WN = BN, BM and BN up to 256, and BK up to 64, or 32 for TF32"
  end
  if p.BM % p.WM ~= 0 or p.BN % p.WN ~= 0 then return "WM must divide BM, and WN BN" end
  if p.BK < step then return ("BK must be %d or more"):format(step) end
  if p.STAGES < 2 then return "STAGES must be 2 or more" end
  if p.SPLITS > 256 then return "SPLITS must be 256 or less" end
end

--- The groups that compute so many tiles of C.
-- @tparam table p
-- @tparam number tiles
-- @tparam number units compute units
-- @treturn number
function tensor_sets.groups(p, tiles, units)
  local parts = tiles * p.SPLITS
  return p.WGMMA == 1 and math.min(parts, units * p.RESIDENT) or parts
end

--- The work-items of a group.
-- @tparam table p
-- @treturn number
function tensor_sets.items(p) return p.BM / p.WM * p.BN / p.WN * (p.WGMMA == 1 and 128 or 32) end

--- The local memory of a group.
-- @tparam table p
-- @tparam number bytes of an element
-- @treturn number bytes
function tensor_sets.memory(p, bytes)
  local tiles = bytes * p.STAGES * p.BK * (p.BM + p.BN)
  return p.WGMMA == 1 and tiles + 16 * p.STAGES + 1040 or tiles -- with barriers and a flag, aligned to 1024
end

--- How many tiles are on their way to local memory while one is multiplied.
-- @tparam table p
-- @treturn number
function tensor_sets.ahead(p) return p.STAGES - 1 end

-- ---- what a product allows ----------------------------------------------------------------------------------------

-- The most bytes, up to 32, of which the beginnings of a matrix's rows are multiples; 0: not even of 4 or an element's.
local function alignment(call, name, bytes)
  local _, start = storage.place(call[name])
  local first, distance = start + call[name .. "_offset"] * bytes, call["ld" .. name] * bytes
  for _, width in ipairs {32, 16, 8, 4} do
    if width >= bytes and first % width == 0 and distance % width == 0 then return width end
  end
  return 0
end

-- Whether a group can copy rows of so many elements: its work-items share the copies evenly, or boxes are copied.
local function is_shared(p, length, rows, bytes, width)
  if p.WGMMA == 1 then return width == 16 end
  local items, across = tensor_sets.items(p), length * bytes / width
  return items % across == 0 and rows % (items / across) == 0
end

local widest_stores = {[DOUBLE] = 2, [HALF] = 8, [TF32] = 4, [CHAR] = 4} -- elements of C
local next_stores = {[8] = 2, [4] = 1, [2] = 1}

--- Whether A and B are copied first, rounded and along K: TF32 by wgmma.
-- @tparam table p of @{complete}
-- @treturn boolean
function tensor_sets.is_rounded(p) return p.WGMMA == 1 and p.KIND == TF32 end

-- What a matrix's copy is like: rows and columns of the matrix, its first element and the distance of its rows; whether
-- its columns become rows; and the copy's size and the distance of its rows, in elements. Boxes of the tensor memory
-- accelerator that begin amid 32 bytes take up to twice the time, so rows begin at multiples of 128.
local function copy_of(call, name, bytes, turned)
  local rows, columns = call[name .. "_rows"], call[name .. "_columns"]
  local down, across = turned and columns or rows, turned and rows or columns
  local pitch = math.max(math.ceil(across * bytes / 128), 1) * 128 / bytes
  return {rows = rows, columns = columns, first = call[name .. "_offset"], ld = call["ld" .. name], turned = turned,
          pitch = pitch, size = down * pitch}
end

local function copy_time(copy, bytes, part)
  return COPY + part * 2 * copy.size * bytes / COPY_RATE
end

-- Whether rows of wgmma's boxes begin amid 32 bytes, which memory reads at once.
local function straddles(p, call, name, bytes)
  return p.WGMMA == 1 and alignment(call, name, bytes) < 32
end

local factors = {"a", "b"}

-- Adds the copies that a kernel needs; false if one cannot be made.
local function add_needed(copied, p, call, bytes)
  local least, rounded = p.WGMMA == 1 and 16 or 4, tensor_sets.is_rounded(p)
  for _, name in ipairs(factors) do
    local _, start = storage.place(call[name])
    if start % bytes ~= 0 then return false end
    if rounded or alignment(call, name, bytes) < least then
      if call.k == 0 then return false end
      copied[name] = copy_of(call, name, bytes, rounded and call["transpose_" .. name] == (name == "a"))
      copied.size = copied.size + copied[name].size
    end
  end
  return copied.size * bytes <= call.most_kept
end

--- Which factors are copied first (@{clue.gemm.copies}): those whose rows begin where the kernel cannot read them, all
-- of TF32 by wgmma, and those whose rows begin where reading takes longer than the copy.
-- @tparam table p of @{complete}
-- @tparam table call as @{clue.gemm} checked it, and most_kept: the bytes that copies of A and B may take together
-- @treturn ?table a, b: rows, columns, first, ld, turned (columns become rows), pitch (of the copy's rows), size (of
--   the copy); size: of both, in elements; nil: this set cannot compute the product
function tensor_sets.copied(p, call)
  local bytes, copied = tensor_sets.bytes[p.KIND], {size = 0}
  if not add_needed(copied, p, call, bytes) then return nil end
  local gain = STRADDLING * call.m * call.n * call.k
  for _, name in ipairs(factors) do
    if not copied[name] and straddles(p, call, name, bytes) then
      local copy = copy_of(call, name, bytes, false)
      if copy_time(copy, bytes, 1) < gain and (copied.size + copy.size) * bytes <= call.most_kept then
        copied[name], copied.size = copy, copied.size + copy.size
      end
    end
  end
  return copied
end

--- What the kernel must know of a product besides its parameters.
-- @tparam table p of @{complete}
-- @tparam table call as for @{copied}
-- @treturn ?table definitions; nil: this set cannot compute it
function tensor_sets.traits(p, call)
  local bytes = tensor_sets.bytes[p.KIND]
  local copied = tensor_sets.copied(p, call)
  if not copied then return nil end
  local a = copied.a and 16 or math.min(alignment(call, "a", bytes), 16)
  local b = copied.b and 16 or math.min(alignment(call, "b", bytes), 16)
  local at, bt = call.transpose_a, call.transpose_b
  if tensor_sets.is_rounded(p) then at, bt = false, true end
  if not is_shared(p, at and p.BM or p.BK, at and p.BK or p.BM, bytes, a)
     or not is_shared(p, bt and p.BK or p.BN, bt and p.BN or p.BK, bytes, b) then
    return nil
  end
  local _, start = storage.place(call.c)
  local wide = widest_stores[p.KIND]
  while wide > 1 and ((start / (p.KIND == CHAR and 4 or bytes) + call.c_offset) % wide ~= 0 or call.ldc % wide ~= 0
                      or wide == 8 and p.WN % 32 ~= 0) do
    wide = next_stores[wide]
  end
  local is_whole = p.WGMMA == 1 or call.a_columns * bytes % a == 0 and call.b_columns * bytes % b == 0
  return {TRANSPOSED_A = at and 1 or 0, TRANSPOSED_B = bt and 1 or 0, A_COPY = a, B_COPY = b,
          PARTIAL = is_whole and 0 or 1, C_WIDE = wide}
end

--- What a set's time for a product depends on, besides the extents.
-- @tparam table p of @{complete}
-- @tparam table call as for @{copied}
-- @treturn ?table index of the set's cost, copied (@{copied}), straddling (how many factors are read where it takes
--   longer), m, n; nil: this set cannot compute it
function tensor_sets.column(p, call)
  local traits, bytes = tensor_sets.traits(p, call), tensor_sets.bytes[p.KIND]
  if not traits then return nil end
  local is_far = (call.m + call.n) * call.k * bytes > FAR_BYTES
  local made = {index = math.min(traits.A_COPY, traits.B_COPY) < 16 and 2 or is_far and 3 or 1,
                copied = tensor_sets.copied(p, call), straddling = 0, m = call.m, n = call.n}
  for _, name in ipairs(factors) do
    if not made.copied[name] and straddles(p, call, name, bytes) then made.straddling = made.straddling + 1 end
  end
  return made
end

--- What copies of factors cost, and factors that are read where it takes longer.
-- @tparam table p of @{complete}
-- @tparam table column of @{column}
-- @tparam number m of the product or a part of C
-- @tparam number n
-- @tparam number k
-- @treturn number nanoseconds
function tensor_sets.reading(p, column, m, n, k)
  local bytes, time, copied = tensor_sets.bytes[p.KIND], column.straddling * STRADDLING * m * n * k, column.copied
  if copied.a then time = time + copy_time(copied.a, bytes, m / column.m) end
  if copied.b then time = time + copy_time(copied.b, bytes, n / column.n) end
  return time
end

-- The instructions that load a step's factors of a warp, and their bytes for each work-item: of P, whose `rows` are
-- divided by 16, and of Q, whose `columns` are by 8. See load() in the kernel.
local function loads_of(kind, at, bt, rows, columns)
  if kind ~= DOUBLE then return {rows / 16 + columns / 16, 16} end
  local along_p, along_q = bt, not at
  if at and bt then along_p, along_q = false, true end
  local paired = not (along_p and along_q)
  local by_8, by_16 = 0, 0
  if along_p then by_8 = by_8 + rows / 16 * 4 else by_16 = by_16 + rows / 16 * 2 end
  if along_q and paired then by_16 = by_16 + columns / 8 else by_8 = by_8 + columns / 8 * 2 end
  return {by_8, 8}, {by_16, 16}
end

--- What a launch of a set does, by the kernel's own loops.
-- @tparam table p of @{complete}
-- @tparam table call m, n, k, transpose_a, transpose_b
-- @treturn table groups (that share the work or have a tile of C each), warps (of all of these), instruction
--   ("mma.sync" by a warp, "wgmma" by four), products (how many of these, by all warps), operations (of one: two for
--   each multiply-add), loads (of factors from local memory, by all warps; 0 for wgmma, which reads them itself),
--   passes (of local memory for them, 128 bytes each: no two work-items meet in a bank)
function tensor_sets.counts(p, call)
  local step = steps[p.KIND] or 8
  local tiles = math.ceil(call.m / p.BM) * math.ceil(call.n / p.BN)
  local warps, along = tensor_sets.items(p) / 32, math.ceil(call.k / p.BK)
  local share, rounds, firsts = math.ceil(along / p.SPLITS), 0, 0
  for split = 0, p.SPLITS - 1 do
    local count = math.max(math.min(along - split * share, share), 0)
    rounds, firsts = rounds + count, firsts + (count > 0 and 1 or 0)
  end
  local made = {groups = tiles * p.SPLITS, warps = tiles * p.SPLITS * warps}
  local steps_of_tile = rounds * p.BK / step
  if p.WGMMA == 1 then
    made.instruction, made.operations, made.loads, made.passes = "wgmma", 2 * 64 * p.BN * step, 0, 0
    made.products = tiles * steps_of_tile * p.BM / 64
    return made
  end
  local is_a = p.KIND ~= DOUBLE or call.transpose_a and call.transpose_b
  local rows, columns = is_a and p.WM or p.WN, is_a and p.WN or p.WM
  local loads, passes = 0, 0
  for _, of in ipairs {loads_of(p.KIND, call.transpose_a, call.transpose_b, rows, columns)} do
    loads, passes = loads + of[1], passes + of[1] * of[2] * 32 / 128
  end
  local loaded = tiles * warps * (steps_of_tile + firsts) -- behind the last tile, one step more
  made.instruction, made.operations = "mma.sync", 2 * 16 * 8 * step
  made.products = tiles * warps * steps_of_tile * rows / 16 * columns / 8
  made.loads, made.passes = loaded * loads, loaded * passes
  return made
end

-- ---- the sets -----------------------------------------------------------------------------------------------------

-- The tiles of a group and of a warp, BK, STAGES
local function set(kind, bm, bn, bk, wm, wn, stages, cost, alone)
  return {name = ("tensor %d x %d, %d x %d"):format(bm, bn, wm, wn), KIND = kind, BM = bm, BN = bn, BK = bk, WM = wm,
          WN = wn, STAGES = stages, cost = cost, alone = alone, SPLITS = 1, resident = bm * bn <= 64 * 64 and 4 or 2}
end

-- The tiles of a group and of four warps, BK, STAGES, RESIDENT. Only copies of 16 bytes suit them.
local function wgmma(kind, bm, bn, bk, wm, stages, resident, cost, alone)
  local made = set(kind, bm, bn, bk, wm, bn, stages, {cost}, alone)
  made.name, made.WGMMA, made.RESIDENT, made.resident = made.name .. " by wgmma", 1, resident, resident
  return made
end

tensor_sets.list = {
  set(DOUBLE, 64, 64, 16, 32, 16, 3, {20.2, 23.7, 23.8}, 16.6),
  set(DOUBLE, 64, 64, 16, 32, 32, 3, {19.1, 20.9, 23.5}, 20),
  set(DOUBLE, 128, 64, 8, 64, 32, 4, {37.6, 43, 41}, 41),
  set(DOUBLE, 128, 128, 8, 64, 32, 3, {79.5, 84, 79.5}, 76),
  set(DOUBLE, 32, 64, 16, 32, 16, 4, {10.7, 16.2, 12.7}, 10),
  set(HALF, 128, 128, 32, 64, 64, 3, {9.2, 11.9}, 8.6),
  set(HALF, 64, 128, 32, 32, 64, 4, {5.7, 7.9}, 5.3),
  set(HALF, 64, 64, 64, 32, 32, 3, {3.2, 5.5}, 3),
  wgmma(HALF, 128, 128, 32, 128, 2, 3, 6.9, 15.6),
  wgmma(HALF, 128, 128, 32, 64, 2, 2, 7.5, 10.5),
  wgmma(HALF, 64, 64, 64, 64, 2, 6, 2.9, 5.3),
  set(TF32, 128, 128, 16, 64, 64, 3, {23.8, 35.2}, 27.5),
  set(TF32, 64, 128, 32, 32, 64, 2, {13.9, 19}, 16.4),
  set(TF32, 64, 64, 32, 32, 32, 3, {8.6, 11.7}, 8.5),
  wgmma(TF32, 128, 128, 16, 128, 2, 3, 14.4, 38),
  wgmma(TF32, 128, 128, 16, 64, 2, 2, 18.2, 23.5),
  wgmma(TF32, 64, 64, 32, 64, 2, 6, 7, 12.3),
  set(CHAR, 128, 128, 64, 64, 64, 3, {4.7, 7.2, 4.4}, 5.1),
  set(CHAR, 64, 128, 64, 32, 64, 4, {2.85, 4.9}, 2),
  set(CHAR, 64, 64, 128, 32, 32, 3, {1.7, 3.5}, 0.85),
}

local FAN = 16 -- groups whose sums one adds: see the kernel's join()

--- The counters that the groups of a tile of C need, if several share it.
-- @tparam number splits groups for each tile
-- @treturn number
function tensor_sets.counters(splits)
  local count = 0
  while splits > 1 do
    splits = math.ceil(splits / FAN)
    count = count + splits
  end
  return count
end

--- What it costs that several groups share each tile of C.
-- @tparam table p
-- @tparam number splits groups for each tile
-- @tparam number bytes of a sum
-- @tparam number m
-- @tparam number n
-- @treturn number nanoseconds
function tensor_sets.joining(p, splits, bytes, m, n)
  local tiles, time, left = math.ceil(m / p.BM) * math.ceil(n / p.BN), 0, splits
  while left > 1 do
    time = time + JOIN + math.min(left, FAN) * p.BM * p.BN / GROUP_RATE
    left = math.ceil(left / FAN)
  end
  return time + tiles * splits * p.BM * p.BN * bytes / RATE
end

return tensor_sets
