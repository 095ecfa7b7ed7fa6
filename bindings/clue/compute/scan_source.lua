--- The kernels of context:scan, in three forms.
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
-- @module clue.compute.scan_source
local local_memory = require("clue.kernel").local_memory
local signature = require "clue.compute.signature"
local source = require "clue.compute.source"
local types = require "clue.compute.types"

local scan_source = {}

local GROUP = 256 -- work-items of a GPU's group
local RUN = {groups = 64, ["look-back"] = 128} -- bytes of a GPU's work-item
local CHUNK = 16384 -- elements of a CPU's work-item; one driver cuts loops at 65535 iterations
local BLOCK = 32 -- tiles whose totals are added first

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

-- The window of a tile are its own block and the blocks before it, as many as there are work-items for tiles.
local look_back = [[
// Returns the sum of the block's tiles before this one, and the sum of all blocks before it.
static clue_item clue_look_back(volatile global ulong *places, const long tile, const long tiles,
                                local clue_item *window, local int *nearest, clue_item *before)
{
  const int me = get_local_id(0);
  const long low = max(tile / $BLOCK - ($GROUP / $BLOCK - 1), 0l), mine = low * $BLOCK + me;
  const int blocks = (int)(tile / $BLOCK - low);
  local clue_item *starts = window + clue_at($GROUP), *totals = starts + $GROUP / $BLOCK;
  clue_item item = clue_identity();
  while (mine < tile && !clue_published(places, mine, &item))
    ;
  window[clue_at(me)] = item;
  if (me == 0)
    *nearest = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  int found;
  do {
    bool is_start = me <= blocks && low + me == 0;
    if (is_start)
      item = clue_identity();
    else if (me <= blocks)
      is_start = clue_published(places, tiles + low + me, &item);
    if (is_start) {
      starts[me] = item;
      atomic_max(nearest, me);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    found = *nearest;
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (found < 0);
  if (me >= found && me <= blocks) {
    clue_item sum = window[clue_at(me * $BLOCK)];
#pragma unroll 4
    for (int k = 1; k < $BLOCK; k++)
      sum = clue_combine(sum, window[clue_at(me * $BLOCK + k)]);
    totals[me] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  clue_item sum = starts[found];
  for (int block = found; block < blocks; block++)
    sum = clue_combine(sum, totals[block]);
  *before = sum;
  return totals[blocks];
}

kernel __attribute__((reqd_work_group_size($GROUP, 1, 1)))
void $NAME($PARAMETERS local clue_item *clue_tile, const long clue_first, const long n,
           volatile global uint *clue_next_tile)
{
  local uint clue_taken;
  local int clue_nearest;
  volatile global ulong *clue_places = (volatile global ulong *)clue_next_tile + 1;
  if (get_local_id(0) == 0)
    clue_taken = get_num_groups(0) > 1 ? atomic_inc(clue_next_tile) : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const long clue_piece = clue_taken, clue_tiles = get_num_groups(0);
]] .. load_tile .. [[
  barrier(CLK_LOCAL_MEM_FENCE);
  if (clue_me == 0)
    clue_publish(clue_places, clue_piece, clue_total);
  clue_item clue_blocks;
  const clue_item clue_block = clue_look_back(clue_places, clue_piece, clue_tiles, clue_sums_of_group, &clue_nearest,
                                              &clue_blocks);
  if (clue_me == 0 && clue_piece % $BLOCK == $BLOCK - 1)
    clue_publish(clue_places, clue_tiles + clue_piece / $BLOCK + 1,
                 clue_combine(clue_blocks, clue_combine(clue_block, clue_total)));
  const clue_item clue_before = clue_combine(clue_blocks, clue_block);
]] .. store_tile .. "}\n"

-- ---- putting them together --------------------------------------------------------------------------------------

--- The forms: how many elements a piece has, and how many work-items share it.
-- @tparam string form "chunks", "groups" or "look-back"
-- @tparam number bytes of an item
-- @treturn number
-- @treturn number
-- @treturn ?local_memory what the group shares, an argument of the kernels
function scan_source.piece(form, bytes)
  if form == "chunks" then return CHUNK, 1 end
  local group = math.min(GROUP, math.floor(8192 / bytes)) -- local memory is as small as 32 KB
  local length = group * math.max(math.min(math.floor(RUN[form] / bytes), 32), 1)
  return length, group, local_memory(bytes * math.floor(length + length / 32 + group + 3 * group / BLOCK))
end

local function filled(pattern, words)
  return (pattern:gsub("%$(%u+)", words))
end

-- What the kernels' texts contain for the script's arguments, and for the sums of pieces.
local function words_of(name, list, options, form)
  local bytes = types.bytes(options.type)
  local length, group = scan_source.piece(form, bytes)
  local arguments = signature.join(list.names, "i, n")
  local output = ("clue_output(%s, %s, clue_previous)"):format(arguments, options.exclusive and "clue_previous"
    or "clue_sum")
  local own = {NAME = name, PARAMETERS = signature.join(list.kernel, ""), INPUT = ("clue_input(%s)"):format(arguments),
               OUTPUT = output, LENGTH = length, ITEMS = math.floor(length / group), GROUP = group, BLOCK = BLOCK,
               WORDS = math.ceil(bytes / 4), SUMS = take_sums}
  local carry = {}
  for key, word in pairs(own) do carry[key] = word end
  carry.NAME, carry.PARAMETERS = name .. "_carry", "global clue_item *clue_carried,"
  carry.INPUT, carry.OUTPUT = "clue_carried[i]", "clue_carried[i] = clue_previous"
  return own, carry
end

--- The memory of "look-back": the number of the next tile, and a place for each sum.
-- @tparam number pieces
-- @tparam number bytes of an item
-- @treturn number bytes
function scan_source.places(pieces, bytes)
  return 8 * (1 + math.ceil(bytes / 4) * (pieces + math.floor(pieces / BLOCK) + 1))
end

--- Builds the kernels of a form.
-- @tparam context context
-- @tparam string form "chunks", "groups" or "look-back"
-- @tparam table list the parameters (@{clue.compute.signature})
-- @tparam table options of @{clue.compute.scan}: name, type, operation, identity, input, output, exclusive, preamble,
--   options
-- @treturn table of kernels: scan, reduce; carry, with the same two for the sums of pieces. "look-back" has scan alone
function scan_source.build(context, form, list, options)
  local name, text = options.name, source.new(options.name)
  local own, carry = words_of(name, list, options, form)
  add_texts(text, list, options)
  if form == "look-back" then
    text:add(filled(tiles .. places .. look_back, own))
    return {scan = text:build(context, options.options):kernel(name)}
  end
  if form == "groups" then text:add(filled(tiles, own)) end
  local pattern = form == "groups" and groups or chunks
  text:add(filled(pattern, own)):add(filled(pattern, carry))
  local program = text:build(context, options.options)
  local function pair(of)
    return {scan = program:kernel(of), reduce = program:kernel(of .. "_reduce")}
  end
  local kernels = pair(name)
  kernels.carry = pair(name .. "_carry")
  kernels.carry.carry = kernels.carry
  return kernels
end

return scan_source
