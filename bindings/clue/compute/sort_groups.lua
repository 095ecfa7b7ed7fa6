--- The kernels of context:sort for work-groups that share local memory, in two forms: "groups" and "look-back"
-- (@{clue.compute.sort_source}, which fills in what begins with $).
-- @module clue.compute.sort_groups
local sort_groups = {}

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
-- tile puts its first element) and the number. The number of the next tile comes before. Waiting has a loop of its own:
-- with one that both waited and went on, PoCL 3.1 did not wait. It is also wrong about barriers in conditions.
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

sort_groups.groups = group_functions .. count_tile .. sort_tile
sort_groups["look-back"] = group_functions .. look_back_functions .. sort_tile

return sort_groups
