--- The kernels of context:scan, in three forms (@{clue.compute.scan_vectors} has a fourth).
--
-- "chunks" and "groups" take three steps: reduce each piece of the elements to its sum; scan the sums, by the same
-- kernels ("carry"); scan each piece, beginning with its sum. In "chunks", for CPUs, one work-item walks through a
-- piece; in "groups" a work-group of a GPU shares it.
--
-- "look-back" takes one step and reads each element once (Merrill and Garland, Single-pass Parallel Prefix Scan with
-- Decoupled Look-back, 2016). A group takes the next tile of the elements, publishes the tile's total, and waits until
-- another group has published the sum of everything before one of the last blocks of tiles; it adds the totals since
-- then. It needs progress only of groups that have started, because the tiles are numbered as groups start. Floats must
-- give the same result each time, whichever sum was found: so totals are added in blocks of tiles, and the blocks' to
-- the sum of everything before. It is for items of up to 16 bytes: each 4 bytes are published with a mark of their own,
-- so that no memory fences are needed.
--
-- A tile waits for those before it some microseconds, in which a GPU can do no better than to have enough other tiles
-- under way. Their elements fill what it has of local memory and, as this is not enough, of registers. One warp of the
-- group looks back, since its lanes need no barriers. They ask each other by NVIDIA's shuffles (PTX). On other devices
-- a group is a single warp of 32 work-items, which uses local memory and barriers instead.
-- @module clue.compute.scan_source
local local_memory = require("clue.kernel").local_memory
local signature = require "clue.compute.signature"
local source = require "clue.compute.source"
local types = require "clue.compute.types"

local scan_source = {}

local GROUP = 256 -- work-items of a GPU's group
local RUN = 64 -- bytes of a GPU's work-item
local CHUNK = 16384 -- elements of a CPU's work-item; one driver cuts loops at 65535 iterations
local WARP = 32 -- work-items of a warp, and tiles whose totals are added first: a block
local AHEAD = {group = 128, run = 256} -- "look-back": work-items on NVIDIA's GPUs; bytes of one in local memory
local BACK = 2 -- blocks before its own whose totals a tile adds

-- What the forms share. Functions keep the user's texts from each other's names.
local function add_texts(text, list, options)
  text:add(types.extension(options.type)):add(signature.extensions(list)):user("preamble", options.preamble)
  text:add("typedef %s clue_item;", options.type)
  text:add "static clue_item clue_identity(void) { return (":user("identity", options.identity):add "); }"
  text:add "static clue_item clue_combine(const clue_item a, const clue_item b) { return ("
  text:user("operation", options.operation):add "); }"
  text:add("static clue_item clue_input(%s) { return (", signature.join(list.kernel, "const long i, const long n"))
  text:user("input", options.input):add "); }"
  text:add("static void clue_output(%s) {",
    signature.join(list.kernel, "const long i, const long n, const clue_item item, const clue_item previous"))
  text:user("output", options.output):add ";\n}"
end

local chunks = [[
kernel void $NAME_reduce($PARAMETERS const long clue_first, const long n, global clue_item *clue_sums)
{
  const long clue_piece = get_group_id(0), clue_end = min(n, clue_first + (clue_piece + 1) * $LENGTH);
  clue_item clue_sum = clue_identity();
  for (long i = clue_first + clue_piece * $LENGTH; i < clue_end; i++)
    clue_sum = clue_combine(clue_sum, $INPUT);
  clue_sums[clue_piece] = clue_sum;
}

kernel void $NAME($PARAMETERS const long clue_first, const long n, global const clue_item *clue_sums)
{
  const long clue_piece = get_group_id(0), clue_end = min(n, clue_first + (clue_piece + 1) * $LENGTH);
  clue_item clue_sum = clue_identity();
  if (clue_piece > 0)
    clue_sum = clue_sums[clue_piece];
  for (long i = clue_first + clue_piece * $LENGTH; i < clue_end; i++) {
    const clue_item clue_previous = clue_sum;
    clue_sum = clue_combine(clue_sum, $INPUT);
    $OUTPUT;
  }
}
]]

