--- The kernels of context:sort: a radix sort from the lowest digit to the highest, which is stable.
--
-- A pass puts all elements in the order of one digit. Each piece of the elements counts its digits, so that sums of
-- the counts, digit by digit, say where each piece puts its first element of each digit. The forms are those of
-- @{clue.compute.scan_source}. In "chunks" one work-item of a CPU walks through a piece. In "groups" and "look-back" a
-- work-group puts its tile in order in local memory first, so that neighbours write neighbouring places. "look-back"
-- reads the elements once per pass: the digits of all passes are counted beforehand, and a tile learns from the tiles
-- before it where its elements go (Adinets and Merrill, Onesweep, 2022).
--
-- Keys are compared as unsigned numbers of their size, which clue_order makes of their bits.
-- @module clue.compute.sort_source
local local_memory = require("clue.kernel").local_memory
local source = require "clue.compute.source"
local types = require "clue.compute.types"

local sort_source = {}

local GROUP = 256 -- work-items of a GPU's group, and digits
local CHUNK = 32768 -- elements of a CPU's work-item; one driver cuts loops at 65535 iterations
local AHEAD = 4 -- earlier tiles whose states are read at once
local LANES = 32 -- work-items that find equal digits among themselves

local unsigned = {"uchar", "ushort", nil, "uint", nil, nil, nil, "ulong"} -- by bytes
local infinity = {half = "0x7C00", float = "0x7F800000", double = "0x7FF0000000000000"}

-- NaNs are greater than all numbers, and -0 equals 0.
local order_of_reals = [[
static clue_key clue_order_up(const clue_key bits)
{
  if ((bits & ~clue_SIGN) > $INFINITY)
    return ~(clue_key)0;
  if (bits == clue_SIGN)
    return bits;
  return bits & clue_SIGN ? ~bits : bits ^ clue_SIGN;
}
]]

local order_of_whole = "static clue_key clue_order_up(const clue_key bits) { return bits ^ $FLIP; }\n"

local common = [[
typedef $KEY clue_key;
typedef $COUNT clue_count;
#define clue_SIGN ((clue_key)((clue_key)1 << ($BYTES * 8 - 1)))
$ORDER
static clue_key clue_order(const clue_key bits) { return $DIRECTION clue_order_up(bits); }

static int clue_digit(const clue_key bits, const int shift, const int mask)
{
  return (int)(clue_order(bits) >> shift) & mask;
}
]]

-- What the kernels have only if values go along with the keys.
local with_values = {
  ["true"] = [[
typedef $VALUE clue_value;
#define clue_VALUES
#define clue_PARAMETERS , global const clue_value *values, global clue_value *sorted_values, const long values_from, \
  const long values_to, const int numbered
#define clue_value_of(k) ($NUMBER values[values_from + (k)])
]],
  ["false"] = "#define clue_PARAMETERS\n",
}

local chunks = [==[
kernel void $NAME_count(global const clue_key *keys, const long from, const long n, const int shift, const int mask,
                        global clue_count *counts)
{
  const long piece = get_group_id(0), pieces = get_num_groups(0), end = min(n, (piece + 1) * $LENGTH);
  clue_count own[256];
  for (int digit = 0; digit <= mask; digit++)
    own[digit] = 0;
  for (long k = piece * $LENGTH; k < end; k++)
    own[clue_digit(keys[from + k], shift, mask)]++;
  for (int digit = 0; digit <= mask; digit++)
    counts[digit * pieces + piece] = own[digit];
}

kernel void $NAME(global const clue_key *keys, global clue_key *sorted, const long from, const long to, const long n,
                  const int shift, const int mask, global const clue_count *counts clue_PARAMETERS)
{
  const long piece = get_group_id(0), pieces = get_num_groups(0), end = min(n, (piece + 1) * $LENGTH);
  clue_count next[256];
  for (int digit = 0; digit <= mask; digit++)
    next[digit] = counts[digit * pieces + piece];
  for (long k = piece * $LENGTH; k < end; k++) {
    const clue_key key = keys[from + k];
    const clue_count place = next[clue_digit(key, shift, mask)]++;
    sorted[to + place] = key;
#ifdef clue_VALUES
    sorted_values[values_to + place] = clue_value_of(k);
#endif
  }
}
]==]

local group_functions = [==[
#ifdef __NV_CL_C_VERSION
#define clue_lanes_barrier() asm volatile("bar.warp.sync 0xffffffff;" : : : "memory")
#else
#define clue_lanes_barrier() barrier(CLK_LOCAL_MEM_FENCE)
#endif

// Returns the sum of what the work-items before this one gave.
static uint clue_scan_group(const uint own, local uint *sums)
{
  const int me = get_local_id(0);
  uint sum = own;
  sums[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < $GROUP; distance *= 2) {
    if (me >= distance)
      sum += sums[me - distance];
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return sum - own;
}
]==]

local count_tile = [==[
kernel __attribute__((reqd_work_group_size($GROUP, 1, 1)))
void $NAME_count(global const clue_key *keys, const long from, const long n, const int shift, const int mask,
                 global clue_count *counts)
{
  local uint own[256];
  const int me = get_local_id(0);
  const long tile = get_group_id(0), tiles = get_num_groups(0);
  own[me] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < $ITEMS; step++) {
    const long k = tile * $LENGTH + step * $GROUP + me;
    if (k < n)
      atomic_inc(own + clue_digit(keys[from + k], shift, mask));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me <= mask)
    counts[me * tiles + tile] = own[me];
}

static clue_count clue_base(global const clue_count *counts, const long tile, const int mask, const uint own,
                            const int shift)
{
  return (int)get_local_id(0) <= mask ? counts[get_local_id(0) * get_num_groups(0) + tile] : 0;
}
#define clue_COUNTS global const clue_count *
#define clue_take_tile(counts, taken) get_group_id(0)
]==]