-- Element k of a tile is at clue_at(k), so that work-items that each read a run of elements use different banks.
local tiles = [[
#define clue_at(k) ((k) + (k) / 32)

// Returns the sum of what the work-items before this one gave, and the sum of all.
static clue_item clue_scan_group(const clue_item own, local clue_item *sums, clue_item *total)
{
  const int me = get_local_id(0);
  clue_item sum = own;
  sums[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < $GROUP; distance *= 2) {
    if (me >= distance)
      sum = clue_combine(sums[me - distance], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  *total = sums[$GROUP - 1];
  if (me > 0)
    return sums[me - 1];
  return clue_identity();
}

// Returns the sum of the work-item's run of elements.
static clue_item clue_sum_run(local const clue_item *tile)
{
  const int begin = get_local_id(0) * $ITEMS;
  clue_item sum = tile[clue_at(begin)];
  for (int k = 1; k < $ITEMS; k++)
    sum = clue_combine(sum, tile[clue_at(begin + k)]);
  return sum;
}

static void clue_scan_run(local clue_item *tile, const clue_item before)
{
  const int begin = get_local_id(0) * $ITEMS;
  clue_item sum = before;
  for (int k = 0; k < $ITEMS; k++) {
    sum = clue_combine(sum, tile[clue_at(begin + k)]);
    tile[clue_at(begin + k)] = sum;
  }
}
]]

local load_tile = [[
  const int clue_me = get_local_id(0);
  local clue_item *clue_sums_of_group = clue_tile + clue_at($LENGTH);
  const long clue_begin = clue_first + clue_piece * $LENGTH;
  const int clue_length = (int)min(n - clue_begin, (long)$LENGTH);
  if (clue_length == $LENGTH) {
#pragma unroll 16
    for (int step = 0; step < $ITEMS; step++) {
      const int k = step * $GROUP + clue_me;
      const long i = clue_begin + k;
      clue_tile[clue_at(k)] = $INPUT;
    }
  } else {
    for (int k = clue_me; k < $LENGTH; k += $GROUP) {
      const long i = clue_begin + k;
      clue_item item = clue_identity();
      if (k < clue_length)
        item = $INPUT;
      clue_tile[clue_at(k)] = item;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  clue_item clue_total;
  const clue_item clue_mine = clue_scan_group(clue_sum_run(clue_tile), clue_sums_of_group, &clue_total);
]]

local store_tile = [[
  clue_scan_run(clue_tile, clue_combine(clue_before, clue_mine));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (clue_length == $LENGTH) {
#pragma unroll 16
    for (int step = 0; step < $ITEMS; step++) {
      const int k = step * $GROUP + clue_me;
      const long i = clue_begin + k;
      $SUMS
      $OUTPUT;
    }
  } else {
    for (int k = clue_me; k < clue_length; k += $GROUP) {
      const long i = clue_begin + k;
      $SUMS
      $OUTPUT;
    }
  }
]]

local take_sums = [[const clue_item clue_sum = clue_tile[clue_at(k)];
      clue_item clue_previous = clue_before;
      if (k > 0)
        clue_previous = clue_tile[clue_at(k - 1)];]]

local groups = [[
kernel __attribute__((reqd_work_group_size($GROUP, 1, 1)))
void $NAME_reduce($PARAMETERS local clue_item *clue_tile, const long clue_first, const long n,
                  global clue_item *clue_sums)
{
  const long clue_piece = get_group_id(0);
]] .. load_tile .. [[
  if (clue_me == $GROUP - 1)
    clue_sums[clue_piece] = clue_total;
}

kernel __attribute__((reqd_work_group_size($GROUP, 1, 1)))
void $NAME($PARAMETERS local clue_item *clue_tile, const long clue_first, const long n,
           global const clue_item *clue_sums)
{
  const long clue_piece = get_group_id(0);
  clue_item clue_before = clue_identity();
  if (clue_piece > 0)
    clue_before = clue_sums[clue_piece];
]] .. load_tile .. store_tile .. "}\n"

-- What the lanes of a warp tell each other. Without shuffles, two faults of PoCL 3.1 decide the form of the kernel: it
-- takes what an array holds for the same in all work-items if its index is, so loops with arrays whose items decide
-- something are unrolled; and groups that ran at the same time shared local arrays that were declared in the kernel.
local shuffles = [[
static clue_item clue_lane(const clue_item own, const int from, local clue_item *told)
{
  clue_words words;
  words.bits[0] = 0;
  words.item = own;
#pragma $UNROLL
  for (int k = 0; k < $WORDS; k++)
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(words.bits[k]) : "r"(words.bits[k]), "r"(from));
  return words.item;
}

#define clue_meet() asm volatile("bar.warp.sync 0xffffffff;" : : : "memory")
]]

local exchange = [[
static clue_item clue_lane(const clue_item own, const int from, local clue_item *told)
{
  told[get_local_id(0)] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  const clue_item item = told[from];
  barrier(CLK_LOCAL_MEM_FENCE);
  return item;
}

#define clue_meet() barrier(CLK_LOCAL_MEM_FENCE)
]]

-- A place holds the total of a tile or, behind those of all tiles, the sum of everything before a block of tiles. It is
-- written once: each 4 bytes of the item together with a mark, as a whole.
local places = [[
typedef union { clue_item item; uint bits[$WORDS]; } clue_words;

static void clue_publish(volatile global ulong *places, const long place, const clue_item item)
{
  clue_words words;
  words.bits[0] = 0;
  words.item = item;
  for (int k = 0; k < $WORDS; k++)
    places[place * $WORDS + k] = 1ul << 32 | words.bits[k];
}

static bool clue_published(volatile global ulong *places, const long place, clue_item *item)
{
  clue_words words;
  bool is_whole = true;
  for (int k = 0; k < $WORDS; k++) {
    const ulong found = places[place * $WORDS + k];
    words.bits[k] = (uint)found;
    is_whole = is_whole && found != 0;
  }
  *item = words.item;
  return is_whole;
}
]]

-- All lanes of a warp call these.
local warp_sums = [[
// Gives the sum of the items of the lanes before this one, and of all.
static void clue_scan_warp(clue_item item, const int lane, local clue_item *told, clue_item *before, clue_item *total)
{
#pragma $UNROLL
  for (int distance = 1; distance < $WARP; distance *= 2) {
    const clue_item other = clue_lane(item, max(lane - distance, 0), told);
    if (lane >= distance)
      item = clue_combine(other, item);
  }
  const clue_item last = clue_lane(item, max(lane - 1, 0), told);
  *before = clue_identity();
  if (lane > 0)
    *before = last;
  *total = clue_lane(item, $WARP - 1, told);
}

// Returns the sum of the items of all lanes.
static clue_item clue_sum_warp(clue_item item, const int lane, local clue_item *told)
{
#pragma $UNROLL
  for (int distance = 1; distance < $WARP; distance *= 2) {
    const clue_item other = clue_lane(item, (lane + distance) % $WARP, told);
    if (lane % (2 * distance) == 0)
      item = clue_combine(item, other);
  }
  return clue_lane(item, 0, told);
}

// Returns the sum of everything before the tile: what is before the oldest of some blocks, then the blocks' totals, and
// those of the tiles before this one in its own block. What is older has been there for longer, so this waits less than
// with the nearest block. A lane waits for one tile of each block.
static clue_item clue_look_back(volatile global ulong *places, const long tile, const long tiles,
                                const clue_item total, const int lane, local clue_item *told)
{
  const int inside = tile % $WARP;
  const long block = tile / $WARP, oldest = max(block - $BACK, 0l);
  // Of the blocks before, of the own block, and of its tiles before this one.
  clue_item sum = clue_identity(), items[$BACK + 2];
  bool has_sum = oldest == 0, has_item[$BACK + 1], has_all;
#pragma unroll
  for (int k = 0; k <= $BACK; k++) {
    items[k] = clue_identity();
    has_item[k] = k < $BACK ? oldest + k >= block : lane >= inside;
  }
  if (lane == inside)
    items[$BACK] = total;
  do {
    if (!has_sum)
      has_sum = clue_published(places, tiles + oldest, &sum);
    has_all = has_sum;
#pragma unroll
    for (int k = 0; k <= $BACK; k++) {
      const long of = k < $BACK ? oldest + k : block;
      if (!has_item[k])
        has_item[k] = clue_published(places, of * $WARP + lane, items + k);
      has_all = has_all && has_item[k];
    }
  } while (!has_all);
  clue_meet();
  items[$BACK + 1] = clue_identity();
  if (lane < inside)
    items[$BACK + 1] = items[$BACK];
#pragma unroll
  for (int k = 0; k < $BACK + 2; k++) {
    items[k] = clue_sum_warp(items[k], lane, told);
    if (k < $BACK && oldest + k < block)
      sum = clue_combine(sum, items[k]);
  }
  if (lane == 0 && inside == $WARP - 1)
    clue_publish(places, tiles + block + 1, clue_combine(sum, items[$BACK]));
  return clue_combine(sum, items[$BACK + 1]);
}
]]

-- A warp has consecutive elements. Of those, a lane has the first in registers and the others in local memory, through
-- which both are read and written, so that neighbouring lanes read and write neighbouring elements.
local look_back = [[
// Where a warp's k-th element is, if each lane has a run of elements: runs begin in different banks.
#define clue_at(k, run) ((k) + (k) / (run) * $GAP)

#define clue_load(first, count, condition) \
  for (int k = 0; k < count; k++) { \
    const long i = clue_mine + (first + k) * $WARP; \
    clue_part[clue_at(k * $WARP + clue_me, count)] = condition ? $INPUT : clue_identity(); \
  }

#define clue_store(first, count, sum_before, condition) \
  for (int step = 0; step < count; step++) { \
    const long i = clue_mine + (first + step) * $WARP; \
    const int k = step * $WARP + clue_me; \
    const clue_item clue_sum = clue_part[clue_at(k, count)]; \
    clue_item clue_previous = sum_before; \
    if (k > 0) \
      clue_previous = clue_part[clue_at(k - 1, count)]; \
    if (condition) \
      $OUTPUT; \
  }

kernel __attribute__((reqd_work_group_size($GROUP, 1, 1)))
void $NAME($PARAMETERS local clue_item *clue_tile, const long clue_first, const long n,
           volatile global uint *clue_next_tile)
{
  local clue_item *clue_told = clue_tile + $GROUP * ($ITEMS + $GAP), *clue_totals = clue_told + $WARP;
  local clue_item clue_sum_before;
  local uint clue_taken;
  volatile global ulong *clue_places = (volatile global ulong *)clue_next_tile + 1;
  if (get_local_id(0) == 0)
    clue_taken = get_num_groups(0) > 1 ? atomic_inc(clue_next_tile) : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int clue_me = get_local_id(0) % $WARP, clue_warp = get_local_id(0) / $WARP;
  const long clue_piece = clue_taken, clue_begin = clue_first + clue_piece * $LENGTH;
  const long clue_mine = clue_begin + clue_warp * ($LENGTH / ($GROUP / $WARP)) + clue_me;
  const bool clue_is_whole = clue_begin + $LENGTH <= n;
  local clue_item *clue_part = clue_tile + clue_warp * $WARP * ($ITEMS + $GAP);
  if (clue_is_whole) {
#pragma $UNROLL
    clue_load(0, $KEPT, true)
  } else {
    clue_load(0, $KEPT, i < n)
  }
  clue_meet();
  clue_item clue_kept[$KEPT];
  clue_kept[0] = clue_part[clue_at(clue_me * $KEPT, $KEPT)];
#pragma $UNROLL
  for (int k = 1; k < $KEPT; k++)
    clue_kept[k] = clue_combine(clue_kept[k - 1], clue_part[clue_at(clue_me * $KEPT + k, $KEPT)]);
  clue_meet();
  if (clue_is_whole) {
#pragma $UNROLL
    clue_load($KEPT, $ITEMS, true)
  } else {
    clue_load($KEPT, $ITEMS, i < n)
  }
  clue_meet();
  clue_item clue_run = clue_part[clue_at(clue_me * $ITEMS, $ITEMS)];
#pragma $UNROLL
  for (int k = 1; k < $ITEMS; k++)
    clue_run = clue_combine(clue_run, clue_part[clue_at(clue_me * $ITEMS + k, $ITEMS)]);

  clue_item clue_own[2] = {clue_kept[$KEPT - 1], clue_run}, clue_of_lanes[2], clue_of_warp[2];
#pragma unroll
  for (int k = 0; k < 2; k++)
    clue_scan_warp(clue_own[k], clue_me, clue_told, clue_of_lanes + k, clue_of_warp + k);
  if (clue_me == 0)
    clue_totals[clue_warp] = clue_combine(clue_of_warp[0], clue_of_warp[1]);
  barrier(CLK_LOCAL_MEM_FENCE);
  clue_item clue_before = clue_identity(), clue_total = clue_totals[0];
#pragma $UNROLL
  for (int warp = 1; warp < $GROUP / $WARP; warp++) {
    if (warp == clue_warp)
      clue_before = clue_total;
    clue_total = clue_combine(clue_total, clue_totals[warp]);
  }
  if (get_local_id(0) == 0)
    clue_publish(clue_places, clue_piece, clue_total);
  $ONE {
    const clue_item found = clue_look_back(clue_places, clue_piece, get_num_groups(0), clue_total, clue_me, clue_told);
    if (clue_me == 0)
      clue_sum_before = found;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  clue_before = clue_combine(clue_sum_before, clue_before);
  const clue_item clue_before_run = clue_combine(clue_before, clue_of_warp[0]);
  clue_item clue_begins = clue_combine(clue_before_run, clue_of_lanes[1]);
#pragma $UNROLL
  for (int from = 0; from < $ITEMS; from += $SOME) { // reads some before it writes any
    clue_item some[$SOME];
#pragma $UNROLL
    for (int k = 0; k < $SOME; k++)
      some[k] = clue_part[clue_at(clue_me * $ITEMS + from + k, $ITEMS)];
#pragma $UNROLL
    for (int k = 0; k < $SOME; k++) {
      clue_begins = clue_combine(clue_begins, some[k]);
      clue_part[clue_at(clue_me * $ITEMS + from + k, $ITEMS)] = clue_begins;
    }
  }
  clue_meet();
  if (clue_is_whole) {
#pragma $UNROLL
    clue_store($KEPT, $ITEMS, clue_before_run, true)
  } else {
    clue_store($KEPT, $ITEMS, clue_before_run, i < n)
  }
  clue_meet();
  clue_begins = clue_combine(clue_before, clue_of_lanes[0]);
#pragma $UNROLL
  for (int k = 0; k < $KEPT; k++)
    clue_part[clue_at(clue_me * $KEPT + k, $KEPT)] = clue_combine(clue_begins, clue_kept[k]);
  clue_meet();
  if (clue_is_whole) {
#pragma $UNROLL
    clue_store(0, $KEPT, clue_before, true)
  } else {
    clue_store(0, $KEPT, clue_before, i < n)
  }
}
]]

-- ---- putting them together --------------------------------------------------------------------------------------

local function has_shuffles(context)
  return context.device:has_extension "cl_nv_compiler_options"
end

-- Of "look-back": the elements of a work-item in local memory and in registers, the work-items of a group, and the
-- elements between runs in local memory.
local function held(bytes, context)
  local items = math.min(math.floor(AHEAD.run / bytes), 64)
  return items, math.floor(items / 2), has_shuffles(context) and AHEAD.group or WARP, math.ceil(4 / bytes)
end

--- The forms: how many elements a piece has, and how many work-items share it.
-- @tparam string form "chunks", "groups" or "look-back"
-- @tparam number bytes of an item
-- @tparam context context
-- @treturn number
-- @treturn number
-- @treturn ?local_memory what the group shares, an argument of the kernels
function scan_source.piece(form, bytes, context)
  if form == "chunks" then return CHUNK, 1 end
  if form == "look-back" then
    local items, kept, group, gap = held(bytes, context)
    return group * (items + kept), group, local_memory(bytes * (group * (items + gap) + WARP + group / WARP))
  end
  local group = math.min(GROUP, math.floor(8192 / bytes)) -- local memory is as small as 32 KB
  local length = group * math.max(math.min(math.floor(RUN / bytes), 32), 1)
  return length, group, local_memory(bytes * math.floor(length + length / 32 + group))
end

local function filled(pattern, words)
  return (pattern:gsub("%$(%u+)", words))
end

-- What the kernels' texts contain for the script's arguments, and for the sums of pieces.
local function words_of(name, list, options, form, context)
  local bytes = types.bytes(options.type)
  local length, group = scan_source.piece(form, bytes, context)
  local arguments = signature.join(list.names, "i, n")
  local output = ("clue_output(%s, %s, clue_previous)"):format(arguments, options.exclusive and "clue_previous"
    or "clue_sum")
  local own = {NAME = name, PARAMETERS = signature.join(list.kernel, ""), INPUT = ("clue_input(%s)"):format(arguments),
               OUTPUT = output, LENGTH = length, ITEMS = math.floor(length / group), GROUP = group, SUMS = take_sums}
  local carry = {}
  for key, word in pairs(own) do carry[key] = word end
  carry.NAME, carry.PARAMETERS = name .. "_carry", "global clue_item *clue_carried,"
  carry.INPUT, carry.OUTPUT = "clue_carried[i]", "clue_carried[i] = clue_previous"
  return own, carry
end

local function look_back_text(words, bytes, context)
  words.ITEMS, words.KEPT, words.GROUP, words.GAP = held(bytes, context)
  words.WORDS, words.WARP, words.BACK = math.ceil(bytes / 4), WARP, BACK
  words.SOME = bytes == 4 and 16 or 8 -- as measured
  words.ONE = words.GROUP > WARP and "if (clue_warp == 0)" or ""
  words.UNROLL = has_shuffles(context) and "unroll" or "nounroll"
  return filled(places .. (has_shuffles(context) and shuffles or exchange) .. warp_sums .. look_back, words)
end

--- The memory of "look-back": the number of the next tile, and a place for each sum.
-- @tparam number pieces
-- @tparam number bytes of an item
-- @treturn number bytes
function scan_source.places(pieces, bytes)
  return 8 * (1 + math.ceil(bytes / 4) * (pieces + math.floor(pieces / WARP) + 1))
end

--- Builds the kernels of a form.
-- @tparam context context
-- @tparam string form "chunks", "groups" or "look-back"
-- @tparam table list the parameters (@{clue.compute.signature})
-- @tparam table options of @{clue.compute.scan}: name, type, operation, identity, input, output, exclusive, preamble,
--   options
-- @treturn table of kernels: scan, reduce; carry, with the same two for the sums of pieces. "look-back" has scan alone.
--   Also length, group and shared (@{piece})
function scan_source.build(context, form, list, options)
  local name, text = options.name, source.new(options.name)
  local own, carry = words_of(name, list, options, form, context)
  add_texts(text, list, options)
  if form == "look-back" then
    text:add(look_back_text(own, types.bytes(options.type), context))
  else
    if form == "groups" then text:add(filled(tiles, own)) end
    local pattern = form == "groups" and groups or chunks
    text:add(filled(pattern, own)):add(filled(pattern, carry))
  end
  local program = text:build(context, options.options)
  local function kernels_of(of)
    local kernels = {scan = program:kernel(of), reduce = form ~= "look-back" and program:kernel(of .. "_reduce") or nil}
    kernels.length, kernels.group, kernels.shared = scan_source.piece(form, types.bytes(options.type), context)
    return kernels
  end
  local kernels = kernels_of(name)
  if form == "look-back" then return kernels end
  kernels.carry = kernels_of(name .. "_carry")
  kernels.carry.carry = kernels.carry
  return kernels
end

return scan_source