-- A tile publishes, for each digit, a state in the highest two bits (0 nothing yet, 1 its count, 2 where the next
-- tile puts its first element) and the number. The number of the next tile comes before.
local look_back_functions = [==[
kernel __attribute__((reqd_work_group_size($GROUP, 1, 1)))
void $NAME_count(global const clue_key *keys, const long from, const long n, const int bits, const int mask,
                 global uint *counts, local uint *own)
{
  const int me = get_local_id(0);
  for (int k = me; k < $PASSES * 256; k += $GROUP)
    own[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long begin = get_group_id(0) * $LENGTH; begin < n; begin += get_num_groups(0) * $LENGTH) {
    clue_key key[$ITEMS];
    for (int step = 0; step < $ITEMS; step++) {
      const long k = begin + step * $GROUP + me;
      key[step] = k < n ? keys[from + k] : 0;
    }
    for (int step = 0; step < $ITEMS; step++)
      for (int pass = 0; begin + step * $GROUP + me < n && pass < $PASSES; pass++)
        atomic_inc(own + pass * 256 + clue_digit(key[step], pass * bits, mask));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = me; k < $PASSES * 256; k += $GROUP)
    if (own[k] > 0)
      atomic_add(counts + k, own[k]);
}

// NVIDIA's compiler makes volatile reads that the caches do not answer, cheaper than atomic ones.
#ifdef __NV_CL_C_VERSION
#define clue_read(place) (*(place))
#else
#define clue_read(place) atomic_or(place, 0)
#endif

static clue_count clue_base(volatile global uint *counts, const long tile, const int mask, const uint own,
                            const int shift)
{
  const int me = get_local_id(0);
  volatile global uint *state = counts + $PASSES * 256 + 256 + me;
  uint base = 0, found[$AHEAD];
  if (tile > 0)
    atomic_xchg(state + tile * 256, 0x40000000u | own);
  else
    for (int digit = 0; digit < me; digit++)
      base += counts[shift * 256 / $BITS + digit];
  bool is_found = tile == 0;
  for (long before = tile - 1; !is_found; before -= $AHEAD) {
    for (int k = 0; k < $AHEAD; k++)
      found[k] = before >= k ? clue_read(state + (before - k) * 256) : 0;
    for (int k = 0; k < $AHEAD && !is_found; k++) {
      while (found[k] == 0)
        found[k] = clue_read(state + (before - k) * 256);
      base += found[k] & 0x3fffffffu;
      is_found = found[k] >= 0x80000000u;
    }
  }
  atomic_xchg(state + tile * 256, 0x80000000u | (base + own));
  return base;
}

#define clue_COUNTS volatile global uint *
static long clue_take_tile(volatile global uint *counts, local uint *taken)
{
  if (get_local_id(0) == 0)
    *taken = atomic_inc(counts + $PASSES * 256);
  barrier(CLK_LOCAL_MEM_FENCE);
  return *taken;
}
]==]

-- Every 32 work-items have a run of the tile. Those whose keys have the same digit find each other by a mask in local
-- memory; the last of them counts the digit. Then work-item d computes where digit d begins in the tile, and where
-- the tile's elements of that digit go.
local sort_tile = [==[
kernel __attribute__((reqd_work_group_size($GROUP, 1, 1)))
void $NAME(global const clue_key *keys, global clue_key *sorted, const long from, const long to, const long n,
           const int shift, const int mask, clue_COUNTS counts clue_PARAMETERS, local ulong16 *shared)
{
  local uint starts[256], sums[$GROUP], taken;
  local clue_count offsets[256];
  local uint *space = (local uint *)shared;
  const int me = get_local_id(0), lane = me % $LANES, runs = $GROUP / $LANES, run = me / $LANES;
  const long tile = clue_take_tile(counts, &taken);
  volatile local uint *equal = space + run * 256, *heads = space + (runs + run) * 256;
  for (int k = me; k < 2 * runs * 256; k += $GROUP)
    space[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  const long begin = tile * $LENGTH + run * $LANES * $ITEMS + lane;
  clue_key key[$ITEMS];
  uint rank[$ITEMS];
  for (int j = 0; j < $ITEMS; j++)
    key[j] = begin + j * $LANES < n ? keys[from + begin + j * $LANES] : 0;
  for (int j = 0; j < $ITEMS; j++) {
    const int digit = begin + j * $LANES < n ? clue_digit(key[j], shift, mask) : mask;
    atomic_or(equal + digit, 1u << lane);
    clue_lanes_barrier();
    const uint those = equal[digit], head = heads[digit];
    clue_lanes_barrier();
    if (those >> lane == 1) {
      heads[digit] = head + popcount(those);
      equal[digit] = 0;
    }
    clue_lanes_barrier();
    rank[j] = head + popcount(those & ((1u << lane) - 1));
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  uint own = 0;
  for (int other = 0; other < runs; other++) {
    const uint count = space[(runs + other) * 256 + me];
    space[(runs + other) * 256 + me] = own;
    own += count;
  }
  const uint start = clue_scan_group(own, sums);
  starts[me] = start;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < $ITEMS; j++) {
    const int digit = begin + j * $LANES < n ? clue_digit(key[j], shift, mask) : mask;
    rank[j] += starts[digit] + heads[digit];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  local clue_key *tile_keys = (local clue_key *)shared;
  for (int j = 0; j < $ITEMS; j++)
    tile_keys[rank[j]] = key[j];
#ifdef clue_VALUES
  clue_value value[$ITEMS];
  for (int j = 0; j < $ITEMS; j++)
    if (begin + j * $LANES < n)
      value[j] = clue_value_of(begin + j * $LANES);
#endif
  offsets[me] = clue_base(counts, tile, mask, own, shift) - start;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int length = min(n - tile * $LENGTH, (long)$LENGTH);
  clue_count place[$ITEMS];
  for (int j = 0; j < $ITEMS; j++) {
    const int k = j * $GROUP + me;
    if (k < length) {
      place[j] = offsets[clue_digit(tile_keys[k], shift, mask)] + k;
      sorted[to + place[j]] = tile_keys[k];
    }
  }
#ifdef clue_VALUES
  local clue_value *tile_values = (local clue_value *)shared;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < $ITEMS; j++)
    tile_values[rank[j]] = value[j];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < $ITEMS; j++)
    if (j * $GROUP + me < length)
      sorted_values[values_to + place[j]] = tile_values[j * $GROUP + me];
#endif
}
]==]

-- ---- putting them together --------------------------------------------------------------------------------------

local function items_of(bytes)
  return math.max(math.min(math.floor((bytes < 8 and 64 or 96) / bytes), 16), 1)
end

--- The forms: how many elements a piece has, and how many work-items share it.
-- @tparam string form "chunks", "groups" or "look-back"
-- @tparam number bytes of a key or a value, the larger of both
-- @treturn number
-- @treturn number
-- @treturn ?local_memory what the group shares, the last argument of the sorting kernel
function sort_source.piece(form, bytes)
  if form == "chunks" then return CHUNK, 1 end
  local length = GROUP * items_of(bytes)
  return length, GROUP, local_memory(math.max(2 * GROUP / LANES * 256 * 4, length * bytes))
end

--- The digits of a key: passes of 8 bits; two of 4 bits for a byte, because after an even number of passes the sorted
-- elements are back in their buffer.
-- @tparam number bytes of the key
-- @treturn number how many passes
-- @treturn number bits of a digit
function sort_source.digits(bytes)
  if bytes == 1 then return 2, 4 end
  return bytes, 8
end

local function filled(pattern, words)
  return (pattern:gsub("%$(%u+)", words))
end

local function words_of(key, options, form, bytes)
  local base, size = types.parts(key), types.bytes(key)
  local passes, bits = sort_source.digits(size)
  local words = {
    NAME = options.name, KEY = unsigned[size], COUNT = options.wide and "ulong" or "uint", BYTES = size,
    DIRECTION = options.descending and "~" or "", VALUE = options.values or "",
    NUMBER = options.argsort and "numbered ? (clue_value)(from + (k)) :" or "",
    LENGTH = sort_source.piece(form, bytes), ITEMS = items_of(bytes), GROUP = GROUP, LANES = LANES, PASSES = passes,
    BITS = bits, INFINITY = infinity[base], FLIP = base:find "^u" and "0" or "clue_SIGN", AHEAD = AHEAD,
  }
  words.ORDER = filled(infinity[base] and order_of_reals or order_of_whole, words)
  return words
end

--- Builds the kernels of a form.
-- @tparam context context
-- @tparam string form "chunks", "groups" or "look-back"
-- @tparam string key the type of the keys
-- @tparam table options name; values (a type, nil without values), argsort, descending, wide (boolean: 2^32 elements or
--   more), options (of the build)
-- @tparam number bytes as for @{piece}
-- @treturn kernel counts digits
-- @treturn kernel sorts by a digit
function sort_source.build(context, form, key, options, bytes)
  local text, words = source.new(options.name), words_of(key, options, form, bytes)
  text:add(types.extension(options.values or "")):add(filled(common, words))
  text:add(filled(with_values[tostring(options.values ~= nil)], words))
  if form == "chunks" then
    text:add(filled(chunks, words))
  else
    text:add(filled(group_functions .. (form == "groups" and count_tile or look_back_functions) .. sort_tile, words))
  end
  local program = text:build(context, options.options)
  return program:kernel(options.name .. "_count"), program:kernel(options.name)
end

return sort_source
